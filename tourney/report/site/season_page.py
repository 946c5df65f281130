"""A season's index page: its table of points, with links to the pages of each run.

As for the site of a run, `data.json` has the published data, and the page is made from it.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from tourney.report.site.data_files import DATA
from tourney.report.site.model import HomeData, SiteModel
from tourney.report.site.pages import templates
from tourney.report.site.site_files import SCHEMA, schema_of, static_files, write_files
from tourney.standings.place_chart import PlaceLine, place_chart

VERSION: Final = 1
"""Version of this format; others cannot be read."""

STATIC = ("site.css", "board.js")
LEADING = 20
"""Entrants of the chart of places."""
CAPTION = "Places by run"


class SeasonRunData(SiteModel):
    """A run of the season."""

    title: str
    folder: str | None = Field(description="Of its pages; null if there are none.")
    status: Literal["counted", "sealed", "not finished"]
    sealed_until: str | None = Field(default=None, description="ISO time, UTC.")
    finished: str | None = Field(description="ISO time, UTC; null while it runs.")
    game: str
    format: str
    entrants: int = Field(description="How many there were, shown or not.")


class ScoreData(SiteModel):
    """The result of an entrant in a run."""

    row: int = Field(ge=1, description="Number of the row on the board of the run.")
    place: int | None = Field(description="On that board; null if out.")
    points: float
    text: str
    counts: bool = Field(description="Whether it is among the best that count.")


class SeasonEntrantData(SiteModel):
    """A row of the table."""

    number: int = Field(ge=1, description="Of the row.")
    place: int = Field(ge=1, description="Those with as many points share it.")
    name: str
    points: float
    text: str
    runs: int = Field(description="In how many it took part.")
    scores: list[ScoreData | None] = Field(
        description="In the order of the runs; null where it took no part, or is not shown."
    )


class SeasonData(SiteModel):
    """A published season."""

    version: Literal[1] = VERSION
    name: str
    rule: str = Field(description="How points follow from places, in words.")
    best: int | None = Field(description="So many results count; null for all.")
    names: Literal["names", "handles"]
    top: int | None = Field(description="Only so many are shown; null for all.")
    count: int = Field(description="How many there are, shown or not.")
    runs: list[SeasonRunData]
    entrants: list[SeasonEntrantData] = Field(description="Best first.")
    home: HomeData | None = Field(default=None, description="Null if the page links to none.")


def season_files(season: SeasonData) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a season without the pages of its runs.

    Args:
        season: The visible data.
    """
    yield DATA, season_json(season).encode()
    yield SCHEMA, season_schema().encode()
    yield from static_files(STATIC)
    chart = place_chart([run.title for run in season.runs], _lines(season))
    page = templates().get_template("season.html")
    text = page.render(season=season, chart=chart, caption=CAPTION, leading=LEADING)
    yield "index.html", text.encode()


def _lines(season: SeasonData) -> list[PlaceLine]:
    """Return the places of the leading entrants, run by run."""
    return [
        PlaceLine(
            name=row.name,
            places=[score.place if score else None for score in row.scores],
            texts=["" if score is None else str(score.place or "out") for score in row.scores],
        )
        for row in season.entrants[:LEADING]
    ]


def write_season(season: SeasonData, folder: Path) -> int:
    """Write the page of a season and its data; return their size in bytes.

    Args:
        season: The visible data.
        folder: Created if missing; rejected if it has other files. Pages of runs that the season no
            longer has are removed.
    Raises: TourneyError, if the folder does not belong to a site.
    """
    written = write_files(season_files(season), folder)
    kept = {run.folder for run in season.runs}
    for path in folder.glob("run-*"):
        if path.name not in kept and (path / SCHEMA).is_file():
            shutil.rmtree(path)
    return sum(written.values())


def season_schema() -> str:
    """Return the JSON Schema of a season's data."""
    return schema_of(SeasonData)


def season_json(season: SeasonData) -> str:
    """Return the data of a season as JSON."""
    return json.dumps(season.model_dump(mode="json"), ensure_ascii=False, indent=1)
