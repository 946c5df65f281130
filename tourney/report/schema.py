"""The JSON Schema of `--format json`, column by column.

`site.site_files` has the schema of a site's data.
"""

from typing import Any

from tourney.standings.columns import COLUMNS, Column
from tourney.standings.standing import BANKROLL, FINISH, PLACE, POINTS

TEXTS = frozenset(
    {"rank_set", "entrant", "strategy", "group", "author", "relation", "finish", "counts"}
)
WHOLE = frozenset(
    {
        "rank",
        "tables",
        "least_tables",
        "rarest_loss",
        "looks",
        "games",
        "rounds",
        "handle",
        "faults",
    }
)
"""Columns of whole numbers; the others hold numbers of any kind."""

ALWAYS = frozenset({"entrant", "tables", "rounds", "games", "handle", "faults"})
"""Columns that are never null."""

COUNTED = {
    BANKROLL.name: "bankrolls",
    POINTS.name: "points",
    PLACE.name: "places of games",
    FINISH.name: "given places",
}
"""Plural nouns of the measures."""

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def board_schema() -> dict[str, Any]:
    """Return the JSON Schema of a board: a list of rows, best first, with the requested columns."""
    return {
        "$schema": DRAFT,
        "title": "Leaderboard",
        "description": "What `tourney leaderboard --format json` prints: rows, best first.",
        "type": "array",
        "items": {
            "type": "object",
            "properties": {column.name: _column(column) for column in COLUMNS},
            # A plugin's columns may hold any type of a cell.
            "additionalProperties": {"type": ["string", "number", "null"]},
        },
    }


def kind_of(column: Column) -> str:
    """Return the type of a column in JSON Schema.

    Args:
        column: A column of the platform.
    """
    if column.name in TEXTS:
        return "string"
    return "integer" if column.name in WHOLE else "number"


def where_it_stands(column: Column) -> str:
    """Describe the tournaments in which a column is available."""
    if column.measures is None:
        return "everywhere"
    if column.measures == (FINISH.name,):
        places = "where the format gives the places"
        return f"{places} and the game has chips" if column.needs_chips else places
    *others, last = (COUNTED[name] for name in column.measures)
    where = f"where {', '.join(others)}{' or ' if others else ''}{last} count"
    return f"{where} and luck is followed" if column.needs_luck else where


def _column(column: Column) -> dict[str, Any]:
    kind = kind_of(column)
    return {
        "title": column.title,
        "description": f"{column.meaning} Present {where_it_stands(column)}.",
        "type": kind if column.name in ALWAYS else [kind, "null"],
    }
