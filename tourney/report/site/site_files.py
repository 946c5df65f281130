"""The files of a site, from its data alone: the same data give the same bytes.

Pages refer to each other and to what stands in `static` by relative paths, so they work from disk
and in any folder of a server. Nothing is fetched from anywhere.
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
    "curves.js",
    "viewer.js",
    "uPlot.iife.min.js",
    "uPlot.min.css",
    "uPlot.LICENSE.txt",
)

MOST_FAULTS = 5
"""Of a file of data that are told."""


def site_files(data: SiteData) -> Iterator[tuple[str, bytes]]:
    """Give the files of a site: paths below its folder, and what stands in them.

    Args:
        data: What may be told.
    """
    yield from data_files(data)
    yield SCHEMA, schema_json().encode()
    yield from static_files(STATIC)
    try:
        for path, text in pages(data):
            yield path, text.encode()
    except (LookupError, TemplateError) as error:  # names and numbers that lead nowhere
        raise TourneyError(
            f"data of a site: expected parts that fit together, got others: {error}"
        ) from error


def write_site(data: SiteData, folder: Path) -> int:
    """Write a site and give its size in bytes; files that it no longer has are removed.

    Args:
        data: What may be told.
        folder: Made if it is not there; refused if it holds something else.
    Raises: TourneyError, if the folder is no site's.
    """
    return write_site_files(site_files(data), folder)


def write_site_files(found: Iterable[tuple[str, bytes]], folder: Path) -> int:
    """Write what `site_files` gives as `write_site` does."""
    written = write_files(found, folder)
    # Whoever is no longer shown must not stay behind on a page of its own.
    for part in ("entrants", "hands"):
        for path in (folder / part).glob("*"):
            if path.suffix in {".html", ".json"} and path not in written:
                path.unlink()
    for path in folder.glob("*.html"):
        if path not in written:
            path.unlink()
    return sum(written.values())


def static_files(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Give what pages show that is no page: paths below the site's folder, and what they hold."""
    place = files("tourney.report.site").joinpath("static")
    for name in names:
        yield f"static/{name}", place.joinpath(name).read_bytes()


def write_files(found: Iterable[tuple[str, bytes]], folder: Path) -> dict[Path, int]:
    """Write the files of a site into its folder; give the size of each in bytes.

    Raises: TourneyError, if the folder holds something else than a site.
    """
    check_folder(folder)
    written: dict[Path, int] = {}
    for name, content in found:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        written[path] = path.write_bytes(content)
    return written


def schema_json() -> str:
    """Write down what form the data have; those of parts are below its `$defs`."""
    return schema_of(BoardPart, PagePart, HandsPart)


@cache
def schema_of(kind: type[BaseModel], *others: type[BaseModel]) -> str:
    """Write down what form data of a class have, as JSON Schema, and of parts beside it."""
    schema = kind.model_json_schema(mode="serialization")
    for other in others:
        own = other.model_json_schema(mode="serialization")
        schema["$defs"] |= own.pop("$defs", {}) | {other.__name__: own}
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def read_data(path: Path, differing: list[str] | None = None) -> SiteData:
    """Read data that were written down, and what lies in files beside them.

    Args:
        path: Of `data.json`.
        differing: Takes lines about files that are others than it names; they are refused if None.
    Raises: TourneyError, if there are none, or not of this form.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise TourneyError(f"{path}: expected the data of a site, got: {reason}") from error
    told = parsed(path, text)
    odd: list[str] = []
    if isinstance(told, dict):
        told.setdefault("version")  # the model would take a missing version for its own
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
                f"{path}: expected the data of a run's pages, got those of a season: "
                "name one in its folders, such as run-1"
            ) from None
        lines = [
            f"{path}: {'.'.join(map(str, fault['loc'])) or 'all'}: {fault['msg'].lower()}"
            for fault in faults[:MOST_FAULTS]
        ]
        more = f"\nand {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
        raise TourneyError("\n".join(lines) + more) from None


def check_folder(folder: Path) -> None:
    """Refuse a folder that holds anything but a site.

    Raises: TourneyError.
    """
    if folder.exists() and not folder.is_dir():
        raise TourneyError(f"{folder}: expected a folder for the site, got a file")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / SCHEMA).is_file():
        raise TourneyError(
            f"{folder}: expected an empty folder or one with a site in it, got other files; "
            "name a new one"
        )
