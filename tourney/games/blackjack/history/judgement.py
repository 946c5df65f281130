"""Judging decisions of blackjack by the value of each legal action.

Hands from a full shoe with a known number of decks have exact values by their cards. Hands of a
split, games whose dealer shows both cards and shoes that are not shuffled uniformly have the values
of an infinite shoe with at most one split, as rows of decisions do.
"""

from collections.abc import Mapping
from typing import Any

from tourney.errors import RulesError
from tourney.game.cards.letters import RANK_LETTERS
from tourney.game.hand_history import Judge, Judgement
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.finite.move_values import MoveValues
from tourney.games.blackjack.position import PAIR, RANK_VALUES
from tourney.games.blackjack.rules import BlackjackRules

VALUE_OF = dict(zip(RANK_LETTERS, RANK_VALUES, strict=True))
NAMES = {value: str(value) for value in range(2, 11)} | {11: "ace"}


def values_for(rules: BlackjackRules) -> MoveValues | None:
    """Return exact values of a finite shoe; `None` if the rules do not allow them."""
    if rules.decks == "infinite":
        return None
    try:
        return MoveValues(rules)
    except RulesError:
        return None


def judge_by(values: MoveValues | None) -> Judge:
    """Return a judge of the decisions of one block."""
    split: set[tuple[int, int]] = set()  # round and seat

    def judge(row: Mapping[str, Any]) -> Judgement | None:
        place = row["round"], row["seat"]
        is_from_split = place in split
        if row["answer"] == str(Action.SPLIT):
            split.add(place)
        if row["cost"] is None:
            return None
        best, cost = row["best"], row["cost"]
        if values and not is_from_split and str(Action.INSURE) not in row["legal"]:
            cards = [VALUE_OF[card[0]] for card in row["cards"]]
            known = values.of(VALUE_OF[row["upcard"][0]], cards)
            legal = [Action[name.upper()] for name in row["legal"]]
            if all(action in known for action in legal):
                first = max(legal, key=known.__getitem__)
                best = str(first)
                cost = (known[first] - known[Action[row["answer"].upper()]]) * row["wager"]
        return Judgement(situation_of(row), best, cost)

    return judge


def situation_of(row: Mapping[str, Any]) -> str:
    """Name a hand by total or pair, and the dealer's face-up cards by value."""
    exposed = sorted(VALUE_OF[card[0]] for card in row["exposed"])
    dealer = " and ".join(NAMES[value] for value in exposed)
    cards = [VALUE_OF[card[0]] for card in row["cards"]]
    if str(Action.INSURE) in row["legal"]:
        return f"insurance against {dealer}"
    if len(cards) == PAIR and cards[0] == cards[1] and str(Action.SPLIT) in row["legal"]:
        return f"pair of {NAMES[cards[0]]} against {dealer}"
    return f"{'soft' if row['soft'] else 'hard'} {row['total']} against {dealer}"
