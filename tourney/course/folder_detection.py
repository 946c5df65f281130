"""Recognising a folder of submissions."""

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
    """Yield the folders of versions.

    Args:
        folder: Folder of submissions; may be missing.
        name: The name of the submissions; by default all names.
    """
    if not folder.is_dir():
        return
    homes = [folder / name] if name else sorted(folder.iterdir())
    for home in homes:
        if home.is_dir() and not home.is_symlink():
            yield from (place for place in home.iterdir() if DIGEST.fullmatch(place.name))


def names_in(folder: Path) -> list[str]:
    """Return the names that have a version, sorted; empty if the folder is missing."""
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
    """Return why a folder is not a folder of submissions; empty if it is one."""
    if not folder.is_dir():
        meant = meant_words(near_folder(folder)) or "; the first submission creates it"
        return f"there is no such folder{meant}"
    if not _holds_submissions(folder):
        return (
            f"this is not a folder of submissions: it has no {TERMS} and no submission"
            f"{meant_words(near_folder(folder))}"
        )
    return ""


def fault_of_target(folder: Path) -> str:
    """Return why a folder accepts no submissions; empty if it does, or is new."""
    if not folder.is_dir() or all(map(_may_come_first, folder.iterdir())):
        return ""
    # Last, because another first submission creates its lock before all other files.
    if (folder / LOCK).is_file() or _holds_submissions(folder):
        return ""
    return "the folder has other files and no submissions; choose a new folder"


def _may_come_first(path: Path) -> bool:
    return path.name == KEY or path.name.startswith(".")


def near_folder(folder: Path) -> str | None:
    """Return the neighbouring folder of submissions that was probably meant, if any."""
    try:
        beside = [each for each in folder.absolute().parent.iterdir() if each.name != folder.name]
        names = [each.name for each in beside if each.is_dir() and _holds_submissions(each)]
    except OSError:  # an unreadable folder is not suggested
        return None
    return closest(folder.name, names)


def _holds_submissions(folder: Path) -> bool:
    return (folder / TERMS).is_file() or any(True for _ in versions_in(folder))
