"""Progression: one more after a loss, one less after a win (d'Alembert's system).

Why it might win: many short sessions end a little ahead, because wins come at higher wagers
than losses do; a capped progression seldom ruins anybody at once.
Leaves out the arithmetic: no progression changes the sign of a bad game. It wagers more
chips at the same disadvantage, so over many rounds it loses more. It is here to be beaten.
Source: [Epstein1977] and [DubinsSavage1965] in docs/sources.md.
"""

from tourney import Player, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.simple import Simple
from tourney.strategies.stakes import greatest_wager


class Progression(Simple):
    """Plays like Simple; its wager climbs by a minimum after a loss and sinks after a win.

    Args:
        most: Minimums it wagers at most.
    """

    def __init__(self, most: int = 10) -> None:
        check_whole(1, most=most)
        self.most = most
        self._step = 1  # minimums wagered next
        self._bankroll: int | None = None  # before the last round

    def bet(self, bankroll: int, minimum: int) -> int:
        """Move the step by what the last round did to the bankroll, and bet it."""
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
