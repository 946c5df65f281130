"""The ceremony: the places of a board in large type, from the last place to the first.

A published site has it as one page, `ceremony.html`, that works without scripts. Each row has an
address, such as `#place-3`. The style sheet shows the row in the address and all rows below it, so
a step is a link to the row above, and the browser follows the newest row. `ceremony.js` adds keys.
The portal's ceremony uses the same columns, cells, style and keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.report.site.model import CellData, ColumnData, SiteData
from tourney.standings.board_columns import large_columns


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
