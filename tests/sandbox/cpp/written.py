"""Files of C++ as students write them, and what comes of playing them."""

from pathlib import Path
from typing import NamedTuple

from tests.sandbox.attacks.asking import QUICK, SEAT_REQUESTS, questions
from tests.support.cpp_build import build
from tourney.game.ledger import Verdict
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call
from tourney.plugins.language import Texts
from tourney.sandbox.budgets import Budget
from tourney.sandbox.host_process import Setup
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

COUNTING = Path(__file__).with_name("counting.cpp").read_text()
"""The documents' players, with one static object each."""

WAGER = "player.cpp:13"
"""Where `one` has what it is given as its wager."""
ONE = """\
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
#include "player.h"
{top}
class One : public Player {{
 public:
{more}
    int bet(unsigned int bankroll, unsigned int minimum) {{
        {bet}
    }}
    bool draw(Card, const Hand &) {{ return false; }}
    void expose(Card) {{ }}
    void shuffled() {{ }}
}};

static One one;
Player *get_Competitor() {{ return &one; }}
"""


class Came(NamedTuple):
    """What came of asking three seats for a wager."""

    verdicts: tuple[Verdict, ...]
    answers: tuple[int, ...]
    printed: str


def one(bet: str = "return minimum;", top: str = "", more: str = "") -> str:
    """Write a player of which only the wager matters; `top` and `more` are a line each."""
    return ONE.format(bet=bet, top=top, more=more)


def play(text: str, setup: Setup | None = None, budget: Budget = QUICK) -> Came:
    """Build a player, seat it three times, and ask each seat for a wager."""
    return play_files((("player.cpp", text),), setup, budget)


def play_files(files: Texts, setup: Setup | None = None, budget: Budget = QUICK) -> Came:
    """Do the same with a project of several files."""
    program = build(files).program
    lines = tuple((name, text.count("\n") + 1) for name, text in files)
    submitted = Submitted("player.cpp", b"", program=program, files=lines)
    with SandboxedPool(BLACKJACK, submitted, setup, budget) as pool:
        verdicts = [each.verdict for each in pool.sit(SEAT_REQUESTS) if each.verdict]
        answers: tuple[int, ...] = ()
        if not verdicts:
            decided = pool.decide(questions(Call.WAGER, 1, [0, 1, 2]))
            verdicts, answers = [*decided.faults.values()], tuple(decided.answers.tolist())
    return Came(tuple(verdicts), answers, pool.printed)
