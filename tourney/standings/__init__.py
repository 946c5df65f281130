"""Who is ahead, and how sure that is."""

from tourney.standings.columns import COLUMNS, DEFAULT_COLUMNS, Column
from tourney.standings.fold import EntrantLabel, Scoring, Standing, Tally, fold, rank

__all__ = [
    "COLUMNS",
    "DEFAULT_COLUMNS",
    "Column",
    "EntrantLabel",
    "Scoring",
    "Standing",
    "Tally",
    "fold",
    "rank",
]
