"""Anchors: files with the commitments of a run, to be put before play where others can see them.

An anchor holds hashes, the time by the organiser's clock and, where an authority was asked, its
time stamps. It gives away nothing of the run. Whoever has seen it before play, or trusts the
authority, can compare it with what is published afterwards.
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
    """Refuse a time without a zone, or none at all."""
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("expected a zone")
    return text


class Anchored(BaseModel):
    """One commitment as it was anchored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    commitment: str = Field(pattern=HASH)
    written: Annotated[str, AfterValidator(_utc)]  # ISO time, UTC, by the organiser's clock
    stamp: Base64Bytes | None = None  # the answer of an authority, by RFC 3161


class Anchor(BaseModel):
    """The commitments of one run, in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    form: str = Field(pattern=f"^{FORM}$")
    run: str  # its name
    commitments: tuple[Anchored, ...] = Field(min_length=1)


def read_anchor(path: Path) -> Anchor:
    """Read an anchor.

    Raises: TourneyError, if there is none.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no UTF-8"
        raise TourneyError(
            f"{path}: expected an anchor that can be read, got an error ({reason}); "
            "`tourney commit CONFIG --anchor FILE` writes one"
        ) from None
    try:
        return Anchor.model_validate_json(text)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "it"
        raise TourneyError(
            f"{path}: expected an anchor as `tourney commit` writes it, got other content "
            f"({where}: {fault['msg'].lower()})"
        ) from None


def write_anchor(path: Path, anchor: Anchor, *, is_new: bool = False) -> None:
    """Write an anchor in one piece.

    Args:
        path: The file.
        anchor: What it says.
        is_new: Whether there may be no such file yet.
    Raises: TourneyError, if that cannot be done.
    """
    told = anchor.model_dump(mode="json", exclude_none=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if is_new:
            path.touch(exist_ok=False)
        beside.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        beside.replace(path)
    except FileExistsError:
        raise TourneyError(
            f"{path}: expected no such file yet, got one: an anchor that may have been seen is not "
            "written over; name another"
        ) from None
    except OSError as error:
        raise TourneyError(
            f"{path}: expected a file that can be written, got an error ({error.strerror})"
        ) from None


def misfit(anchor: Anchor, committed: Sequence[str]) -> str:
    """Say where an anchor and the commitments of a run differ; nothing if they agree.

    Args:
        anchor: What was seen.
        committed: The commitments of a run. Its last ones may be anchored nowhere.
    """
    if not committed:
        return "expected a run that commits to more than its secret, got one that does not"
    for number, each in enumerate(anchor.commitments, start=1):
        got = committed[number - 1] if number <= len(committed) else "none"
        if each.commitment != got:
            return f"commitment {number}: expected {each.commitment}, as anchored, got {got}"
    return ""
