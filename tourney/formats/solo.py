"""The formats `duplicate` and `independent`: a number of rounds at each table.

In `duplicate`, all entrants play the same tables with the same shoes, so they have the same luck;
games for several seats play each deal in all rotations (`group_tables`). In `independent`, each
entrant gets different shoes. docs/rules/formats.md numbers the rules.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Gt, Le

from tourney.errors import FormatError
from tourney.formats.base import Format, OnFault, Schedule, scoring_of
from tourney.formats.designs import tables_each
from tourney.formats.field import Field, Looks, Stopping, check_looks
from tourney.formats.group_tables import (
    IN_WORDS,
    CompanySchedule,
    Part,
    check_company,
    instead_of,
    is_solo,
    refuse_limit,
)
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules, fewest_seats
from tourney.standings.bounded_differences import Bounds
from tourney.standings.confidence import doubling
from tourney.standings.standing import BANKROLL, POINTS, Measure

ROUNDS_IN_A_BATCH = 100_000
"""Default size of a batch: a second or two of Python, and enough tables for lockstep play."""

MOST_TABLES = 1_000_000
"""Most tables of an entrant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solo(Format):
    """Options of formats with one seat at each table."""

    tables: Annotated[int, Ge(1), Le(MOST_TABLES)]
    """Tables of each entrant."""

    rounds: Annotated[int, Ge(1), Le(1_000_000_000)]
    """Rounds at each table while the bankroll lasts; or deals, each in all seatings."""

    block_rounds: Annotated[int, Ge(1), Le(1_000_000_000)] | None = None
    """Rounds after which a table starts again with a new shoe and new players; by default all."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together, of one entrant or in one rotation."""

    on_fault: OnFault = "zero"
    """Cost of a verdict: zero (the table counts as the worst result), disqualify (no place) or keep
    (no cost)."""

    margin: Annotated[float, Gt(0), Le(1_000_000)] | None = None
    """Difference in chips or points per round that counts as practically equal."""

    stop: Literal["at-the-end", "separated"] = "at-the-end"
    """Play all tables (at-the-end), or stop at the first interim analysis after which all
    neighbours on the board are significantly different, equal or practically equal (separated)."""

    looks: Looks | None = None
    """Tables after which to analyse, for stop: separated; by default 400, 800, 1,600 and so on."""

    bounds: Literal["declared", "ignore"] = "declared"
    """Make ranks valid for all results within the bounds that the game declares, if any (declared),
    or only for results without rare, large losses, which takes fewer tables (ignore)."""

    adjusts_luck: ClassVar[bool] = True
    shares_shoes: ClassVar[bool | None] = False

    def __post_init__(self) -> None:
        """Raise FormatError for interim analyses that are unused or not in order."""
        check_looks(self.looks, self.stop, self.tables)

    @property
    def scheduled_rounds(self) -> int:
        """Rounds that an entrant is scheduled to play at one table."""
        return self.rounds

    @property
    def tables_each(self) -> int:
        """Number of tables whose bankrolls an entrant could carry to the next stage."""
        return self.tables

    def check(self, entrants: int, rules: Rules) -> None:
        """Accept any number of entrants that sit alone; raise FormatError for games of several
        seats.
        """
        del entrants
        if not is_solo(rules):
            seats = IN_WORDS.get(fewest_seats(rules), str(fewest_seats(rules)))
            raise FormatError(
                f"{rules.game} is played by {seats} at a table, and in independent each entrant "
                f"sits alone; {instead_of('independent', rules)}"
            )

    def looks_for(self, entrants: int, rules: Rules) -> tuple[int, ...]:
        """Return the tables of each interim analysis and of the end; empty if it never
        stops early.
        """
        if self.stop == "at-the-end":
            return ()
        step = 1 if is_solo(rules) else tables_each(entrants, fewest_seats(rules))
        looks = self.looks or doubling(self.tables, step)
        return looks if looks[-1] == self.tables else (*looks, self.tables)

    def stopping(self, field: Field) -> Stopping:
        """Return the stopping rule of a field."""
        return Stopping(field, scoring_of(self, field), self.tables)

    def measure(self, rules: Rules) -> Measure:
        """Count bankrolls, or points in games without chips."""
        return BANKROLL if rules.most_points is None else POINTS

    def table_bounds(self, rules: Rules, bankroll: int, minimum: int) -> Bounds | None:
        """Return the bounds of the profit or points per round, from those of a round of
        the game.
        """
        of_round = rules.game.round_bounds(rules, minimum)
        if of_round is None or self.bounds == "ignore":
            return None
        low, high = (each / rules.unit for each in of_round)
        if rules.most_points is not None:
            return Bounds(low, max(high, rules.most_points if self.fault == "lost" else high))
        # Unplayed rounds bring nothing, and an entrant loses at most its bankroll.
        ruin = -bankroll / rules.unit / self.rounds
        return Bounds(ruin if self.fault == "lost" else max(min(low, 0.0), ruin), max(high, 0.0))

    def table_words(self, rules: Rules) -> str:
        """Describe the play at one table."""
        if is_solo(rules):
            return f"{self.rounds:,} rounds at a table"
        deals = "1 deal" if self.rounds == 1 else f"{self.rounds:,} deals"
        return f"{deals} at a table, in {fewest_seats(rules)} seatings each"

    def schedule(self, field: Field) -> Schedule:
        """Create the schedule of a field."""
        return SoloSchedule(self, field)

    @abstractmethod
    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Return the heat, and its table, in which an entrant plays a table."""


class Duplicate(Solo):
    """All entrants play the same cards: alone on the same tables, or in each seat of a deal."""

    summary = "all play the same cards, alone or in every seat of a deal"
    shares_shoes = True

    def check(self, entrants: int, rules: Rules) -> None:
        """Raise FormatError for groups without a balanced plan; entrants that sit alone need no
        plan.
        """
        if not is_solo(rules):
            if rules.most_points is None:
                raise FormatError(
                    f"{rules.game} is a game of chips for several players, which duplicate does "
                    f"not support; {instead_of('duplicate', rules)}"
                )
            check_company("duplicate", self.tables, entrants, rules)
            for look in self.looks or ():
                check_company("duplicate", look, entrants, rules, "looks")
            refuse_limit(rules)

    def schedule(self, field: Field) -> Schedule:
        """Create the schedule of a field."""
        if is_solo(field.rules):
            return SoloSchedule(self, field)
        block_rounds = min(self.block_rounds or self.rounds, self.rounds)
        parts = tuple(
            Part(0, first, min(block_rounds, self.rounds - first + 1))
            for first in range(1, self.rounds + 1, block_rounds)
        )
        return CompanySchedule(field, parts, self.batch_tables, self.stopping(field))

    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Share heat and table, and so the shoes, with all entrants."""
        del entrant
        return 0, table


class Independent(Solo):
    """Each entrant plays alone against the dealer, with shoes that no other entrant gets."""

    summary = "every entrant plays alone at its own tables"

    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Give each entrant a different heat, and so different shoes."""
        return entrant, table


class SoloSchedule(Schedule):
    """Waves of blocks: the first rounds of all tables, then the next ones, to the end.

    With early stopping, the tables up to an interim analysis are finished before it. Extensions are
    played after the original tables, which keep their numbers.
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
        """Create one wave per block of a table's rounds, for one interim analysis after
        the other.
        """
        wave = number = 0
        for part in self._parts:
            for first_round in self._starts:
                yield self._wave((wave, number), part, first_round)
                wave, number = wave + 1, number + self._batches(*part)
            if self._stopping.is_over():
                return

    def take(self, result: BlockResult) -> None:
        """Store the bankroll with which a table continues."""
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
        """Create batches table by table, so that interim standings compare all entrants."""
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
    """Return the tables and entrants that are played together, one part after the other.

    Args:
        field: The entrants, and the extensions of the run.
        looks: The tables before each interim analysis.
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
