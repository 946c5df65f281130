"""Telling a folder of submissions from any other folder."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from tourney.config.words import closest
from tourney.course.files import LOCK
from tourney.course.pseudonyms import KEY
from tourney.course.submission_rules import TERMS, meant_words

DIGEST = re.compile(r"[0-9a-f]{32}")


def versions_in(folder: Path, name: str | None = None) -> Iterator[Path]:
    """Give the folders of versions.

    Args:
        folder: Of submissions; it need not be there.
        name: Of whom; None for everybody.
    """
    if not folder.is_dir():
        return
    homes = [folder / name] if name else sorted(folder.iterdir())
    for home in homes:
        if home.is_dir() and not home.is_symlink():
            yield from (place for place in home.iterdir() if DIGEST.fullmatch(place.name))


def names_in(folder: Path) -> list[str]:
    """Give the names that have a version, in order.

    Args:
        folder: Of submissions; it need not be there.
    """
    if not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        homes = sorted((each.name, each.path) for each in entries if _is_home(each))
    return [name for name, home in homes if _holds_version(home)]


def _is_home(entry: "os.DirEntry[str]") -> bool:
    return entry.is_dir(follow_symlinks=False)


def _holds_version(home: str) -> bool:
    with os.scandir(home) as places:
        return any(DIGEST.fullmatch(place.name) for place in places)


def fault_of_folder(folder: Path) -> str:
    """Say why a folder is none of submissions; empty if it is one."""
    if not folder.is_dir():
        return f"expected a folder of submissions, got none{meant_words(near_folder(folder))}"
    if not _holds_submissions(folder):
        return (
            f"expected a folder of submissions, got one without any: no {TERMS} and no version "
            f"is in it{meant_words(near_folder(folder))}"
        )
    return ""


def fault_of_target(folder: Path) -> str:
    """Say why nothing may be handed in to a folder; empty if it is one of submissions, or new."""
    if not folder.is_dir() or all(map(_may_come_first, folder.iterdir())):
        return ""
    # Last, as another first submission makes its lock before all else.
    if (folder / LOCK).is_file() or _holds_submissions(folder):
        return ""
    return "expected an empty folder or one with submissions in it, got other files; name a new one"


def _may_come_first(path: Path) -> bool:
    return path.name == KEY or path.name.startswith(".")


def near_folder(folder: Path) -> str | None:
    """Give the folder of submissions beside another that was probably meant, if any."""
    try:
        beside = [each for each in folder.absolute().parent.iterdir() if each.name != folder.name]
        names = [each.name for each in beside if each.is_dir() and _holds_submissions(each)]
    except OSError:  # what cannot be looked into is not suggested
        return None
    return closest(folder.name, names)


def _holds_submissions(folder: Path) -> bool:
    return (folder / TERMS).is_file() or any(True for _ in versions_in(folder))
