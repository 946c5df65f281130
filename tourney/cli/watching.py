"""`watch`: a run as it goes, or as it went, along the floor's clock."""

import re
import sys
from pathlib import Path

import click

from tourney.cli.boards import WIDE, print_board
from tourney.cli.following import Follower, Left, Pace
from tourney.cli.notes import note_faults, resume_words
from tourney.cli.options import RUN, STORE, note
from tourney.cli.telling import Asked, Telling, policy_options
from tourney.cli.typed import Keys
from tourney.cli.watched import Lines, Screen
from tourney.entrants import Registry, load_plugins
from tourney.entrants.words import printable
from tourney.event.entering import Tournament, enter_again
from tourney.event.floor import time_words
from tourney.event.run_standings import standings_of
from tourney.event.store import RunRecord, Store
from tourney.show import choose_columns

SPEED = 60.0
"""Simulated seconds for each second, where a finished run is shown on a terminal."""

CLOCK = re.compile(r"(\d{1,6}):([0-5]\d)")


class ClockTime(click.ParamType[float]):
    """An instant of the floor's clock, in hours and minutes, as seconds."""

    name = "H:MM"

    def convert(
        self, value: str | float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read it; half a minute earlier, as times are told to the nearest minute."""
        if isinstance(value, float):
            return value
        found = CLOCK.fullmatch(value)
        if not found:
            self.fail(f"expected hours and minutes such as 1:30, got {value!r}", param, ctx)
        hours, minutes = map(int, found.groups())
        return max(0.0, 60.0 * (60 * hours + minutes) - 30)


@click.command("watch")
@RUN
@STORE
@click.option(
    "--speed",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Simulated seconds for each second: 60 for a finished run on a terminal, and otherwise "
    "as fast as it goes.",
)
@click.option(
    "--from",
    "begin",
    type=ClockTime(),
    default=0.0,
    metavar="H:MM",
    help="Show nothing of the first hours and minutes on the floor.",
)
@click.option(
    "--no-wait", is_flag=True, help="End where the stored results end; wait for nobody who plays."
)
@WIDE
@policy_options
def watch_command(
    run: str | None, store: Path, speed: float | None, begin: float, no_wait: bool, asked: Asked
) -> int:
    """Follow a run on its floor, or replay a finished one.

    RUN is a number or a name; without it the latest run is meant. On a terminal q leaves.
    """
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, plays=False)
        floor = tournament.config.floor
        title = f"run {record.number}: {printable(record.name)}"
        is_shown = sys.stdout.isatty()
        if speed is None and is_shown and record.status == "finished":
            speed = SPEED
        viewer = Screen(floor, title) if is_shown else Lines(floor)
        note(f"{title}, {kept.status(record.number)}")
        with Keys() as keys, viewer:
            pace = Pace(keys, speed, begin)
            waits, telling = not no_wait, asked.of(tournament, record.finished)
            follower = Follower(tournament, kept, record.number, viewer, pace, telling, waits=waits)
            try:
                is_over = follower.follow()
            except Left:
                is_over = False
        clock = time_words(floor, follower.scene.seconds)
        status = kept.status(record.number)
        if is_over and status != "failed":
            telling = asked.of(tournament, kept.run(record.number).finished)
            show_board(tournament, kept, record, registry, telling)
            return 0
        note(f"left at {clock}; run {record.number} is {status}")
        if status != "finished":
            note(f"if nobody plays it: {resume_words(record, tournament, store)}")
        return 0


def show_board(
    tournament: Tournament, store: Store, record: RunRecord, registry: Registry, telling: Telling
) -> None:
    """Print the leaderboard, and whose competitors failed, as far as that may be told."""
    standings = telling.rows(standings_of(tournament, store, record))
    wanted, measure = tournament.config.leaderboard.columns, tournament.measure
    has_chips = tournament.rules.most_points is None
    columns = choose_columns(wanted, registry.columns, "simple", measure, has_chips=has_chips)
    print_board(standings, columns, "simple")
    telling.note()
    note_faults(standings)
