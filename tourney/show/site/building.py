"""The files of a site, from its data alone: the same data give the same bytes.

Pages refer to each other and to what stands in `static` by relative paths, so they work from disk
and in any folder of a server. Nothing is fetched from anywhere.
"""

import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from jinja2 import TemplateError
from pydantic import BaseModel, ValidationError

from tourney.errors import TourneyError
from tourney.show.site.model import SiteData
from tourney.show.site.pages import pages

DATA = "data.json"
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
    yield DATA, data_json(data).encode()
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
    written = write_files(site_files(data), folder)
    # Whoever is no longer shown must not stay behind on a page of its own.
    for part in ("entrants", "hands"):
        for path in (folder / part).glob("*.html"):
            if path not in written:
                path.unlink()
    for path in folder.glob("*.html"):
        if path not in written:
            path.unlink()
    return sum(written.values())


def static_files(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Give what pages show that is no page: paths below the site's folder, and what they hold."""
    place = files("tourney.show.site").joinpath("static")
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


def data_json(data: SiteData) -> str:
    """Write the data down."""
    left_out = {"run": {"committed"}} if data.run.committed is None else None
    told = data.model_dump(mode="json", exclude=left_out)
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def schema_json() -> str:
    """Write down what form the data have."""
    return schema_of(SiteData)


def schema_of(kind: type[BaseModel]) -> str:
    """Write down what form data of a class have, as JSON Schema."""
    schema = kind.model_json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def read_data(path: Path) -> SiteData:
    """Read data that were written down.

    Raises: TourneyError, if there are none, or not of this form.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise TourneyError(f"{path}: expected the data of a site, got: {reason}") from error
    try:
        return SiteData.model_validate_json(text)
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
