"""A way to play that an environment and a tournament can both be given."""

from typing import Any

import numpy as np

from tourney import Action, ActPlayer, Card, Hand
from tourney.environments import BlackjackVectorEnv

PREFERENCES = (Action.SURRENDER, Action.SPLIT, Action.DOUBLE)


def wished(total: int, soft: bool, pair: int, dealer: int, count: int) -> dict[Action, bool]:
    """Say which moves would be welcome."""
    return {
        Action.SURRENDER: not soft and total in {15, 16} and dealer >= 9,
        Action.SPLIT: pair in {11, 8} or (pair in {2, 3, 7, 10} and dealer < 7),
        Action.DOUBLE: total in {9, 10, 11} or (soft and 3 < dealer < 7),
        Action.HIT: total < (18 if soft else 13 if 2 <= dealer <= 6 else 17),
        Action.INSURE: count >= 1,
    }


def chosen(wishes: dict[Action, bool], legal: tuple[Action, ...]) -> Action:
    """Choose a move that is legal."""
    if Action.DECLINE in legal:
        return Action.INSURE if wishes[Action.INSURE] else Action.DECLINE
    for move in (*PREFERENCES, Action.HIT):
        if wishes[move] and move in legal:
            return move
    return Action.STAND


def units(count: int) -> int:
    """Give the wager in minimums."""
    return 3 if count >= 2 else 1


class Wisher(ActPlayer):
    """Plays by wishes and a count."""

    def __init__(self) -> None:
        self.count = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager by the count."""
        wager = units(self.count) * minimum
        return wager if wager <= bankroll else minimum

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose by wishes."""
        cards = player.cards
        pair = cards[0].value if len(cards) == 2 and cards[0].value == cards[1].value else 0
        wishes = wished(player.total, player.soft, pair, dealer.total, self.count)
        return chosen(wishes, legal)

    def expose(self, card: Card) -> None:
        """Count it."""
        self.count += -1 if card.value >= 10 else 1 if card.value <= 6 else 0

    def shuffled(self) -> None:
        """Count anew."""
        self.count = 0


def actions_of(env: BlackjackVectorEnv, observations: Any, masks: Any) -> Any:
    """Give what Wisher would choose at every table."""
    return np.array(
        [_action(env, row, mask) for row, mask in zip(observations.tolist(), masks, strict=True)]
    )


def _action(env: BlackjackVectorEnv, row: list[int], mask: Any) -> int:
    told = dict(zip(env.features, row, strict=True))
    if told["phase"] == 0:
        least, wager = len(env.moves), units(told["count"])
        place = least + env.wagers.index(wager) if wager in env.wagers else least
        return place if mask[place] else least
    legal = tuple(move for move, is_legal in zip(env.moves, mask, strict=False) if is_legal)
    names = ("total", "soft", "pair", "dealer_total", "count")
    total, soft, pair, dealer, count = (told[name] for name in names)
    return env.choices.index(chosen(wished(total, bool(soft), pair, dealer, count), legal))
