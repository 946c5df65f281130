"""Edge: bets big exactly when the cards that are left favour the player.

Why it might win: plus and minus one are coarse. Here every unseen card speaks for itself: an
ace is worth more than twice a ten, a five costs more than a two. The average over the unseen
cards tells what the next round is worth, before any card is dealt.
The worths are this game's effects of removal, by exact enumeration of one deck with one
card taken out, times the 51 cards that remain; the base is fitted over 1.5 million rounds
of Composition's play.
Leaves out the risk of ruin: a spread of 8 needs a few hundred minimums to live through bad
luck; see `kelly`. Leaves out curvature, which matters for shoes hardly anybody meets.
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
"""What an unseen card adds to the average, by value, in millionths of a wager."""


class Edge(Composition):
    """Plays like Composition, and bets its whole spread when it expects to win.

    Args:
        spread: Minimums it wagers at most.
        decks: Decks in the shoe.
    """

    def __init__(self, spread: int = 8, decks: int = 1) -> None:
        check_whole(1, spread=spread)
        super().__init__(decks)
        self.spread = spread

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the spread at an advantage, else the minimum."""
        if self.edge <= 0:
            return minimum
        return min(self.spread * minimum, greatest_wager(self, bankroll))

    @property
    def edge(self) -> int:
        """What the next round is expected to win, in millionths of its wager."""
        cards = self.unseen_cards
        worth = sum(left * each for left, each in zip(cards, WORTHS, strict=True))
        return BASE + worth // sum(cards)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Edge."""
    return {"edge": Edge}
