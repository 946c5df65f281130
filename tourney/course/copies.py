"""Who handed in the same as somebody else: the same source, the same shape, or the same play.

The shape of a source is what its language makes of it without comments and names of its own. How
it plays is what its check kept: a digest of all its answers at tables that are the same for
everybody. Equal play proves nothing where a game has few good answers, so it comes last. Reads
competitors' files, and runs none of them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from tourney.course.folder import Submissions
from tourney.course.records import Submission

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
