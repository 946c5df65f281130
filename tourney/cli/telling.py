"""Options that say what of a run may be told; every command that shows results takes them."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

import click

from tourney.errors import TourneyError
from tourney.leaderboard.policy import time_of

Command = TypeVar("Command", bound=Callable[..., object])


class Time(click.ParamType[datetime]):
    """A time such as 2026-05-01T12:00, in UTC where nothing else is said."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Read it."""
        try:
            time = time_of(str(value))
        except TourneyError as error:
            self.fail(str(error), param, ctx)
        assert time
        return time


OPTIONS = (
    click.option(
        "--names",
        type=click.Choice(("names", "handles")),
        default="names",
        show_default=True,
        help="Call entrants by name, or by their row on the board.",
    ),
    click.option("--top", type=click.IntRange(1), metavar="N", help="Show the first N only."),
    click.option(
        "--freeze", type=Time(), metavar="TIME", help="Withhold results that came in after this."
    ),
    click.option("--reveal", type=Time(), metavar="TIME", help="From when to tell them after all."),
)


def policy_options(command: Command) -> Command:
    """Give a command the options of a policy: `names`, `top`, `freeze` and `reveal`."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command
