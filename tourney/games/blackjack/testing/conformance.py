"""The suite that every player must pass: inherit it and name the competitor.

Tests ask what a table would ask, only more of it. A message says what to mend. Leaves out
how good the player is.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tourney.game.cards.card import CARDS
from tourney.game.conformance import Conformance
from tourney.game.rules import Rules
from tourney.game.situations import BANKROLL, LEAST, ROUNDS
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import Player
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.testing.sample_hands import questions
from tourney.games.blackjack.testing.seats import MOODS, Offer, offers, seated
from tourney.games.blackjack.testing.traits import TRAITS

UNIFORM, RIFFLE = BlackjackRules(shuffle="uniform"), BlackjackRules(shuffle="riffle")


class PlayerConformance(Conformance[Player]):
    """What the contract of `tourney.Player` asks, as tests; subclass it with a competitor."""

    contract: ClassVar[type] = Player
    """What the class is a subclass of."""

    tables: ClassVar[Sequence[tuple[Rules, int]]] = ((UNIFORM, 1), (UNIFORM, 3), (RIFFLE, 1))
    """Rules to play 200 rounds by, and numbers of seats."""

    traits: ClassVar[Mapping[str, bool]] = {}
    """What it is said to be, by the names of `tourney.testing.TRAITS`."""

    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Tell a new player a long story and note whatever it answers."""
        player, ask = seated(self.make)
        said: list[object] = []
        for number, (upcard, hand) in enumerate(questions()):
            if number % 7 == 0:
                said.append(ask(Offer(BANKROLL + 5 * (number % 31), LEAST, BANKROLL, ROUNDS)))
            player.expose(CARDS[number * 11 % len(CARDS)])
            said.append(player.draw(upcard, hand))
            if shuffles or number % 30 == 0:
                player.shuffled()
        return said

    def test_its_first_wager_is_legal(self) -> None:
        """A new player wagers at least the minimum and no more than it may."""
        for mood in MOODS:
            for offer in offers():
                _, ask = seated(self.make, mood)
                _check_wager(ask(offer), mood, offer)

    def test_its_wagers_stay_legal(self) -> None:
        """Wagers are legal whatever the bankrolls were before."""
        there = tuple(offers())
        for mood in MOODS:
            _, ask = seated(self.make, mood)
            for offer in (*there, *reversed(there)):
                _check_wager(ask(offer), f"{mood} and other bankrolls", offer)

    def test_it_answers_every_hand(self) -> None:
        """It hits or stands on every hand against every upcard, whatever cards have gone."""
        for mood in MOODS:
            player, _ = seated(self.make, mood)
            for upcard, hand in questions():
                answer = player.draw(upcard, hand)
                assert answer is True or answer is False, (
                    f"draw, {mood}, {hand!r} against {upcard}: expected True or False, "
                    f"got {answer!r}: wrap it in bool(…)"
                )

    def test_it_leaves_its_hand_alone(self) -> None:
        """A player looks at its hand; only the dealer adds and clears cards."""
        player, _ = seated(self.make)
        for upcard, hand in questions():
            shown = Hand(hand.cards)
            player.draw(upcard, shown)
            assert shown == hand, (
                f"draw: expected {hand!r} as it was, got {shown!r}: work on a copy, "
                "Hand(hand.cards)"
            )

    def test_it_has_its_traits(self) -> None:
        """It is what it is said to be."""
        for name, declared in self.traits.items():
            assert name in TRAITS, f"traits: expected any of {', '.join(TRAITS)}; got {name!r}"
            found = TRAITS[name](self.make)
            assert found == declared, (
                f"traits[{name!r}]: expected {declared}, as declared, got {found}: mend the "
                "player or what is declared"
            )


def _check_wager(wager: object, mood: str, offer: Offer) -> None:
    legal = type(wager) is int and offer.minimum <= wager <= offer.most
    assert legal, (
        f"bet, {mood}, with {offer}: expected a whole number from {offer.minimum} to "
        f"{offer.most}, got {wager!r}: keep it within the bankroll and self.table.maximum"
    )
