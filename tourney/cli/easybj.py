"""`play easybj`: the original program, options and usage message included."""

import sys
from functools import partial

import click

from tourney.classic.easybj import Streams, read_letter, run
from tourney.cli.csc24400 import AsTyped


@click.command("easybj", cls=AsTyped)
@click.pass_context
def easybj_command(context: click.Context) -> None:
    """Easy Blackjack, ECE 326 assignment 1.

    You, or a chart, against a dealer whose cards lie open. -h shows the program's options.
    """
    say = partial(click.echo, nl=False)
    context.exit(run(context.args, Streams(_hear, say, partial(say, err=True))))


def _hear() -> str | None:
    letter = read_letter(sys.stdin.buffer if sys.stdin else None)
    if letter is None and sys.stdin and sys.stdin.isatty():
        click.echo()  # nobody pressed Enter, so the question still waits on its line
    return letter
