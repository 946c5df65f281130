"""`demo`: the quickstart tournament, played to its leaderboard without a file to write first."""

from importlib.resources import as_file
from pathlib import Path

import click

from tourney.cli.new import QUICKSTART
from tourney.cli.options import STORE, note
from tourney.cli.run import run_command


@click.command("demo")
@STORE
@click.pass_context
def demo_command(context: click.Context, store: Path) -> int:
    """Play an example tournament and print its leaderboard.

    Five installed strategies play 80 tables in a few seconds. The run is kept in the store, so
    `tourney watch` and `tourney replay` can show it afterwards.
    """
    with as_file(QUICKSTART) as config:
        status: int = context.invoke(run_command, config=config, store=store)
    note("to write your own player:     tourney new competitor NAME")
    note("to write your own tournament: tourney new tournament")
    return status
