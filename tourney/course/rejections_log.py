"""The log of rejected files, so that a rejection is not only printed on a terminal.

Each has a line of JSON in `refusals.jsonl` of the folder of submissions. The same rejection of the
same download is kept once.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tourney.course.files import only_one, write_whole
from tourney.errors import SubmissionError

REFUSALS = "refusals.jsonl"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A submitted file that did not become a version."""

    time: datetime  # when it was looked at, with its offset
    where: str  # in a download, or the file
    status: str  # "refused", or "left out" for files next to a competitor
    name: str  # under which it would have played, or a name of its student; empty if unknown
    person: str  # empty if unknown
    reason: str  # with the remedy

    def __str__(self) -> str:
        """Read `where: refused: reason`."""
        return f"{self.where}: {self.status}: {self.reason}"

    @property
    def key(self) -> tuple[str, ...]:
        """Values that identify the rejection."""
        return (self.where, self.status, self.name, self.person, self.reason)

    def to_data(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {**asdict(self), "time": self.time.isoformat()}


def keep_refusals(folder: Path, refusals: Iterable[Refusal]) -> None:
    """Add rejections that are not in the log yet.

    Args:
        folder: Folder of submissions; nothing is written if it does not exist.
        refusals: The rejections, in order.
    Raises: SubmissionError, if the log cannot be read.
    """
    new = {each.key: each for each in refusals}
    if not new or not folder.is_dir():
        return
    with only_one(folder):
        kept = {each.key: each for each in read_refusals(folder)}
        if new.keys() <= kept.keys():
            return
        write_refusals(folder, (new | kept).values())


def write_refusals(folder: Path, refusals: Iterable[Refusal]) -> None:
    """Replace the log; the caller holds the folder's lock."""
    lines = [json.dumps(each.to_data(), ensure_ascii=False) for each in refusals]
    if lines or (folder / REFUSALS).is_file():
        write_whole(folder / REFUSALS, "".join(f"{line}\n" for line in lines))


def read_refusals(folder: Path) -> tuple[Refusal, ...]:
    """Return the rejections, oldest first.

    Raises: SubmissionError, if the log is damaged.
    """
    path = folder / REFUSALS
    if not path.is_file():
        return ()
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line:
            continue
        try:
            data = json.loads(line)
            found.append(Refusal(**{**data, "time": datetime.fromisoformat(data["time"])}))
        except (ValueError, KeyError, TypeError) as error:
            raise SubmissionError(
                f"{path}:{number} is damaged ({type(error).__name__}: {error}). Restore the file "
                "from a copy, or remove the line."
            ) from error
    return tuple(sorted(found, key=lambda each: each.time))
