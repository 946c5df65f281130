"""Mimic: does what the dealer must do.

Why it might win: the dealer makes money with this rule, so it cannot be all wrong.
Leaves out why it is: the dealer gains from acting last, after the player has bust. Whoever
plays the same rule and acts first gives that away for nothing.
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
