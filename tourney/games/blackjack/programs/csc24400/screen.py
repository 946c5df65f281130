"""The output of the program: hands, results and statistics.

The words are the document's. It has no words for two naturals; those are ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.game.cards.card import Card, Rank
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.records import Outcome
from tourney.games.blackjack.round import Round

WIDTH = 65
LINE = "=" * WIDTH + "\n"
NEW_TURN = LINE * 2
STARS = ("*" * WIDTH + "\n") * 2
HEADER = "Blackjack\nCSC 24400 Project 4\n-----\n"
FOOTER = "\n{0}\n|      END OF OUTPUT      |\n{0}\n".format("-" * 27)
OPENING = 2  # cards of a hand

ENDINGS = {
    Outcome.NATURAL: "**** Player has BlackJack - Player Wins ****\n",
    Outcome.DEALER_NATURAL: "**** Dealer has BlackJack - Dealer Wins ****\n",
    Outcome.BOTH_NATURAL: "**** Player and Dealer have BlackJack - Tie ****\n",
    Outcome.BUST: "Player busted (went over 21)!\nPlayer loses\n",
    Outcome.DEALER_BUST: "Dealer busted (went over 21)!\nPlayer Wins!\n",
    Outcome.WIN: "Dealer Stands\nPlayer has winning hand!\nPlayer Wins!\n",
    Outcome.LOSS: "Dealer Stands\nDealer has winning hand!\nDealer Wins!\n",
    Outcome.PUSH: "Dealer Stands\nTie - no one wins\n",
}


def card_text(card: Card) -> str:
    """Write a card as the document does.

    >>> from tourney import Suit
    >>> card_text(Card(Rank.TEN, Suit.HEARTS)), card_text(Card(Rank.ACE, Suit.CLUBS))
    ('10H', 'AC')
    """
    rank = str(card.rank.value) if card.rank <= Rank.TEN else str(card.rank)[0]
    return rank + str(card.suit)[0]


@dataclass(frozen=True, slots=True)
class Screen:
    """Shows a round from the player's side of the table."""

    gap: int  # spaces between the owner of a hand and its sum

    def opening(self, state: Round) -> str:
        """Show the first card of both, then the second ones, the dealer's face down."""
        cards = state.hands[0].hand.cards
        first = self._hands([state.upcard], cards[:1])
        return NEW_TURN + first + LINE + self._hands([state.upcard], cards[:OPENING], " XX")

    def drawn(self, state: Round) -> str:
        """Show the player's new card."""
        hands = self._hands([state.upcard], state.hands[0].hand.cards, " XX")
        return f"Player Hits\n{LINE}{hands}"

    def ending(self, state: Round) -> str:
        """Show the hole card, the dealer's further cards and the result."""
        (played,), dealer = state.hands, state.dealer
        assert dealer is not None
        assert played.outcome is not None
        steps = [
            self._hands(dealer.cards[:cards], played.hand.cards)
            for cards in range(OPENING, len(dealer) + 1)
        ]
        return NEW_TURN + f"Dealer Hits\n{LINE}".join(steps) + ENDINGS[played.outcome]

    def _hands(self, dealer: Sequence[Card], player: Sequence[Card], hidden: str = "") -> str:
        return self._hand("Dealer", dealer, hidden) + self._hand("Player", player)

    def _hand(self, owner: str, cards: Sequence[Card], hidden: str = "") -> str:
        shown = [f"{card_text(card):>3}" for card in cards]
        if hidden:
            shown.append(hidden)
        label = f"{owner} Hand:{' ' * self.gap}sum: {Hand(cards).total}"
        return f"{label}\n{' '.join(shown)}\n\n"


def statistics(nets: Sequence[int]) -> str:
    """Count the rounds and the wins; a tie is a win for neither side.

    Args:
        nets: The player's profit in each round.
    """
    return (
        f"{STARS}A total of {len(nets)} hands were played\n"
        f"Dealer won {sum(net < 0 for net in nets)} hands\n"
        f"Player won {sum(net > 0 for net in nets)} hands\n"
    )
