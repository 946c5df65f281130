"""Judging decisions of blackjack by the value of each legal action.

Hands from a full shoe with a known number of decks have exact values by their cards. Hands of a
split, games whose dealer shows both cards and shoes that are not shuffled uniformly have the values
of an infinite shoe with at most one split, as rows of decisions do.

Unseen cards are equally likely in every order. So a value holds in any round of a shoe for a player
that knows only the hand and the upcard, except near the end of the shoe, where a round may need the
next one.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tourney.errors import RulesError
from tourney.game.cards.card import CARDS
from tourney.game.hand_history import Judgement
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.baseline import MoveWorths
from tourney.games.blackjack.exact.finite.hand_set import CHOICES, MOVES, Floats
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import TEN_RANKS, best_plans, check_finite
from tourney.games.blackjack.exact.finite.upcard_game import Game, UpcardGame, game_of
from tourney.games.blackjack.exact.fresh import full_shoe
from tourney.games.blackjack.hand import Hand, is_pair
from tourney.games.blackjack.history.decision_log import Situation
from tourney.games.blackjack.history.hand_rows import INSURANCE_WORTHS, position_of
from tourney.games.blackjack.position import PAIR, RANK_VALUES, VALUES
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
        return game_of(self._rules, 1, np.array(full_shoe(self._rules)), TEN_RANKS)

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


NAMES = {value: str(value) for value in range(2, 11)} | {11: "ace"}


def values_for(rules: BlackjackRules) -> MoveValues | None:
    """Return exact values of a finite shoe; `None` if the rules do not allow them."""
    if rules.decks == "infinite":
        return None
    try:
        return MoveValues(rules)
    except RulesError:
        return None


class MoveJudge:
    """Judges the decisions of a game; each situation is judged once.

    Args:
        rules: The rules of the game.
    """

    def __init__(self, rules: BlackjackRules) -> None:
        self.unit = rules.unit
        self._rules = rules
        self._found: dict[Situation, tuple[str, Mapping[Action, float]]] = {}
        self._values = values_for(rules)

    def judge(self, situation: Situation, action: Action, wager: int) -> Judgement | None:
        """Judge a move; `None` if the values of the legal actions are unknown.

        Args:
            situation: The situation.
            action: The chosen action.
            wager: Wager on the hand, in parts of a chip.
        """
        if situation not in self._found:
            self._found[situation] = name_of(situation), self._worths_of(situation)
        name, worths = self._found[situation]
        if not all(each in worths for each in situation.legal):
            return None
        best = max(situation.legal, key=worths.__getitem__)  # the first of equals
        lost = worths[best] - worths[action]
        return Judgement(name, str(best), lost * wager / self.unit)

    @cached_property
    def _infinite(self) -> MoveWorths:
        return MoveWorths(self._rules)

    def _worths_of(self, situation: Situation) -> Mapping[Action, float]:
        """Return the value of each action, for each chip wagered."""
        if Action.INSURE in situation.legal:
            return INSURANCE_WORTHS
        exposed = [RANK_VALUES[rank] for rank in situation.exposed]
        if self._values and not situation.is_split:
            exact = self._values.of(exposed[0], [RANK_VALUES[rank] for rank in situation.cards])
            if all(action in exact for action in situation.legal):
                return exact
        hand = _hand_of(situation)
        return self._infinite.of(exposed, position_of(hand, is_split=situation.is_split))


def name_of(situation: Situation) -> str:
    """Name a hand by total or pair, and the dealer's face-up cards by value."""
    exposed = sorted(RANK_VALUES[rank] for rank in situation.exposed)
    dealer = " and ".join(NAMES[value] for value in exposed)
    if Action.INSURE in situation.legal:
        return f"insurance against {dealer}"
    hand = _hand_of(situation)
    if len(hand) == PAIR and is_pair(hand) and Action.SPLIT in situation.legal:
        return f"pair of {NAMES[hand.cards[0].value]} against {dealer}"
    return f"{'soft' if hand.soft else 'hard'} {hand.total} against {dealer}"


def _hand_of(situation: Situation) -> Hand:
    return Hand([CARDS[rank] for rank in situation.cards])
