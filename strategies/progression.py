"""Progression: one more after a loss, one less after a win (d'Alembert's system).

Why it might win: many short sessions end a little ahead, because wins come at higher wagers than
losses. A progression with a cap rarely loses the whole bankroll quickly.
Limits: no progression makes a losing game a winning one. It wagers more chips at the same
disadvantage, so over many rounds it loses more. It is an easy opponent.
Source: [Epstein1977] and [DubinsSavage1965] in docs/sources.md.
"""

from tourney import Player, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.simple import Simple
from tourney.strategies.stakes import greatest_wager


class Progression(Simple):
    """Plays like Simple; its wager rises by a minimum after a loss and falls after a win.

    Args:
        most: Largest wager, in minimums.
    """

    def __init__(self, most: int = 10) -> None:
        check_whole(1, most=most)
        self.most = most
        self._step = 1  # next wager, in minimums
        self._bankroll: int | None = None  # before the last round

    def bet(self, bankroll: int, minimum: int) -> int:
        """Change the step by the result of the last round, and bet it."""
        if self._bankroll is not None:
            if bankroll < self._bankroll:
                self._step = min(self._step + 1, self.most)
            elif bankroll > self._bankroll:
                self._step = max(self._step - 1, 1)
        self._bankroll = bankroll
        return min(self._step * minimum, greatest_wager(self, bankroll))


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Progression."""
    return {"progression": Progression}
