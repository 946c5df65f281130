"""The state of a watched run: the clock, the remaining entrants, the leaders, and the last news."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from tourney.cli.run_warnings import fault_words
from tourney.config.words import joined
from tourney.formats.base import Event, Happening
from tourney.game.blocks import Batch
from tourney.game.ledger import Verdict
from tourney.plugins.fault_text import printable
from tourney.tournament.progress import TimedHappening

LEADERS = 10
LAST = 8
"""Number of shown eliminations, verdicts and other news, each."""

MOST_NAMED, MOST_OUT = 3, 10
"""Number of entrants that a line about one moment names; more are counted."""


_TOGETHER = {
    Event.SEAT: ("sits down", "sit down"),
    Event.MOVE: ("moves", "move"),
    Event.REBUY: ("buys chips again", "buy chips again"),
    Event.ADDON: ("buys chips on top", "buy chips on top"),
    Event.ADVANCE: ("advances", "advance"),
    Event.BYE: ("advances without playing", "advance without playing"),
}
"""Singular and plural of events that share a line."""


class Leader(NamedTuple):
    """An entrant near the top."""

    place: str
    name: str
    worth: str
    note: str


class News(NamedTuple):
    """A line about an event."""

    seconds: float
    event: Event
    text: str


@dataclass(slots=True)
class Scene:
    """The state of a run at a moment."""

    entrants: int
    unit: int  # parts of a chip
    batches: int | None
    seconds: float = 0.0  # of the floor's clock
    stage: int = 0
    wave: int = -1
    level: int = 1
    minimum: int = 0  # in the unit of the rules
    has_levels: bool = False
    players: set[int] = field(default_factory=set)  # of the wave
    tables: int = 0  # of the wave
    blocks_over: int = 0  # of the wave
    batches_over: int = 0
    rounds: int = 0
    out: set[int] = field(default_factory=set)
    leaders: list[Leader] = field(default_factory=list)
    waits_for: str = ""  # the awaited process, if any
    is_sealed: bool = False  # whether results are hidden
    lasts: deque[News] = field(default_factory=lambda: deque(maxlen=LAST))
    verdicts: deque[News] = field(default_factory=lambda: deque(maxlen=LAST))
    news: deque[News] = field(default_factory=lambda: deque(maxlen=LAST))

    @property
    def left(self) -> int:
        """Number of remaining entrants."""
        return self.entrants - len(self.out)

    def begin_wave(self) -> None:
        """Clear the tables."""
        self.wave += 1
        self.players = set()
        self.tables = self.blocks_over = 0

    def set_up(self, batch: Batch) -> None:
        """Set up the tables of a batch."""
        self.tables += len(batch.blocks)
        self.players.update(batch.entrants)
        for block in batch.blocks[:1]:
            self.stage, self.level = block.key.stage, block.state.level
            self.minimum = block.minimum

    def begin_stage(self) -> None:
        """Drop entrants that did not reach this stage."""
        self.out = set(range(self.entrants)) - self.players

    def take(self, news: News) -> None:
        """Store a line with those of its kind."""
        kinds = {Event.OUT: self.lasts, Event.VERDICT: self.verdicts}
        kinds.get(news.event, self.news).append(news)

    def count(self, happening: Happening) -> None:
        """Count eliminations, and note whether there are levels."""
        if happening.event is Event.OUT:
            self.out.add(happening.entrant)
        elif happening.event in {Event.SEAT, Event.ADVANCE}:
            self.out.discard(happening.entrant)
        elif happening.event is Event.LEVEL:
            self.has_levels, self.minimum = True, happening.value

    def chips(self, value: int) -> str:
        """Write an amount in the unit of the rules as chips."""
        return f"{value / self.unit:,.10g}"


class Reporter:
    """Writes a line for each event, or one line for many events at the same moment."""

    def __init__(
        self, scene: Scene, names: Mapping[int, str], verdicts: Mapping[int, Verdict]
    ) -> None:
        """Begin.

        Args:
            scene: The state.
            names: Of entrants.
            verdicts: On entrants; complete for reported failures.
        """
        self._scene, self._names, self._verdicts = scene, names, verdicts

    def lines(self, told: tuple[TimedHappening, ...]) -> list[News]:
        """Write the events between two waves."""
        ordered = sorted(told, key=lambda each: each.seconds)  # a break begins before its report

        return [
            News(seconds, event, text)
            for (seconds, event), same in groupby(
                ordered, key=lambda each: (each.seconds, each.happening.event)
            )
            for text in self._texts(event, [each.happening for each in same])
        ]

    def _texts(self, event: Event, same: list[Happening]) -> list[str]:
        """Write the events of one kind at one moment."""
        if event is Event.OUT:
            return self._gone(same)
        if event is Event.VERDICT:
            return [self._failed(each) for each in same]
        if event is Event.LEVEL:
            return [f"minimum {self._scene.chips(each.value)} from now on" for each in same]
        if event is Event.BREAK_TABLE:
            return [_breaking(sorted(each.table + 1 for each in same))]
        if event in _TOGETHER:
            return [self._together(event, same)]
        return [event.value]

    def _gone(self, same: list[Happening]) -> list[str]:
        """Name the eliminated entrants."""
        if len(same) <= MOST_OUT:
            return [f"{self._name(each)} is out{_place(each)}" for each in same]
        places = sorted(each.value for each in same)
        between = f", places {places[0]:,} to {places[-1]:,}" if places[0] else ""
        return [f"{len(same):,} are out{between}"]

    def _together(self, event: Event, same: list[Happening]) -> str:
        """Write one line for an event of many entrants."""
        one, many = _TOGETHER[event]
        if len(same) > MOST_NAMED:
            return f"{len(same):,} players {many}"
        names = [self._name(each) for each in same]
        where = f" at table {same[0].table + 1}" if event is Event.SEAT else ""
        if event is Event.MOVE:
            where = f" to table {same[0].table + 1}"
        if len(same) == 1:
            return f"{names[0]} {one}{where if same[0].table >= 0 else ''}"
        return f"{', '.join(names[:-1])} and {names[-1]} {many}"

    def _failed(self, happening: Happening) -> str:
        verdict = self._verdicts[happening.entrant]
        words = printable(fault_words(verdict))
        said = f"failed: {words}" if words else "failed"
        return f"{self._name(happening)} {said} (round {verdict.round})"

    def _name(self, happening: Happening) -> str:
        return printable(self._names[happening.entrant])


def _breaking(tables: list[int]) -> str:
    """Name the tables that break.

    >>> _breaking([7]), _breaking([8, 9]), _breaking([5, 6, 7, 8])
    ('table 7 breaks', 'tables 8 and 9 break', '4 tables break')
    """
    if len(tables) > MOST_NAMED:
        return f"{len(tables):,} tables break"
    numbers = joined([str(number) for number in tables], "and")
    return f"table {numbers} breaks" if len(tables) == 1 else f"tables {numbers} break"


def _place(happening: Happening) -> str:
    return f", place {happening.value:,}" if happening.value else ""
