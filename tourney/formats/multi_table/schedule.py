"""The schedule of a tournament of many tables: a wave is a block at each table.

Between two waves these are decided, in this order: the level, purchases of chips, exits, late
arrivals, moves and closed tables, and the end.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tourney.formats.base import Event, Happening, Schedule
from tourney.formats.field import Field
from tourney.formats.multi_table.options import Options
from tourney.formats.multi_table.seating import Tables
from tourney.formats.multi_table.stacks import Stacks
from tourney.game.blocks import Batch, Block, TableState
from tourney.game.ledger import BlockKey, BlockResult
from tourney.standings.places import Finish

ROUNDS_IN_A_BATCH = 100_000
"""Default size of a batch, over all seats: a second or two of Python."""


class MultiTable(Options):
    """Many tables and rising levels; each entrant plays until it has no chips."""

    summary = "many tables that become fewer, until one is left"

    def schedule(self, field: Field) -> Schedule:
        """Create the schedule of a field."""
        return MultiTableSchedule(self, field)


class MultiTableSchedule(Schedule):
    """Waves of a block at each table, until one entrant is left."""

    batches = None

    def __init__(self, options: Options, field: Field) -> None:
        self._options = options
        self._field = field
        self._tables = Tables(options.seats_at(field.rules))
        self._stacks = Stacks(options, field)
        self._waiting = _by_arrival(options, field)
        self._level = 0  # before the first level
        self._minimum = 0  # bet of the level, in the unit of the rules
        self._wave = self._rounds = self._batches = 0  # numbers finished so far
        self._final_begin: int | None = None  # rounds before the final table
        self._told: list[Happening] = []

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Create one wave after the other, until the tournament is over."""
        while self._goes_on():
            rounds = self._next_rounds()
            size = self._batch_tables
            tables = [table for table in self._tables if table[1]]
            chunks = [tables[first : first + size] for first in range(0, len(tables), size)]
            first = self._batches
            self._batches += len(chunks)
            yield (
                Batch(self._wave, number, tuple(self._blocks(chunk, rounds)))
                for number, chunk in enumerate(chunks, start=first)
            )
            self._wave += 1
            self._rounds += rounds

    def take(self, result: BlockResult) -> None:
        """Receive the result of a table."""
        self._tables.turn(result)
        for seat in result.seats:
            self._stacks.take(self._wave, seat)

    def happenings(self) -> tuple[Happening, ...]:
        """Return the decisions since the last call, in order."""
        events, self._told = tuple(self._told), []
        return events

    def finishes(self) -> tuple[Finish, ...]:
        """Return the places: entrants still in by bankroll, then those that are out, the last one
        first.
        """
        place = "final table" if self._final_begin is not None else f"level {self._level}"
        return self._stacks.finishes(f"in play, {place}", self._waiting)

    @property
    def _batch_tables(self) -> int:
        by_default = ROUNDS_IN_A_BATCH // (
            self._options.block_rounds * self._options.seats_at(self._field.rules)
        )
        return self._options.batch_tables or max(1, by_default)

    def _goes_on(self) -> bool:
        """Make all decisions before a wave; return whether there is one."""
        before, is_over = self._level, self._is_over_by_rounds()
        if not is_over:
            self._raise_level()
        if self._wave:
            self._settle(before, is_over=is_over)
        if is_over:
            return False
        lots = self._field.lots((self._wave, 0))
        coming = self._coming()
        for entrant in coming:
            self._stacks.admit(entrant)
        self._told += self._tables.arrange(coming, lots)
        if len(self._tables) == 1 and not self._waiting and self._final_begin is None:
            self._final_begin = self._rounds
            self._told.append(Happening(Event.FINAL_TABLE))
            self._tables.redraw(lots)
        return len(self._stacks) > 1

    def _is_over_by_rounds(self) -> bool:
        options, begin = self._options, self._final_begin
        if self._wave >= options.most_blocks:
            return True
        if options.final_rounds is None or begin is None:
            return False
        return self._rounds - begin >= options.final_rounds

    def _next_rounds(self) -> int:
        """Return the length of the next block."""
        rounds, final = self._options.block_rounds, self._options.final_rounds
        if final and self._final_begin is not None:
            return min(rounds, final - (self._rounds - self._final_begin))
        return rounds

    def _raise_level(self) -> None:
        """Begin the next level if its time has come."""
        seconds = self._field.clock() if self._options.level_minutes else 0.0
        level = self._options.level_at(self._rounds, seconds)
        if level > self._level:
            self._level, unit = level, self._field.rules.unit
            first = self._field.minimum // unit
            self._minimum = self._options.minimum_at(level, first) * unit
            self._told.append(Happening(Event.LEVEL, value=self._minimum))

    def _settle(self, before: int, *, is_over: bool) -> None:
        """Sell chips, and remove players that cannot continue.

        Args:
            before: The level of the last block.
            is_over: Whether this is the end of the tournament.
        """
        stacks, options, minimum = self._stacks, self._options, self._minimum
        if options.addon and before <= options.addon_level < self._level:
            bought = stacks.add_on()
            self._told += [Happening(Event.ADDON, each, value=chips) for each, chips in bought]
        may_buy = not is_over and before <= options.rebuy_levels
        broke = [
            entrant
            for _, order in self._tables
            for entrant in order
            if stacks.is_broke(entrant, minimum)
        ]
        out = [each for each in broke if not (may_buy and self._has_bought(each))]
        if out:
            self._send_out(out, before)
        stacks.close()

    def _has_bought(self, entrant: int) -> bool:
        chips = self._stacks.rebuy(entrant, self._minimum)
        if chips:
            self._told.append(Happening(Event.REBUY, entrant, value=chips))
        return bool(chips)

    def _send_out(self, entrants: list[int], level: int) -> None:
        better = len(self._stacks) - len(entrants) + len(self._waiting)
        levels = (level, self._level)
        for finish in self._stacks.send_out(entrants, self._wave, levels, better):
            self._told.append(Happening(Event.OUT, finish.entrant, value=finish.place))
        self._tables.dismiss(set(entrants))

    def _coming(self) -> list[int]:
        """Return the entrants that sit down now, and remove them from the queue."""
        policy, latest = self._field.policy, self._options.late_levels
        coming = [each for each in self._waiting if min(policy(each).late, latest) < self._level]
        if len(self._stacks) + len(coming) < 2:  # noqa: PLR2004 - a single player would have won
            coming = self._waiting
        if coming:
            seated = set(coming)
            self._waiting = [each for each in self._waiting if each not in seated]
        return coming

    def _blocks(self, tables: Iterable[tuple[int, list[int]]], rounds: int) -> Iterator[Block]:
        """Create the blocks of some tables."""
        field, minimum, chips = self._field, self._minimum, self._stacks.chips
        state = self._state(rounds)
        for number, order in tables:
            key = BlockKey(0, 0, number, 0, self._rounds + 1)
            seats = tuple((entrant, chips(entrant)) for entrant in order)
            block = field.block(key, seats, rounds, minimum=minimum, state=state)
            yield block if minimum <= block.maximum else replace(block, maximum=minimum)

    def _state(self, rounds: int) -> TableState:
        """Return the public state of the tournament."""
        begin, final = self._final_begin, self._options.final_rounds
        left = final - (self._rounds - begin) - rounds if final and begin is not None else 0
        return TableState(
            level=self._level,
            rounds_after=left,
            advance=int(begin is not None),
            moves_button=True,
        )


def _by_arrival(options: Options, field: Field) -> list[int]:
    """Return all entrants by arrival."""
    latest = options.late_levels
    if not (latest and field.policies):
        return list(range(field.entrants))
    return sorted(range(field.entrants), key=lambda each: min(field.policy(each).late, latest))
