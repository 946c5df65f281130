"""What everybody of a class handed in: the people of the roster, and whoever handed in besides.

Leaves out what came of it in a run.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.course.folder import Submissions
from tourney.course.records import Submission
from tourney.course.refusals import Refusal, read_refusals
from tourney.course.roster import Person, Roster


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What somebody handed in."""

    person: Person
    versions: tuple[Submission, ...]  # of all names the person plays under, the last first
    refused: tuple[str, ...] = ()  # why files were turned away, with the remedy


def handed_in(submissions: Submissions) -> tuple[tuple[HandedIn, ...], tuple[Refusal, ...]]:
    """Give what everybody handed in, in the order of the roster; without one by author.

    Args:
        submissions: What was taken in, and turned away.
    Returns: Everybody, and what was refused of whom nobody knows.
    Raises: SubmissionError, if a record or a refusal cannot be read.
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
    everybody = Roster((*people, *strangers))
    by_name: dict[str, list[str]] = {}
    nobodys = []
    for refusal in read_refusals(submissions.folder):
        if refusal.status != "refused":
            continue
        if _is_own(refusal, everybody):
            by_name.setdefault(refusal.name, []).append(refusal.reason)
        else:
            nobodys.append(refusal)
    found = (_of(person, versions, by_name) for person in everybody.people)
    return tuple(found), tuple(nobodys)


def _is_own(refusal: Refusal, everybody: Roster) -> bool:
    """Say whether it came from somebody who plays under its name, and not under another's."""
    author = everybody.author_of(refusal.person, refusal.name)
    return author is not None and refusal.name in author.names


def _of(person: Person, versions: Sequence[Submission], refused: dict[str, list[str]]) -> HandedIn:
    reasons = (reason for name in person.names for reason in refused.get(name, ()))
    own = tuple(each for each in versions if each.name in person.names)
    return HandedIn(person, own, tuple(dict.fromkeys(reasons)))
