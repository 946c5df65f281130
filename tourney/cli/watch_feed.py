"""Follows a run through its stored results along the floor's clock, and keeps its state.

The display is computed from the stored results: the tournament runs again on a new floor, so blocks
end at the same times. For a run in progress it waits for the next batch. It draws nothing itself.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from time import monotonic
from types import MappingProxyType
from typing import NamedTuple, Protocol

from tourney.cli.run_warnings import fault_words
from tourney.cli.signals import Keys
from tourney.cli.visibility import BoardView
from tourney.config.words import joined
from tourney.floor.block_durations import MICROSECONDS, Sitting, Streams
from tourney.floor.log import Log
from tourney.floor.room import Floor
from tourney.formats.base import Event, Happening
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockKey, BlockResult, Verdict
from tourney.game.words import counted
from tourney.plugins.fault_text import printable
from tourney.standings.fold import rank
from tourney.standings.standing import FINISH
from tourney.standings.tallies import Count
from tourney.store.records import RunState
from tourney.store.store import Store
from tourney.tournament.loading import Tournament
from tourney.tournament.progress import Progress, TimedHappening, kept_results

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


TICK_SECONDS = 0.1
"""Seconds between checks of the keys and the clock."""

SOMEBODY = "an entrant"
"""Replaces hidden names in the news."""

WAITED_FOR: Mapping[RunState, str] = MappingProxyType(
    {"running": "the run", "interrupted": "the run to be resumed"}
)
"""The awaited process, by the state of an unfinished run."""

POLL_SECONDS = 0.2
"""Seconds between checks of the store for the next batch."""


class ViewerLeftError(Exception):
    """The viewer has left."""


class Viewer(Protocol):
    """Shows a scene."""

    def wants_leaders(self, scene: Scene) -> bool:
        """Check whether it is time to rank again."""

    def ranked(self, seconds: float) -> None:
        """Receive the duration of a ranking, in wall time."""

    def refresh(self, scene: Scene) -> None:
        """Redraw, if due."""

    def tell(self, scene: Scene, news: Iterable[News]) -> None:
        """Show new events."""

    def progress(self, scene: Scene) -> None:
        """Show the end of a batch."""


class Pace:
    """The speed of the floor's clock; as fast as possible without a speed."""

    def __init__(self, keys: Keys, speed: float | None = None, begin: float = 0.0) -> None:
        """Begin.

        Args:
            keys: The keyboard.
            speed: Simulated seconds for each second.
            begin: Skip to this instant, in simulated seconds.
        """
        self.begin = begin
        self._keys, self._speed = keys, speed
        self._origin: float | None = None  # wall time of the start

    def until(self, seconds: float, tick: Callable[[float], None]) -> None:
        """Advance the clock to an instant.

        Args:
            seconds: The instant.
            tick: Receives the time of the floor's clock, repeatedly.
        Raises: ViewerLeftError.
        """
        if self._speed is None or seconds <= self.begin:
            self.rest(0)
        else:
            self._origin = monotonic() if self._origin is None else self._origin
            due = self._origin + (seconds - self.begin) / self._speed
            while (left := due - monotonic()) > 0:
                tick(seconds - left * self._speed)
                self.rest(min(left, TICK_SECONDS))
        tick(seconds)

    def rest(self, seconds: float) -> None:
        """Wait in wall time.

        Raises: ViewerLeftError.
        """
        if self._keys.want_to_leave(seconds):
            raise ViewerLeftError


class _Ends(Log):
    """Reports the ends of blocks instead of storing them."""

    def __init__(self, tell: Callable[[Sitting, float], None]) -> None:
        super().__init__()
        self._tell = tell

    def noting(self, sittings: Iterable[Sitting]) -> Iterator[Sitting]:
        """Store nothing."""
        return iter(sittings)

    def note(self, sitting: Sitting, table: int, instants: tuple[int, int, int, int, int]) -> None:
        """Report a block that has ended."""
        del table
        self._tell(sitting, instants[-1] / MICROSECONDS)


class Follower:
    """Follows a run for a viewer."""

    def __init__(
        self,
        tournament: Tournament,
        store: Store,
        run: int,
        viewer: Viewer,
        pace: Pace,
        telling: BoardView,
        *,
        waits: bool,
    ) -> None:
        """Start at the beginning of the run.

        Args:
            tournament: The tournament of the run.
            store: Its store.
            run: Its number.
            viewer: Shows it.
            pace: The speed.
            telling: Its visible part.
            waits: Wait for results that are not stored yet, while the run is in progress.
        """
        config, streams = tournament.config.floor, Streams(tournament.secret.floor_key(0))
        self._course = Progress(tournament, Floor(config, streams, _Ends(self._end)))
        self._tournament, self._store, self._run = tournament, store, run
        self._viewer, self._pace, self._waits, self._telling = viewer, pace, waits, telling
        self._labels = tournament.labels
        self._has_places = tournament.measure is FINISH
        self._count = Count(len(tournament.records), tournament.scoring)
        self._under_way: dict[BlockKey, tuple[BlockResult, int]] = {}  # with its batch
        self._left_of: dict[int, int] = {}  # unfinished blocks, by batch
        self._verdicts: dict[int, Verdict] = {}  # the first on each entrant
        self._is_whole = True
        self._is_over = False  # the viewer has left, and blocks in progress end
        self.scene = Scene(len(tournament.records), tournament.rules.unit, self._course.batches)
        # Without a handle, the name is a row of the last board, which is known at the end.
        is_named = telling.policy.names == "names"
        names = {
            number: label.name if is_named else telling.pseudonyms.get(label.name, SOMEBODY)
            for number, label in enumerate(self._labels)
        }
        self._reporter = Reporter(self.scene, names, self._verdicts)

    def follow(self) -> bool:
        """Follow the run as far as possible.

        Returns: Whether the run has ended.
        Raises: ViewerLeftError, KeyboardInterrupt or StoreError.
        """
        for wave in self._course.waves():
            # If places count, the tables of a wave are counted before it begins.
            drawn: Iterable[Batch] = list(wave) if self._has_places else wave
            stage = self.scene.stage
            self.scene.begin_wave()
            if self._has_places:
                for batch in drawn:
                    self.scene.set_up(batch)
                if self.scene.stage != stage:
                    self.scene.begin_stage()
            self._tell()
            self._course.play(self._results(drawn))
            if not self._is_whole:
                return False
        self._tell()
        return True

    def _results(self, wave: Iterable[Batch]) -> Iterator[BlockResult]:
        """Yield the results of a wave as they are stored."""
        try:
            for batch in wave:
                results = self._wait_for(batch)
                if results is None:
                    self._is_whole = False
                    return
                if not self._has_places:
                    self.scene.set_up(batch)
                self._left_of[batch.number] = len(results)
                for result in results:
                    self._under_way[result.key] = (result, batch.number)
                    for seat in result.seats:
                        if seat.verdict:
                            verdict = self._telling.verdict(seat.verdict)
                            self._verdicts.setdefault(seat.entrant, verdict)
                    yield result
        except BaseException:
            self._is_over = True
            raise

    def _wait_for(self, batch: Batch) -> tuple[BlockResult, ...] | None:
        """Wait for a batch; return `None` if it will not come."""
        results = kept_results(self._store, self._run, batch)
        while results is None and self._waits:
            # Checked before looking for the batch: the last one is stored before the end.
            state = self._store.status(self._run)
            results = kept_results(self._store, self._run, batch)
            if results is not None or state not in WAITED_FOR:
                break
            self.scene.waits_for = WAITED_FOR[state]
            self._refresh()
            self._pace.rest(POLL_SECONDS)
        self.scene.waits_for = ""
        return results

    def _end(self, sitting: Sitting, seconds: float) -> None:
        """End a block."""
        if self._is_over:
            return
        try:
            self._pace.until(seconds, self._tick)
        except BaseException:  # end blocks in progress first
            self._is_over = True
            raise
        result, batch = self._under_way.pop(BlockKey(*sitting.place))
        if not self._has_places:
            self._count.take(result)
        scene = self.scene
        scene.blocks_over += 1
        scene.rounds += result.rounds
        self._left_of[batch] -= 1
        if not self._left_of[batch]:
            del self._left_of[batch]
            scene.batches_over += 1
            self._refresh()
            if seconds >= self._pace.begin:
                self._viewer.progress(scene)

    def _tell(self) -> None:
        """Report the events between two waves, and the new leader."""
        scene, told = self.scene, self._course.events()
        for each in told:
            scene.count(each.happening)
        news = self._reporter.lines(self._telling.happenings(told))
        for line in news:
            scene.take(line)
        now = self._course.floor.now
        self._tick(now)
        if now >= self._pace.begin:
            self._rank_if_wanted()
            self._viewer.tell(scene, [line for line in news if line.seconds >= self._pace.begin])

    def _tick(self, seconds: float) -> None:
        self.scene.seconds = max(self.scene.seconds, seconds)
        self._refresh()

    def _refresh(self) -> None:
        self.scene.is_sealed = self._telling.is_sealed
        if self.scene.seconds >= self._pace.begin:
            if not self._has_places:  # a format's places change only between waves
                self._rank_if_wanted()
            self._viewer.refresh(self.scene)

    def _rank_if_wanted(self) -> None:
        """Rank the entrants, if it is time."""
        if self._telling.tells_leaders and self._viewer.wants_leaders(self.scene):
            begin = monotonic()
            self.scene.leaders = self._by_finish() if self._has_places else self._by_rank()
            self._viewer.ranked(monotonic() - begin)

    def _by_finish(self) -> list[Leader]:
        finishes = self._course.finishes or ()
        best = sorted(finishes, key=lambda each: (each.place, each.entrant))
        names = self._telling.called(
            [self._labels[each.entrant].name for each in best], [each.place for each in best]
        )
        shown = zip(best[:LEADERS], names, strict=False)  # the first ones
        return [
            Leader(str(each.place), name, self.scene.chips(each.bankroll), each.note)
            for each, name in shown
        ]

    def _by_rank(self) -> list[Leader]:
        tournament, measure = self._tournament, self._tournament.measure
        ranked = rank(self._count.tallies, self._labels, tournament.scoring, None)
        rows = self._telling.rows(ranked)
        return [
            Leader(
                "out" if row.place is None else str(row.place),
                row.name,
                f"{float(row.mean):,.{measure.decimals}f}",
                counted(row.tables, "table"),
            )
            for row in rows[:LEADERS]
        ]
