"""A season's index page: its table of points, with a way to the pages of each run.

As with the site of a run, `data.json` is what is told, and the page is made of it. Knows nothing
of stores, and of how points follow from places.
"""

import json
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import Field

from tourney.leaderboard.site.building import DATA, SCHEMA, check_folder
from tourney.leaderboard.site.model import Told

VERSION: Final = 1
"""Of this form; another one is not read."""

STATIC = ("site.css", "board.js")


class SeasonRunTold(Told):
    """A run of the season."""

    title: str
    folder: str | None = Field(description="Of its pages; null if there are none.")
    status: Literal["counted", "sealed", "not finished"]
    sealed_until: str | None = Field(default=None, description="ISO time, UTC.")
    finished: str | None = Field(description="ISO time, UTC; null while it runs.")
    game: str
    format: str
    entrants: int = Field(description="How many there were, shown or not.")


class ScoreTold(Told):
    """What somebody came to in a run."""

    row: int = Field(ge=1, description="Number of the row on the board of the run.")
    place: int | None = Field(description="On that board; null if out.")
    points: float
    text: str
    counts: bool = Field(description="Whether it is among the best that count.")


class SeasonEntrantTold(Told):
    """A row of the table."""

    number: int = Field(ge=1, description="Of the row.")
    place: int = Field(ge=1, description="Those with as many points share it.")
    name: str
    points: float
    text: str
    runs: int = Field(description="In how many it took part.")
    scores: list[ScoreTold | None] = Field(
        description="In the order of the runs; null where it took no part, or is not shown."
    )


class SeasonTold(Told):
    """Everything that is told of a season."""

    version: Literal[1] = VERSION
    name: str
    rule: str = Field(description="How points follow from places, in words.")
    best: int | None = Field(description="So many results count; null for all.")
    names: Literal["names", "handles"]
    top: int | None = Field(description="Only so many are shown; null for all.")
    count: int = Field(description="How many there are, shown or not.")
    runs: list[SeasonRunTold]
    entrants: list[SeasonEntrantTold] = Field(description="Best first.")


def season_files(season: SeasonTold) -> Iterator[tuple[str, bytes]]:
    """Give the files of a season but for the pages of its runs.

    Args:
        season: What may be told.
    """
    yield DATA, season_json(season).encode()
    yield SCHEMA, season_schema().encode()
    place = files("tourney.leaderboard.site").joinpath("static")
    for name in STATIC:
        yield f"static/{name}", place.joinpath(name).read_bytes()
    environment = Environment(
        loader=PackageLoader("tourney.leaderboard.site", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    yield "index.html", environment.get_template("season.html").render(season=season).encode()


def write_season(season: SeasonTold, folder: Path) -> int:
    """Write the page of a season and its data; give their size in bytes.

    Args:
        season: What may be told.
        folder: Made if it is not there; refused if it holds something else. Pages of runs that
            the season no longer has are removed.
    Raises: TourneyError, if the folder is no site's.
    """
    check_folder(folder)
    size = 0
    for name, content in season_files(season):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        size += len(content)
    kept = {run.folder for run in season.runs}
    for path in folder.glob("run-*"):
        if path.name not in kept and (path / SCHEMA).is_file():
            shutil.rmtree(path)
    return size


def season_json(season: SeasonTold) -> str:
    """Write the data of a season down."""
    return json.dumps(season.model_dump(mode="json"), ensure_ascii=False, indent=1)


def season_schema() -> str:
    """Write down what form the data of a season have."""
    schema = SeasonTold.model_json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
