"""Who of a class has nothing that plays, and why."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from tourney.course.folder import Submissions
from tourney.course.handed import told_of
from tourney.course.refusals import read_refusals
from tourney.course.roster import Person, Roster


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
    everybody = submissions.terms.roster or Roster(tuple(_authors(submissions)))
    playing = {each.name for each in submissions.current()}
    last = _last_words(submissions, everybody)
    return tuple(
        Missing(each.person, each.names[0], each.groups, _why(each, last.get(each)))
        for each in everybody.people
        if each.excluded or playing.isdisjoint(each.names)
    )


def _authors(submissions: Submissions) -> Iterator[Person]:
    """Take every name for a person, who is called as the author of its last version."""
    last = {each.name: each for each in submissions.versions()}
    yield from (Person(each.author, (name,)) for name, each in last.items())


def _last_words(submissions: Submissions, everybody: Roster) -> dict[Person, tuple[datetime, str]]:
    """Give what was said last to everybody who takes part."""
    found: dict[Person, tuple[datetime, str]] = {}
    for each in submissions.versions():
        if not each.plays:
            people = everybody.playing_as(each.name)
            _note(found, people, each.time, f"{each.status}: {each.reason}")
    for refusal in read_refusals(submissions.folder):
        if refusal.status == "refused":
            people = told_of(refusal, everybody)
            _note(found, people, refusal.time, f"{refusal.status}: {refusal.reason}")
    return found


def _note(
    found: dict[Person, tuple[datetime, str]],
    people: Iterable[Person],
    time: datetime,
    words: str,
) -> None:
    for each in people:
        if each not in found or found[each][0] <= time:
            found[each] = time, words


def _why(person: Person, said: tuple[datetime, str] | None) -> str:
    if person.excluded:
        return f"excluded: {person.excluded}"
    return said[1] if said else "nothing was handed in"
