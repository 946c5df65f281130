"""C++ beside Python, over whole blocks: the results of two that decide alike are alike."""

import shutil
from typing import Any

import pytest

from tests.sandbox.cpp import twins
from tests.sandbox.cpp.written import COUNTING, one
from tests.support.cpp_build import build
from tests.support.proving import with_more
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.lineup import Lineup
from tourney.game.players import Undeclared
from tourney.games.blackjack.engines.lockstep_play import play_lockstep
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.rules import BlackjackRules
from tourney.sandbox.budgets import Budget
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)

CHIPS, MINIMUM, ROUNDS = 1_000, 10, 100
PATIENT = Budget(base=60.0)
TWINS: dict[str, tuple[Any, type]] = {
    "simple": ({"player.cpp": twins.SIMPLE}, Simple),
    "counting": ({"player.cpp": COUNTING}, Counting),
    "heap": ({"player.cpp": twins.HEAP}, twins.Heap),
    "statics": ({"player.cpp": twins.STATICS}, twins.Statics),
    "dice": ({"player.cpp": twins.DICE}, twins.Dice),
    "exceptions": ({"player.cpp": twins.EXCEPTIONS}, twins.Exceptions),
    "streams": ({"player.cpp": twins.STREAMS}, twins.Streams),
    "several files": (twins.SEVERAL, twins.Several),
}


def blocks(tables: int, entrants: int = 1) -> list[Block]:
    """Draw up tables of so many seats."""
    field = Field(entrants, BlackjackRules(), CHIPS, MINIMUM, 10**9, Secret.from_seed(1))
    seats = tuple((entrant, CHIPS) for entrant in range(entrants))
    keys = (BlockKey(0, 0, table, 0, 1) for table in range(tables))
    return [field.block(key, seats, ROUNDS) for key in keys]


def native(files: dict[str, str]) -> SandboxedPool:
    """Give the pool of a program."""
    built = build(tuple(sorted(files.items())))
    return SandboxedPool(
        BLACKJACK, Submitted("player.cpp", b"", program=built.program), None, PATIENT
    )


def confined(drawn: list[Block], *entrants: dict[str, str]) -> list[BlockResult]:
    """Play blocks with programs in all seats."""
    lineup = Lineup(make=never, declared=never, confined=lambda number: native(entrants[number]))
    return list(play_lockstep(drawn, lineup).results)


def never(*_: object) -> Any:
    """Fail: this would run a confined player's code here."""
    raise AssertionError


@pytest.mark.parametrize("tables", with_more([200], [2_000]))
@pytest.mark.parametrize("name", TWINS)
def test_twins_have_the_same_results(name: str, tables: int) -> None:
    """Digests of every table, over 20,000 hands, and 200,000 to prove it."""
    files, twin = TWINS[name]
    drawn = blocks(tables)
    lineup = Lineup(lambda _: twin(), lambda *_: Undeclared("it is to be asked"))
    here = play_lockstep(drawn, lineup).results
    there = confined(drawn, files)
    assert [each.digest for each in there] == [each.digest for each in here]
    assert there == list(here)
    assert not any(seat.verdict for each in there for seat in each.seats)


ATTACKERS = {
    "socket": one(
        "if (rand() % 50 == 0) socket(2, 1, 0); return minimum;", top="#include <sys/socket.h>"
    ),
    "pointer": one("if (rand() % 50 == 0) *(volatile int *)0 = 1; return minimum;"),
}


@pytest.mark.parametrize("attack", ATTACKERS)
def test_whoever_sits_beside_an_attacker_plays_on(attack: str) -> None:
    """At the same tables, until the attacker is stopped and beyond."""
    drawn = blocks(20, entrants=2)
    results = confined(drawn, {"player.cpp": COUNTING}, {"player.cpp": ATTACKERS[attack]})
    for result in results:
        honest, attacker = result.seats
        assert honest.verdict is None
        assert attacker.verdict
        assert attacker.verdict.cause == {"socket": "syscall", "pointer": "died"}[attack]
