"""Counter: basic strategy, with wagers and insurance by the true count.

Why it might win: with six decks, the house has the advantage up to a true count of about +1. Above
it, a counter wagers more, and gets more naturals, which pay 3:2. From +3 on, enough tens are left
that insurance wins, which is the most valuable single deviation from the table.
Limits: it has no other deviations, and plays its hands by the table at any count. `ramp` plays its
hands by the count.
Source: [Wong1994] for true counts, [Schlesinger2005] for insurance; docs/sources.md.
"""

from tourney import BetLine, CountSystem, InsuringPlayer, Player, hookimpl
from tourney.strategies.basic import BasicSixDecksH17
from tourney.strategies.counting import TAGS
from tourney.strategies.options import check_whole

LAST_EVEN_COUNT = 1  # the true count up to which a game of six decks favours the house


class Counter(InsuringPlayer, BasicSixDecksH17):
    """Plays basic strategy, with wagers and insurance by the true count.

    Args:
        spread: Largest wager, in minimums.
        decks: Decks in the shoe.
    """

    insures_from = 3  # there more than a third of the unseen cards are tens

    def __init__(self, spread: int = 12, decks: int = 6) -> None:
        check_whole(1, spread=spread, decks=decks)
        self.system = CountSystem(TAGS, per_deck=True, decks=decks, rounding="down")
        # Two more minimums for every point of true count above +1.
        self.ramp = BetLine(above=LAST_EVEN_COUNT, slope=2, most=spread, short="rest")


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Counter."""
    return {"counter": Counter}
