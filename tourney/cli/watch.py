"""`watch`: follows a run, or replays it, along the floor's clock.

A terminal shows a board that changes; elsewhere lines are printed.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Self

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tourney.cli.boards import WIDE, print_board
from tourney.cli.options import RUN, STORE, Finite, note
from tourney.cli.run_warnings import StoredRun, note_faults, resume_words, stored_run
from tourney.cli.signals import Keys
from tourney.cli.visibility import BoardView, ViewOptions, policy_options
from tourney.cli.watch_feed import MOST_NAMED, Follower, News, Pace, Scene, ViewerLeftError
from tourney.config.model import FloorConfig
from tourney.config.words import joined
from tourney.floor.utilization import time_words
from tourney.game.words import counted
from tourney.plugins.fault_text import printable
from tourney.report.text import DEFAULT_FORMAT, columns_of
from tourney.tournament.progress import retraced
from tourney.tournament.stored_standings import standings_of

SECONDS_BETWEEN_DRAWINGS = 0.2
RANKING_SHARE = 10
"""Ranking may take one part in this many of the wall time."""

TENTHS = 10


class Lines:
    """Prints events line by line, and sometimes the standings."""

    def __init__(self, floor: FloorConfig) -> None:
        """Begin.

        Args:
            floor: Has the start of the clock.
        """
        self._floor = floor
        self._tenth = 0  # printed tenths of all batches
        self._last: tuple[int, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Keep the printed lines."""

    def wants_leaders(self, scene: Scene) -> bool:
        """Ask for leaders once in every level, else in every wave, and after every tenth of the
        batches.
        """
        return self._is_tenth(scene) or self._part(scene) != self._last

    def ranked(self, seconds: float) -> None:
        """Ignore the time of ranking."""

    def refresh(self, scene: Scene) -> None:
        """Print nothing, because there is no event."""

    def tell(self, scene: Scene, news: Iterable[News]) -> None:
        """Print events, and the standings at the start of the next part."""
        for each in news:
            self._say(each.seconds, each.text)
        if self._part(scene) != self._last:
            self._last = self._part(scene)
            if scene.tables and not scene.is_sealed:
                self._say(scene.seconds, f"{standing_words(scene)}{_first(scene)}")

    def progress(self, scene: Scene) -> None:
        """Print the progress after every tenth."""
        if self._is_tenth(scene):
            self._tenth = _tenths(scene)
            done = f"{scene.batches_over:,} of {scene.batches:,} batches"
            self._say(scene.seconds, f"{done}{_first(scene)}")

    def _is_tenth(self, scene: Scene) -> bool:
        return self._tenth < _tenths(scene)

    def _part(self, scene: Scene) -> tuple[int, ...]:
        return (scene.stage, scene.level) if scene.has_levels else (scene.stage, 0, scene.wave)

    def _say(self, seconds: float, text: str) -> None:
        click.echo(f"{time_words(self._floor, seconds):>6}  {text}")


class Screen:
    """A board that is drawn repeatedly."""

    def __init__(self, floor: FloorConfig, title: str) -> None:
        """Begin.

        Args:
            floor: Has the start of the clock.
            title: The name of the run.
        """
        self._floor, self._title = floor, title
        self._live = Live(console=Console(), auto_refresh=False, transient=True)
        self._drawn = self._next_ranking = 0.0

    def __enter__(self) -> Self:
        """Begin to show."""
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the display."""
        self._live.stop()

    def wants_leaders(self, scene: Scene) -> bool:
        """Ask for leaders as often as the cost of the last ranking allows."""
        del scene
        return monotonic() >= self._next_ranking

    def ranked(self, seconds: float) -> None:
        """Postpone the next ranking."""
        self._next_ranking = monotonic() + RANKING_SHARE * seconds

    def refresh(self, scene: Scene) -> None:
        """Draw the board, several times a second."""
        if monotonic() - self._drawn >= SECONDS_BETWEEN_DRAWINGS:
            self._live.update(self._board(scene), refresh=True)
            self._drawn = monotonic()

    def tell(self, scene: Scene, news: Iterable[News]) -> None:
        """Draw the board soon: it shows the last news of all kinds."""
        del news
        self.refresh(scene)

    def progress(self, scene: Scene) -> None:
        """Draw the board soon."""
        self.refresh(scene)

    def _board(self, scene: Scene) -> RenderableType:
        clock = time_words(self._floor, scene.seconds)
        waiting = f"  (waiting for {scene.waits_for})" if scene.waits_for else ""
        parts: list[RenderableType] = [
            Text(f"{self._title}  {clock}{waiting}", style="bold"),
            Text(f"{standing_words(scene)}{_progress_words(scene)}"),
        ]
        if scene.leaders:
            parts.append(_leaders(scene))
        for title, news in (
            ("Out last", scene.lasts),
            ("Verdicts", scene.verdicts),
            ("News", scene.news),
        ):
            if news:
                parts += [Text(title, style="bold"), *map(self._news, reversed(news))]
        parts.append(Text("q leaves", style="dim"))
        return Group(*parts)

    def _news(self, news: News) -> Text:
        return Text(f"  {time_words(self._floor, news.seconds):>6}  {news.text}")


def standing_words(scene: Scene) -> str:
    """Describe the current wave: game, entrants and tables."""
    if scene.is_sealed:
        return "results are hidden"
    words = []
    if scene.stage:
        words.append(f"stage {scene.stage + 1}")
    if scene.has_levels:
        words.append(f"level {scene.level}")
    if scene.minimum:
        words.append(f"minimum {scene.chips(scene.minimum)}")
    words.append(f"{scene.left:,} left" if scene.out else counted(scene.left, "player"))
    return ", ".join([*words, counted(scene.tables, "table")])


def _tenths(scene: Scene) -> int:
    """Count the finished tenths of all batches; 0 if their number is unknown."""
    return TENTHS * scene.batches_over // scene.batches if scene.batches else 0


def _progress_words(scene: Scene) -> str:
    if scene.batches:
        done = f"{scene.batches_over:,} of {scene.batches:,} batches"
        return f"; {counted(scene.blocks_over, 'block')}, {done} over"
    return f"; {counted(scene.blocks_over, 'block')} of this wave over"


def _first(scene: Scene) -> str:
    """Name the leader, unless many share the lead."""
    leaders = [each for each in scene.leaders if each.place == scene.leaders[0].place]
    if not leaders or len(leaders) > MOST_NAMED:
        return ""
    names = joined([printable(each.name) for each in leaders], "and")
    return f"; first: {names} with {leaders[0].worth}"


def _leaders(scene: Scene) -> Table:
    table = Table("Place", "Entrant", "So far", "", box=None)
    table.columns[2].justify = "right"
    for each in scene.leaders:
        # Brackets in a name are not markup.
        table.add_row(each.place, Text(printable(each.name)), each.worth, Text(each.note))
    return table


SHOW_SECONDS = 120.0
"""How long a finished run is shown on a terminal."""

CLOCK = re.compile(r"(\d{1,6}):([0-5]\d)")


def clock_seconds(text: str) -> float:
    """Read an instant of the floor's clock, in hours and minutes.

    Returns: Seconds; half a minute earlier, because times are rounded to the nearest minute.
    """
    found = CLOCK.fullmatch(text)
    if not found:
        raise click.BadParameter(f"expected hours and minutes such as 1:30, got {text!r}")
    hours, minutes = map(int, found.groups())
    return max(0.0, 60.0 * (60 * hours + minutes) - 30)


@click.command("watch")
@RUN
@STORE
@click.option(
    "--speed",
    type=Finite(min=0, min_open=True),
    metavar="N",
    help="Simulated seconds for each second. By default a finished run takes two minutes on a "
    "terminal, and otherwise it is shown as fast as possible.",
)
@click.option(
    "--start-at",
    "begin",
    type=clock_seconds,
    default="0:00",
    metavar="H:MM",
    help="Skip the events on the floor before this time.",
)
@click.option(
    "--no-wait", is_flag=True, help="End with the stored results; do not wait for new ones."
)
@WIDE
@policy_options
def watch_command(
    run: str | None,
    store: Path,
    speed: float | None,
    begin: float,
    no_wait: bool,
    asked: ViewOptions,
) -> int:
    """Follow a run on its floor, or replay a finished one.

    RUN is a number or a name; the default is the latest run. On a terminal q leaves.
    """
    with stored_run(run, store) as stored:
        kept, record, tournament, *_ = stored
        floor = tournament.config.floor
        title = f"run {record.number}: {printable(record.name)}"
        is_shown = sys.stdout.isatty()
        if speed is None and is_shown and record.status == "finished":
            seconds = retraced(tournament, kept, record.number).floor.now
            speed = max(1.0, (seconds - begin) / SHOW_SECONDS)
            note(f"shown {speed:,.0f} times as fast as on the floor; --speed N changes this")
        viewer = Screen(floor, title) if is_shown else Lines(floor)
        note(f"{title}, {kept.status(record.number)}")
        with Keys() as keys, viewer:
            pace = Pace(keys, speed, begin)
            waits, telling = not no_wait, asked.of(tournament, record.finished)
            follower = Follower(tournament, kept, record.number, viewer, pace, telling, waits=waits)
            try:
                is_over = follower.follow()
            except ViewerLeftError:
                is_over = False
        clock = time_words(floor, follower.scene.seconds)
        status = kept.status(record.number)
        if is_over and status != "failed":
            telling = asked.of(tournament, kept.run(record.number).finished)
            show_board(stored, telling)
            return 0
        note(f"left at {clock}; run {record.number} is {status}")
        if status != "finished":
            note(f"if no process plays it: {resume_words(record, tournament, store)}")
        return 0


def show_board(stored: StoredRun, telling: BoardView) -> None:
    """Print the leaderboard and the failed competitors, as far as they are visible."""
    store, record, tournament, registry, _ = stored
    standings = telling.rows(standings_of(tournament, store, record))
    print_board(standings, columns_of(tournament, registry.columns), DEFAULT_FORMAT)
    telling.note()
    note_faults(standings, tournament)
