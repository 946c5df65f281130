"""Ramp: a card counter whose wagers and hands follow the true count.

Why it might win: each point of true count is worth about half a hundredth of the wager, so
from +3 on this game favours the player; there it bets two more minimums for every point. It
also leaves the chart where the count says so, which is worth two chips in a thousand wagered
even without the ramp. The indices are this game's own: the true counts at which
hitting and standing are worth the same, fitted over exact values of 1.8 million rounds.
Leaves out which cards are missing; two shoes of equal count can differ by far. See `edge`.
Source: [Wong1994] for true counts, [Griffin1999] for indices, [Schlesinger2005] for which of
them matter; docs/sources.md.
"""

from tourney import BetLine, Card, CountSystem, Hand, Player, deviates, hookimpl
from tourney.strategies.counting import TAGS, Counting
from tourney.strategies.options import check_whole
from tourney.strategies.sharp import Sharp

LAST_EVEN_COUNT = 2  # the true count up to which the game favours the house

STAND_FROM = {
    12: {2: 5, 3: 3, 4: 1, 5: -1, 6: 0},
    13: {2: 0, 3: -1, 4: -3, 5: -4, 6: -4},
    14: {2: -3, 3: -4, 4: -6, 5: -7, 6: -8},
    15: {2: -5, 3: -7, 4: -8, 9: 7, 10: 4, 11: 9},
    16: {2: -8, 8: 9, 9: 5, 10: 2, 11: 8},
    17: {11: -6},
}
"""By hard total and upcard: the true count from which standing is better."""


class Ramp(Counting, Sharp):
    """Counts like Counting, plays like Sharp, and lets the true count change both.

    Args:
        spread: Minimums it wagers at most.
        decks: Decks in the shoe.
    """

    def __init__(self, spread: int = 8, decks: int = 1) -> None:
        check_whole(1, spread=spread, decks=decks)
        self.system = CountSystem(TAGS, per_deck=True, decks=decks, rounding="down")
        # Two more minimums for every point of true count above +2.
        self.ramp = BetLine(above=LAST_EVEN_COUNT, slope=2, most=spread, short="rest")

    @deviates(STAND_FROM)
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Play like Sharp where there is no index."""
        return super().draw(dealer, player)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Ramp."""
    return {"ramp": Ramp}
