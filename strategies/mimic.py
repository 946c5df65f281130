"""Mimic: plays by the dealer's rule.

Why it might win: the dealer wins with this rule, so it cannot be all wrong.
Limits: the dealer wins because it acts last, after the player may have bust. A player with the
same rule acts first and loses this advantage.
Source: [Baldwin1956] and [Epstein1977] in docs/sources.md.
"""

from tourney import Card, Hand, Player, hookimpl, pure
from tourney.strategies.simple import Simple

DEALER_STANDS = 17


class Mimic(Simple):
    """Bets the minimum, hits up to 16 and stands on every 17 or more, like the dealer."""

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit below 17."""
        total: int = player.total
        return total < DEALER_STANDS


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Mimic."""
    return {"mimic": Mimic}
