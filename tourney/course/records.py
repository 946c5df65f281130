"""The record of each submitted version, and the choice of the version that plays.

A record is a small JSON file next to the source; `folder` shows the layout.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, get_args

from tourney.checks.report import CheckReport
from tourney.errors import SubmissionError

Status = Literal["accepted", "rejected", "withdrawn"]
"""Whether a version may play; a rejected one failed its check."""

Rule = Literal["last", "best", "pinned"]
"""Which accepted version plays: the last, the one that scored best, or the one that was pinned."""

Limit = Literal["deadline", "per_day"]
"""Rules that an organiser may waive for one version."""

LONGEST_NOTE = 200
"""Characters of a student's note on a version, as on the portal's form."""

DIGITS = 12
"""Digits of a digest that are shown."""

LIMITS: tuple[Limit, ...] = get_args(Limit)

RULES: tuple[Rule, ...] = get_args(Rule)

Stated = Literal["received", "time", "late", "in time", "nothing"]
"""Source of the time: this machine's clock, or a platform.

A platform states the time, or only whether it was late, or nothing; then it is the time of the
import.
"""


@dataclass(frozen=True, slots=True)
class Override:
    """Submission rules that are waived for one version, with the reason."""

    limits: tuple[Limit, ...] = ()
    because: str = ""

    def __str__(self) -> str:
        """Read `deadline overridden: ill`."""
        return f"{' and '.join(self.limits)} overridden: {self.because}" if self.limits else ""


NO_OVERRIDE = Override()

OPTIONAL = frozenset(("override", "untimed", "note", "stated"))
"""Fields that a record has only if they are not empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One submitted version of a competitor."""

    name: str  # under which it plays
    author: str
    times: tuple[datetime, ...]  # with offsets; several if it was submitted again later
    kind: str  # the name of its language
    digest: str  # of the source, 32 hex digits
    late_days: int = 0  # days after the deadline, begun ones included
    status: Status
    reason: str = ""  # why it does not play; empty if it may
    override: str = ""  # waived rules, and the reason
    untimed: bool = False  # whether the deadline was over and the time is unknown
    note: str = ""  # of the student, on what changed
    stated: Stated | None = None  # how the time is known; None in records of earlier versions
    report: CheckReport

    @property
    def time(self) -> datetime:
        """The time of the last submission."""
        return self.times[-1]

    @property
    def plays(self) -> bool:
        """Whether it may play."""
        return self.status == "accepted"

    def waives(self, limit: Limit) -> bool:
        """Return whether the organiser waived a limit for it."""
        return limit in self.override.partition(" overridden")[0].split(" and ")

    def judged(self, report: CheckReport) -> "Submission":
        """Return the record of the same version after a check."""
        status: Status = "accepted" if report.passed else "rejected"
        reason = "" if report.passed else report.reason
        return replace(self, status=status, reason=reason, report=report)

    def withdrawn(self, reason: str) -> "Submission":
        """Return the record of the same version, withdrawn."""
        return replace(self, status="withdrawn", reason=reason)

    def to_data(self) -> dict[str, Any]:
        """Return it as JSON data."""
        data = {each.name: getattr(self, each.name) for each in fields(self)}
        data |= {
            "times": [time.isoformat() for time in self.times],
            "report": self.report.to_data(),
        }
        return {name: value for name, value in data.items() if value or name not in OPTIONAL}

    @classmethod
    def from_data(cls, data: Any) -> "Submission":
        """Read the data of `to_data`.

        Raises: KeyError, TypeError or ValueError, if it is something else.
        """
        times = tuple(map(datetime.fromisoformat, data["times"]))
        if not times or data["status"] not in get_args(Status):
            raise ValueError("it has no time, or an unknown status")
        if data.get("stated") not in {None, *get_args(Stated)}:
            raise ValueError("it has an unknown value of `stated`")
        report = CheckReport.from_data(data["report"])
        return cls(**{**data, "times": times, "report": report})


def write_record(submission: Submission) -> str:
    """Write a record as text."""
    return json.dumps(submission.to_data(), indent=2, ensure_ascii=False) + "\n"


def read_record(path: Path) -> Submission:
    """Read a record.

    Raises: SubmissionError, if it is damaged.
    """
    try:
        return Submission.from_data(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SubmissionError(
            f"{path} is damaged ({type(error).__name__}: {error}). Restore it from a copy, or "
            "move its folder away."
        ) from error


def choose(versions: Iterable[Submission], rule: Rule, pinned: str | None) -> Submission | None:
    """Choose which version of one name plays.

    Args:
        versions: All of them, in any order.
        rule: How to choose.
        pinned: Digest of the pinned version, if any; only the rule `pinned` uses it.
    Returns: An accepted version, if there is one; the last one if the rule does not decide.
    """
    playing = sorted((each for each in versions if each.plays), key=lambda each: each.time)
    if rule == "pinned":
        named = [each for each in playing if each.digest == pinned]
        playing = named or playing
    if rule == "best":
        # max() takes the first of equals, so later ones go first.
        return max(reversed(playing), key=_score, default=None)
    return playing[-1] if playing else None


def _score(submission: Submission) -> float:
    score = submission.report.score
    return float("-inf") if score is None else score
