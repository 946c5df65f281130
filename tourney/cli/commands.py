"""The tree of commands. Each is imported when it is called, so that help stays quick."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib import import_module
from typing import Any, TextIO

import click

COMMANDS = {
    "run": ("running", "Run a tournament and print its leaderboard."),
    "commit": ("committing", "Commit to a run without playing it, and write an anchor."),
    "resume": ("running", "Go on with a run that was interrupted."),
    "extend": ("extending", "Add tables or entrants to a finished run."),
    "compare": ("comparing", "Find out whether B is better than A."),
    "plan": ("planning", "Say how long an event takes and what it needs."),
    "runs": ("runs", "List the runs, show one, or delete one."),
    "leaderboard": ("leaderboard", "Print the leaderboard of a run."),
    "publish": ("publishing", "Write the leaderboard of a run as pages that work from disk."),
    "season": ("season", "Print the table of a season, and publish its runs."),
    "grades": ("marking", "Fill a column of a gradebook with what places are worth."),
    "feedback": ("answering", "Write a page for everybody who handed in, or should have."),
    "verdicts": ("verdicts", "Show which competitors broke their contract."),
    "floor": ("flooring", "Report how tables and dealers were used in a run."),
    "watch": ("watching", "Follow a run on its floor, or replay a finished one."),
    "replay": ("replaying", "Show hands of an entrant, card by card."),
    "export": ("exporting", "Write every hand and every decision of a run as data."),
    "verify": ("verifying", "Check that a run is as it was stored, and play it again."),
    "list": ("listing", "List what is installed."),
    "schema": ("schemas", "Print the JSON Schema of configurations, for editors."),
    "play": ("playing", "Play one of the original course programs."),
    "ev": ("measuring", "Measure a strategy in the long run."),
    "solve": ("solving", "Find the best chart for a game, and its exact value."),
    "class": ("enrolling", "Make a class of what a learning platform exports."),
    "new": ("starting", "Write files to start from."),
    "check": ("checking", "Check a competitor before it is handed in."),
    "mutants": ("mutants", "Run your tests on buggy Decks, Hands and Players."),
    "submit": ("submitting", "Hand in a competitor."),
    "submissions": ("submitted", "List what was handed in."),
    "serve": ("serving", "Serve a portal, on which a course hands in and competes."),
}
"""Commands in the order of their help: the module of each, and the first sentence of its help."""

MARGINS = 6
"""Spaces beside commands and what is said of them, as click counts them."""


def _own_commands() -> Mapping[str, tuple[str, str]]:
    return {name: (f"tourney.cli.{home}", told) for name, (home, told) in COMMANDS.items()}


class LazyGroup(click.Group):
    """A group whose commands are found by name in modules of their own."""

    def __init__(
        self, *args: Any, homes: Callable[[], Mapping[str, tuple[str, str]]], **kwargs: Any
    ) -> None:
        """Take what gives modules and first sentences of help by the names of commands."""
        super().__init__(*args, **kwargs)
        self._find_homes = homes

    @cached_property
    def _homes(self) -> Mapping[str, tuple[str, str]]:
        return self._find_homes()

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments; help may be printed here."""
        with _readers_may_leave():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        from tourney.lazy import safe_path  # noqa: PLC0415 - help needs none of it

        with _readers_may_leave(), safe_path():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called; where there is none, say which may have been meant."""
        called = args[0]
        if called not in self._homes and not called.startswith("-") and not ctx.resilient_parsing:
            from tourney.config.words import closest, hint  # noqa: PLC0415 - few mistype

            ctx.fail(f"No such command {called!r}{hint(closest(called, self._homes))}.")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in their own order."""
        del ctx
        return list(self._homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        if cmd_name not in self._homes:
            return None
        module, _ = self._homes[cmd_name]
        command = getattr(import_module(module), f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help, without importing them."""
        del ctx
        room = formatter.width - MARGINS - max(map(len, self._homes))
        rows = [
            (name, click.Command(name, help=summary).get_short_help_str(room))
            for name, (_, summary) in self._homes.items()
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@contextmanager
def _readers_may_leave() -> Iterator[None]:
    """End well when whoever reads our output has seen enough; click would call it a failure."""
    try:
        yield
    except BrokenPipeError:
        drop_output(sys.stdout)
        raise click.exceptions.Exit(0) from None


def drop_output(stream: TextIO) -> None:
    """Let what could not be written go, or Python would try and fail once more at its exit."""
    with suppress(OSError):
        output = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, output)
        os.close(nowhere)


def _tell_version(context: click.Context, _option: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from tourney.cli.version_text import version_words  # noqa: PLC0415 - few ask

        click.echo(version_words())
        context.exit()


@click.group(
    cls=LazyGroup, homes=_own_commands, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show version, commit and state of the machine code, and exit.",
)
def tourney() -> None:
    """Run tournaments of card-game strategies.

    A tournament is one YAML file: `tourney new tournament` writes one, and
    `tourney run tournament.yaml` plays it.
    """
