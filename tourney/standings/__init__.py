"""Who is ahead, and how sure that is."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.standings.column import Cell, Column
    from tourney.standings.columns import COLUMNS, DEFAULT_COLUMNS
    from tourney.standings.folding import fold, fold_blocks, half_width, rank
    from tourney.standings.meetings import Better, Meetings, by_all, by_places, face_to_face
    from tourney.standings.notes import Note, notes_of, too_few
    from tourney.standings.places import Finish, by_score, check_finishes, points
    from tourney.standings.rank_sets import tables_that_tell
    from tourney.standings.standing import (
        BANKROLL,
        FINISH,
        MEASURES,
        PLACE,
        POINTS,
        EntrantLabel,
        Measure,
        Relation,
        Standing,
        fold_version,
        read_standings,
        write_standings,
    )
    from tourney.standings.sureness import alpha_at, doubling, is_told_apart, look_at
    from tourney.standings.tables_needed import TablesNeeded, tables_needed
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
    "TablesNeeded",
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
    "half_width",
    "is_told_apart",
    "look_at",
    "notes_of",
    "place_of",
    "points",
    "rank",
    "read_standings",
    "tables_needed",
    "tables_that_tell",
    "too_few",
    "write_standings",
]
