"""Who of a class has nothing that plays, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from tourney.course.folder import Submissions
from tourney.course.refusals import read_refusals
from tourney.course.roster import Person


@dataclass(frozen=True, slots=True)
class Missing:
    """Somebody without a version that plays."""

    person: str
    name: str  # that they would play under
    groups: tuple[str, ...]
    why: str


def missing(submissions: Submissions) -> tuple[Missing, ...]:
    """Give everybody who has nothing that plays, in the order of the roster.

    Args:
        submissions: Without a roster, everybody is who handed something in.
    """
    roster = submissions.terms.roster
    people = roster.people if roster else tuple(_authors(submissions))
    playing = {each.name for each in submissions.current()}
    last = _last_words(submissions)
    return tuple(
        Missing(each.person, each.names[0], each.groups, _why(each, last))
        for each in people
        if each.excluded or playing.isdisjoint(each.names)
    )


def _authors(submissions: Submissions) -> Iterator[Person]:
    """Take every name for a person, who is called as the author of its last version."""
    last = {each.name: each for each in submissions.versions()}
    yield from (Person(each.author, (name,)) for name, each in last.items())


def _last_words(submissions: Submissions) -> dict[str, tuple[datetime, str]]:
    """Give what was said last, by names."""
    found: dict[str, tuple[datetime, str]] = {}
    for each in submissions.versions():
        if not each.plays:
            _note(found, each.name, each.time, f"{each.status}: {each.reason}")
    for refusal in read_refusals(submissions.folder):
        if refusal.status == "refused":
            _note(found, refusal.name, refusal.time, f"{refusal.status}: {refusal.reason}")
    return found


def _note(found: dict[str, tuple[datetime, str]], key: str, time: datetime, words: str) -> None:
    if key not in found or found[key][0] <= time:
        found[key] = time, words


def _why(person: Person, last: dict[str, tuple[datetime, str]]) -> str:
    if person.excluded:
        return f"excluded: {person.excluded}"
    said = [last[name] for name in person.names if name in last]
    return max(said)[1] if said else "nothing was handed in"
