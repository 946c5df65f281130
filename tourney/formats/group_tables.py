"""Drawing up tables of four or two: who sits with whom, and every deal in all its rotations.

A group plays everything as often as it has seats, each time one seat further on, so that each of
them holds every hand of a deal once. Groups come from a balanced plan, so that everybody
meets everybody equally often. The rules are numbered in docs/rules/formats.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tourney.errors import FormatError
from tourney.formats.base import Schedule
from tourney.formats.designs import (
    MOST_ENTRANTS,
    PAIR,
    SEATS,
    has_plan,
    nearest_plans,
    plan_of,
    tables_each,
)
from tourney.formats.field import Field
from tourney.formats.stopping import Stopping
from tourney.game.blocks import Batch, Block, TableState
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules, fewest_seats

ROUNDS_IN_A_BATCH = 1_000
"""What a batch holds where the organiser does not say; about half a second of Python."""

IN_WORDS = {PAIR: "two", SEATS: "four"}
"""Seats for which there are plans."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a group plays in one block of each rotation."""

    heat: int  # parts with a heat of their own have deals of their own
    first_round: int
    rounds: int  # at most


def is_solo(rules: Rules) -> bool:
    """Say whether one seat can play alone."""
    return 1 in rules.seats


def check_company(tables: int, entrants: int, rules: Rules, setting: str = "tables") -> None:
    """Refuse what cannot be divided so that everybody meets everybody equally often.

    Args:
        tables: Tables every entrant is to sit at.
        entrants: How many.
        rules: The game.
        setting: What the number of tables is called.
    Raises: FormatError, naming the nearest numbers that work.
    """
    seats = fewest_seats(rules)
    if seats not in IN_WORDS:
        raise FormatError(
            f"expected a game that {PAIR} or {SEATS} play at a table, got {rules.game}, which "
            f"needs {seats}"
        )
    refuse_few(entrants, seats, str(rules.game))
    if not has_plan(entrants, seats):
        near = " or ".join(map(str, nearest_plans(entrants, seats)))
        raise FormatError(
            f"expected a number of entrants, up to {MOST_ENTRANTS:,}, for which a plan is known in "
            f"which everybody meets everybody equally often, such as {near}; got {entrants}"
        )
    each = tables_each(entrants, seats)
    if tables % each:
        below, above = tables // each * each, (tables // each + 1) * each
        near = f"{below} or {above}" if below else str(above)
        raise FormatError(
            f"{setting}: expected a multiple of {each}, so that each of {entrants} entrants meets "
            f"every other equally often, such as {near}; got {tables}"
        )


def refuse_few(entrants: int, least: int, what: str) -> None:
    """Refuse fewer entrants than something needs."""
    if entrants < least:
        raise FormatError(
            f"expected at least {least} entrants for {what}, got {entrants}; enter others, or one "
            "of them again under another name with 'as'"
        )


def refuse_limit(rules: Rules) -> None:
    """Refuse rules by which a game ends, where so many rounds are scheduled."""
    if rules.limit is not None:
        raise FormatError(
            f"expected a game that goes on as scheduled, got one with limit: {rules.limit}; remove "
            "the limit, or take the format match"
        )


class CompanySchedule(Schedule):
    """One wave of blocks for all groups, or one for each look: no block depends on another."""

    def __init__(
        self,
        field: Field,
        tables: int,
        parts: tuple[Part, ...],
        batch_tables: int | None,
        stopping: Stopping | None = None,
    ) -> None:
        """Draw up.

        Args:
            field: Who plays, and what.
            tables: Tables every entrant sits at.
            parts: What each group plays.
            batch_tables: Tables that are played and stored together.
            stopping: Says at looks whether more tables are needed; all are by default.
        """
        self._field = field
        self._parts = parts
        self._stopping = stopping
        self._seats = fewest_seats(field.rules)
        # In a game of chips a place is what a table decides, and the first turn goes round.
        has_chips = field.has_chips
        self._state = TableState(advance=int(has_chips), moves_button=has_chips)
        each = tables_each(field.entrants, self._seats)
        looks = stopping.parts if stopping else (range(tables),)
        self._plans = tuple(range(look.start // each, look.stop // each) for look in looks)
        self._plan = plan_of(field.entrants, self._seats)
        self._in_a_plan = len(self._plan)
        rounds = sum(part.rounds for part in parts)
        by_default = max(1, ROUNDS_IN_A_BATCH // rounds)
        most = self._plans[-1].stop * self._in_a_plan
        self._batch_tables = min(batch_tables or by_default, most)
        self.batches = sum(self._batches(plans) for plans in self._plans)

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Draw up the only wave, or one for each look."""
        number = 0
        for wave, plans in enumerate(self._plans):
            yield self._wave(wave, number, plans)
            number += self._batches(plans)
            if self._stopping and self._stopping.is_over():
                return

    def take(self, result: BlockResult) -> None:
        """Show a result to who decides when it is over: no block depends on another."""
        if self._stopping:
            self._stopping.take(result)

    def _batches(self, plans: range) -> int:
        """Count the batches of a wave."""
        return self._seats * -(-len(plans) * self._in_a_plan // self._batch_tables)

    def _wave(self, wave: int, number: int, plans: range) -> Iterator[Batch]:
        waiting: list[tuple[int, list[int]]] = []
        last = plans.stop * self._in_a_plan - 1
        for group in self._groups(plans):
            waiting.append(group)
            if len(waiting) == self._batch_tables or group[0] == last:
                for rotation in range(self._seats):
                    # A batch has one rotation only: players of one batch may share what
                    # their class keeps, and must not know a deal from another seat.
                    yield Batch(wave, number, tuple(self._blocks(waiting, rotation)))
                    number += 1
                waiting = []

    def _groups(self, plans: range) -> Iterator[tuple[int, list[int]]]:
        """Give the tables and who sits at them, in the order of play."""
        field, table = self._field, plans.start * self._in_a_plan
        for plan in plans:
            # Another lineup for every plan, or the same groups would meet again and again.
            lineup = field.shuffled((0, -1 - plan), range(field.entrants))
            for roles in self._plan:
                yield table, field.shuffled((0, table), [lineup[role] for role in roles])
                table += 1

    def _blocks(self, groups: list[tuple[int, list[int]]], rotation: int) -> Iterator[Block]:
        begins_with = self._field.begins_with
        for table, order in groups:
            turned = (*order[rotation:], *order[:rotation])
            seats = tuple((entrant, begins_with(entrant)) for entrant in turned)
            for part in self._parts:
                key = BlockKey(0, part.heat, table, rotation, part.first_round)
                yield self._field.block(key, seats, part.rounds, state=self._state)
