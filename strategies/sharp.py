"""Sharp: the best chart for exactly this game, in which no wager can be doubled.

Why it might win: it is Simple with its one error corrected. The documents use a chart for games
with doubling, without the doubles. Such a chart doubles a soft 18 against 3 to 6, but here it is
best to stand. The chart is computed from exact values of hitting and standing for every decision
of 1.8 million rounds from one deck, reshuffled under 20 cards, with the better move for each total
and upcard. No other cell differs from Simple. The closest is a hard 12 against a 4, where standing
gains 0.008 wagers.
Limits: it uses only the total and the upcard; see `composition`.
Source: [Baldwin1956] for the method, [Griffin1999] for hands that depend on their cards;
docs/sources.md.
"""

from tourney import Card, Hand, Player, hookimpl, pure
from tourney.strategies.simple import Simple


class Sharp(Simple):
    """Bets the minimum and plays the best chart for hit-or-stand blackjack."""

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Stand on a soft 18 against 3 to 6, and otherwise play like Simple."""
        if player.soft and player.total == 18 and 3 <= dealer.value <= 6:
            return False
        return super().draw(dealer, player)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Sharp."""
    return {"sharp": Sharp}
