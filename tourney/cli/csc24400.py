"""`play csc24400`: the original program, arguments and usage message included."""

import sys
from functools import partial

import click

from tourney.classic.csc24400 import Dialogue, WrongArguments, play, read_line, rng_seed_of

WRONG_ARGUMENTS = 1
"""The document fixes no status. A C++ program ends its usage message with EXIT_FAILURE."""


class AsTyped(click.Command):
    """A command that gets its arguments as they were typed, dashes and `--help` included."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all arguments for the program."""
        super().parse_args(ctx, [])
        ctx.args = args
        return args


@click.command("csc24400", cls=AsTyped, add_help_option=False, options_metavar="[-s <number>]")
@click.pass_context
def csc24400_command(context: click.Context) -> None:
    """CSC 24400 project 4.

    You against the dealer: it asks for the number of decks, then before every hand whether
    you play, and then hit or stand. -s takes the seed of the shoe; without it the clock gives one.
    """
    try:
        rng_seed = rng_seed_of(context.args)
    except WrongArguments as wrong:
        click.echo(str(wrong))
        context.exit(WRONG_ARGUMENTS)
    answers = sys.stdin.buffer if sys.stdin else None
    play(rng_seed, Dialogue(partial(read_line, answers), partial(click.echo, nl=False)))
