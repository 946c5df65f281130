"""What is kept of every version that was handed in, and which version plays.

A record is a small file of JSON beside the source; see `folder` for where it lies.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, get_args

from tourney.checks.report import CheckReport
from tourney.errors import SubmissionError

Status = Literal["accepted", "rejected", "withdrawn"]
"""Whether a version may play; a rejected one failed its check, a withdrawn one was taken back."""

Rule = Literal["last", "best", "pinned"]
"""Which accepted version plays: the last, the one that scored best, or the one that was pinned."""

Limit = Literal["deadline", "per_day"]
"""What an organiser may override for one version."""

LIMITS: tuple[Limit, ...] = get_args(Limit)

RULES: tuple[Rule, ...] = get_args(Rule)

Stated = Literal["received", "time", "late", "in time", "nothing"]
"""How the time is known: by the own clock; or a platform stated it, or only whether it was late, or
not even that, and the time is that of the import."""


@dataclass(frozen=True, slots=True)
class Override:
    """What the terms say that does not hold for one version, and why."""

    limits: tuple[Limit, ...] = ()
    because: str = ""

    def __str__(self) -> str:
        """Read `deadline overridden: ill`."""
        return f"{' and '.join(self.limits)} overridden: {self.because}" if self.limits else ""


NO_OVERRIDE = Override()


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One version of what somebody handed in."""

    name: str  # under which it plays
    author: str  # who handed it in
    times: tuple[datetime, ...]  # when, each with its offset; several if it came again later
    kind: str  # the name of its language
    digest: str  # of the source, 32 hex digits
    late_days: int = 0  # days after the deadline, begun ones included
    status: Status
    reason: str = ""  # why it does not play; empty if it may
    override: str = ""  # what the organiser overrode to take it, and why
    untimed: bool = False  # whether nobody knows if it came before the deadline, which was over
    stated: Stated | None = None  # how the time is known; None in records of earlier versions
    report: CheckReport

    @property
    def time(self) -> datetime:
        """When it was handed in last."""
        return self.times[-1]

    @property
    def plays(self) -> bool:
        """Whether it may play."""
        return self.status == "accepted"

    def waives(self, limit: Limit) -> bool:
        """Say whether the organiser overrode a limit for it."""
        return limit in self.override.partition(" overridden")[0].split(" and ")

    def judged(self, report: CheckReport) -> "Submission":
        """Give the record of the same version as a check says."""
        status: Status = "accepted" if report.passed else "rejected"
        reason = "" if report.passed else report.reason
        return replace(self, status=status, reason=reason, report=report)

    def withdrawn(self, reason: str) -> "Submission":
        """Give the record of the same version, taken back."""
        return replace(self, status="withdrawn", reason=reason)

    def to_data(self) -> dict[str, Any]:
        """Give it as JSON holds it."""
        return {
            "name": self.name,
            "author": self.author,
            "times": [time.isoformat() for time in self.times],
            "kind": self.kind,
            "digest": self.digest,
            "late_days": self.late_days,
            "status": self.status,
            "reason": self.reason,
            **({"override": self.override} if self.override else {}),
            **({"untimed": True} if self.untimed else {}),
            **({"stated": self.stated} if self.stated else {}),
            "report": self.report.to_data(),
        }

    @classmethod
    def from_data(cls, data: Any) -> "Submission":
        """Read what `to_data` gave.

        Raises: KeyError, TypeError or ValueError, if it is something else.
        """
        times = tuple(map(datetime.fromisoformat, data["times"]))
        if not times or data["status"] not in get_args(Status):
            raise ValueError("no time, or an unknown status")
        if data.get("stated") not in {None, *get_args(Stated)}:
            raise ValueError("an unknown statement about its time")
        report = CheckReport.from_data(data["report"])
        return cls(**{**data, "times": times, "report": report})


def write_record(submission: Submission) -> str:
    """Write a record as text."""
    return json.dumps(submission.to_data(), indent=2, ensure_ascii=False) + "\n"


def read_record(path: Path) -> Submission:
    """Read a record.

    Raises: SubmissionError, if it is not as it was written.
    """
    try:
        return Submission.from_data(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SubmissionError(
            f"{path}: expected the record of a submission, got {type(error).__name__}: {error}; "
            "put the file back from a copy, or move the folder it is in away"
        ) from error


def choose(versions: Iterable[Submission], rule: Rule, pinned: str | None) -> Submission | None:
    """Choose which version of one name plays.

    Args:
        versions: All of them, in any order.
        rule: How to choose.
        pinned: Digest of the version that was pinned, if any; only `pinned` asks for it.
    Returns: An accepted version; the last one where the rule does not decide. None if there is
        none.
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
