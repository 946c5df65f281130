"""Finisher: works out, wager by wager, how likely the last round makes it go on.

Why it might win: before the last round's cards, all that matters can be counted. The dealer goes
bust or not, and then everybody wins, pushes or loses by known chances; so for each wager it adds
up the chances of all endings in which few enough rivals have more chips. That finds the high, the
low and the wager between two rivals by itself. Until then it wagers to have a cushion: some
minimums more than the rival to beat, fewer with every round.
Leaves out doubles, splits and naturals, and takes a wager that it does not see for the minimum.
Plays its hands like Sharp.
Source: [Wong1992] in docs/sources.md; the chances are own measurements of Sharp, rounded.
"""

from collections.abc import Iterable
from math import isqrt
from typing import TypeAlias

from tourney import Player, TableView, hookimpl
from tourney.strategies.options import check_whole
from tourney.strategies.rivals import Rival, others_at, seen_table, to_beat
from tourney.strategies.sharp import Sharp
from tourney.strategies.stakes import greatest_wager

Results: TypeAlias = tuple[tuple[int, int], ...]
"""What becomes of a wager, 1 for a win and -1 for a loss, and its chance in percent."""

ENDINGS: tuple[tuple[int, Results], ...] = (
    (27, ((1, 85), (-1, 15))),
    (73, ((1, 27), (0, 12), (-1, 61))),
)
"""In percent: how likely the dealer goes bust, or not, and then a wager wins, pushes or loses."""


class Finisher(Sharp):
    """Plays like Sharp, bets for a cushion, and counts every ending of the last round.

    Args:
        cushion: How many minimums it wants to be ahead, times the root of the rounds left.
    """

    def __init__(self, cushion: int = 1) -> None:
        check_whole(0, cushion=cushion)
        self.cushion = cushion

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet what is missing to the cushion; in the last round, what goes on most often."""
        table = seen_table(self)
        if table is None:
            return minimum
        rivals = others_at(table)
        rival = to_beat(table, rivals)
        if rival is None:
            return minimum
        most = greatest_wager(self, bankroll)
        if table.rounds_left == 1:
            return best_wager(table, rivals, bankroll, most)
        cushion = self.cushion * minimum * isqrt(table.rounds_left)
        return max(minimum, min(rival.after_win + cushion - bankroll, most))


def best_wager(table: TableView, rivals: list[Rival], bankroll: int, most: int) -> int:
    """Give the wager with the best chance to go on, the least one of several.

    Args:
        table: As it is seen.
        rivals: The other seats.
        bankroll: Of the seat.
        most: The greatest wager.
    """
    unseen = [rival._replace(wager=rival.wager or table.minimum) for rival in rivals]
    marks = {chips + sign * wager for chips, wager in unseen for sign in (-1, 0, 1)}
    # Just above what a rival may end with, winning or losing, is where a wager can matter.
    wishes = {mark + 1 - bankroll for mark in marks} | {bankroll - mark - 1 for mark in marks}
    wagers = sorted(
        {table.minimum, most} | {each for each in wishes if table.minimum < each < most}
    )
    places = max(1, table.advance)
    return max(wagers, key=lambda wager: chance(unseen, places, bankroll, wager))


def chance(rivals: Iterable[Rival], places: int, bankroll: int, wager: int) -> int:
    """Weigh the endings in which fewer rivals than there are places have as much or more.

    The weights are whole numbers, whose sums are the same on every machine.

    Args:
        rivals: The other seats.
        places: That go on.
        bankroll: Of the seat.
        wager: Of the seat.
    """
    weight = 0
    for likely, results in ENDINGS:
        for sign, percent in results:
            end = bankroll + sign * wager
            passing = [_passing(rival, end, results) for rival in rivals]
            weight += likely * percent * _few_pass(passing, places)
    return weight


def _passing(rival: Rival, end: int, results: Results) -> int:
    """Give the chance that a rival has as many chips in the end, in percent."""
    return sum(percent for sign, percent in results if rival.chips + sign * rival.wager >= end)


def _few_pass(passing: Iterable[int], places: int) -> int:
    """Weigh the endings in which fewer rivals pass than there are places."""
    weights = [1] + [0] * (places - 1)  # by the number of rivals that pass
    for percent in passing:
        for number in reversed(range(places)):
            before = weights[number - 1] if number else 0
            weights[number] = weights[number] * (100 - percent) + before * percent
    return sum(weights)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Finisher."""
    return {"finisher": Finisher}
