"""The files of a site, from its data alone: the same data give the same bytes.

Pages use relative paths to each other and to `static`, so they work from disk and in any folder of
a server. They load no other resources.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import TemplateError
from pydantic import BaseModel, ValidationError

from tourney.errors import TourneyError
from tourney.report.site.data_files import (
    BoardPart,
    HandsPart,
    PagePart,
    data_files,
    parsed,
    read_parts,
)
from tourney.report.site.model import VERSION, SiteData
from tourney.report.site.pages import pages

SCHEMA = "data.schema.json"
STATIC = (
    "site.css",
    "board.js",
    "ceremony.js",
    "curves.js",
    "race.js",
    "viewer.js",
    "uPlot.iife.min.js",
    "uPlot.min.css",
    "uPlot.LICENSE.txt",
)

MOST_FAULTS = 5
"""Printed faults of a data file."""


def site_files(data: SiteData) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a site: paths below its folder, with contents.

    Args:
        data: The visible data.
    """
    yield from data_files(data)
    yield SCHEMA, schema_json().encode()
    yield from static_files(STATIC)
    try:
        for path, text in pages(data):
            yield path, text.encode()
    except (LookupError, TemplateError) as error:  # undefined names and numbers
        raise TourneyError(f"the parts of the site's data do not fit together: {error}") from error


def write_site(data: SiteData, folder: Path) -> int:
    """Write a site and return its size in bytes; obsolete files are removed.

    Args:
        data: The visible data.
        folder: Created if missing; rejected if it has other files.
    Raises: TourneyError, if the folder does not belong to a site.
    """
    return write_site_files(site_files(data), folder)


def write_site_files(found: Iterable[tuple[str, bytes]], folder: Path) -> int:
    """Write the output of `site_files` like `write_site`."""
    written = write_files(found, folder)
    # Pages of entrants that are no longer shown must be removed.
    for part in ("entrants", "hands"):
        for path in (folder / part).glob("*"):
            if path.suffix in {".html", ".json"} and path not in written:
                path.unlink()
    for path in folder.glob("*.html"):
        if path not in written:
            path.unlink()
    return sum(written.values())


def static_files(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield resources of pages: paths below the site's folder, with contents."""
    place = files("tourney.report.site").joinpath("static")
    for name in names:
        yield f"static/{name}", place.joinpath(name).read_bytes()


def write_files(found: Iterable[tuple[str, bytes]], folder: Path) -> dict[Path, int]:
    """Write the files of a site into its folder; return the size of each in bytes.

    Raises: TourneyError, if the folder does not belong to a site.
    """
    check_folder(folder)
    written: dict[Path, int] = {}
    for name, content in found:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        written[path] = path.write_bytes(content)
    return written


def schema_json() -> str:
    """Return the JSON Schema of the data; the schemas of parts are below its `$defs`."""
    return schema_of(BoardPart, PagePart, HandsPart)


@cache
def schema_of(kind: type[BaseModel], *others: type[BaseModel]) -> str:
    """Return the JSON Schema of a class, with those of its parts."""
    schema = kind.model_json_schema(mode="serialization")
    for other in others:
        own = other.model_json_schema(mode="serialization")
        schema["$defs"] |= own.pop("$defs", {}) | {other.__name__: own}
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def read_data(path: Path, differing: list[str] | None = None) -> SiteData:
    """Read the data of a site, with its files of details.

    Args:
        path: Path of `data.json`.
        differing: Receives lines about wrong files; `None` to raise an error for them.
    Raises: TourneyError, if data are missing or have another format.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise TourneyError(f"{path}: cannot read the data of a site: {reason}") from error
    told = parsed(path, text)
    odd: list[str] = []
    if isinstance(told, dict):
        told.setdefault("version")  # otherwise the model would default to its version
        if told["version"] == VERSION:
            told = read_parts(path, told, odd)
    if differing is not None:
        differing += odd
    elif odd:
        raise TourneyError("\n".join(f"{path.parent}: {line}" for line in odd[:MOST_FAULTS]))
    try:
        return SiteData.model_validate(told)
    except ValidationError as error:
        faults = error.errors()
        if "runs" in {fault["loc"][0] for fault in faults if fault["loc"]}:
            raise TourneyError(
                f"{path}: this is the data of a season, not of a run's pages; choose one of its "
                "folders, such as run-1"
            ) from None
        lines = [
            f"{path}: {'.'.join(map(str, fault['loc'])) or 'all'}: {fault['msg'].lower()}"
            for fault in faults[:MOST_FAULTS]
        ]
        more = f"\nand {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
        raise TourneyError("\n".join(lines) + more) from None


def check_folder(folder: Path) -> None:
    """Reject a folder with files that do not belong to a site.

    Raises: TourneyError.
    """
    if folder.exists() and not folder.is_dir():
        raise TourneyError(f"{folder} is a file; choose a folder for the site")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / SCHEMA).is_file():
        raise TourneyError(
            f"{folder}: the folder has other files than a site; choose a new or empty folder"
        )
