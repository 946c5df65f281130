"""What everybody of a class handed in: the people of the roster, and whoever handed in besides.

Leaves out what came of it in a run.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tourney.course.folder import Submissions
from tourney.course.receiving import Outcome
from tourney.course.records import Submission
from tourney.course.roster import Person
from tourney.errors import SubmissionError


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What somebody handed in."""

    person: Person
    versions: tuple[Submission, ...]  # of all names the person plays under, the last first
    refused: tuple[str, ...] = ()  # why files were turned away, with the remedy


def handed_in(submissions: Submissions, outcomes: Sequence[Outcome] = ()) -> tuple[HandedIn, ...]:
    """Give what everybody handed in, in the order of the roster; without one by author.

    Args:
        submissions: What was taken in.
        outcomes: Of taking in whole classes, which tell who was turned away.
    """
    versions = sorted(submissions.versions(), key=lambda each: each.time, reverse=True)
    people = submissions.terms.roster.people if submissions.terms.roster else ()
    listed = {name for person in people for name in person.names}
    others: dict[str, list[str]] = {}
    for each in versions:
        if each.name not in listed:
            others.setdefault(each.author, []).append(each.name)
    strangers = [
        Person(author, tuple(dict.fromkeys(names))) for author, names in sorted(others.items())
    ]
    return tuple(_of(person, versions, outcomes) for person in (*people, *strangers))


def turned_away(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Give what was refused of whom nobody knows, so that it has no page."""
    return tuple(each for each in outcomes if each.status == "refused" and not each.person)


def read_outcomes(path: Path) -> tuple[Outcome, ...]:
    """Read what `tourney submit --zip … --json` printed.

    Raises: SubmissionError, if it is something else.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8-sig"))
        return tuple(Outcome(**row) for row in rows)
    except (OSError, ValueError, TypeError) as error:
        raise SubmissionError(
            f"{path}: expected what `tourney submit --zip … --json` prints, got "
            f"{type(error).__name__}: {error}"
        ) from error


def _of(person: Person, versions: Sequence[Submission], outcomes: Sequence[Outcome]) -> HandedIn:
    refused = (
        each.reason
        for each in outcomes
        if each.status == "refused" and each.person == person.person
    )
    own = tuple(each for each in versions if each.name in person.names)
    return HandedIn(person, own, tuple(dict.fromkeys(refused)))
