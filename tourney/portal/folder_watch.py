"""Changes that commands make in the folders of courses; pages show them after a minute.

The process `follower` looks at the times of files, and asks the checker to read what has changed.
The checker's own changes are read again too, which changes nothing.
"""

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tourney.course.class_folder import ROSTER, TOURNAMENT
from tourney.course.extensions import EXTENSIONS
from tourney.course.folder import names_in
from tourney.course.submission_rules import TERMS
from tourney.portal import jobs
from tourney.portal.accounts import courses
from tourney.portal.erasure import FOLDER
from tourney.portal.places import Places
from tourney.sqlite.database import Database

EVERY_SECONDS = 60.0
SETTINGS = ""
"""Stands for the settings of a folder in place of a player name; they concern all names."""
Times = Mapping[str, tuple[tuple[str, int], ...]]
"""The times of change of files, by player name."""


@dataclass(slots=True)
class FolderWatch:
    """Requests that changed folders are read."""

    places: Places
    _seen: dict[int, Times] = field(default_factory=dict)
    _due: float = 0.0

    def look_if_due(self, database: Database) -> None:
        """Look once a minute."""
        if time.monotonic() >= self._due:
            self.look(database)
            self._due = time.monotonic() + EVERY_SECONDS

    def look(self, database: Database) -> None:
        """Compare all folders with the last look; the first look only takes note of them."""
        for course in courses(database):
            found = times_of(self.places.course(course.slug))
            before = self._seen.get(course.id, found)
            names = sorted(
                name for name in {*found, *before} if found.get(name) != before.get(name)
            )
            if names:
                jobs.add(database, FOLDER, {"names": names}, course=course.id)
            self._seen[course.id] = found  # last, because a full disk may prevent the job


def read_all(database: Database) -> None:
    """Request that all folders are read, because commands may have changed them meanwhile."""
    for course in courses(database):
        if course.told:
            jobs.add(database, FOLDER, {"names": [SETTINGS]}, course=course.id, replaces=True)


def times_of(folder: Path) -> Times:
    """Give the times of the settings of a folder, and of the versions of each name."""
    settings = (folder / name for name in (ROSTER, TERMS, TOURNAMENT, EXTENSIONS))
    times = {SETTINGS: tuple(_time(path) for path in settings if path.is_file())}
    for name in names_in(folder):
        # The versions of a person may be erased meanwhile.
        with suppress(FileNotFoundError), os.scandir(folder / name) as entries:
            times[name] = tuple(sorted(_time(Path(each.path)) for each in entries))
    return times


def _time(path: Path) -> tuple[str, int]:
    """Give the name and time of a file; of a folder, the time of its last new or replaced file."""
    try:
        return path.name, path.stat().st_mtime_ns
    except FileNotFoundError:  # removed meanwhile
        return path.name, 0
