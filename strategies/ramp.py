"""Ramp: a card counter whose wagers and hands follow the true count.

Why it might win: each point of true count is worth about 0.005 wagers, so from +3 on this game
favours the player. There it bets two more minimums for every point. It also deviates from the
chart by the count, which is worth two chips in a thousand wagered even without the ramp. The
indices are computed for this game: the true counts at which hitting and standing have equal
values, fitted to exact values of 1.8 million rounds.
Limits: it does not know which cards are missing, and two shoes of equal count can differ a lot;
see `edge`.
Source: [Wong1994] for true counts, [Griffin1999] for indices, [Schlesinger2005] for the most
important ones; docs/sources.md.
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
    """Counts like Counting, plays like Sharp, and varies wagers and moves by the true count.

    Args:
        spread: Largest wager, in minimums.
        decks: Decks in the shoe.
    """

    def __init__(self, spread: int = 8, decks: int = 1) -> None:
        check_whole(1, spread=spread, decks=decks)
        self.system = CountSystem(TAGS, per_deck=True, decks=decks, rounding="down")
        # Two more minimums for every point of true count above +2.
        self.ramp = BetLine(above=LAST_EVEN_COUNT, slope=2, most=spread, short="rest")

    @deviates(STAND_FROM)
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Play like Sharp, except for the deviations."""
        return super().draw(dealer, player)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Ramp."""
    return {"ramp": Ramp}
