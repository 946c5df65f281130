"""The submissions of every student on the roster: present, missing, or equal to another's."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from tourney.checks.source import Source
from tourney.course.folder import Submissions
from tourney.course.records import Submission
from tourney.course.rejections_log import Refusal, read_refusals
from tourney.course.roster import Person, Roster
from tourney.course.submission_rules import TERMS
from tourney.errors import SubmissionError
from tourney.plugins.source_files import files_at

SAME, SHAPE, PLAY = "the same source", "the same but for names and comments", "plays exactly alike"


@dataclass(frozen=True, slots=True)
class Copies:
    """Names whose versions have something in common."""

    kind: str  # SAME, SHAPE or PLAY
    names: tuple[str, ...]  # at least two, the first to submit comes first


def copies(submissions: Submissions, templates: Collection[str] = ()) -> tuple[Copies, ...]:
    """Find equal submissions: of every name the version that plays, else its last version.

    Files of the course itself and of the platform are not copies, whatever their names.

    Args:
        submissions: Of the class, with the rules that name the starter code.
        templates: Texts of the platform's starter competitors, and of the examples in its pages.
    """
    last = {each.name: each for each in submissions.versions()}
    last |= {each.name: each for each in submissions.current()}
    starter = _starter_of(submissions)
    words = [text.split() for text in starter]
    given: dict[str, frozenset[str]] = {}  # shapes by language
    shapes = {}
    for each in last.values():
        source = submissions.read(each)
        own = tuple((name, text) for name, text in source.files if text.split() not in words)
        if source.kind not in given:
            known = [_shape(source, ((source.name, text),)) for text in (*templates, *starter)]
            given[source.kind] = frozenset(known)
        shape = _shape(source, own) if own else ""
        if own and (not shape or shape not in given[source.kind]):
            shapes[each.name] = shape
    versions = sorted(
        (each for each in last.values() if each.name in shapes),
        key=lambda each: (each.times[0], each.name),
    )
    found = list(_alike(SAME, versions, lambda each: each.digest, lambda each: each.name))
    found += _alike(SHAPE, versions, lambda each: shapes[each.name], lambda each: each.digest)
    found += _alike(
        PLAY,
        versions,
        lambda each: each.report.answers,
        lambda each: shapes[each.name] or each.digest,
    )
    return tuple(found)


def _starter_of(submissions: Submissions) -> list[str]:
    """Return the texts of the course's starter code."""
    place = submissions.terms.starter
    if place is None:
        return []
    if not place.exists():
        raise SubmissionError(
            f"{submissions.folder / TERMS}: starter: {place} does not exist. Correct the path."
        )
    return [content.decode("utf-8", "replace") for content in files_at(place).values()]


def _alike(
    kind: str,
    versions: Sequence[Submission],
    key: Callable[[Submission], str],
    finer: Callable[[Submission], str],
) -> Iterable[Copies]:
    """Return groups of versions with the same key, but not those with the same finer key."""
    by_key: dict[str, list[Submission]] = {}
    for each in versions:
        if key(each):
            by_key.setdefault(key(each), []).append(each)
    for those in by_key.values():
        if len({finer(each) for each in those}) > 1:
            yield Copies(kind, tuple(each.name for each in those))


def _shape(source: Source, files: tuple[tuple[str, str], ...]) -> str:
    """Return a hash of the shape of files; empty if their language has no shapes."""
    shape = source.language.shape(files)
    return blake2b(shape.encode(), digest_size=16).hexdigest() if shape else ""


@dataclass(frozen=True, slots=True)
class Missing:
    """A student without a version that plays."""

    person: str
    name: str  # that they would play under
    groups: tuple[str, ...]
    why: str


def missing(submissions: Submissions) -> tuple[Missing, ...]:
    """List the students without a version that plays, in the order of the roster.

    Args:
        submissions: Of the class; without a roster its students are the authors.
    """
    everybody = submissions.terms.roster or Roster(tuple(_authors(submissions)))
    playing = {each.name for each in submissions.current()}
    last = _last_words(submissions, everybody)
    return tuple(
        Missing(
            each.person,
            each.names[0],
            each.groups,
            f"excluded: {each.excluded}" if each.excluded else last.get(each, "no submission"),
        )
        for each in everybody.people
        if each.excluded or playing.isdisjoint(each.names)
    )


def _authors(submissions: Submissions) -> Iterator[Person]:
    """Yield a student for each name: the author of its last version."""
    last = {each.name: each for each in submissions.versions()}
    yield from (Person(each.author, (name,)) for name, each in last.items())


def _last_words(submissions: Submissions, everybody: Roster) -> dict[Person, str]:
    """Return the last message to each student."""
    messages: list[tuple[Submission | Refusal, tuple[Person, ...]]] = [
        *((each, everybody.playing_as(each.name)) for each in submissions.versions()),
        *((each, told_of(each, everybody)) for each in read_refusals(submissions.folder)),
    ]
    found: dict[Person, str] = {}
    for each, people in sorted(messages, key=lambda message: message[0].time):
        if each.status not in {"accepted", "left out"}:
            found |= dict.fromkeys(people, f"{each.status}: {each.reason}")
    return found


@dataclass(frozen=True, slots=True)
class HandedIn:
    """The submissions of one student."""

    person: Person
    versions: tuple[Submission, ...]  # of all names the person plays under, the last first
    refused: tuple[str, ...] = ()  # why files were rejected, with the remedy


def handed_in(submissions: Submissions) -> tuple[tuple[HandedIn, ...], tuple[Refusal, ...]]:
    """Return the submissions of every student, in the order of the roster or by author.

    Args:
        submissions: Of the class, accepted and rejected.
    Returns: The students, and the rejected files of no known student.
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
    """Return the students who see a rejection: its author, and all who share the name."""
    author = everybody.author_of(refusal.person, refusal.name)
    if author is None:
        return ()
    if refusal.name not in author.names:  # the students with that name are not concerned
        return (author,)
    return tuple(each for each in everybody.people if refusal.name in each.names)


def _of(person: Person, versions: Sequence[Submission], reasons: Sequence[str]) -> HandedIn:
    own = tuple(each for each in versions if each.name in person.names)
    return HandedIn(person, own, tuple(dict.fromkeys(reasons)))
