"""Leader: looks at the closest rival, takes the high when behind and covers it when ahead.

Why it might win: where the best of a table go on, it does not matter by how much. Who is behind
needs one wager that wins: enough to pass the rival, even if that one wins what it has wagered.
Who is ahead wants to win and lose together with the rival, whose cards beat the same dealer; so it
wagers just what keeps the lead if both of them win, and the minimum if that is enough. It bets
best last, when the others' wagers lie open.
Leaves out that a rival may double its wager, and the wagers that are still to come. Plays its
hands like Sharp.
Source: [Wong1992] in docs/sources.md; going for all when little time is left: [DubinsSavage1965].
"""

from tourney import Player, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.rivals import others_at, seen_table, to_beat
from tourney.strategies.sharp import Sharp
from tourney.strategies.stakes import greatest_wager


class Leader(Sharp):
    """Plays like Sharp, and near the end of a heat bets to lead it, or to keep the lead.

    Args:
        rounds: How many rounds before the end it begins to look.
    """

    def __init__(self, rounds: int = 10) -> None:
        check_whole(1, rounds=rounds)
        self.rounds = rounds

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet what takes or keeps the lead, should it and its rival win."""
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
