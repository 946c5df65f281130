"""The data of a site in files: a small `data.json`, and files for details.

    data.json           the run, the board, a row for each entrant
    entrants/3.json     the other data of the third entrant, without hands
    hands/3-1.json      the rounds of its first table

A row has the SHA-256 of its entrant's file, which has those of its hands, so `data.json` determines
all files.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, RootModel

from tourney.errors import TourneyError
from tourney.report.site.model import (
    VERSION,
    BlockData,
    BoardData,
    PageData,
    RowData,
    SiteData,
    TableRowData,
)

DATA = "data.json"
DIGEST = "SHA-256, in hexadecimal, of "


class RowPart(RowData):
    """An entrant in `data.json`."""

    details: str | None = Field(description=f"{DIGEST}its file; null if no more data is published.")


class TablePart(TableRowData):
    """A table in the file of its entrant."""

    hands: str = Field(description=f"{DIGEST}the file of its rounds.")


class PagePart(PageData):
    """The file of an entrant."""

    tables: list[TablePart]


class HandsPart(RootModel[list[BlockData]]):
    """A file of hands: the blocks of a table."""


class BoardPart(BoardData):
    """`data.json`: the published leaderboard without details."""

    version: Literal[2] = VERSION
    entrants: list[RowPart] = Field(description="Best first.")


NOTHING: Mapping[str, Any] = {
    **dict.fromkeys(("results", "fan", "decisions", "mistakes")),
    **{name: [] for name in ("duels", "tables", "verdicts")},
}
"""Default data of an entrant without a file."""


def data_files(data: SiteData) -> Iterator[tuple[str, bytes]]:
    """Yield the files of data: paths below the site's folder, with contents."""
    absent = {name for name in ("bounds", "committed", "words") if getattr(data.run, name) is None}
    left_out: dict[str, Any] = {"entrants": True, "version": True, "run": absent}
    rows = []
    for number, entrant in enumerate(data.entrants, start=1):
        row = entrant.model_dump(mode="json", include=set(RowData.model_fields)) | {"details": None}
        if not data.policy.is_sealed:  # then no entrant has a page
            details = entrant.model_dump(mode="json", include=set(PagePart.model_fields))
            for place, table in enumerate(details["tables"], start=1):
                hands = _written(table.pop("blocks"))
                table["hands"] = sha256(hands).hexdigest()
                yield hands_name(number, place), hands
            content = _written(details)
            row["details"] = sha256(content).hexdigest()
            yield details_name(number), content
        rows.append(row)
    front = {"version": VERSION, **data.model_dump(mode="json", exclude=left_out), "entrants": rows}
    yield DATA, _written(front)


def details_name(number: int) -> str:
    """Name the file of an entrant, by its number on the board."""
    return f"entrants/{number}.json"


def hands_name(number: int, place: int) -> str:
    """Name the file of the rounds of a table.

    Args:
        number: Of its entrant.
        place: Of the table among the shown ones, from 1.
    """
    return f"hands/{number}-{place}.json"


def read_parts(path: Path, told: Mapping[str, Any], differing: list[str]) -> dict[str, Any]:
    """Join `data.json` and its files into the fields of `SiteData`, which checks them.

    Args:
        path: Path of `data.json`.
        told: Its content.
        differing: Receives lines about files that differ from the named ones.
    Raises: TourneyError, if a file is missing, or not JSON.
    """
    rows = told.get("entrants")
    entrants = []
    for number, row in enumerate(rows if isinstance(rows, list) else (), start=1):
        if not isinstance(row, dict) or row.get("details") is None:
            entrants.append({**row, **NOTHING} if isinstance(row, dict) else row)
        else:
            entrants.append({**row, **_read_details(path.parent, number, row, differing)})
    for each in entrants:
        if isinstance(each, dict):
            each.pop("details", None)
    return {**told, "entrants": entrants if isinstance(rows, list) else rows}


def _read_details(
    folder: Path, number: int, row: Mapping[str, Any], differing: list[str]
) -> dict[str, Any]:
    name = details_name(number)
    details = _read(folder, name, row["details"], differing)
    if not isinstance(details, dict) or not isinstance(details.get("tables"), list):
        raise TourneyError(f"{folder / name}: not details of an entrant; write the site again")
    for place, table in enumerate(details["tables"], start=1):
        if isinstance(table, dict):
            named = table.pop("hands", None)
            table["blocks"] = _read(folder, hands_name(number, place), named, differing)
    return details


def _read(folder: Path, name: str, digest: object, differing: list[str]) -> Any:
    path = folder / name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TourneyError(
            f"{path}: cannot read this part of the site's data: {error.strerror}; copy the whole "
            f"folder with {DATA}"
        ) from error
    if (got := sha256(content).hexdigest()) != digest:
        differing.append(f"{name}: expected SHA-256 {digest}, as is named, got {got}")
    return parsed(path, content)


def parsed(path: Path, content: bytes | str) -> Any:
    """Read JSON.

    Raises: TourneyError, if it is not JSON.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise TourneyError(f"{path}: not valid JSON: {error}") from error


def _written(told: Any) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
