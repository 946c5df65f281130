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
    refused: dict[Person, list[str]] = {}
    nobodys = []
    for refusal in read_refusals(submissions.folder):
        if refusal.status != "refused":
            continue
        people = told_of(refusal, everybody)
        for person in people:
            refused.setdefault(person, []).append(refusal.reason)
        if not people:
            nobodys.append(refusal)
    found = (_of(person, versions, refused.get(person, ())) for person in everybody.people)
    return tuple(found), tuple(nobodys)


def told_of(refusal: Refusal, everybody: Roster) -> tuple[Person, ...]:
    """Give whom a refusal is told: its author, and whoever shares the name; nobody if unknown."""
    author = everybody.author_of(refusal.person, refusal.name)
    if author is None:
        return ()
    if refusal.name not in author.names:  # whose name was wanted has nothing to do with it
        return (author,)
    return tuple(each for each in everybody.people if refusal.name in each.names)


def _of(person: Person, versions: Sequence[Submission], reasons: Sequence[str]) -> HandedIn:
    own = tuple(each for each in versions if each.name in person.names)
    return HandedIn(person, own, tuple(dict.fromkeys(reasons)))
