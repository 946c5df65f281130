"""Leader: bets to pass the closest rival when behind, and to cover its wager when ahead.

Why it might win: if the best of a table advance, the margin does not matter. A player that is
behind needs one winning wager: enough to pass the rival even if the rival wins, too. A player that
is ahead wants to win and lose together with the rival, against the same dealer. So it wagers just
enough to keep the lead if both win, or the minimum if that is enough. It bets best in last
position, when the other wagers are visible.
Limits: it ignores that a rival may double its wager, and the wagers of players after it. It plays
its hands like Sharp.
Source: [Wong1992] in docs/sources.md; going for all when little time is left: [DubinsSavage1965].
"""

from tourney import Player, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.rivals import others_at, seen_table, to_beat
from tourney.strategies.sharp import Sharp
from tourney.strategies.stakes import greatest_wager


class Leader(Sharp):
    """Plays like Sharp, and near the end of a heat bets to take or keep the lead.

    Args:
        rounds: Number of last rounds in which it bets for the lead.
    """

    def __init__(self, rounds: int = 10) -> None:
        check_whole(1, rounds=rounds)
        self.rounds = rounds

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the amount that takes or keeps the lead if it and its rival win."""
        table = seen_table(self)
        if table is None or table.rounds_left > self.rounds:
            return minimum
        rival = to_beat(table, others_at(table))
        if rival is None:
            return minimum
        enough = rival.after_win + 1 - bankroll
        return max(minimum, min(enough, greatest_wager(self, bankroll)))


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Leader."""
    return {"leader": Leader}
