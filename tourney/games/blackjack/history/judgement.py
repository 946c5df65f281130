"""Judging decisions of blackjack by the value of each legal action.

Hands from a full shoe with a known number of decks have exact values by their cards. Hands of a
split, games whose dealer shows both cards and shoes that are not shuffled uniformly have the values
of an infinite shoe with at most one split, as rows of decisions do.
"""

from collections.abc import Mapping
from functools import cached_property

from tourney.errors import RulesError
from tourney.game.cards.card import CARDS
from tourney.game.hand_history import Judgement
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.baseline import MoveWorths
from tourney.games.blackjack.exact.finite.move_values import MoveValues
from tourney.games.blackjack.hand import Hand, is_pair
from tourney.games.blackjack.history.decision_log import Situation
from tourney.games.blackjack.history.hand_rows import INSURANCE_WORTHS, position_of
from tourney.games.blackjack.position import PAIR, RANK_VALUES
from tourney.games.blackjack.rules import BlackjackRules

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
