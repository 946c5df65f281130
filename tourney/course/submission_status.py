"""The submissions of every student on the roster: handed in, missing, or equal to another's."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from tourney.course.folder import Submissions
from tourney.course.records import Submission
from tourney.course.rejections_log import Refusal, read_refusals
from tourney.course.roster import Person, Roster

SAME, SHAPE, PLAY = "the same source", "the same but for names and comments", "plays exactly alike"


@dataclass(frozen=True, slots=True)
class Copies:
    """Names whose versions have something in common."""

    kind: str  # SAME, SHAPE or PLAY
    names: tuple[str, ...]  # at least two, who handed in first comes first


def copies(submissions: Submissions) -> tuple[Copies, ...]:
    """Give who has the same as somebody else: of every name what plays, else its last version."""
    last = {each.name: each for each in submissions.versions()}
    last |= {each.name: each for each in submissions.current()}
    versions = sorted(last.values(), key=lambda each: (each.times[0], each.name))
    shapes = {each.name: _shape(submissions, each) for each in versions}
    found = list(_alike(SAME, versions, lambda each: each.digest, lambda each: each.name))
    found += _alike(SHAPE, versions, lambda each: shapes[each.name], lambda each: each.digest)
    found += _alike(
        PLAY,
        versions,
        lambda each: each.report.answers,
        lambda each: shapes[each.name] or each.digest,
    )
    return tuple(found)


def _alike(
    kind: str,
    versions: Sequence[Submission],
    key: Callable[[Submission], str],
    finer: Callable[[Submission], str],
) -> Iterable[Copies]:
    """Give versions with one key, unless a finer one says it of all of them already."""
    by_key: dict[str, list[Submission]] = {}
    for each in versions:
        if key(each):
            by_key.setdefault(key(each), []).append(each)
    for those in by_key.values():
        if len({finer(each) for each in those}) > 1:
            yield Copies(kind, tuple(each.name for each in those))


def _shape(submissions: Submissions, submission: Submission) -> str:
    """Name the shape of a version; empty if that is not known."""
    source = submissions.read(submission)
    shape = source.language.shape(source.files)
    return blake2b(shape.encode(), digest_size=16).hexdigest() if shape else ""


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
