"""`play straights`: the original program on the terminal."""

import re
import time
from functools import partial

import click

from tourney.game.answers import read_line, typed_answers
from tourney.games.straights.program import play_straights

MOST_SEED = (1 << 64) - 1
SEED_TEXT = re.compile(r"0*([0-9]{1,20})")


def _rng_seed(context: click.Context, parameter: click.Parameter, text: str | None) -> int:
    """Read the seed; by default take it from the clock."""
    del context, parameter
    if text is None:
        return int(time.time())
    found = SEED_TEXT.fullmatch(text)
    if not found or int(found[1]) > MOST_SEED:
        raise click.BadParameter(
            f"expected a whole number from 0 to {MOST_SEED}, such as 44, got {text[:40]!r}"
        )
    return int(found[1])


@click.command("straights")
@click.argument("rng_seed", metavar="[SEED]", required=False, callback=_rng_seed)
def straights_command(rng_seed: int) -> None:
    """Straights, for four people or computers.

    The player with the fewest points wins when a player reaches 80. The commands are play, discard,
    deck, quit and ragequit. SEED determines the cards; the default is the time.
    """
    answers = typed_answers()
    play_straights(rng_seed, partial(read_line, answers), partial(click.echo, nl=False))
