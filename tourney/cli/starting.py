"""`new`: files to start from."""

from pathlib import Path
from shlex import quote

import click

from tourney.cli.options import note
from tourney.config import load_game
from tourney.course import starting_files
from tourney.entrants import load_plugins
from tourney.errors import SubmissionError
from tourney.event.entering import catalog_of

DEFAULT = "ve280"


@click.group("new")
def new_command() -> None:
    """Write files to start from."""


@new_command.command("competitor")
@click.argument("name")
@click.option(
    "--game",
    metavar="GAME",
    default=DEFAULT,
    show_default=True,
    help="The game it is for, as `tourney list games` names it.",
)
@click.option(
    "--from",
    "learned",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="What a program has learned, as `tourney.environments` writes it (.npz): a table of "
    "values becomes a chart, a network a class.",
)
def competitor_command(name: str, game: str, learned: Path | None) -> None:
    """Write a competitor to start from, and its test.

    NAME becomes a file and a class in the current folder; nothing is ever overwritten.
    """
    rules = load_game(game, catalog_of(load_plugins())).rules
    files = starting_files(name, rules, learned)
    there = [file for file in files if Path(file).exists()]
    if there:
        raise SubmissionError(
            f"{there[0]}: expected no file of that name yet, got one, which is left as it is; "
            "choose another NAME, or move the file away"
        )
    for file, text in files.items():
        with Path(file).open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    competitor, *tests = files
    click.echo(f"wrote {' and '.join(files)}")
    at = "" if game == DEFAULT else f" --game {quote(game)}"
    for test in tests:
        note(f"to test it:    python {test}")
    note(f"to check it:   tourney check {competitor}{at}")
    note(f"to hand it in: tourney submit {competitor} --as NAME --to DIR, for who has DIR")
    note("to play it:    tourney run FILE.yaml, where FILE.yaml has")
    note(f"  entrants:\n    - {'file' if tests else 'chart'}: {competitor}")
