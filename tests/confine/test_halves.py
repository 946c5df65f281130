"""Processes that are asked for one half of their tables, then for the other one: same verdicts."""

from typing import NoReturn

import pytest

from tourney.game.asking.exchange import AnyPool
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.lineup import Lineup
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.lockstep import play
from tourney.games.blackjack.lockstep.play import play_lockstep
from tourney.games.blackjack.rules import BlackjackRules
from tourney.jail.budgets import Budget
from tourney.jail.frames import Submitted
from tourney.jail.levels import Level, probe
from tourney.jail.referee import JailedPool
from tourney.schedule import Field

pytestmark = pytest.mark.skipif(
    probe() is Level.UNSAFE, reason="this machine cannot confine players"
)

TABLES, ROUNDS, CHIPS, MINIMUM = 6, 6, 1_000, 5
QUICK = Budget(loading=0.5, base=0.4, decision=1e-3, batch_factor=2, stall=1.0)

# What happens does so at some tables, by how they went: at those of either half, or of both.
PLAYER = """
import os, time
from tourney import Player


class Someone(Player):
    def __init__(self):
        self.rounds = 0

    def bet(self, bankroll, minimum):
        self.rounds += 1
        if self.rounds == 3 and self.table.bankrolls[0] {where} 1000:
            {act}
        return minimum + self.random.randrange(3)

    def draw(self, dealer, player):
        return player.total < 16
"""

ACTS = {
    "died": "os._exit(3)",
    "syscall": "__import__('_socket').socket(2, 1)",
    "protocol": "os.write(4, bytes(40))",
    "cpu": "sum(range(10**9))",
    "raised": "raise ValueError(bankroll)",
    "illegal": "return -1",
}


def blocks() -> list[Block]:
    """Draw up tables of two entrants."""
    field = Field(2, BlackjackRules(), CHIPS, MINIMUM, 10**9, Secret.from_seed(1))
    seats = tuple((entrant, CHIPS) for entrant in (0, 1))
    return [field.block(BlockKey(0, 0, table, 0, 1), seats, ROUNDS) for table in range(TABLES)]


def never(*_: object) -> NoReturn:
    """Fail: this would run a confined player's code here."""
    raise AssertionError


def played(act: str, where: str, worth: int) -> list[BlockResult]:
    """Play somebody beside somebody honest."""
    sources = [PLAYER.format(where=where, act=act), PLAYER.format(where="<", act="pass")]

    def open_pool(entrant: int) -> AnyPool:
        return JailedPool(
            BLACKJACK, Submitted("someone.py", sources[entrant].encode()), None, QUICK
        )

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(play, "SEATS_WORTH_HALVING", worth)
        return play_lockstep(blocks(), Lineup(never, never, confined=open_pool), {}).results


@pytest.mark.parametrize("where", ["<", ">"])
@pytest.mark.parametrize(("cause", "act"), ACTS.items())
def test_verdicts_are_those_of_one_wave(cause: str, act: str, where: str) -> None:
    """At the same decisions with the same words, whichever tables it happens at."""
    halves, whole = played(act, where, 1), played(act, where, TABLES + 1)
    assert halves == whole
    assert [each.digest for each in halves] == [each.digest for each in whole]
    verdicts = [[seat.verdict for seat in each.seats] for each in halves]
    assert verdicts == [[seat.verdict for seat in each.seats] for each in whole]
    assert {first.cause for first, _ in verdicts if first} == {cause}
    assert not any(second for _, second in verdicts)


def test_the_honest_play_as_in_one_wave() -> None:
    """With luck of their own at each table."""
    halves, whole = played("pass", "<", 1), played("pass", "<", TABLES + 1)
    assert [each.digest for each in halves] == [each.digest for each in whole]
