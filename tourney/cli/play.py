"""`play`: the programs of games, such as the original course programs."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tourney.cli.commands import LazyGroup
from tourney.cli.options import DEFAULT_COMPETITOR
from tourney.cli.signals import ReportedInterrupt
from tourney.game.protocol import Competitors, Found, Program
from tourney.game.rules import Rules
from tourney.plugins.loading import load_plugins


def programs() -> Mapping[str, Program]:
    """Return the programs of all installed games by name; the first one keeps a name."""
    found: dict[str, Program] = {}
    for game in dict.fromkeys(each.rules.game for each in load_plugins().games.values()):
        for name, program in game.programs().items():
            found.setdefault(name, program)
    return found


class Installed(Competitors):
    """Strategies by name, and files by their paths."""

    @contextmanager
    def found(self, player: str, rules: Rules, *, trusts: bool) -> Iterator[Found]:
        """Find a player; see `Competitors.found`."""
        registry = load_plugins()
        if player in registry.strategies or not _is_path(player):
            name = DEFAULT_COMPETITOR if player == "competitor" else player
            yield Found(registry.player(name, rules.game.name))
            return
        # The import takes longer than playing a few hands.
        from tourney.cli.check import found_in_file  # noqa: PLC0415 - see above

        with found_in_file(Path(player), rules, trusts=trusts) as found:
            yield found


class ProgramGroup(LazyGroup):
    """The programs; their own output ends with the interrupt, as that of the originals."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a program."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise ReportedInterrupt from error


@click.group("play", cls=ProgramGroup, sections=lambda: {"Commands": programs()})
@click.pass_context
def play_command(context: click.Context) -> None:
    """Play one of the original course programs."""
    context.obj = Installed()


def _is_path(player: str) -> bool:
    """Check whether a word looks like a path, not like a name."""
    return bool(Path(player).suffix) or os.sep in player or "/" in player
