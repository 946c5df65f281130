"""The ceremony: the places of a board in large type, from the last place to the first.

A published site has it as one page, `ceremony.html`, that works without scripts. Each row has an
address, such as `#place-3`. The style sheet shows the row in the address and all rows below it, so
a step is a link to the row above, and the browser follows the newest row. `ceremony.js` adds keys.
The portal's ceremony uses the same columns, rows, style and keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.report.site.model import CellData, ColumnData, SiteData

MOST_COLUMNS = 4
"""Columns that fit a narrow screen, besides the entrant."""
ABOUT_ROW_ABOVE = {"above", "above_half_width", "relation"}
"""Columns that would reveal the next place."""


@dataclass(frozen=True, slots=True)
class Ceremony:
    """The columns and rows of a ceremony, best first."""

    columns: Sequence[ColumnData]
    rows: Sequence[Sequence[CellData]]


def ceremony_of(data: SiteData) -> Ceremony | None:
    """Return the ceremony of a site; `None` while results are hidden or not final."""
    if data.policy.is_sealed or data.run.status != "finished" or not data.entrants:
        return None
    chosen = large_columns([column.name for column in data.columns])
    return Ceremony(
        columns=[data.columns[at] for at in chosen],
        rows=[[entrant.cells[at] for at in chosen] for entrant in data.entrants],
    )


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
