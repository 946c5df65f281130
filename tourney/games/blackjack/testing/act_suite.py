"""The conformance suite for players with `act`, for games with doubling and splitting."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import ClassVar

from tourney.game.cards.card import CARDS, Card, Rank, Suit
from tourney.game.conformance import Conformance
from tourney.game.rules import Rules
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.hand import PAIR, Hand, SeenHand, is_pair
from tourney.games.blackjack.players import Player
from tourney.games.blackjack.rules import EASYBJ
from tourney.games.blackjack.testing.sample_hands import UPCARDS, VALUES, reachable_hands
from tourney.games.blackjack.testing.seats import MOODS, seated

EXTRAS = (
    (),
    (Action.DOUBLE,),
    (Action.DOUBLE, Action.SURRENDER),
    (Action.SURRENDER,),
)
"""Moves that may be legal with two cards, in addition to stand and hit."""

AS_LISTED = (*HIT_OR_STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
"""The order in which a table lists legal moves."""

Question = tuple[Hand, Hand, tuple[Action, ...]]


class ActPlayerConformance(Conformance[Player]):
    """Tests of the contract of `tourney.ActPlayer`; subclass it with a competitor."""

    dealer_shows_both: ClassVar[bool] = True
    """Whether the player is for games in which both cards of the dealer are visible."""

    contract: ClassVar[type] = Player
    """The base class that competitors must have."""

    tables: ClassVar[Sequence[tuple[Rules, int]]] = ((EASYBJ, 1), (EASYBJ, 3))
    """Rules and numbers of seats of the 200 test rounds."""

    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Show a new player a long sequence of cards and hands, and record its answers."""
        player, _ = seated(self.make)
        said: list[object] = []
        for number, (dealer, hand, legal) in enumerate(self._questions()):
            player.expose(CARDS[number * 11 % len(CARDS)])
            said.append(player.act(dealer, hand, legal))
            if shuffles or number % 30 == 0:
                player.shuffled()
        return said

    def test_it_acts_legally_on_every_hand(self) -> None:
        """It chooses a legal move for all hands of both sides, all legal moves and all earlier
        cards.
        """
        for mood in MOODS:
            player, _ = seated(self.make, mood)
            for dealer, hand, legal in self._questions():
                action = player.act(dealer, hand, legal)
                is_legal = type(action) is Action and action in legal
                assert is_legal, (
                    f"act, {mood}, {hand!r} against {dealer!r}: expected one of "
                    f"{', '.join(f'Action.{each.name}' for each in legal)}, got {action!r}: "
                    "choose among `legal`"
                )

    def test_it_leaves_the_hands_alone(self) -> None:
        """It does not change the hands; only the dealer adds and clears cards."""
        player, _ = seated(self.make)
        for dealer, hand, legal in self._questions():
            shown = Hand(dealer.cards), Hand(hand.cards)
            player.act(*shown, legal)
            assert shown == (dealer, hand), (
                f"act: expected {dealer!r} and {hand!r} as they were, got {shown!r}: work on a "
                "copy, Hand(hand.cards)"
            )

    def _questions(self) -> Iterator[Question]:
        """Iterate over hands of the dealer, reachable hands, and legal moves."""
        shown = BOTH_CARDS if self.dealer_shows_both else ONE_CARD
        for hand, dealer in product(reachable_hands(), shown):
            if len(hand) != PAIR:
                yield dealer, hand, HIT_OR_STAND
                continue
            splits = ((), (Action.SPLIT,)) if is_pair(hand) else ((),)
            for split, extras in product(splits, EXTRAS):
                legal = {*HIT_OR_STAND, *split, *extras}
                yield dealer, hand, tuple(each for each in AS_LISTED if each in legal)


def _both(first: Rank, second: Rank) -> SeenHand:
    return SeenHand.opening(Card(first, Suit.HEARTS), Card(second, Suit.SPADES))


ONE_CARD = tuple(SeenHand((card,)) for card in UPCARDS)
BOTH_CARDS = tuple(
    hand
    for hand in (_both(*ranks) for ranks in combinations_with_replacement(VALUES, 2))
    if not hand.is_natural
)
