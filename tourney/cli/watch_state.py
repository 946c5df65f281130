"""What somebody knows who watches a run: the clock, who is left, who leads, and the last news."""

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
"""Players who went out last, verdicts and other news: so many of each are shown."""

MOST_NAMED, MOST_OUT = 3, 10
"""So many whom something happens to at the same moment are named; more are counted."""


_TOGETHER = {
    Event.SEAT: ("sits down", "sit down"),
    Event.MOVE: ("moves", "move"),
    Event.REBUY: ("buys chips again", "buy chips again"),
    Event.ADDON: ("buys chips on top", "buy chips on top"),
    Event.ADVANCE: ("goes on", "go on"),
    Event.BYE: ("goes on without playing", "go on without playing"),
}
"""What one does or many do, where all of a moment share a line."""


class Leader(NamedTuple):
    """Somebody near the top."""

    place: str
    name: str
    worth: str
    note: str


class News(NamedTuple):
    """A line of what happened."""

    seconds: float
    event: Event
    text: str


@dataclass(slots=True)
class Scene:
    """A run at a moment."""

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
    waits_for: str = ""  # whom, if for anybody
    is_sealed: bool = False  # whether results are withheld
    lasts: deque[News] = field(default_factory=lambda: deque(maxlen=LAST))
    verdicts: deque[News] = field(default_factory=lambda: deque(maxlen=LAST))
    news: deque[News] = field(default_factory=lambda: deque(maxlen=LAST))

    @property
    def left(self) -> int:
        """How many are not out."""
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
        """Leave those behind who have not come to this stage."""
        self.out = set(range(self.entrants)) - self.players

    def take(self, news: News) -> None:
        """Remember a line, among those of its kind."""
        kinds = {Event.OUT: self.lasts, Event.VERDICT: self.verdicts}
        kinds.get(news.event, self.news).append(news)

    def count(self, happening: Happening) -> None:
        """Keep count of who is out and whether there are levels."""
        if happening.event is Event.OUT:
            self.out.add(happening.entrant)
        elif happening.event in {Event.SEAT, Event.ADVANCE}:
            self.out.discard(happening.entrant)
        elif happening.event is Event.LEVEL:
            self.has_levels, self.minimum = True, happening.value

    def chips(self, value: int) -> str:
        """Say an amount that is given in the unit of the rules."""
        return f"{value / self.unit:,.10g}"


class Reporter:
    """Says what happened, in a line for each thing; of many at one moment only how many."""

    def __init__(
        self, scene: Scene, names: Mapping[int, str], verdicts: Mapping[int, Verdict]
    ) -> None:
        """Begin.

        Args:
            scene: Where it happens.
            names: Of entrants.
            verdicts: On entrants; those of whom it is told that they failed are there by then.
        """
        self._scene, self._names, self._verdicts = scene, names, verdicts

    def lines(self, told: tuple[TimedHappening, ...]) -> list[News]:
        """Say what was told between two waves."""
        ordered = sorted(told, key=lambda each: each.seconds)  # a break began before it was told
        return [
            News(seconds, event, text)
            for (seconds, event), same in groupby(
                ordered, key=lambda each: (each.seconds, each.happening.event)
            )
            for text in self._texts(event, [each.happening for each in same])
        ]

    def _texts(self, event: Event, same: list[Happening]) -> list[str]:
        """Say what happened of one kind at one moment."""
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
        """Say who is out."""
        if len(same) <= MOST_OUT:
            return [f"{self._name(each)} is out{_place(each)}" for each in same]
        places = sorted(each.value for each in same)
        between = f", places {places[0]:,} to {places[-1]:,}" if places[0] else ""
        return [f"{len(same):,} are out{between}"]

    def _together(self, event: Event, same: list[Happening]) -> str:
        """Say in one line what the same happened to all of them."""
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
    """Say which tables break.

    >>> _breaking([7]), _breaking([8, 9]), _breaking([5, 6, 7, 8])
    ('table 7 breaks', 'tables 8 and 9 break', '4 tables break')
    """
    if len(tables) > MOST_NAMED:
        return f"{len(tables):,} tables break"
    numbers = joined([str(number) for number in tables], "and")
    return f"table {numbers} breaks" if len(tables) == 1 else f"tables {numbers} break"


def _place(happening: Happening) -> str:
    return f", place {happening.value:,}" if happening.value else ""
