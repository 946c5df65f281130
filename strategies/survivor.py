"""Survivor: risks more than the minimum only from its winnings.

Why it might win: if a bankroll must last for many rounds, a player that goes broke is out. Its
first bankroll is a reserve, from which it bets the minimum. With the chips above it, it bets like
Ramp. So a bad shoe costs only winnings.
Limits: a player with an advantage pays for this caution: in good shoes before its first winnings,
it bets the minimum.
Source: [DubinsSavage1965] on playing to survive, [Schlesinger2005] on risk of ruin;
docs/sources.md.
"""

from tourney import Player, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.ramp import Ramp


class Survivor(Ramp):
    """Plays like Ramp, and bets more than the minimum only with chips above its reserve.

    Args:
        reserve: Part of the first bankroll to keep in reserve, in percent.
        spread: Largest wager, in minimums.
        decks: Decks in the shoe.
    """

    def __init__(self, reserve: int = 100, spread: int = 8, decks: int = 1) -> None:
        check_whole(0, reserve=reserve)
        super().__init__(spread, decks)
        self.reserve = reserve
        self._first_bankroll: int | None = None

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet like Ramp with the chips above the reserve, otherwise the minimum."""
        if self._first_bankroll is None:
            self._first_bankroll = bankroll
        spare = bankroll - self._first_bankroll * self.reserve // 100
        return super().bet(spare, minimum) if spare > minimum else minimum


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Survivor."""
    return {"survivor": Survivor}
