"""Who is ahead, and how sure that is."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.standings.bounded import Bounds
    from tourney.standings.column import Cell, Column
    from tourney.standings.columns import COLUMNS, DEFAULT_COLUMNS, ON_REQUEST
    from tourney.standings.data import as_csv, as_json, columns_for, csv_of, harmless, rows_of
    from tourney.standings.folding import fold, fold_blocks, half_width, rank
    from tourney.standings.meetings import Better, Meetings, by_all, by_places, face_to_face
    from tourney.standings.notes import Note, notes_of, too_few
    from tourney.standings.places import Finish, by_score, points
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
        groups_in,
        is_in,
        label_of,
        read_standings,
        with_best_play,
        write_standings,
    )
    from tourney.standings.sureness import alpha_at, doubling, is_told_apart, look_at
    from tourney.standings.tables_needed import TablesNeeded, tables_needed
    from tourney.standings.tallies import Count, PlaceTally, Scoring, Tally, place_of, scores_of
else:
    __getattr__ = exports(__name__)
