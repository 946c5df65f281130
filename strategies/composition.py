"""Composition: remembers every card and computes each hand from the cards left.

Why it might win: a chart uses the average shoe, this player the actual one. Near the end of a
single deck, that is worth 0.005 wagers per round without any change of wagers, more than all
indices of a count together.
Limits: within a round, it draws every further card as if the last one had been put back. The exact
answer would take a hundred times as long and gain one chip in ten thousand wagered. It always
wagers the minimum; see `edge`.
Source: [Griffin1999] in docs/sources.md; the recursion over the dealer's hand: [Baldwin1956].
"""

from collections.abc import Sequence
from math import fsum  # sum() of floats rounds differently from Python 3.12 on

from tourney import Card, Hand, Player, Rank, Suit, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.simple import Simple

BUST = 22
DEALER_STANDS = 17
MOST_LOW = 27  # a hard 16 and a ten make 26
Chances = Sequence[tuple[int, float]]
"""Values of cards (ace 1) and the probability that each comes next."""


def dealer_totals(upcard: int, chances: Chances) -> list[float]:
    """Return the probability of each final total of the dealer, by total; 22 is a bust.

    Hands are identified by their low total, in which aces count 1, because it only grows.
    """
    final = [0.0] * (BUST + 1)
    # The probability to reach each low total: without an ace, and with one.
    without, holding = [0.0] * MOST_LOW, [0.0] * MOST_LOW
    (holding if upcard == 1 else without)[upcard] = 1.0
    for low_total in range(1, MOST_LOW):
        for hands in (without, holding):
            weight = hands[low_total]
            if not weight:
                continue
            is_soft = hands is holding and low_total <= 11
            total = low_total + 10 if is_soft else low_total
            if total >= DEALER_STANDS:
                final[min(total, BUST)] += weight
                continue
            for value, chance in chances:
                (holding if value == 1 else hands)[low_total + value] += weight * chance
    return final


def stand_worths(dealer: Sequence[float]) -> list[float]:
    """Return the value of standing, in wagers, by the player's total."""
    wins, loses = dealer[BUST], fsum(dealer[DEALER_STANDS:BUST])
    worths = [wins - loses] * BUST
    for total in range(DEALER_STANDS, BUST):
        loses -= dealer[total]
        worths[total] = wins - loses
        wins += dealer[total]
    return worths


def hit_worth(hand: Hand, stand: Sequence[float], chances: Chances) -> float:
    """Return the value of a hit followed by best play, in wagers.

    The hand is soft or at least a hard 12, so further aces count 1.
    """
    soft = hand.soft
    best = [-1.0] * (BUST + 10)  # by low total; -1 for a bust
    hit = -1.0
    for low_total in range(BUST - 1, hand.total - 10 * soft - 1, -1):
        hit = fsum([chance * best[low_total + value] for value, chance in chances])
        total = low_total + 10 if soft and low_total <= 11 else low_total
        best[low_total] = max(hit, stand[total])
    return hit


class Composition(Simple):
    """Bets the minimum and hits when the unseen cards make a hit worth more.

    Args:
        decks: Decks in the shoe.
    """

    def __init__(self, decks: int = 1) -> None:
        check_whole(1, decks=decks)
        self._shoe = [0] * 12  # cards by value, ace 11
        for value in (Card(rank, Suit.SPADES).value for rank in Rank):
            self._shoe[value] += len(Suit) * decks
        self._unseen = list(self._shoe)

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit hands that cannot get worse, and compute the others."""
        total: int = player.total
        if total <= (16 if player.soft else 11):
            return True
        cards = self.unseen_cards
        number = sum(cards)
        chances = [(value % 10 or 10, left / number) for value, left in enumerate(cards) if left]
        stand = stand_worths(dealer_totals(dealer.value % 10 or 10, chances))
        return hit_worth(player, stand, chances) > stand[total]

    @property
    def unseen_cards(self) -> Sequence[int]:
        """Cards left by value, ace 11; a full shoe if no card is left."""
        return self._unseen if any(self._unseen) else self._shoe

    def expose(self, card: Card) -> None:
        """Remove a card from the cards left."""
        if self._unseen[card.value]:
            self._unseen[card.value] -= 1

    def shuffled(self) -> None:
        """Reset to a full shoe."""
        self._unseen = list(self._shoe)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Composition."""
    return {"composition": Composition}
