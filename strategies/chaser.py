"""Chaser: watches the other bankrolls and bets to finish first at its table.

Why it might win: if only the winner of a table advances, second place is worthless. In the last
rounds it bets the distance to the leader, and keeps its chips when it leads.
Limits: it ignores the bets of players who act after it, and plays like Sharp before the last
rounds.
Source: [Wong1992] in docs/sources.md; going for all when little time is left: [DubinsSavage1965].
"""

from tourney import Player, TableView, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.sharp import Sharp
from tourney.strategies.stakes import greatest_wager


class Chaser(Sharp):
    """Plays like Sharp, and in the last rounds bets to pass the leader of its table.

    Args:
        rounds: Number of last rounds in which it chases.
    """

    def __init__(self, rounds: int = 5) -> None:
        check_whole(1, rounds=rounds)
        self.rounds = rounds

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet one chip more than the distance to the leader, in the last rounds."""
        table: TableView | None = getattr(self, "table", None)
        if table is None or table.rounds_left > self.rounds:
            return minimum
        others = [
            chips + wager
            for seat, (chips, wager) in enumerate(zip(table.bankrolls, table.wagers, strict=True))
            if seat != table.seat
        ]
        distance = max(others, default=0) - bankroll
        return max(minimum, min(distance + 1, greatest_wager(self, bankroll)))


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Chaser."""
    return {"chaser": Chaser}
