"""Compiling what tests need, once, before several processes would compile the same side by side.

    python -m tests.support.compiling tables|seats

Machine code is kept where all processes of this checkout look for it. Each of the two parts is a
process of its own; where there is nothing to compile, it takes about a second.
"""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from tourney import Card, Hand, Player
from tourney.environments import BlackjackVectorEnv
from tourney.execution.engine_selection import play_batch
from tourney.execution.warm_up import load, warm_up
from tourney.formats.field import Field
from tourney.game.accelerators import LONG_ROUNDS
from tourney.game.blocks import Batch, Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.lineup import lineup_of
from tourney.game.rules import Rules
from tourney.games.blackjack.engines.interfaces import BlackjackKernels
from tourney.games.blackjack.kernels import LANES, SINGLE_SEATS, TABLES
from tourney.games.blackjack.rules import VE280
from tourney.games.straights.rules import StraightsRules
from tourney.strategies.ramp import Ramp
from tourney.strategies.simple import Simple

ROOT = Path(__file__).parents[2]
PARTS = ("tables", "seats")
UNIFORM = replace(VE280, shuffle="uniform")
FRESH = replace(UNIFORM, reshuffle="every-round")


def compile_all() -> None:
    """Compile both parts at the same time.

    Raises: CalledProcessError, if one fails.
    """
    command = (sys.executable, "-m", "tests.support.compiling")
    started = [subprocess.Popen([*command, part], cwd=ROOT) for part in PARTS]
    for process in started:
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, process.args)


class Asked(Simple):
    """Plays like Simple, but has to be asked."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Decide as a class that has declared nothing."""
        return super().draw(dealer, player)


def compile_tables() -> None:
    """Compile what plays any seats at a table, whether they are declared or asked."""
    load(BlackjackKernels(), TABLES)
    for rules in (VE280, UNIFORM):
        play(block(rules, seats=2), "compiled", (Simple, Ramp))
        play(block(rules, seats=2), "lockstep", (Ramp, Asked))


def compile_seats() -> None:
    """Compile the faster ways, of seats that are alone, and their luck; Straights; environments."""
    load(BlackjackKernels(), LANES)
    load(BlackjackKernels(), SINGLE_SEATS)
    warm_up(StraightsRules())
    BlackjackVectorEnv().reset()
    for rules, kind, follows_luck in product((UNIFORM, FRESH), (Simple, Ramp), (False, True)):
        alone = block(rules, seats=1, rounds=LONG_ROUNDS)
        play(replace(alone, follows_luck=follows_luck), "compiled", (kind,))


def block(rules: Rules, seats: int, rounds: int = 2) -> Block:
    """Draw up a block whose seats cannot be ruined."""
    bankroll = 10 * LONG_ROUNDS
    field = Field(2, rules, bankroll, 10, 20, Secret.from_seed(0))
    places = tuple((entrant, bankroll) for entrant in range(seats))
    return field.block(BlockKey(0, 0, 0, 0, 1), places, rounds)


def play(drawn_up: Block, engine: str, kinds: Sequence[type[Player]]) -> None:
    """Play a block, a player of each kind in a seat of its own."""
    lineup = lineup_of(lambda entrant: kinds[entrant]())
    play_batch(Batch(0, 0, (drawn_up,)), lineup, engine)


if __name__ == "__main__":
    {"tables": compile_tables, "seats": compile_seats}[sys.argv[1]]()
