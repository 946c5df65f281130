"""Where a published site shows somebody's page and hands."""

import os
from dataclasses import dataclass
from pathlib import Path

from tourney.errors import TourneyError
from tourney.report.publish.published_results import TableKey
from tourney.report.site.data_files import DATA
from tourney.report.site.model import SiteData
from tourney.report.site.pages import hand_pages
from tourney.report.site.site_files import read_data
from tourney.store.records import RunRecord


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of a run."""

    data: SiteData
    address: str  # what paths of pages are put behind

    def page(self, number: int) -> str:
        """Give the page of a row of the board; empty if it has none."""
        if self.data.policy.is_sealed or number > len(self.data.entrants):
            return ""
        return f"{self.address}/entrants/{number}.html"

    def hands(self, number: int, key: TableKey) -> tuple[str, ...]:
        """Give the pages with the hands of a table of a row; none if they are not published."""
        if not self.page(number):
            return ()
        return tuple(
            f"{self.address}/hands/{path}"
            for table, paths in hand_pages(self.data.entrants[number - 1])
            if (table.stage - 1, table.heat - 1, table.table - 1) == key
            for path in paths
        )


def site_at(folder: Path, run: RunRecord, beside: Path, address: str | None) -> Site:
    """Read the site of a run.

    Args:
        folder: Where it was published to.
        run: The run.
        beside: The folder of pages that lead there, if nothing else is said.
        address: Where everybody finds the site, such as https://example.org/cup.
    Raises: TourneyError, if it is no site, or that of another run.
    """
    data = read_data(folder / DATA)
    told = data.run.digest and data.run.digest != (run.digest or b"").hex()
    if data.run.commitment != run.commitment or told:
        raise TourneyError(
            f"{folder}: expected the pages of run {run.number}, {run.name}, as it stands, got "
            f"those of {data.run.name} with another digest: publish again, with --to {folder}"
        )
    return Site(data, (address or os.path.relpath(folder, beside)).rstrip("/"))
