"""Finisher: computes for each wager the probability that it advances after the last round.

Why it might win: before the cards of the last round, all outcomes can be enumerated. The dealer
busts or not, and then each seat wins, pushes or loses with known probabilities. So for each wager
it adds the probabilities of all outcomes in which few enough rivals have more chips. This finds
the high wager, the low wager, and the wager between two rivals. In earlier rounds it bets for a
cushion: some minimums more than the rival to beat, fewer with every round.
Limits: it ignores doubles, splits and naturals, and assumes the minimum for a wager that it does
not see. It plays its hands like Sharp.
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
"""Results of a wager, 1 for a win and -1 for a loss, with probabilities in percent."""

ENDINGS: tuple[tuple[int, Results], ...] = (
    (27, ((1, 85), (-1, 15))),
    (73, ((1, 27), (0, 12), (-1, 61))),
)
"""In percent: the probability that the dealer busts or not, and of each result of a wager then."""


class Finisher(Sharp):
    """Plays like Sharp, bets for a cushion, and enumerates the outcomes of the last round.

    Args:
        cushion: Lead to aim for, in minimums, times the square root of the rounds left.
    """

    def __init__(self, cushion: int = 1) -> None:
        check_whole(0, cushion=cushion)
        self.cushion = cushion

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the amount missing to the cushion; in the last round, the best wager to advance."""
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
    """Return the wager with the best chance to advance; the smallest of equal ones.

    Args:
        table: The view of the table.
        rivals: The other seats.
        bankroll: The bankroll of the seat.
        most: The greatest wager.
    """
    unseen = [rival._replace(wager=rival.wager or table.minimum) for rival in rivals]
    marks = {chips + sign * wager for chips, wager in unseen for sign in (-1, 0, 1)}
    # Only wagers that end just above a possible final bankroll of a rival can matter.
    wishes = {mark + 1 - bankroll for mark in marks} | {bankroll - mark - 1 for mark in marks}
    wagers = sorted(
        {table.minimum, most} | {each for each in wishes if table.minimum < each < most}
    )
    places = max(1, table.advance)
    return max(wagers, key=lambda wager: chance(unseen, places, bankroll, wager))


def chance(rivals: Iterable[Rival], places: int, bankroll: int, wager: int) -> int:
    """Return the weight of the outcomes in which fewer than `places` rivals have as many chips.

    Weights are whole numbers, so that sums are the same on every machine.

    Args:
        rivals: The other seats.
        places: Number of seats that advance.
        bankroll: The bankroll of the seat.
        wager: The wager of the seat.
    """
    weight = 0
    for likely, results in ENDINGS:
        for sign, percent in results:
            end = bankroll + sign * wager
            passing = [_passing(rival, end, results) for rival in rivals]
            weight += likely * percent * _few_pass(passing, places)
    return weight


def _passing(rival: Rival, end: int, results: Results) -> int:
    """Return the probability that a rival ends with at least `end` chips, in percent."""
    return sum(percent for sign, percent in results if rival.chips + sign * rival.wager >= end)


def _few_pass(passing: Iterable[int], places: int) -> int:
    """Return the weight of the outcomes in which fewer than `places` rivals pass."""
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
