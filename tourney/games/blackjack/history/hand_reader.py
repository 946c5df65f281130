"""What seats answered at a table of blackjack, read off its hands, so that they can answer again.

The lines are those of `hand_writer`. Knows no shoe: what the cards were is for others to say.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tourney.game.hand_history import AT_FAULT
from tourney.games.blackjack.asking.remote_seats import Recorded
from tourney.games.blackjack.players.questions import FAULT, Call
from tourney.games.blackjack.rules import BlackjackRules

if TYPE_CHECKING:  # rules name their game, so what knows rules is loaded after this
    from tourney.game.blocks import Block

MARKS = re.compile(r"\((\d+)(?:,\d+)?\)|[\^_!][A-Za-z]|=\d|\$[01]|[~#]|\d|[A-Za-z]")
"""What stands in a line, mark by mark."""

Answers = list[tuple[int, int]]
"""Calls and answers of a seat, in order."""


def recorded(laid: "Block", lines: Sequence[str], rules: BlackjackRules) -> dict[int, Recorded]:
    """Read off what the seats of a table have answered; the lines may come from anybody."""
    answers: list[Answers] = [[] for _ in laid.seats]
    silent = _absent(laid, lines, rules)
    for line in lines:
        silent |= _read_round(line, laid, rules, answers, silent)
    if len(lines) < laid.rounds:
        # Nobody was left: who can still play was at fault before the next round, which has no line.
        call = Call.WAGER if rules.wager == "chosen" else Call.LOOK
        for seat in set(range(len(laid.seats))) - silent:
            answers[seat].append((call, FAULT))
            silent.add(seat)
    return {
        seat: Recorded(
            acts=True,
            answers=tuple(answers[seat]),
            verdict=AT_FAULT if seat in silent else None,
        )
        for seat in range(len(laid.seats))
    }


def _absent(laid: "Block", lines: Sequence[str], rules: BlackjackRules) -> set[int]:
    """Name the seats that are at fault before the first round."""
    least = rules.least_bankroll(laid.minimum)
    # Without a round nobody was left to play one.
    chips = lines[0].partition("|")[0].split(",") if lines else [""] * len(laid.seats)
    return {
        seat for seat, text in enumerate(chips) if not text and laid.seats[seat].bankroll >= least
    }


def _read_round(
    line: str, laid: "Block", rules: BlackjackRules, answers: list[Answers], silent: set[int]
) -> set[int]:
    """Add what the seats have answered in a round; give those at fault in it."""
    heads, wagers, events = line.split("|")
    is_chosen = rules.wager == "chosen"
    chips = [int(each or 0) for each in heads.split(",")]
    for seat, text in enumerate(wagers.split(",")):
        if text and seat not in silent and is_chosen:
            wager = int(text)
            if not laid.minimum <= wager <= min(chips[seat], laid.maximum) or wager % rules.unit:
                raise ValueError(f"seat {seat + 1} may not wager {wager} of {chips[seat]}")
            answers[seat].append((Call.WAGER, wager // rules.unit))
    faulted: set[int] = set()
    turn, has_cards = 0, False
    for mark in MARKS.finditer(events):
        text = mark.group()
        if mark[1]:
            turn = int(mark[1])
        elif text == "#":
            is_fixed = not has_cards and not is_chosen
            answers[turn].append((Call.LOOK if is_fixed else Call.ACT, FAULT))
            faulted.add(turn)
        elif text.isdecimal() and turn not in silent | faulted:
            answers[turn].append((Call.ACT, int(text)))
        has_cards = has_cards or text[-1].isalpha()
    return faulted
