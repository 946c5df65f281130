"""Formats of so many rounds at a table: `duplicate` and `independent`.

Where one seat can play alone, `duplicate` lets everybody play the same tables with the same
shoes, so that luck falls on all alike; where four are needed, every deal is played in four
rotations (`company`). `independent` gives each entrant tables of its own. The rules are
numbered in docs/rules/formats.md.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from tourney.errors import FormatError
from tourney.games import Rules
from tourney.ledger import BlockKey, BlockResult
from tourney.schedule.blocks import Batch, Block
from tourney.schedule.field import Field
from tourney.schedule.formats.base import FaultCost, Schedule
from tourney.schedule.formats.company import (
    CompanySchedule,
    Part,
    check_company,
    is_solo,
    refuse_limit,
)
from tourney.standings import BANKROLL, POINTS, Measure

ROUNDS_IN_A_BATCH = 100_000
"""What a batch holds where the organiser does not say: a second or two of Python, and enough
tables to be asked in lockstep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solo(ABC):
    """Options of formats with one seat at every table."""

    tables: Annotated[int, Ge(1), Le(1_000_000)]
    """Tables every entrant plays, or at which it sits with three others."""

    rounds: Annotated[int, Ge(1), Le(1_000_000_000)]
    """Rounds at every table, as long as the bankroll lasts; or deals, each played four times."""

    block_rounds: Annotated[int, Ge(1), Le(1_000_000_000)] | None = None
    """Rounds after which a table begins anew, with a new shoe and new players; all by default."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables that are played and stored together, of one entrant or in one rotation."""

    fault: FaultCost = "lost"
    """What a verdict costs: lost (that table counts as the worst there is), out (no place) or
    stands (nothing)."""

    kind: ClassVar[str]
    summary: ClassVar[str]

    @property
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table."""
        return self.rounds

    def check(self, entrants: int, rules: Rules) -> None:
        """Accept any number of entrants that sit alone; refuse a game for several."""
        del entrants
        if not is_solo(rules):
            raise FormatError(
                f"expected duplicate or match, as {rules.game} is played by four at a table, who "
                "share its cards; got a format in which everybody sits alone"
            )

    def measure(self, rules: Rules) -> Measure:
        """Count bankrolls, or points where there are no chips."""
        return BANKROLL if rules.most_points is None else POINTS

    def table_words(self, rules: Rules) -> str:
        """Say what is played at one table."""
        if is_solo(rules):
            return f"{self.rounds:,} rounds at a table"
        deals = "1 deal" if self.rounds == 1 else f"{self.rounds:,} deals"
        return f"{deals} at a table, in 4 seatings each"

    def schedule(self, field: Field) -> Schedule:
        """Draw up the tournament of a field."""
        return SoloSchedule(self, field)

    @abstractmethod
    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Say in which heat, and at which table of it, an entrant plays a table."""


class Duplicate(Solo):
    """Everybody plays the same cards: alone on the same tables, or every seat of a deal."""

    kind = "duplicate"
    summary = "all play the same cards, alone or in every seat of a deal"

    def check(self, entrants: int, rules: Rules) -> None:
        """Refuse fours that do not come out even; whoever sits alone meets nobody."""
        if not is_solo(rules):
            check_company(self.tables, entrants, rules)
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
        return CompanySchedule(field, self.tables, parts, self.batch_tables)

    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Share heat and table, and so the shoes, with all entrants."""
        del entrant
        return 0, table


class Independent(Solo):
    """Every entrant alone against the dealer on tables of its own."""

    kind = "independent"
    summary = "every entrant alone on tables of its own"

    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Give every entrant a heat, and so shoes, of its own."""
        return entrant, table


class SoloSchedule:
    """Waves of blocks: the first rounds of all tables, then the next ones, to the end."""

    def __init__(self, options: Solo, field: Field) -> None:
        self._options = options
        self._field = field
        self._block_rounds = min(options.block_rounds or options.rounds, options.rounds)
        by_default = max(1, ROUNDS_IN_A_BATCH // self._block_rounds)
        self._batch_tables = min(options.batch_tables or by_default, options.tables)
        self._bankrolls: dict[tuple[int, int], int] = {}
        self._is_chained = self._block_rounds < options.rounds
        chunks = -(-options.tables // self._batch_tables)
        self._batches_in_a_wave = chunks * field.entrants
        self.batches = self._batches_in_a_wave * -(-options.rounds // self._block_rounds)

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Draw up one wave for every block of a table's rounds."""
        starts = range(1, self._options.rounds + 1, self._block_rounds)
        for number, first_round in enumerate(starts):
            yield self._wave(number, first_round)

    def take(self, result: BlockResult) -> None:
        """Remember the bankroll with which a table goes on."""
        if self._is_chained:
            (seat,) = result.seats
            # A seat at fault plays no further block of its table.
            self._bankrolls[seat.entrant, result.key.table] = 0 if seat.verdict else seat.final

    def _wave(self, wave: int, first_round: int) -> Iterator[Batch]:
        """Draw up the batches table by table, so that standings so far compare all entrants."""
        number = wave * self._batches_in_a_wave
        tables = self._options.tables
        for first in range(0, tables, self._batch_tables):
            chunk = range(first, min(first + self._batch_tables, tables))
            for entrant in range(self._field.entrants):
                yield Batch(wave, number, tuple(self._blocks(entrant, chunk, first_round)))
                number += 1

    def _blocks(self, entrant: int, tables: range, first_round: int) -> Iterator[Block]:
        field = self._field
        rounds = min(self._block_rounds, self._options.rounds - first_round + 1)
        for table in tables:
            bankroll = self._bankrolls.get((entrant, table), field.bankroll)
            if first_round == 1 or field.rules.may_play(bankroll, field.minimum):
                heat, number = self._options.place(entrant, table)
                key = BlockKey(0, heat, number, entrant, first_round)
                yield field.block(key, ((entrant, bankroll),), rounds)
