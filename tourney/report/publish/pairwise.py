"""Paired comparisons of entrants, on the tables that both have played.

The interval is Student's, for each pair by itself: of many pairs, some differ by chance.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tourney.report.publish.published_results import Results
from tourney.report.site.model import DuelData
from tourney.standings.fold import half_width

MOST_RIVALS = 40
"""Number of rivals of an entrant, the nearest on the board; limits the size of a page."""


def duels(ordered: Sequence[Results]) -> list[list[DuelData]]:
    """Compare each entrant with the nearest ones on the board.

    Args:
        ordered: The entrants' results, in the order of the board.
    Returns: For each entrant, its advantages over its rivals; more is better, also for points.
    """
    compare = compared(ordered)
    return [
        [
            duel
            for rival in nearest(row, len(ordered))
            if rival != row and (duel := compare(row, rival))
        ]
        for row in range(len(ordered))
    ]


def compared(ordered: Sequence[Results]) -> Callable[[int, int], DuelData | None]:
    """Return a function that compares two rows of the board; `None` without a common table.

    Args:
        ordered: As for `duels`.
    """
    keys = sorted({key for results in ordered for key in results.tables})
    column = {key: number for number, key in enumerate(keys)}
    worths = np.full((len(ordered), len(keys)), np.nan)
    for row, results in enumerate(ordered):
        sign = -1 if results.scoring.is_least_best else 1
        for key in results.tables:
            worths[row, column[key]] = sign * results.a_round(key)
    return lambda row, rival: _duel(worths[row] - worths[rival], rival + 1)


def nearest(row: int, count: int) -> range:
    """Return the nearest rows of a row, including itself."""
    first = max(0, min(row - MOST_RIVALS // 2, count - MOST_RIVALS - 1))
    return range(first, min(count, first + MOST_RIVALS + 1))


def _duel(differences: NDArray[np.float64], rival: int) -> DuelData | None:
    """Return a comparison; `None` without a common table."""
    common = differences[~np.isnan(differences)]
    tables = len(common)
    if not tables:
        return None
    mean = float(common.mean())
    return DuelData(rival=rival, mean=mean, half_width=half_width(common), tables=tables)
