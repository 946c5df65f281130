"""Who is ahead, and how sure that is."""

from tourney.standings.columns import COLUMNS, DEFAULT_COLUMNS, Column
from tourney.standings.fold import EntrantLabel, Standing, fold, fold_blocks, rank
from tourney.standings.kept import fold_version, read_standings, write_standings
from tourney.standings.measures import BANKROLL, MEASURES, PLACE, POINTS, Measure
from tourney.standings.tallies import Count, Scoring, Tally

__all__ = [
    "BANKROLL",
    "COLUMNS",
    "DEFAULT_COLUMNS",
    "MEASURES",
    "PLACE",
    "POINTS",
    "Column",
    "Count",
    "EntrantLabel",
    "Measure",
    "Scoring",
    "Standing",
    "Tally",
    "fold",
    "fold_blocks",
    "fold_version",
    "rank",
    "read_standings",
    "write_standings",
]
