"""The suite of players of Straights."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import ClassVar

from tourney.game.cards.card import CARDS, Card
from tourney.game.players import give_luck
from tourney.game.rules import Rules
from tourney.games.straights.player import StraightsPlayer
from tourney.games.straights.records import SEATS
from tourney.games.straights.round import HAND_SIZE, Round
from tourney.games.straights.rules import StraightsRules
from tourney.games.straights.view import StraightsView
from tourney.testing.base import Conformance

DEALS = 40


class StraightsPlayerConformance(Conformance[StraightsPlayer]):
    """What the contract of `tourney.StraightsPlayer` asks, as tests; subclass it."""

    contract: ClassVar[type] = StraightsPlayer
    """What the class is a subclass of."""

    tables: ClassVar[Sequence[tuple[Rules, int]]] = (
        (StraightsRules(), SEATS),
        (StraightsRules(limit=80), SEATS),
    )
    """Rules to play 200 rounds by, and numbers of seats."""

    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Let a new player play rounds against seats that do anything they may."""
        del shuffles  # every round is a deal of its own
        player = self._seated()
        return [player.play(view) for view in _views()]

    def test_it_plays_legally(self) -> None:
        """Whatever it holds, in every seat, early and late in the round."""
        player = self._seated()
        for view in _views():
            card = player.play(view)
            legal = view.legal_plays or view.hand
            is_legal = type(card) is Card and card in legal
            assert is_legal, (
                f"play: expected one of {', '.join(map(str, legal))}, got {card!r}: choose from "
                "view.legal_plays or, if it is empty, from view.hand"
            )

    def _seated(self) -> StraightsPlayer:
        player = self.make()
        give_luck(player, 1)
        return player


def _views() -> Iterator[StraightsView]:
    """Give what the seats see in some rounds; other scores in every one of them."""
    dice = Random(13)  # noqa: S311 - cards of a test
    for deal in range(DEALS):
        deck = dice.sample(CARDS, len(CARDS))
        hands = [deck[seat * HAND_SIZE :][:HAND_SIZE] for seat in range(SEATS)]
        state = Round(hands, tuple(dice.randrange(deal + 1) for _ in hands))
        while (seat := state.to_act) is not None:
            yield state.observation(seat)
            state.apply_action(dice.choice(state.legal_actions()))
