"""Chaser: looks at the other bankrolls and bets to finish first at its table.

Why it might win: where only the best of a table advances, second place is worth nothing. In
the last rounds it bets what it lacks to pass the leader, and, when it leads, keeps its chips.
Leaves out what the others will bet, whose turn comes after its own, and everything before
the last rounds, where it plays like Sharp.
Source: [Wong1992] in docs/sources.md; going for all when little time is left: [DubinsSavage1965].
"""

from tourney import Player, TableView, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.sharp import Sharp
from tourney.strategies.stakes import greatest_wager


class Chaser(Sharp):
    """Plays like Sharp, and in the last rounds bets to pass the leader of its table.

    Args:
        rounds: How many rounds before the end it begins to chase.
    """

    def __init__(self, rounds: int = 5) -> None:
        check_whole(1, rounds=rounds)
        self.rounds = rounds

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the distance to the leader and a chip more, when the end is near."""
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
