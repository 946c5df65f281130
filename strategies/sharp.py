"""Sharp: the best chart for exactly this game, in which no wager can be doubled.

Why it might win: it is Simple with its one mistake mended. The documents took a chart for
games with doubling and left the doubling out; a soft 18 against 3 to 6, which such a chart
doubles, is a hand to stand on here. The chart was found by working out hit and stand exactly
for every decision of 1.8 million rounds from one deck, reshuffled under 20 cards, and taking
the better one for each total and upcard; no other cell differs from Simple's. The closest is
a hard 12 against a 4, where standing gains 0.8 hundredths of the wager.
Leaves out everything but the total and the upcard; see `composition`.
Source: [Baldwin1956] for the method, [Griffin1999] for hands that depend on their cards;
docs/sources.md.
"""

from tourney import Card, Hand, Player, hookimpl, pure
from tourney.strategies.simple import Simple


class Sharp(Simple):
    """Bets the minimum and plays the best chart for hit-or-stand blackjack."""

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Stand on a soft 18 against 3 to 6, and else play like Simple."""
        if player.soft and player.total == 18 and 3 <= dealer.value <= 6:
            return False
        return super().draw(dealer, player)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Sharp."""
    return {"sharp": Sharp}
