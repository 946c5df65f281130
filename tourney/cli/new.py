"""`new`: starter files."""

from importlib.resources import files
from pathlib import Path
from shlex import quote

import click

from tourney.cli import completion
from tourney.cli.options import NamedFile, note, shared_option
from tourney.research.check import GAME as DEFAULT
from tourney.research.check import new_competitor, write_new

QUICKSTART = files("tourney.cli").joinpath("quickstart.yaml")
"""The configuration of the quickstart, which `tourney demo` plays."""


@click.group("new")
def new_command() -> None:
    """Write files to start from.

    To begin a new game, copy the three files in docs/how-to/add-a-game.md.
    """


@new_command.command("tournament")
@click.argument("file", default="tournament.yaml", type=NamedFile(path_type=Path))
def tournament_command(file: Path) -> None:
    """Write a tournament to start from.

    FILE is a configuration of five installed strategies; nothing is ever overwritten.
    """
    write_new({file: QUICKSTART.read_text("utf-8")})
    click.echo(f"wrote {file}")
    note(f"to play it:    tourney run {quote(str(file))}")
    note(f"to plan it:    tourney plan {quote(str(file))}")
    note("to change it:  `tourney schema` describes every setting to an editor")


@new_command.command("competitor")
@click.argument("name")
@shared_option(
    "--game",
    metavar="GAME",
    shell_complete=completion.games,
    default=DEFAULT,
    show_default=True,
)
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
    note(f"to submit it:  tourney submit {competitor} --as NAME --to FOLDER{at}")
    note("to play it:    tourney run FILE.yaml, where FILE.yaml has")
    note(f"  entrants:\n    - {'file' if tests else 'chart'}: {competitor}")
