"""Survivor: risks more than the minimum only from what it has won.

Why it might win: where a bankroll must last through many rounds, those who go broke get no
second chance. Its first bankroll is a reserve from which it bets the minimum; whatever lies
above goes where Ramp would put it. So a bad shoe costs winnings, never the seat.
Leaves out that a player with an advantage pays for such caution: good shoes that come before
the first winnings are met with the minimum.
Source: [DubinsSavage1965] on playing to survive, [Schlesinger2005] on risk of ruin;
docs/sources.md.
"""

from tourney import Player, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.ramp import Ramp


class Survivor(Ramp):
    """Plays like Ramp, and climbs the ramp only with chips above its reserve.

    Args:
        reserve: Part of the first bankroll that is kept back, in percent.
        spread: Minimums it wagers at most.
        decks: Decks in the shoe.
    """

    def __init__(self, reserve: int = 100, spread: int = 8, decks: int = 1) -> None:
        check_whole(0, reserve=reserve)
        super().__init__(spread, decks)
        self.reserve = reserve
        self._first_bankroll: int | None = None

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet like Ramp with the chips above the reserve, else the minimum."""
        if self._first_bankroll is None:
            self._first_bankroll = bankroll
        spare = bankroll - self._first_bankroll * self.reserve // 100
        return super().bet(spare, minimum) if spare > minimum else minimum


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Survivor."""
    return {"survivor": Survivor}
