"""Kelly: wagers a fraction of its bankroll in proportion to its edge.

Why it might win: with wagers in proportion to the edge, a bankroll grows fastest in the long run
and is never lost entirely. The standard deviation of a round is about one wager, so the best
fraction is the edge itself: at an edge of 0.02, two chips of a hundred. Half of it, the default,
keeps three quarters of the growth with half of the swings.
Limits: in short tournaments, finishing first matters more than growth; see `chaser`.
Source: [Kelly1956]; for cards: [Thorp1966]; docs/sources.md.
"""

from tourney import Player, hookimpl
from tourney.strategies.edge import Edge
from tourney.strategies.options import check_whole
from tourney.strategies.stakes import greatest_wager

PARTS = 100 * 1_000_000  # percent of millionths


class Kelly(Edge):
    """Plays like Edge, and bets a fraction of its bankroll in proportion to its edge.

    Args:
        percent: Part of the full Kelly wager to bet, in percent.
        decks: Decks in the shoe.
    """

    def __init__(self, percent: int = 50, decks: int = 1) -> None:
        check_whole(1, percent=percent)
        super().__init__(decks=decks)
        self.percent = percent

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the fraction of the bankroll, at least the minimum."""
        part = bankroll * self.edge * self.percent // PARTS
        return max(minimum, min(part, greatest_wager(self, bankroll)))


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Kelly."""
    return {"kelly": Kelly}
