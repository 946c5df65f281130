"""Columns of a board that fit a narrow screen or the large type of a ceremony."""

from collections.abc import Sequence

MOST_COLUMNS = 4
"""Columns that fit a narrow screen, besides the entrant."""
ABOUT_ROW_ABOVE = {"above", "above_half_width", "relation"}
"""Columns that would reveal the next place of a ceremony."""


def narrow_columns(names: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of the columns that a narrow screen shows.

    >>> narrow_columns(["rank", "group", "profit", "ruin", "rounds", "entrant"])
    (0, 2, 3, 4, 5)
    """
    shown = {*[name for name in names if name != "group"][:MOST_COLUMNS], "entrant"}
    return tuple(at for at, name in enumerate(names) if name in shown)


def large_columns(names: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of the columns that a ceremony shows.

    >>> large_columns(["rank", "entrant", "above", "profit"])
    (0, 1, 3)
    """
    return tuple(at for at in narrow_columns(names) if names[at] not in ABOUT_ROW_ABOVE)
