"""What seats answered at a table, read off its published hands, so that they can answer again.

The lines are those of `publish.hands`. Knows no shoe: what the cards were is for others to say.
"""

import re
from collections.abc import Iterator, Sequence
from string import ascii_letters

from tourney.cards.card import CARDS, Card
from tourney.engine.reference.recorded import Recorded
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.straights.records import SEATS
from tourney.games.straights.view import StraightsView
from tourney.leaderboard.site.model import BlockTold
from tourney.ledger import Verdict
from tourney.players import StraightsPlayer
from tourney.players.questions import FAULT, Call
from tourney.schedule import Block

MARKS = re.compile(r"\((\d+)(?:,\d+)?\)|[\^_!][A-Za-z]|=\d|\$[01]|[~#-]|\d|[A-Za-z]")
"""What stands in a line, mark by mark."""

AT_FAULT = Verdict("raised", "", 1, 0, "", "", "")
"""Stands for whatever a fault was: what matters is when."""

Answers = list[tuple[int, int]]
"""Calls and answers of a seat, in order."""


def cards_in(events: str) -> list[Card]:
    """Give the cards in what happened in a round, in the order in which they fell or were shown."""
    marks = (mark.group() for mark in MARKS.finditer(events))
    return [CARDS[ascii_letters.index(mark[-1])] for mark in marks if mark[-1].isalpha()]


def recorded(laid: Block, told: BlockTold, rules: BlackjackRules) -> dict[int, Recorded]:
    """Read off what the seats of a blackjack table have answered."""
    answers: list[Answers] = [[] for _ in laid.seats]
    silent = _absent(laid, told, rules)
    for line in told.rounds:
        silent |= _read_round(line, laid, rules, answers, silent)
    return {
        seat: Recorded(
            acts=True,
            answers=tuple(answers[seat]),
            verdict=AT_FAULT if seat in silent else None,
        )
        for seat in range(len(laid.seats))
    }


def _absent(laid: Block, told: BlockTold, rules: BlackjackRules) -> set[int]:
    """Name the seats that are at fault before the first round."""
    least = rules.least_bankroll(laid.minimum)
    # Without a round nobody was left to play one.
    chips = told.rounds[0].partition("|")[0].split(",") if told.rounds else [""] * len(laid.seats)
    return {
        seat for seat, text in enumerate(chips) if not text and laid.seats[seat].bankroll >= least
    }


def _read_round(
    line: str, laid: Block, rules: BlackjackRules, answers: list[Answers], silent: set[int]
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


class Again(StraightsPlayer):
    """Plays the cards that were played before."""

    def __init__(self, cards: Sequence[Card | None]) -> None:
        self._cards: Iterator[Card | None] = iter(cards)

    def play(self, view: StraightsView) -> Card:
        """Give the next card; fail where it failed."""
        del view
        card = next(self._cards)
        if card is None:
            raise ValueError("it failed here before")
        return card


def plays(told: BlockTold) -> list[list[Card | None]]:
    """Read off the cards that the seats of Straights have let go; None for a fault."""
    played: list[list[Card | None]] = [[] for _ in range(SEATS)]
    for line in told.rounds:
        turn, is_marked = 0, False
        for mark in MARKS.finditer(line.rpartition("|")[2]):
            text = mark.group()
            if mark[1]:
                turn, is_marked = int(mark[1]), True
            elif text == "#":
                played[turn].append(None)
            elif text.isalpha():
                turn = turn if is_marked else (turn + 1) % SEATS
                is_marked = False
                played[turn].append(CARDS[ascii_letters.index(text)])
    return played
