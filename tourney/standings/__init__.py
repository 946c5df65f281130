"""Who is ahead, and how sure that is."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.standings.columns import COLUMNS, DEFAULT_COLUMNS, Cell, Column
    from tourney.standings.finishes import Finish, by_score, check_finishes
    from tourney.standings.folding import fold, fold_blocks, rank
    from tourney.standings.kept import fold_version, read_standings, write_standings
    from tourney.standings.looks import alpha_at, doubling, look_at
    from tourney.standings.measures import BANKROLL, FINISH, MEASURES, PLACE, POINTS, Measure
    from tourney.standings.meetings import Better, Meetings, by_all, by_places, face_to_face
    from tourney.standings.notes import Note, notes_of, too_few
    from tourney.standings.points import points
    from tourney.standings.rank_sets import tables_that_tell
    from tourney.standings.standing import EntrantLabel, Relation, Standing
    from tourney.standings.sureness import is_told_apart
    from tourney.standings.tallies import Count, PlaceTally, Scoring, Tally, place_of
else:
    __getattr__ = exports(__name__)

__all__ = [
    "BANKROLL",
    "COLUMNS",
    "DEFAULT_COLUMNS",
    "FINISH",
    "MEASURES",
    "PLACE",
    "POINTS",
    "Better",
    "Cell",
    "Column",
    "Count",
    "EntrantLabel",
    "Finish",
    "Measure",
    "Meetings",
    "Note",
    "PlaceTally",
    "Relation",
    "Scoring",
    "Standing",
    "Tally",
    "alpha_at",
    "by_all",
    "by_places",
    "by_score",
    "check_finishes",
    "doubling",
    "face_to_face",
    "fold",
    "fold_blocks",
    "fold_version",
    "is_told_apart",
    "look_at",
    "notes_of",
    "place_of",
    "points",
    "rank",
    "read_standings",
    "tables_that_tell",
    "too_few",
    "write_standings",
]
