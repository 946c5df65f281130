"""Formats in which every entrant sits alone against the dealer.

`duplicate` lets everybody play the same tables with the same shoes, so that luck falls on
all alike. `independent` gives each entrant tables of its own. The rules are numbered in
docs/rules/formats.md.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Ge, Le

from tourney.games import Rules
from tourney.ledger import BlockKey, BlockResult
from tourney.schedule.blocks import Batch, Block
from tourney.schedule.field import Field
from tourney.schedule.formats.base import FaultCost

ROUNDS_IN_A_BATCH = 20_000
"""What a batch holds where the organiser does not say; about half a second of Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solo(ABC):
    """Options of formats with one seat at every table."""

    tables: Annotated[int, Ge(1), Le(1_000_000)]
    """Tables every entrant plays."""

    rounds: Annotated[int, Ge(1), Le(1_000_000_000)]
    """Rounds at every table, as long as the bankroll lasts."""

    block_rounds: Annotated[int, Ge(1), Le(1_000_000_000)] | None = None
    """Rounds after which a table begins anew, with a new shoe and new players; all by default."""

    batch_tables: Annotated[int, Ge(1), Le(1_000_000)] | None = None
    """Tables of one entrant that are played and stored together."""

    fault: FaultCost = "lost"
    """What a verdict costs: lost (that table counts 0), out (no place) or stands (nothing)."""

    kind: ClassVar[str]
    summary: ClassVar[str]

    @property
    def scheduled_rounds(self) -> int:
        """Rounds an entrant is to play at one table."""
        return self.rounds

    def check(self, entrants: int, rules: Rules) -> None:  # noqa: B027 - nothing to refuse
        """Accept any number of entrants: nobody meets anybody."""

    def schedule(self, field: Field) -> "SoloSchedule":
        """Draw up the tournament of a field."""
        return SoloSchedule(self, field)

    @abstractmethod
    def place(self, entrant: int, table: int) -> tuple[int, int]:
        """Say in which heat, and at which table of it, an entrant plays a table."""


class Duplicate(Solo):
    """Every entrant alone against the dealer on the same tables with the same shoes."""

    kind = "duplicate"
    summary = "every entrant alone on the same tables, with the same shoes"

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
