"""The tree of commands. Each is imported when it is called, so that help stays quick."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TextIO

import click

COMMANDS = {
    "run": "running",
    "resume": "running",
    "extend": "extending",
    "compare": "comparing",
    "plan": "planning",
    "runs": "kept",
    "leaderboard": "kept",
    "publish": "publishing",
    "season": "season",
    "grades": "marking",
    "verdicts": "verdicts",
    "floor": "flooring",
    "watch": "watching",
    "replay": "replaying",
    "verify": "verifying",
    "list": "listing",
    "schema": "listing",
    "play": "playing",
    "ev": "measuring",
    "solve": "solving",
    "new": "starting",
    "check": "checking",
    "mutants": "mutants",
    "submit": "submitting",
    "submissions": "submitted",
}
"""Commands in the order of their help, and the modules that hold them."""


class LazyGroup(click.Group):
    """A group whose commands are found by name in the modules of this package."""

    def __init__(self, *args: Any, homes: Mapping[str, str], **kwargs: Any) -> None:
        """Take the names of modules by the names of their commands, in the order of the help."""
        super().__init__(*args, **kwargs)
        self._homes = homes

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments; help may be printed here."""
        with _readers_may_leave():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _readers_may_leave():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in their own order."""
        del ctx
        return list(self._homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        del ctx
        module = self._homes.get(cmd_name)
        if module is None:
            return None
        command = getattr(import_module(f"tourney.cli.{module}"), f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command


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


@click.group(
    cls=LazyGroup, homes=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="tourney")
def tourney() -> None:
    """Run tournaments of card-game strategies.

    A tournament is one YAML file: try `tourney run configs/quickstart.yaml`.
    """
