"""Tables of two or four: balanced groups, and each deal in all its rotations.

A group plays each deal once per seat, shifted by one seat each time, so each member plays each hand
of the deal once. Groups follow a balanced plan, in which all entrants meet equally often.
docs/rules/formats.md numbers the rules.
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
from tourney.formats.field import Field, Stopping
from tourney.game.blocks import Batch, Block, TableState
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules, fewest_seats

ROUNDS_IN_A_BATCH = 1_000
"""Default size of a batch; about half a second of Python."""

MOST_NAMED = 3
"""Most formats that a message names."""

MOST_SEATS = 7
"""Most seats at a table."""

IN_WORDS = {PAIR: "two", SEATS: "four"}
"""Numbers of seats for which plans exist."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rounds that a group plays in one block of each rotation."""

    heat: int  # parts with different heats get different deals
    first_round: int
    rounds: int  # at most


def is_solo(rules: Rules) -> bool:
    """Return whether the game can be played at a single seat."""
    return 1 in rules.seats


def most_seats(rules: Rules) -> int:
    """Return the default of the most seats at a table: seven, or as many as the game allows."""
    return min(MOST_SEATS, max(rules.seats))


def has_company(rules: Rules) -> bool:
    """Return whether the game allows two or more seats at a table."""
    return fewest_seats(rules) in rules.seats


def formats_of(rules: Rules) -> tuple[str, ...]:
    """Return the formats that take a game with their default options, whatever its name.

    The gauntlet is missing, since it also depends on the number of entrants.
    """
    has_chips, has_plan_of_seats = rules.most_points is None, fewest_seats(rules) in IN_WORDS
    found = []
    if is_solo(rules):
        found += ["duplicate", "independent"]
    if has_company(rules) and has_plan_of_seats:
        found += [] if is_solo(rules) or has_chips else ["duplicate"]
        found += [] if is_solo(rules) and has_chips else ["match"]
        found += ["roundrobin"]
    if has_company(rules):
        found += ["swiss", "ladder", "knockout"]
    return tuple(found)


def instead_of(kind: str, rules: Rules) -> str:
    """Name up to three formats that take a game, as the end of a message.

    Args:
        kind: The format that does not take it.
        rules: The game.
    """
    *names, last = [each for each in formats_of(rules) if each != kind][:MOST_NAMED]
    return f"use the format {', '.join(names)} or {last}" if names else f"use the format {last}"


def refuse_no_company(kind: str, rules: Rules) -> None:
    """Raise FormatError for a game that is played alone."""
    if not has_company(rules):
        raise FormatError(
            f"{rules.game} is played by one at a table, and entrants meet in {kind}; "
            f"{instead_of(kind, rules)}"
        )


def check_company(
    kind: str, tables: int, entrants: int, rules: Rules, setting: str = "tables"
) -> None:
    """Raise FormatError if all entrants cannot meet equally often; name the nearest valid numbers.

    Args:
        kind: The format.
        tables: Tables of each entrant.
        entrants: Number of entrants.
        rules: The game.
        setting: Name of the setting for the number of tables.
    """
    seats = fewest_seats(rules)
    if seats not in IN_WORDS:
        raise FormatError(
            f"{rules.game} needs {seats} seats at a table, and {kind} supports games of {PAIR} or "
            f"{SEATS}; {instead_of(kind, rules)}"
        )
    refuse_few(entrants, seats, str(rules.game))
    if not has_plan(entrants, seats):
        near = " or ".join(map(str, nearest_plans(entrants, seats)))
        raise FormatError(
            f"no plan is known in which {entrants} entrants meet each other equally often; use "
            f"{near} (at most {MOST_ENTRANTS:,})"
        )
    each = tables_each(entrants, seats)
    if tables % each:
        below, above = tables // each * each, (tables // each + 1) * each
        near = f"{below} or {above}" if below else str(above)
        raise FormatError(
            f"{setting}: {tables} is not a multiple of {each}, which {entrants} entrants need to "
            f"meet each other equally often; use {near}"
        )


def refuse_few(entrants: int, least: int, what: str) -> None:
    """Raise FormatError if fewer entrants play than the format needs."""
    if entrants < least:
        raise FormatError(
            f"too few entrants for {what}: {entrants} instead of at least {least}; add others, or "
            "enter one of them again under another name with 'as'"
        )


def refuse_limit(rules: Rules) -> None:
    """Raise FormatError if the rules end a game early although rounds are scheduled."""
    if rules.limit is not None:
        raise FormatError(
            f"limit: {rules.limit} would end games before the scheduled rounds; remove the limit, "
            "or use the format match"
        )


class CompanySchedule(Schedule):
    """One wave of blocks for all groups, or one per interim analysis; blocks are independent."""

    def __init__(
        self,
        field: Field,
        parts: tuple[Part, ...],
        batch_tables: int | None,
        stopping: Stopping,
    ) -> None:
        """Draw up the plans and batches.

        Args:
            field: The entrants and the game.
            parts: Rounds of each group.
            batch_tables: Tables that are played and stored together.
            stopping: Knows the tables of each entrant, and decides at analyses whether to stop.
        """
        self._field = field
        self._parts = parts
        self._stopping = stopping
        self._seats = fewest_seats(field.rules)
        # In a game of chips the format ranks the entrants of a table, and the first turn rotates.
        has_chips = field.has_chips
        self._state = TableState(advance=int(has_chips), moves_button=has_chips)
        each = tables_each(field.entrants, self._seats)
        self._plans = tuple(range(part.start // each, part.stop // each) for part in stopping.parts)
        self._plan = plan_of(field.entrants, self._seats)
        self._in_a_plan = len(self._plan)
        rounds = sum(part.rounds for part in parts)
        by_default = max(1, ROUNDS_IN_A_BATCH // rounds)
        most = self._plans[-1].stop * self._in_a_plan
        self._batch_tables = min(batch_tables or by_default, most)
        self.batches = sum(self._batches(plans) for plans in self._plans)

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Create the only wave, or one wave per interim analysis."""
        number = 0
        for wave, plans in enumerate(self._plans):
            yield self._wave(wave, number, plans)
            number += self._batches(plans)
            if self._stopping.is_over():
                return

    def take(self, result: BlockResult) -> None:
        """Pass a result to the stopping rule; no block depends on another."""
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
                    # A batch has one rotation only: players of one batch may share data in
                    # their class, and must not know a deal from another seat.
                    yield Batch(wave, number, tuple(self._blocks(waiting, rotation)))
                    number += 1
                waiting = []

    def _groups(self, plans: range) -> Iterator[tuple[int, list[int]]]:
        """Return the tables with their entrants, in the order of play."""
        field, table = self._field, plans.start * self._in_a_plan
        for plan in plans:
            # Each plan gets another lineup; otherwise the same groups would meet repeatedly.
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
