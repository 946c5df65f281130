"""NeverBust: never hits a hand that the next card could bust.

Why it might win: the dealer busts more than one time in four, and this player wins all of those
rounds. In a short match, its result also varies less.
Limits: standing on 12 to 16 against a strong upcard loses about three times out of four.
Source: [Epstein1977] in docs/sources.md, with the cost of this habit.
"""

from tourney import Card, Hand, Player, hookimpl, pure
from tourney.strategies.simple import Simple

SAFE_HARD_TOTAL = 11  # no card takes it over 21
SAFE_SOFT_TOTAL = 17  # soft hands never bust; from 18 on they are good enough


class NeverBust(Simple):
    """Bets the minimum and hits only hands that cannot bust."""

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit up to hard 11 and soft 17, whatever the dealer shows."""
        total: int = player.total
        return total <= (SAFE_SOFT_TOTAL if player.soft else SAFE_HARD_TOTAL)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer NeverBust."""
    return {"never-bust": NeverBust}
