"""The conformance suite for blackjack players, and the traits that an author may declare.

Inherit the suite and name the competitor. The tests ask the questions of a table, in larger
numbers; messages state the fix. Traits that are not declared are not checked.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from tourney.game.cards.card import CARDS
from tourney.game.conformance import Conformance, table_played
from tourney.game.rules import Rules
from tourney.game.situations import BANKROLL, LEAST, ROUNDS
from tourney.games.blackjack.hand import BEST_TOTAL, Hand
from tourney.games.blackjack.players import Player, watches_cards
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.testing.sample_hands import UPCARDS, questions, reachable_hands
from tourney.games.blackjack.testing.seats import MOODS, Make, Offer, offers, seated

UNIFORM, RIFFLE = BlackjackRules(shuffle="uniform"), BlackjackRules(shuffle="riffle")


HIGHEST_SAFE_TOTAL = BEST_TOTAL - 10  # a hard hand that no card can bust


def watches(make: Make) -> bool:
    """Return whether the player watches cards."""
    return watches_cards(make())


def bets_flat(make: Make) -> bool:
    """Return whether the player always bets the minimum."""
    for mood in MOODS:
        _, ask = seated(make, mood)
        if any(ask(offer) > offer.minimum for offer in offers()):
            return False
    seat = table_played(make, BlackjackRules(), seats=1).seats[0]
    return seat.handle == seat.rounds * LEAST


def never_busts(make: Make) -> bool:
    """Return whether the player stands on all hands that the next card could bust."""
    player, _ = seated(make)
    return not any(
        player.draw(upcard, hand)
        for upcard, hand in questions()
        if not hand.soft and hand.total > HIGHEST_SAFE_TOTAL
    )


def ignores_upcard(make: Make) -> bool:
    """Return whether the player plays its hand the same against all upcards."""
    player, _ = seated(make)
    return all(
        len({player.draw(upcard, hand) for upcard in UPCARDS}) == 1 for hand in reachable_hands()
    )


TRAITS: Mapping[str, Callable[[Make], bool]] = MappingProxyType(
    {
        "watches_cards": watches,
        "bets_flat": bets_flat,
        "never_busts": never_busts,
        "ignores_upcard": ignores_upcard,
    }
)
"""The traits that can be declared, by name."""


class PlayerConformance(Conformance[Player]):
    """Tests of the contract of `tourney.Player`; subclass it with a competitor."""

    contract: ClassVar[type] = Player
    """The base class that competitors must have."""

    tables: ClassVar[Sequence[tuple[Rules, int]]] = ((UNIFORM, 1), (UNIFORM, 3), (RIFFLE, 1))
    """Rules and numbers of seats of the 200 test rounds."""

    traits: ClassVar[Mapping[str, bool]] = {}
    """Declared traits, by the names of `tourney.testing.TRAITS`."""

    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Show a new player a long sequence of cards and hands, and record its answers."""
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
        """The first wager is at least the minimum and at most the maximum."""
        for mood in MOODS:
            for offer in offers():
                _, ask = seated(self.make, mood)
                _check_wager(ask(offer), mood, offer)

    def test_its_wagers_stay_legal(self) -> None:
        """Wagers are legal after any earlier bankrolls."""
        there = tuple(offers())
        for mood in MOODS:
            _, ask = seated(self.make, mood)
            for offer in (*there, *reversed(there)):
                _check_wager(ask(offer), f"{mood} and other bankrolls", offer)

    def test_it_answers_every_hand(self) -> None:
        """It hits or stands with all hands against all upcards, after any earlier cards."""
        for mood in MOODS:
            player, _ = seated(self.make, mood)
            for upcard, hand in questions():
                answer = player.draw(upcard, hand)
                assert answer is True or answer is False, (
                    f"draw, {mood}, {hand!r} against {upcard}: expected True or False, "
                    f"got {answer!r}: wrap it in bool(…)"
                )

    def test_it_leaves_its_hand_alone(self) -> None:
        """It does not change its hand; only the dealer adds and clears cards."""
        player, _ = seated(self.make)
        for upcard, hand in questions():
            shown = Hand(hand.cards)
            player.draw(upcard, shown)
            assert shown == hand, (
                f"draw: expected {hand!r} as it was, got {shown!r}: work on a copy, "
                "Hand(hand.cards)"
            )

    def test_it_has_its_traits(self) -> None:
        """It has its declared traits."""
        for name, declared in self.traits.items():
            assert name in TRAITS, f"traits: expected one of {', '.join(TRAITS)}, got {name!r}"
            found = TRAITS[name](self.make)
            assert found == declared, (
                f"traits[{name!r}]: declared as {declared}, but the player's is {found}; fix the "
                "player or the declaration"
            )


def _check_wager(wager: object, mood: str, offer: Offer) -> None:
    legal = type(wager) is int and offer.minimum <= wager <= offer.most
    assert legal, (
        f"bet, {mood}, with {offer}: expected a whole number from {offer.minimum} to "
        f"{offer.most}, got {wager!r}: keep it within the bankroll and self.table.maximum"
    )
