"""`new`: starter files."""

from collections.abc import Sequence
from importlib.resources import files
from itertools import product
from pathlib import Path
from shlex import quote

import click

from tourney.cli import completion
from tourney.cli.options import NamedFile, note, shared_option
from tourney.config.games import for_ranking
from tourney.config.model import GameConfig
from tourney.config.tournament import loads
from tourney.errors import PluginError, TourneyError
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.research.check import GAME as DEFAULT
from tourney.research.check import new_competitor, write_new
from tourney.research.inputs import game_of
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import enter

QUICKSTART = files("tourney.cli").joinpath("quickstart.yaml")
"""The configuration of the quickstart, which `tourney demo` plays."""
TOURNAMENT = """\
name: {name}
seed: 280                      # a rehearsal that anyone can repeat; leave it out for secret shoes
game: {{{game}}}
{stakes}format: {format}
entrants:
{entrants}"""
STAKES = ("bankroll: 1000\nminimum: 5\n", "bankroll: 1000\n", "")
"""Stakes for a game of chips, for one with its own minimum, and for a game of points."""
FORMATS = (
    "{kind: duplicate, tables: 60, rounds: 100}",
    "{kind: roundrobin, rounds: 20, times: 4}",
    "{kind: ladder, waves: 10, rounds: 20}",
)
"""Formats for games of one seat, of two, and of more."""
MOST_ENTRANTS = 5
GAME = shared_option(
    "--game",
    metavar="GAME",
    shell_complete=completion.games,
    default=DEFAULT,
    show_default=True,
)


@click.group("new")
def new_command() -> None:
    """Write files to start from.

    To begin a new game, copy the three files on the page "Add a game" of the documentation.
    """


@new_command.command("tournament")
@click.argument("file", default="tournament.yaml", type=NamedFile(path_type=Path))
@GAME
def tournament_command(file: Path, game: str) -> None:
    """Write a tournament to start from.

    FILE is a configuration of installed strategies of the game; nothing is ever overwritten.
    """
    text = QUICKSTART.read_text("utf-8") if game == DEFAULT else _tournament_of(game)
    write_new({file: text})
    click.echo(f"wrote {file}")
    note(f"to play it:    tourney run {quote(str(file))}")
    note(f"to plan it:    tourney plan {quote(str(file))}")
    note("to change it:  `tourney schema` describes every setting to an editor")


def _tournament_of(game: str) -> str:
    """Write a tournament of a game, in the first format and with the first stakes that it takes.

    Raises: ConfigError, if the game is unknown; PluginError, if none of its strategies can enter.
    """
    registry = load_plugins()
    text, config = game_of(game, registry)
    catalog = catalog_of(registry, tries_options=True)
    ranked = for_ranking(config)
    changes = [each.replace("=", ": ") for each in text.split(",")[1:]]
    if ranked != config:
        changes = [f"{name}: {value}" for name, value in ranked.overrides]
    settings = ", ".join([f"preset: {config.preset}", *changes])

    def written(stakes: str, kind: str, names: Sequence[str]) -> str:
        needed = max(2, config.rules.seats.start)
        entrants = [
            f"{{strategy: {name}}}" if turn == 0 else f"{{strategy: {name}, as: {name} {turn + 1}}}"
            for turn in range(-(-needed // len(names)))
            for name in names
        ]
        return TOURNAMENT.format(
            name=config.preset,
            game=settings,
            stakes=stakes,
            format=kind,
            entrants="".join(f"  - {each}\n" for each in entrants),
        )

    def can_be_played(text: str) -> bool:
        try:
            enter(loads(text, catalog), registry)
        except TourneyError:
            return False
        return True

    own = _strategies_for(config, registry)
    for stakes, kind in product(STAKES, FORMATS):
        fitting = [name for name in own if can_be_played(written(stakes, kind, [name]))]
        for count in range(min(len(fitting), MOST_ENTRANTS), 0, -1):
            if can_be_played(found := written(stakes, kind, fitting[:count])):
                return found
    raise PluginError(
        f"no installed strategy can enter a tournament of {text} without options; "
        'install or write one (see "Add a game" in the documentation)'
    )


def _strategies_for(config: GameConfig, registry: Registry) -> list[str]:
    """Return the installed strategies that suit a game best, or else all of the game."""
    game = config.rules.game
    suited = [name for name in game.starters(config.preset) if name in registry.strategies]
    return suited or [each.name for each in registry.strategies.values() if each.game == game.name]


@new_command.command("competitor")
@click.argument("name")
@GAME
@click.option(
    "--model",
    "learned",
    metavar="FILE",
    type=NamedFile(path_type=Path),
    help="Trained model that `tourney.environments` wrote (.npz): a table of values becomes a "
    "chart, a network a class.",
)
def competitor_command(name: str, game: str, learned: Path | None) -> None:
    """Write a competitor to start from, and its test.

    NAME becomes a file and a class in the current folder; nothing is ever overwritten.
    """
    written = new_competitor(name, game, learned=learned)
    competitor, *tests = written
    click.echo(f"wrote {' and '.join(map(str, written))}")
    at = "" if game == DEFAULT else f" --game {quote(game)}"
    for test in tests:
        note(f"to test it:    python {test}")
    note(f"to check it:   tourney check {competitor}{at}")
    registry = load_plugins()
    if others := _strategies_for(game_of(game, registry)[1], registry):
        note(f"to compare it: tourney compare {others[0]} {competitor}{at}")
        note(f"to play it:    tourney new tournament {competitor.stem}.yaml{at}")
        note(f"and add at the end of {competitor.stem}.yaml:")
        note(f"  - {'file' if tests else 'chart'}: {competitor}")
