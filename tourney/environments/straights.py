"""Straights as a PettingZoo environment, on the tournament's own table."""

from collections.abc import Iterable

import numpy as np
from gymnasium.spaces import Box

from tourney.environments.turns import Told, TurnsEnv
from tourney.game.blocks import Block, Seat
from tourney.game.cards.card import CARDS, DECK_SIZE, Card
from tourney.game.cards.keys import KEY_BYTES
from tourney.game.ledger import BlockKey
from tourney.game.seats import accounts_of
from tourney.game.turns import Flow, Turn
from tourney.games.straights.player import StraightsView
from tourney.games.straights.records import SEATS
from tourney.games.straights.round import StraightsTable
from tourney.games.straights.rules import StraightsRules

PLANES = ("hand", "played", "own_discards", "legal_plays")


class StraightsEnv(TurnsEnv):
    """Four seats; an action is the code of a card to play or to discard.

    An observation is four rows of 52, a 1 for each card by its code: the hand, the played cards,
    the
    seat's discards, and the cards of the hand that may be played. A reward is points, which are
    bad,
    at the end of a round.

    Args:
        rounds: Rounds of an episode; it ends earlier if the rules have a limit.
        rules: The rules of the game.
    """

    def __init__(self, rounds: int = 1, rules: StraightsRules | None = None) -> None:
        planes = Box(0, 1, (len(PLANES), DECK_SIZE), np.int8)
        super().__init__("straights_v0", SEATS, planes, DECK_SIZE)
        self.rules, self.rounds = rules or StraightsRules(), rounds
        self._turn: Turn[StraightsView, Card] | None = None

    def _begin(self, key: bytes) -> int | None:
        seats = tuple(Seat(seat, 0, bytes(KEY_BYTES)) for seat in range(SEATS))
        block = Block(BlockKey(0, 0, 0, 0, 1), self.rules, seats, 0, 0, self.rounds, key)
        self._accounts = accounts_of(block)
        table = StraightsTable(self.rules.game, block, self._accounts)
        self._flow: Flow[StraightsView, Card] = table.flow()
        self._turn = next(self._flow)
        return self._turn.seat

    def _choose(self, action: int) -> int | None:
        try:
            self._turn = self._flow.send(CARDS[action])
        except StopIteration:
            return None
        return self._turn.seat

    def _look(self) -> Told:
        assert self._turn
        view = self._turn.view
        planes = np.zeros((len(PLANES), DECK_SIZE), np.int8)
        played = (event.card for event in view.history if event.card is not None)
        shown: tuple[Iterable[Card], ...] = (view.hand, played, view.discards, view.legal_plays)
        for plane, cards in zip(planes, shown, strict=True):
            plane[[card.code for card in cards]] = 1
        mask = np.zeros(DECK_SIZE, np.int8)
        mask[[card.code for card in self._turn.legal]] = 1
        return {"observation": planes, "action_mask": mask}

    def _scores(self) -> list[float]:
        return [-float(account.bankroll) for account in self._accounts]

    def _left(self) -> list[bool]:
        return [False] * SEATS
