"""The tables of `tourney compare`: two strategies with the same luck, in balanced seatings.

Each table is dealt once for each seating, with the same cards:

- One seat: either strategy plays it alone.
- Two seats: in both orders.
- More seats: one of the two sits among copies of the other, once in each seat; then the reverse. So
  a table of 3 seats has 6 seatings, and one of 7 seats has 14.

In each seat each strategy plays equally often. If the names of the two are exchanged, the seatings
are the same, so a difference between equal strategies is as often positive as negative.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import ClassVar, TypeAlias

from tourney.errors import FormatError
from tourney.formats.base import Format, OnFault, Schedule
from tourney.formats.field import Field
from tourney.game.blocks import Batch, Block, TableState
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules
from tourney.standings.standing import BANKROLL, POINTS, Measure

ROUNDS_ALONE, ROUNDS_TOGETHER = 100_000, 1_000
"""Default sizes of a batch: of seats that play alone, and of tables with several seats."""

Seating: TypeAlias = tuple[int, ...]
"""The strategy in each seat: 0 or 1."""


def seats_of(rules: Rules) -> int:
    """Return the number of seats at a table: one if the game allows it, or else the fewest."""
    return rules.seats.start


def seatings_of(seats: int) -> tuple[Seating, ...]:
    """Return the seatings in which each table is played.

    >>> seatings_of(1), seatings_of(2)
    (((0,), (1,)), ((1, 0), (0, 1)))
    >>> seatings_of(3)[:3], len(seatings_of(7))
    (((1, 0, 0), (0, 1, 0), (0, 0, 1)), 14)
    """
    if seats == 1:
        return (0,), (1,)
    among = tuple(tuple(int(seat == one) for seat in range(seats)) for one in range(seats))
    if seats == 2:  # noqa: PLR2004 - head to head, the reverse is the other order
        return among
    return *among, *(tuple(1 - each for each in seating) for seating in among)


def copies_of(seats: int) -> int:
    """Return how often each strategy is entered, so that no entrant has two seats at a table."""
    return max(1, seats - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTables(Format):
    """Options of a comparison. Entrants: the copies of the first strategy, then of the second."""

    tables: int
    """Most tables."""

    rounds: int
    """Rounds at a table, in each seating."""

    looks: tuple[int, ...]
    """Tables after which a wave ends; the last is `tables`."""

    adjusts_luck: ClassVar[bool] = True
    shares_shoes: ClassVar[bool | None] = True

    @property
    def on_fault(self) -> OnFault:
        """Keep the results; a comparison ends with the first verdict."""
        return "keep"

    @property
    def scheduled_rounds(self) -> int:
        """Rounds that an entrant is scheduled to play at one table, in one seating."""
        return self.rounds

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError if the number of entrants does not fit the seats of the game."""
        needed = 2 * copies_of(seats_of(rules))
        if entrants != needed:
            raise FormatError(f"expected {needed} entrants to compare two, got {entrants}")

    def measure(self, rules: Rules) -> Measure:
        """Count bankrolls, or points in games without chips."""
        return BANKROLL if rules.most_points is None else POINTS

    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table."""
        seatings = len(seatings_of(seats_of(rules)))
        return f"{self.rounds:,} rounds at a table, in {seatings} seatings each"

    def span(self, rules: Rules, minimum: int) -> float | None:
        """Return the greatest difference of a table per round; `None` if it has no known bound.

        Args:
            rules: Of the game.
            minimum: The minimum wager, in the unit of the rules.
        """
        of_round = rules.game.round_bounds(rules, minimum)
        if of_round is None:
            return None
        low, high = of_round
        return (max(high, 0) - min(low, 0)) / rules.unit  # an unplayed round brings nothing

    def schedule(self, field: Field) -> "PairedSchedule":
        """Create the schedule of a field."""
        return PairedSchedule(self, field)


class PairedSchedule(Schedule):
    """One wave for each look; blocks are independent."""

    def __init__(self, options: PairedTables, field: Field) -> None:
        """Draw up the seatings."""
        self._field, self._rounds = field, options.rounds
        seats = seats_of(field.rules)
        self._copies = copies_of(seats)
        self._seatings = seatings_of(seats)
        self._state = TableState(advance=0, moves_button=seats > 1 and field.has_chips)
        most = ROUNDS_ALONE if seats == 1 else ROUNDS_TOGETHER
        self._batch_tables = max(1, most // options.rounds)
        self._parts = tuple(range(*each) for each in pairwise((0, *options.looks)))
        chunks = sum(-(-len(part) // self._batch_tables) for part in self._parts)
        self.batches = len(self._seatings) * chunks

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Create one wave of batches for each look."""
        numbers = count()
        for wave, part in enumerate(self._parts):
            yield self._wave(wave, part, numbers)

    def take(self, result: BlockResult) -> None:
        """Ignore a result; no block depends on another."""

    def _wave(self, wave: int, part: range, numbers: Iterator[int]) -> Iterator[Batch]:
        for first in range(part.start, part.stop, self._batch_tables):
            tables = range(first, min(first + self._batch_tables, part.stop))
            # A batch has one seating only: players of one batch may share data in their class, and
            # must not know cards from another seat.
            for number, seating in enumerate(self._seatings):
                blocks = tuple(self._block(table, number, seating) for table in tables)
                yield Batch(wave, next(numbers), blocks)

    def _block(self, table: int, number: int, seating: Seating) -> Block:
        entrants = self._entrants(seating)
        return self._field.block(
            BlockKey(0, 0, table, number, 1),
            [(each, self._field.begins_with(each)) for each in entrants],
            self._rounds,
            state=self._state,
        )

    def _entrants(self, sides: Sequence[int]) -> Iterator[int]:
        """Give each seat the next copy of its strategy."""
        copies = [count(side * self._copies) for side in (0, 1)]
        for side in sides:
            yield next(copies[side])
