"""Anchors: files with the commitments of a run, to publish before play.

An anchor holds hashes, the time by the organiser's clock and, if an authority was asked, its
timestamps. It reveals nothing about the run. A reader that has seen it before play, or trusts the
authority, can compare it with the data published afterwards.
"""

import json
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Base64Bytes, BaseModel, ConfigDict, Field, ValidationError

from tourney.errors import TourneyError

FORM = "tourney anchor 1"
HASH = r"^[0-9a-f]{64}$"


def _utc(text: str) -> str:
    """Reject a time without a time zone."""
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("the time zone is missing")
    return text


class Anchored(BaseModel):
    """An anchored commitment."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    commitment: str = Field(pattern=HASH)
    written: Annotated[str, AfterValidator(_utc)]  # ISO time, UTC, by the organiser's clock
    stamp: Base64Bytes | None = None  # response of a timestamp authority, by RFC 3161


class Anchor(BaseModel):
    """The commitments of one run, in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    form: str = Field(pattern=f"^{FORM}$")
    run: str  # its name
    commitments: tuple[Anchored, ...] = Field(min_length=1)


def read_anchor(path: Path) -> Anchor:
    """Read an anchor.

    Raises: TourneyError, if the file cannot be read or is no anchor.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no UTF-8"
        raise TourneyError(
            f"{path}: the anchor cannot be read ({reason}); `tourney commit CONFIG --anchor FILE` "
            "writes one"
        ) from None
    try:
        return Anchor.model_validate_json(text)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "file"
        raise TourneyError(
            f"{path}: this is not an anchor of `tourney commit` ({where}: {fault['msg'].lower()})"
        ) from None


def write_anchor(path: Path, anchor: Anchor, *, is_new: bool = False) -> None:
    """Write an anchor atomically.

    Args:
        path: The file.
        anchor: Its contents.
        is_new: Whether to fail if the file exists.
    Raises: TourneyError, if the file exists or cannot be written.
    """
    data = anchor.model_dump(mode="json", exclude_none=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if is_new:
            path.touch(exist_ok=False)
        beside.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        beside.replace(path)
    except FileExistsError:
        raise TourneyError(
            f"{path} already exists, and a published anchor must not be overwritten; choose "
            "another name"
        ) from None
    except OSError as error:
        raise TourneyError(f"{path}: cannot be written: {error.strerror}") from None


def misfit(anchor: Anchor, committed: Sequence[str]) -> str:
    """Describe where an anchor and the commitments of a run differ; empty if they agree.

    Args:
        anchor: The anchor.
        committed: Commitments of the run. The last ones may be missing in the anchor.
    """
    if not committed:
        return "the run commits to its secret only, so it has no anchor"
    for number, each in enumerate(anchor.commitments, start=1):
        if number > len(committed):
            return f"commitment {number}: only the anchor has it ({each.commitment})"
        if each.commitment != (actual := committed[number - 1]):
            return f"commitment {number}: the anchor has {each.commitment}, the run has {actual}"
    return ""
