"""Drawing up tables of four: who sits with whom, and every deal in its four rotations.

A group of four plays everything four times, each time one seat further on, so that each of
them holds every hand of a deal once. Groups come from a balanced plan, so that everybody
meets everybody equally often. The rules are numbered in docs/rules/formats.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tourney.errors import FormatError
from tourney.games import Rules
from tourney.ledger import BlockKey, BlockResult
from tourney.schedule.blocks import Batch, Block
from tourney.schedule.designs import (
    MOST_ENTRANTS,
    SEATS,
    fours,
    has_plan,
    nearest_plans,
    tables_each,
)
from tourney.schedule.field import Field

ROUNDS_IN_A_BATCH = 1_000
"""What a batch holds where the organiser does not say; about half a second of Python."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a group plays in one block of each rotation."""

    heat: int  # parts with a heat of their own have deals of their own
    first_round: int
    rounds: int  # at most


def is_solo(rules: Rules) -> bool:
    """Say whether one seat can play alone."""
    return 1 in rules.seats


def check_company(tables: int, entrants: int, rules: Rules) -> None:
    """Refuse what cannot be divided into fours so that everybody meets everybody equally often.

    Args:
        tables: Tables every entrant is to sit at.
        entrants: How many.
        rules: The game.
    Raises: FormatError, naming the nearest numbers that work.
    """
    if SEATS not in rules.seats:
        raise FormatError(f"expected a game for {SEATS} seats, got {rules.game}")
    if entrants < SEATS:
        raise FormatError(
            f"expected at least {SEATS} entrants for {rules.game}, got {entrants}; enter others, "
            "or one of them again under another name with 'as'"
        )
    if not has_plan(entrants):
        near = " or ".join(map(str, nearest_plans(entrants)))
        raise FormatError(
            f"expected a number of entrants, up to {MOST_ENTRANTS:,}, for which a plan is known in "
            f"which everybody meets everybody equally often, such as {near}; got {entrants}"
        )
    each = tables_each(entrants)
    if tables % each:
        below, above = tables // each * each, (tables // each + 1) * each
        near = f"{below} or {above}" if below else str(above)
        raise FormatError(
            f"tables: expected a multiple of {each}, so that each of {entrants} entrants meets "
            f"every other equally often, such as {near}; got {tables}"
        )


def refuse_limit(rules: Rules) -> None:
    """Refuse rules by which a game ends, where so many rounds are scheduled."""
    limit = getattr(rules, "limit", None)
    if limit is not None:
        raise FormatError(
            f"expected a game that goes on as scheduled, got one with limit: {limit}; remove "
            "the limit, or take the format match"
        )


class CompanySchedule:
    """One wave of blocks for groups of four: nothing depends on a result."""

    def __init__(
        self, field: Field, tables: int, parts: tuple[Part, ...], batch_tables: int | None
    ) -> None:
        """Draw up.

        Args:
            field: Who plays, and what.
            tables: Tables every entrant sits at.
            parts: What each group plays.
            batch_tables: Tables that are played and stored together.
        """
        self._field = field
        self._parts = parts
        self._plans = tables // tables_each(field.entrants)
        self._tables = self._plans * len(fours(field.entrants))
        rounds = sum(part.rounds for part in parts)
        by_default = max(1, ROUNDS_IN_A_BATCH // rounds)
        self._batch_tables = min(batch_tables or by_default, self._tables)
        self.batches = SEATS * -(-self._tables // self._batch_tables)

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Draw up the only wave."""
        yield self._wave()

    def take(self, result: BlockResult) -> None:
        """Let a result go: no block depends on another."""

    def _wave(self) -> Iterator[Batch]:
        number = 0
        waiting: list[tuple[int, list[int]]] = []
        for group in self._groups():
            waiting.append(group)
            if len(waiting) == self._batch_tables or group[0] == self._tables - 1:
                for rotation in range(SEATS):
                    # A batch has one rotation only: players of one batch may share what
                    # their class keeps, and must not know a deal from another seat.
                    yield Batch(0, number, tuple(self._blocks(waiting, rotation)))
                    number += 1
                waiting = []

    def _groups(self) -> Iterator[tuple[int, list[int]]]:
        """Give the tables and who sits at them, in the order of play."""
        field, table = self._field, 0
        for plan in range(self._plans):
            # Another cast for every plan, or the same fours would meet again and again.
            cast = field.shuffled((0, 0, -1 - plan), range(field.entrants))
            for four in fours(field.entrants):
                yield table, field.shuffled((0, 0, table), [cast[role] for role in four])
                table += 1

    def _blocks(self, groups: list[tuple[int, list[int]]], rotation: int) -> Iterator[Block]:
        bankroll = self._field.bankroll
        for table, order in groups:
            turned = (*order[rotation:], *order[:rotation])
            seats = tuple((entrant, bankroll) for entrant in turned)
            for part in self._parts:
                key = BlockKey(0, part.heat, table, rotation, part.first_round)
                yield self._field.block(key, seats, part.rounds)
