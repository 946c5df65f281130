"""How standings are shown. Returns text, prints nothing."""

from tourney.leaderboard.text import (
    DEFAULT_FORMAT,
    FORMATS,
    as_csv,
    as_json,
    choose_columns,
    render,
)

__all__ = ["DEFAULT_FORMAT", "FORMATS", "as_csv", "as_json", "choose_columns", "render"]
