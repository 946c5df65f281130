"""Values of moves for any hand against an upcard, with the cards of the hand out of a full shoe.

Unseen cards are equally likely in every order. So a value holds in any round of a shoe for a player
that knows only the hand and the upcard, except near the end of the shoe, where a round may need the
next one.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.finite.hand_set import CHOICES, MOVES, Floats
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import (
    TEN_RANKS,
    best_plans,
    check_finite,
    full_shoe,
)
from tourney.games.blackjack.exact.finite.upcard_game import Game, UpcardGame, game_of
from tourney.games.blackjack.position import PAIR, VALUES
from tourney.games.blackjack.rules import BlackjackRules

Counts = tuple[int, ...]


class _Column(NamedTuple):
    """Values against one upcard."""

    moves: Floats  # shape (moves, hands), in minimums
    splits: dict[int, float]  # by place of the pair's value


class MoveValues:
    """Values of moves with optimal play afterwards, by the cards of the hand.

    Args:
        rules: The game, with a number of decks.
    Raises: RulesError, with every setting that does not allow exact values.
    """

    def __init__(self, rules: BlackjackRules) -> None:
        """Check the rules; values are computed for each upcard when they are needed."""
        check_finite(rules)
        self._rules = rules
        self._columns: dict[int, _Column] = {}

    def of(self, upcard: int, cards: Sequence[int]) -> dict[Action, float]:
        """Return the value of each move for a hand that does not come from a split.

        Args:
            upcard: Value of the dealer's card, 11 for an ace.
            cards: Values of the hand's cards, 11 for an ace.
        Returns: Chips for each chip bet, once the dealer is known to have no natural where that is
            looked at.
        """
        place = self._places[tuple(cards.count(value) for value in VALUES)]
        column = self._column(upcard)
        values = {
            MOVES[move]: float(column.moves[move, place])
            for move in CHOICES[self._game.first.choices[place]]
        }
        pair = VALUES.index(cards[0])
        if len(cards) == PAIR and cards[0] == cards[1] and pair in column.splits:
            values[Action.SPLIT] = column.splits[pair]
        return values

    @cached_property
    def _game(self) -> Game:
        return game_of(self._rules, 1, full_shoe(self._rules), TEN_RANKS)

    @cached_property
    def _places(self) -> dict[Counts, int]:
        counts = self._game.first.hands.counts.tolist()
        return {tuple(each): place for place, each in enumerate(counts)}

    def _column(self, upcard: int) -> _Column:
        if upcard not in self._columns:
            game = UpcardGame(self._game, VALUES.index(upcard))
            (best,) = best_plans([game], Information.CARDS)
            _, hit = game.first.worths(best.plan.first)
            alive = np.where(game.first.alive[0] > 0, game.first.alive[0], 1.0)
            moves = game.first.of_moves(hit)[:, 0] / alive - 1
            splits = {
                place: float(game.split_value(place, best.plan.split[place]) / alive[split.pair])
                for place, split in game.splits.items()
            }
            self._columns[upcard] = _Column(moves, splits)
        return self._columns[upcard]
