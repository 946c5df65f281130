"""Edge: bets high exactly when the cards left favour the player.

Why it might win: counting plus and minus one is coarse. Here every unseen card has its own weight:
an ace is worth more than twice a ten, and a five costs more than a two. The mean over the unseen
cards estimates the value of the next round before its first card.
The weights are the effects of removal in this game: exact enumeration of one deck without one
card, times the 51 cards left. The base is fitted to 1.5 million rounds of Composition.
Limits: it ignores the risk of ruin. A spread of 8 needs a few hundred minimums to survive bad luck;
see `kelly`. It also ignores curvature, which matters only for rare shoes.
Source: [Griffin1999] in docs/sources.md.
"""

from tourney import Player, hookimpl
from tourney.strategies.composition import Composition
from tourney.strategies.options import check_whole
from tourney.strategies.stakes import greatest_wager

BASE = -6_600
WORTHS = (
    0,
    0,
    -162_000,
    -188_000,
    -219_000,
    -261_000,
    -203_000,
    -137_000,
    -50_000,
    30_000,
    186_000,
    447_000,
)  # fmt: skip - a table by value
"""Weight of an unseen card in the mean, by value, in millionths of a wager."""


class Edge(Composition):
    """Plays like Composition, and bets its whole spread when it expects to win.

    Args:
        spread: Largest wager, in minimums.
        decks: Decks in the shoe.
    """

    def __init__(self, spread: int = 8, decks: int = 1) -> None:
        check_whole(1, spread=spread)
        super().__init__(decks)
        self.spread = spread

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the spread at an advantage, otherwise the minimum."""
        if self.edge <= 0:
            return minimum
        return min(self.spread * minimum, greatest_wager(self, bankroll))

    @property
    def edge(self) -> int:
        """The estimated value of the next round, in millionths of its wager."""
        cards = self.unseen_cards
        worth = sum(left * each for left, each in zip(cards, WORTHS, strict=True))
        return BASE + worth // sum(cards)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Edge."""
    return {"edge": Edge}
