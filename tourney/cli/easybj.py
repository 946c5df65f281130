"""`play easybj`: the original program, options and usage message included."""

import sys
from functools import partial
from typing import BinaryIO

import click

from tourney.classic.answers import read_letter
from tourney.classic.easybj import Streams, run
from tourney.cli.as_typed import AsTyped
from tourney.cli.typed import typed_answers


@click.command(
    "easybj",
    cls=AsTyped,
    add_help_option=False,
    options_metavar="[-h] [-f FILE|-i SEED [-r FILE]] [[-s] -a FILE NUM]",
)
@click.pass_context
def easybj_command(context: click.Context) -> None:
    """Easy Blackjack, ECE 326 assignment 1.

    You, or a chart, against a dealer whose cards lie open. -h shows the program's options.
    """
    hear, say = partial(_hear, typed_answers()), partial(click.echo, nl=False)
    context.exit(run(context.args, Streams(hear, say, partial(say, err=True))))


def _hear(answers: BinaryIO | None) -> str | None:
    letter = read_letter(answers)
    if letter is None and sys.stdin and sys.stdin.isatty():
        click.echo()  # nobody pressed Enter, so the question still waits on its line
    return letter
