"""File names and notes of uploads, by the version that each became.

They are parts of the upload's job, and so of its student: the export of personal data has them with
the job, and an erasure removes them with it. A version that came another way has none.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tourney.sqlite.database import Database


@dataclass(frozen=True, slots=True)
class Upload:
    """The last upload of a version."""

    title: str = ""  # file name
    note: str = ""  # the last one that the student wrote for this version


NO_UPLOAD = Upload()
Uploads = Mapping[tuple[str, str], Upload]
"""By player name and digest."""


def uploads_of(database: Database, course: int, name: str | None) -> Uploads:
    """Give the uploads of a name, or of a whole course.

    Args:
        database: The portal's.
        course: Its course.
        name: The player name; `None` for all.
    """
    rows = database.read(
        iter,
        "SELECT name, json_extract(result, '$.digest'), json_extract(payload, '$.title'), "
        "coalesce(json_extract(payload, '$.note'), '') FROM jobs "
        "WHERE course = :course AND kind = 'check' AND state = 'done' "
        "AND (:name IS NULL OR name = :name) ORDER BY id",
        {"course": course, "name": name},
    )
    found: dict[tuple[str, str], Upload] = {}
    for player, digest, title, note in rows:
        before = found.get((player, digest), NO_UPLOAD)
        found[player, digest] = Upload(title, note or before.note)
    return found
