"""Taking in a whole class at once: every file of a download gets a line of its own.

One person's fault stops nobody else, and nothing is left out silently.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tourney.errors import ChartError, SubmissionError
from tourney.submissions.classes import ClassDownload, HandIn
from tourney.submissions.folder import Check, Submissions
from tourney.submissions.reading import is_wanted
from tourney.submissions.records import Submission
from tourney.submissions.roster import Person, Roster
from tourney.submissions.source import PROJECT, source_of
from tourney.submissions.terms import days_words
from tourney.submissions.zips import Member

A_TEST = re.compile(r"(?:.*/)?(test_[^/]*|[^/]*_test|conftest)\.py")
LATE_WITHOUT_TIME = 1  # days that a submission counts as late where nobody says how many

OutcomeStatus = Literal["accepted", "rejected", "refused", "left out"]
"""Filed and may play, filed and failed its check, turned away, or no competitor at all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file, or of all that somebody handed in."""

    where: str  # in the download
    status: OutcomeStatus
    name: str = ""  # under which it plays; empty if nobody knows
    person: str = ""
    digest: str = ""  # of its source; empty if it was not filed
    reason: str = ""

    def __str__(self) -> str:
        """Read `where: status as name (person): reason`.

        >>> str(Outcome("submission_7", "accepted", "Ada", "Ada Lovelace", "3f0c" * 8))
        'submission_7: accepted as Ada (Ada Lovelace), version 3f0c3f0c3f0c'
        """
        name = f" as {self.name} ({self.person})" if self.name else ""
        version = f", version {self.digest[:12]}" if self.digest else ""
        reason = f": {self.reason}" if self.reason else ""
        return f"{self.where}: {self.status}{name}{version}{reason}"

    @property
    def is_fault(self) -> bool:
        """Whether somebody has to do something."""
        return self.status in {"rejected", "refused"}


def take_class(
    submissions: Submissions, download: ClassDownload, now: datetime, check: Check
) -> Iterator[Outcome]:
    """Take in what a class handed in.

    Args:
        submissions: Where to; its terms have a roster.
        download: What was handed in.
        now: The time, for platforms that do not say when something came.
        check: Looks at every source.
    """
    for hand_in in download.handed_in:
        yield from _take(submissions, hand_in, now, check)
    yield from (Outcome(path, "left out", reason=reason) for path, reason in download.left_over)


def _take(
    submissions: Submissions, hand_in: HandIn, now: datetime, check: Check
) -> Iterator[Outcome]:
    """Take in what one person or team handed in."""
    files: dict[str, bytes] = {}
    for member in _sorted_out(hand_in):
        if member.refused:
            where = f"{hand_in.where}/{member.path}"
            where = hand_in.where if len(hand_in.files) == 1 else where
            yield Outcome(where, "left out", reason=member.refused)
        else:
            files[member.path] = member.content
    name = person = ""
    try:
        name, person = _who(hand_in, submissions.terms.roster)
        source = source_of(files)
        late = _late_days(submissions, hand_in)
        filed = submissions.take(
            source,
            name,
            author=person,
            now=hand_in.time or now,
            check=check,
            late_days=late,
        )
    except (SubmissionError, ChartError) as error:
        reason = "; ".join(str(error).splitlines()[:3])
        yield Outcome(hand_in.where, "refused", name, person, reason=reason)
        return
    reason = filed.reason or _late_words(hand_in, filed.late_days)
    yield Outcome(hand_in.where, _status(filed), name, person, filed.digest, reason)


def _sorted_out(hand_in: HandIn) -> Iterator[Member]:
    """Give the files; what is no competitor's own counts as left out."""
    is_package = any(member.path == PROJECT for member in hand_in.files)
    for member in hand_in.files:
        if not all(map(is_wanted, member.path.split("/"))):
            yield member.left_out("hidden, or made by a tool")
        elif not is_package and A_TEST.fullmatch(member.path):
            yield member.left_out("a test, which does not compete")
        else:
            yield member


def _who(hand_in: HandIn, roster: Roster | None) -> tuple[str, str]:
    """Find out who handed in, and as whom.

    Returns: The name to play under, and the person.
    Raises: SubmissionError, if the roster does not say.
    """
    people: list[Person] = []
    for submitter in hand_in.people:
        found = (roster.find(each) for each in submitter.ids) if roster else ()
        person = next((each for each in found if each), None)
        if person is None:
            raise SubmissionError(
                f"expected somebody on the roster, got {' or '.join(map(repr, submitter.ids))}; "
                "add one of these to the person's ids"
            )
        people.append(person)
    if not people:
        raise SubmissionError("expected a submitter, got none; see who it is and submit the file")
    names = [name for name in people[0].names if all(name in each.names for each in people)]
    if not names:
        team = ", ".join(each.person for each in people)
        raise SubmissionError(
            f"expected a name that the roster gives to each of {team}, got none; add one"
        )
    return names[0], people[0].person


def _late_days(submissions: Submissions, hand_in: HandIn) -> int:
    """Count the days after the deadline; a platform without times only says whether."""
    if hand_in.time is not None:
        return submissions.terms.late_days_at(hand_in.time)
    has_deadline = submissions.terms.deadline is not None
    return LATE_WITHOUT_TIME if hand_in.is_late and has_deadline else 0


def _status(filed: Submission) -> OutcomeStatus:
    return "accepted" if filed.plays else "rejected"


def _late_words(hand_in: HandIn, late_days: int) -> str:
    if not late_days:
        return ""
    late = f"{days_words(late_days)} late"
    return late if hand_in.time else f"{late}, as the platform does not say how late"
