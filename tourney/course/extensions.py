"""Extensions: later deadlines of single students, in `extensions.csv` of the class folder.

    person,until,reason
    Ada Lovelace,2026-12-03 23:59+01:00,ill

The file can be edited by hand; `tourney class extensions` lists and changes it.
"""

import csv
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, tzinfo
from io import StringIO
from pathlib import Path

from tourney.config.documents import Faults
from tourney.config.words import said
from tourney.course.files import only_one, write_whole
from tourney.course.late_days import last_of
from tourney.course.roster import Roster
from tourney.course.roster_file import csv_text, decoded, rows_of
from tourney.errors import SubmissionError

EXTENSIONS = "extensions.csv"
COLUMNS = ("person", "until", "reason")
MOST_BYTES = 1_000_000
MOMENT_WORDS = "a time with its offset, such as '2026-12-01 23:59+01:00'"
LOCAL_WORDS = "a time, such as '2026-12-01 23:59'"


@dataclass(frozen=True, slots=True)
class Extension:
    """A later deadline of one student."""

    person: str  # as the roster calls them; without a roster the author
    until: datetime  # with its offset
    reason: str = ""


def moment_in(text: object, zone: tzinfo | None) -> datetime:
    """Read a time of a deadline.

    Args:
        text: Such as "2026-12-01 23:59+01:00"; the offset may be left out if there is a zone.
        zone: Time zone of the class, if it names one.
    Raises: ValueError, if it is not a time, or lacks a required offset.

    >>> from zoneinfo import ZoneInfo
    >>> moment_in("2026-11-01 20:00", ZoneInfo("America/New_York")).isoformat()
    '2026-11-01T20:00:00-05:00'
    """
    try:
        moment = datetime.fromisoformat(text)  # type: ignore[arg-type]  # else a TypeError
    except TypeError:
        raise ValueError("no text") from None
    if zone is None:
        if moment.tzinfo is None:
            raise ValueError("no offset")
        return moment
    return moment.astimezone(zone) if moment.tzinfo else last_of(moment, zone)


def read_extensions(
    folder: Path, zone: tzinfo | None, roster: Roster | None = None
) -> tuple[Extension, ...]:
    """Read the extensions of a class; empty if it has no such file.

    Args:
        folder: The folder of the class.
        zone: Time zone of the class.
        roster: Roster to look the students up in, if given.
    Raises: ConfigError, with every fault.
    """
    path = folder / EXTENSIONS
    if not path.is_file():
        return ()
    with path.open("rb") as file:
        text, _ = decoded(str(path), file.read(MOST_BYTES))
    faults = Faults(str(path))
    rows = list(rows_of(faults, text, ","))
    heading = [cell.text.strip().casefold() for cell in rows[0]] if rows else []
    if not set(COLUMNS) <= {*heading, "reason"}:
        faults.stop((1, 1), f"the heading must be {','.join(COLUMNS)}")
    found = []
    for cells in rows[1:]:
        texts = dict(zip(heading, (cell.text.strip() for cell in cells), strict=False))
        if not any(texts.values()):
            continue
        try:
            until = moment_in(texts.get("until", ""), zone)
        except ValueError:
            expected = LOCAL_WORDS if zone else MOMENT_WORDS
            faults.note_at(cells[0].place, said(expected, repr(texts.get("until", ""))), "until")
            continue
        person = texts.get("person", "")
        if roster and not roster.find(person):
            got = said("one person of the roster", repr(person), meant=roster.closest(person))
            faults.note_at(cells[0].place, got, "person")
        found.append(Extension(person, until, texts.get("reason", "")))
    faults.raise_any()
    return tuple(found)


def change_extension(
    folder: Path,
    zone: tzinfo | None,
    person: str,
    extension: Extension | None,
    *,
    known_as: Collection[str] = (),
) -> None:
    """Write a student's extension in place of an earlier one, or remove it.

    Args:
        folder: The folder of the class.
        zone: Time zone of the class.
        person: The student.
        extension: The new extension; `None` removes it.
        known_as: Further texts that may stand for the student in the file, such as ids.
    Raises: SubmissionError, if the student has no extension to remove.
    """
    own = {each.casefold() for each in (person, *known_as)}
    with only_one(folder):
        before = read_extensions(folder, zone)
        others = [each for each in before if each.person.casefold() not in own]
        if extension is None and len(others) == len(before):
            raise SubmissionError(f"{person} has no extension")
        after = sorted((*others, *filter(None, [extension])), key=lambda each: each.person)
        rows = ((each.person, _time_words(each.until), each.reason) for each in after)
        write_whole(folder / EXTENSIONS, csv_text((COLUMNS, *rows)))


def forget_extensions(folder: Path, known_as: Collection[str]) -> None:
    """Remove the lines of a student; the caller locks the folder.

    The other lines stay as they are, also those with faults.

    Args:
        folder: The folder of the class.
        known_as: Texts that may stand for the student: names and ids.
    """
    path = folder / EXTENSIONS
    if not path.is_file():
        return
    text, _ = decoded(str(path), path.read_bytes())
    rows = list(csv.reader(StringIO(text)))
    heading = [cell.strip().casefold() for cell in rows[0]] if rows else []
    at = heading.index("person") if "person" in heading else 0
    own = {each.casefold() for each in known_as}
    kept = [row for row in rows if "".join(row[at : at + 1]).strip().casefold() not in own]
    write_whole(path, csv_text(kept))


def _time_words(moment: datetime) -> str:
    return moment.isoformat(" ", "minutes" if moment.second == 0 else "seconds")
