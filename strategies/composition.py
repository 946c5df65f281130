"""Composition: remembers every card and works out each hand from those that are left.

Why it might win: a chart knows the average shoe, this player the actual one. Near the end
of a single deck that is worth half a hundredth of the wager per round without any change
of wagers, more than all indices of a count together.
Leaves out that the cards of the round itself change the shoe again: every further card is
taken as if the last one had been put back. The exact answer would cost a hundred times as
much and gain one chip in ten thousand wagered. Leaves out wagers, too; see `edge`.
Source: [Griffin1999] in docs/sources.md; the recursion over the dealer's hand: [Baldwin1956].
"""

from collections.abc import Sequence

from strategies.options import check_whole
from strategies.simple import Simple
from tourney import Card, Hand, Player, Rank, Suit, hookimpl

BUST = 22
DEALER_STANDS = 17
Chances = Sequence[tuple[int, float]]
"""Value of a card (ace 1) and how likely it comes next."""


def with_ace(low_total: int, has_ace: int) -> int:
    """Give the best total of a hand whose aces count 1 in its low total.

    >>> with_ace(7, has_ace=1), with_ace(12, has_ace=1)
    (17, 12)
    """
    return low_total + 10 if has_ace and low_total <= 11 else low_total


def dealer_totals(upcard: int, chances: Chances) -> list[float]:
    """Give the chance of each final total of the dealer, by total; 22 means bust."""
    final = [0.0] * (BUST + 1)
    waiting = [[0.0] * 27, [0.0] * 27]  # chance to come by a low total, without and with an ace
    waiting[upcard == 1][upcard] = 1.0
    for low_total in range(1, 27):
        for has_ace in (0, 1):
            weight = waiting[has_ace][low_total]
            if not weight:
                continue
            total = with_ace(low_total, has_ace)
            if total >= DEALER_STANDS:
                final[min(total, BUST)] += weight
                continue
            for value, chance in chances:
                waiting[has_ace or value == 1][low_total + value] += weight * chance
    return final


def hit_gains(low_total: int, has_ace: int, dealer: Sequence[float], chances: Chances) -> float:
    """Give what a hit, followed by the best play, gains over standing, in wagers."""
    # Standing wins against lower totals and a bust, and loses to higher ones.
    stand = [
        dealer[BUST] + sum(dealer[17:total]) - sum(dealer[max(total + 1, 17) : BUST])
        for total in range(BUST)
    ]
    best = [[0.0] * BUST, [0.0] * BUST]
    hit = 0.0
    for low in range(21, low_total - 1, -1):
        for ace in (1 - has_ace, has_ace):
            hit = sum(
                chance * (best[ace or value == 1][low + value] if low + value < BUST else -1.0)
                for value, chance in chances
            )
            best[ace][low] = max(hit, stand[with_ace(low, ace)])
    return hit - stand[with_ace(low_total, has_ace)]


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
        """Hit hands that cannot get worse, and weigh the others."""
        total, soft = player.total, player.soft
        if total <= (16 if soft else 11):
            return True
        cards = self.unseen_cards
        chances = [
            (value % 10 or 10, left / sum(cards)) for value, left in enumerate(cards) if left
        ]
        totals = dealer_totals(dealer.value % 10 or 10, chances)
        return hit_gains(total - 10 if soft else total, int(soft), totals, chances) > 0

    @property
    def unseen_cards(self) -> Sequence[int]:
        """Cards left by value, ace 11; a full shoe if more have come than there were."""
        return self._unseen if any(self._unseen) else self._shoe

    def expose(self, card: Card) -> None:
        """Take a card out of those that are left."""
        if self._unseen[card.value]:
            self._unseen[card.value] -= 1

    def shuffled(self) -> None:
        """Begin again with a full shoe."""
        self._unseen = list(self._shoe)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Composition."""
    return {"composition": Composition}
