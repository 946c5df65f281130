"""Formats of so many rounds at a table: `duplicate` and `independent`.

Where one seat can play alone, `duplicate` lets everybody play the same tables with the same
shoes, so that luck falls on all alike; where several are needed, every deal is played in all
rotations (`group_tables`). `independent` gives each entrant tables of its own. The rules are
numbered in docs/rules/formats.md.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar, Literal, TypeAlias

from annotated_types import Ge, Gt, Le

from tourney.errors import FormatError
from tourney.formats.base import Format, OnFault, Schedule, scoring_of
from tourney.formats.designs import tables_each
from tourney.formats.field import Field
from tourney.formats.group_tables import (
    IN_WORDS,
    CompanySchedule,
    Part,
    check_company,
    is_solo,
    refuse_limit,
)
from tourney.formats.stopping import Stopping
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules, fewest_seats
from tourney.standings.bounded_differences import Bounds
from tourney.standings.confidence import doubling
from tourney.standings.standing import BANKROLL, POINTS, Measure

ROUNDS_IN_A_BATCH = 100_000
"""What a batch holds where the organiser does not say: a second or two of Python, and enough
tables to be asked in lockstep."""

Looks: TypeAlias = tuple[Annotated[int, Ge(1), Le(1_000_000)], ...]
"""Numbers of tables."""
MOST_TABLES = 1_000_000
"""Of an entrant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solo(Format):
    """Options of formats with one seat at every table."""

    tables: Annotated[int, Ge(1), Le(MOST_TABLES)]
    """Tables every entrant plays, or at which it sits with others."""

    rounds: Annotated[int, Ge(1), Le(1_000_000_000)]
    """Rounds at every table, as long as the bankroll lasts; or deals, each in all seatings."""

    block_rounds: Annotated[int, Ge(1), Le(1_000_000_000)] | None = None
    """Rounds after which a table starts again with a new shoe and new players; by default all."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together, of one entrant or in one rotation."""

    on_fault: OnFault = "zero"
    """What a verdict costs: zero (that table counts as the worst there is), disqualify (no place)
    or keep (nothing)."""

    margin: Annotated[float, Gt(0), Le(1_000_000)] | None = None
    """Chips or points a round by which two entrants may differ and count as practically equal."""

    stop: Literal["at-the-end", "separated"] = "at-the-end"
    """Play all tables; or stop at a look after which all neighbours on the board are told apart,
    equal or practically equal."""

    looks: Looks | None = None
    """Tables after which to look, for stop: separated; by default 400, and doubled up to all."""

    bounds: Literal["declared", "ignore"] = "declared"
    """Let ranks hold for all results within the bounds that the game declares, if it does; or for
    results without rare, large losses only, which takes fewer tables."""

    adjusts_luck: ClassVar[bool] = True
    shares_shoes: ClassVar[bool | None] = False

    def __post_init__(self) -> None:
        """Refuse looks that nobody takes, or that come in no order."""
        if self.looks is None:
            return
        if self.stop == "at-the-end":
            raise FormatError("looks: expected stop: separated beside them, got none")
        is_rising = all(one < other for one, other in pairwise((0, *self.looks)))
        if not is_rising or self.looks[-1] > self.tables:
            raise FormatError(
                f"looks: expected rising numbers up to tables: {self.tables}, got "
                f"{', '.join(map(str, self.looks))}"
            )

    @property
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table."""
        return self.rounds

    @property
    def tables_each(self) -> int:
        """Tables from each of which an entrant brings a bankroll to the next stage."""
        return self.tables

    def check(self, entrants: int, rules: Rules) -> None:
        """Accept any number of entrants that sit alone; refuse a game for several."""
        del entrants
        if not is_solo(rules):
            seats = IN_WORDS.get(fewest_seats(rules), "several")
            others = "match" if rules.most_points is None else "duplicate or match"
            raise FormatError(
                f"expected {others}, as {rules.game} is played by {seats} at a table, who share "
                "its cards; got a format in which everybody sits alone"
            )

    def looks_for(self, entrants: int, rules: Rules) -> tuple[int, ...]:
        """Give the tables after which it may stop, the last one all; nothing if it never does."""
        if self.stop == "at-the-end":
            return ()
        step = 1 if is_solo(rules) else tables_each(entrants, fewest_seats(rules))
        looks = self.looks or doubling(self.tables, step)
        return looks if looks[-1] == self.tables else (*looks, self.tables)

    def stopping(self, field: Field) -> Stopping:
        """Give what decides when it is over on a field."""
        return Stopping(field, scoring_of(self, field), self.tables)

    def measure(self, rules: Rules) -> Measure:
        """Count bankrolls, or points where there are no chips."""
        return BANKROLL if rules.most_points is None else POINTS

    def table_bounds(self, rules: Rules, bankroll: int, minimum: int) -> Bounds | None:
        """Give bounds of the profit or the points a round, from those of a round of the game."""
        of_round = rules.game.round_bounds(rules, minimum)
        if of_round is None or self.bounds == "ignore":
            return None
        low, high = (each / rules.unit for each in of_round)
        if rules.most_points is not None:
            return Bounds(low, max(high, rules.most_points if self.fault == "lost" else high))
        # Rounds that are not played any more bring nothing, and nobody loses more than there is.
        ruin = -bankroll / rules.unit / self.rounds
        return Bounds(ruin if self.fault == "lost" else max(min(low, 0.0), ruin), max(high, 0.0))

    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table."""
        if is_solo(rules):
            return f"{self.rounds:,} rounds at a table"
        deals = "1 deal" if self.rounds == 1 else f"{self.rounds:,} deals"
        return f"{deals} at a table, in {fewest_seats(rules)} seatings each"

    def schedule(self, field: Field) -> Schedule:
        """Draw up the tournament of a field."""
        return SoloSchedule(self, field)

    @abstractmethod
    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Say in which heat, and at which table of it, an entrant plays a table."""


class Duplicate(Solo):
    """Everybody plays the same cards: alone on the same tables, or every seat of a deal."""

    summary = "all play the same cards, alone or in every seat of a deal"
    shares_shoes = True

    def check(self, entrants: int, rules: Rules) -> None:
        """Refuse groups that do not come out even; whoever sits alone meets nobody."""
        if not is_solo(rules):
            if rules.most_points is None:
                raise FormatError(
                    f"expected match, roundrobin, swiss or ladder, as {rules.game} is a game of "
                    "chips that nobody can play alone; got duplicate"
                )
            check_company(self.tables, entrants, rules)
            for look in self.looks or ():
                check_company(look, entrants, rules, "looks")
            refuse_limit(rules)

    def schedule(self, field: Field) -> Schedule:
        """Draw up the tournament of a field."""
        if is_solo(field.rules):
            return SoloSchedule(self, field)
        block_rounds = min(self.block_rounds or self.rounds, self.rounds)
        parts = tuple(
            Part(0, first, min(block_rounds, self.rounds - first + 1))
            for first in range(1, self.rounds + 1, block_rounds)
        )
        return CompanySchedule(field, self.tables, parts, self.batch_tables, self.stopping(field))

    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Share heat and table, and so the shoes, with all entrants."""
        del entrant
        return 0, table


class Independent(Solo):
    """Every entrant alone against the dealer on tables of its own."""

    summary = "every entrant plays alone at its own tables"

    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Give every entrant a heat, and so shoes, of its own."""
        return entrant, table


class SoloSchedule(Schedule):
    """Waves of blocks: the first rounds of all tables, then the next ones, to the end.

    Where it may stop early, the tables up to each look are played to the end before the look.
    Where it was extended, what there was at first comes first, and keeps its numbers.
    """

    def __init__(self, options: Solo, field: Field) -> None:
        self._options = options
        self._field = field
        self._stopping = options.stopping(field)
        self._block_rounds = min(options.block_rounds or options.rounds, options.rounds)
        by_default = max(1, ROUNDS_IN_A_BATCH // self._block_rounds)
        self._batch_tables = options.batch_tables or by_default
        self._bankrolls: dict[tuple[int, int], int] = {}
        self._is_chained = self._block_rounds < options.rounds
        self._starts = range(1, options.rounds + 1, self._block_rounds)
        self._parts = _parts(field, self._stopping.parts)
        self.batches = len(self._starts) * sum(self._batches(*part) for part in self._parts)

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Draw up one wave for every block of a table's rounds, look after look."""
        wave = number = 0
        for part in self._parts:
            for first_round in self._starts:
                yield self._wave((wave, number), part, first_round)
                wave, number = wave + 1, number + self._batches(*part)
            if self._stopping.is_over():
                return

    def take(self, result: BlockResult) -> None:
        """Remember the bankroll with which a table goes on."""
        self._stopping.take(result)
        if self._is_chained:
            (seat,) = result.seats
            # A seat at fault plays no further block of its table.
            self._bankrolls[seat.entrant, result.key.table] = 0 if seat.verdict else seat.final

    def _batches(self, tables: range, entrants: range) -> int:
        """Count the batches of a wave."""
        return -(-len(tables) // self._batch_tables) * len(entrants)

    def _wave(
        self, numbers: tuple[int, int], part: tuple[range, range], first_round: int
    ) -> Iterator[Batch]:
        """Draw up the batches table by table, so that standings so far compare all entrants."""
        (wave, number), (tables, entrants) = numbers, part
        for first in range(tables.start, tables.stop, self._batch_tables):
            chunk = range(first, min(first + self._batch_tables, tables.stop))
            for entrant in entrants:
                yield Batch(wave, number, tuple(self._blocks(entrant, chunk, first_round)))
                number += 1

    def _blocks(self, entrant: int, tables: range, first_round: int) -> Iterator[Block]:
        field = self._field
        rounds = min(self._block_rounds, self._options.rounds - first_round + 1)
        for table in tables:
            bankroll = self._bankrolls.get((entrant, table), field.begins_with(entrant))
            if first_round == 1 or field.rules.may_play(bankroll, field.minimum):
                heat, number = self._options.place(entrant, table)
                key = BlockKey(0, heat, number, entrant, first_round)
                yield field.block(key, ((entrant, bankroll),), rounds)


def _parts(field: Field, looks: tuple[range, ...]) -> list[tuple[range, range]]:
    """Give the tables and entrants that are played together, one part after the other.

    Args:
        field: Who plays, and how it was extended.
        looks: The tables before each look.
    """
    if not field.steps:
        return [(tables, range(field.entrants)) for tables in looks]
    parts = []
    tables = entrants = 0
    for more_tables, more_entrants in field.steps:
        parts += [
            (range(tables, more_tables), range(entrants)),
            (range(more_tables), range(entrants, more_entrants)),
        ]
        tables, entrants = more_tables, more_entrants
    return [part for part in parts if all(part)]
