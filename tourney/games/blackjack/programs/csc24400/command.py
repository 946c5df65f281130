"""`play csc24400`: the original program, with its arguments and usage message."""

from functools import partial

import click

from tourney.game.answers import AsTyped, read_line, typed_answers
from tourney.games.blackjack.programs.csc24400 import (
    HEADER,
    ArgumentsError,
    Dialogue,
    play,
    rng_seed_of,
)

WRONG_ARGUMENTS = 1
"""The document defines no exit status. A C++ program ends its usage message with EXIT_FAILURE."""


@click.command("csc24400", cls=AsTyped, add_help_option=False, options_metavar="[-s <number>]")
@click.pass_context
def csc24400_command(context: click.Context) -> None:
    """CSC 24400 project 4.

    You play against the dealer. The program asks for the number of decks, then before each hand
    whether you play, and then hit or stand. -s sets the seed of the shoe; by default the clock
    does.
    """
    try:
        rng_seed = rng_seed_of(context.args)
    except ArgumentsError as wrong:
        click.echo(f"{HEADER}{wrong}")  # the first two steps of the document
        context.exit(WRONG_ARGUMENTS)
    answers = typed_answers()
    play(rng_seed, Dialogue(partial(read_line, answers), partial(click.echo, nl=False)))
