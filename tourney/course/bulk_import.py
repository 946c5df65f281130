"""The import of a whole class: each file of a download is matched to a person and checked."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from datetime import datetime
from types import TracebackType
from typing import Literal, Self

from tourney.checks.report import CheckReport
from tourney.checks.source import Source, source_of
from tourney.course.file_selection import MOST_NAMES, check_one, sorted_out
from tourney.course.folder import Check, Submissions
from tourney.course.lms_downloads import ClassDownload, HandIn
from tourney.course.match_people import common_name, people_of
from tourney.course.records import NO_OVERRIDE, Override, Submission
from tourney.course.rejections_log import Refusal, keep_refusals
from tourney.course.roster import Person, Roster
from tourney.course.submission_rules import SubmissionRules, days_words, meant_words
from tourney.errors import ChartError, SubmissionError, WorkerError
from tourney.execution.workers.forks import forked_pool


class ChecksAhead:
    """A check that has begun with what it will be asked about."""

    def __init__(
        self, check: Check, at_once: int, prepare: Callable[[], None] | None = None
    ) -> None:
        """Begin with nothing.

        Args:
            check: Looks at a source; can be pickled where several are looked at.
            at_once: How many sources are looked at; one of them waits until it is asked about.
            prepare: Loads what every check needs, once for all of those processes.
        """
        self._check, self._prepare = check, prepare
        self._pool = forked_pool(at_once) if at_once > 1 else None
        self._begun: dict[str, Future[CheckReport]] = {}

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give up what has not begun."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def begin(self, source: Source) -> None:
        """Look at a source as soon as there is time."""
        if self._pool and source.digest not in self._begun:
            if self._prepare and not self._begun:  # they are forked for the first one
                self._prepare()
            self._begun[source.digest] = self._pool.submit(self._check, source)

    def __call__(self, source: Source) -> CheckReport:
        """Give the report on a source.

        Raises: WorkerError, if somebody ended a process that looks at them.
        """
        begun = self._begun.get(source.digest)
        if begun is None:
            return self._check(source)
        try:
            return begun.result()
        except BrokenProcessPool as error:
            raise WorkerError(
                f"{source.name}: expected the report of a check, got a process that was ended "
                "from outside; take the same download in again, and it goes on from here"
            ) from error


NOT_CLEAR = "expected a team that the roster knows, got one with somebody else; ask the organiser"
LATE_WITHOUT_TIME = 1  # days that a submission counts as late where nobody says how many

OutcomeStatus = Literal["accepted", "rejected", "withdrawn", "refused", "left out"]
"""Filed and may play, failed its check, or was taken back; turned away, or no competitor at all."""


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


@dataclass(frozen=True, slots=True)
class _Handed:
    """What is known of a person's files before they are taken."""

    hand_in: HandIn
    left_out: tuple[Outcome, ...] = ()
    people: tuple[Person, ...] = ()  # who handed it in, as far as that is clear
    name: str = ""  # that they play under; empty if nobody knows
    source: Source | None = None  # None if it is refused
    late_days: int = 0
    refused: str = ""  # the reason

    @property
    def person(self) -> str:
        """Who is its author; empty if nobody knows whose it is."""
        return self.people[0].person if self.name else ""

    @property
    def whose(self) -> tuple[object, ...]:
        """What nobody shares with another hand-in of a download."""
        return self.name, self.person, self.hand_in.time


def take_class(
    submissions: Submissions,
    download: ClassDownload,
    now: datetime,
    check: Check,
    at_once: int = 1,
    *,
    only: str | None = None,
    override: Override = NO_OVERRIDE,
    prepare: Callable[[], None] | None = None,
    tell_untimed: Callable[[int], object] | None = None,
) -> Iterator[Outcome]:
    """Take in what a class handed in.

    Args:
        submissions: Where to; its terms have a roster.
        download: What was handed in.
        now: The time, for platforms that do not say when something came.
        check: Looks at every source.
        at_once: How many sources it looks at at the same time.
        only: The one person whose files are taken; None for everybody's.
        override: What the terms say that does not hold, and why.
        prepare: Loads what every check needs, before several are begun.
        tell_untimed: Told before anything is kept of how many people nobody knows whether they
            handed in before the deadline, which is over.
    """
    roster = submissions.terms.roster or Roster(())
    everything = _once_each([_look_at(submissions, each) for each in download.handed_in])
    left_over = download.left_over
    if only is not None:
        person = _the_one(roster, only)
        everything = [each for each in everything if _may_be_of(person, each, roster)]
        left_over = ()
    count = sum(_is_untimed(submissions.terms, each.hand_in, now) for each in everything)
    if tell_untimed and count:
        tell_untimed(count)
    # Before anything is checked, so that nothing is lost if somebody ends that.
    beforehand = [
        *(_refusal(outcome, now) for each in everything for outcome in each.left_out),
        *(told for each in everything if not each.source for told in _refusals(each, roster, now)),
        *(Refusal(now, path, "left out", "", "", reason) for path, reason in left_over),
    ]
    submissions.folder.mkdir(parents=True, exist_ok=True)
    keep_refusals(submissions.folder, beforehand)
    with ChecksAhead(check, at_once, prepare) as checks:
        for each in everything:
            if each.source and submissions.needs_check(
                each.source,
                each.name,
                author=each.person,
                now=each.hand_in.time or now,
                late_days=each.late_days,
                keeps_known=each.hand_in.time is None,
                override=override,
            ):
                checks.begin(each.source)
        for each in everything:
            yield from each.left_out
            yield _take(submissions, each, now, checks, override)
    yield from (Outcome(path, "left out", reason=reason) for path, reason in left_over)


def _is_untimed(terms: SubmissionRules, hand_in: HandIn, now: datetime) -> bool:
    """Say whether it comes after the deadline, and nobody says if it was handed in before."""
    is_told = hand_in.time is not None or hand_in.is_late is not None
    return not is_told and terms.late_days_at(now) > 0


def _the_one(roster: Roster, who: str) -> Person:
    """Find somebody on the roster."""
    # Names to play under tell people of one name apart.
    person = roster.find(who) or next(iter(roster.playing_as(who)), None)
    if person is None:
        meant = meant_words(roster.closest(who))
        raise SubmissionError(f"--only: expected one person of the roster, got {who!r}{meant}")
    return person


def _may_be_of(person: Person, handed: _Handed, roster: Roster) -> bool:
    """Say whether it is somebody's, or names them where nobody knows whose it is."""
    if handed.name:
        return handed.name in person.names
    words = (word for submitter in handed.hand_in.people for word in submitter.ids)
    return any(person in roster.all_called(word) for word in words)


def _refusals(handed: _Handed, roster: Roster, now: datetime) -> Iterator[Refusal]:
    """Give what is kept of files that are refused, so that everybody is told whose they are."""
    refused = _refusal(_refused(handed), now)
    is_clear = len(handed.people) == len(handed.hand_in.people) > 0
    if handed.name or not is_clear:
        yield refused
    if not handed.name:
        # What is wrong with one of a team may be said in words about others.
        reason = handed.refused if is_clear else NOT_CLEAR
        for each in handed.people:
            # Tells apart people who are called the same.
            own = next((name for name in each.names if roster.playing_as(name) == (each,)), "")
            yield replace(refused, name=own, person=each.person, reason=reason)


def _refusal(told: Outcome, now: datetime) -> Refusal:
    return Refusal(now, told.where, told.status, told.name, told.person, told.reason)


def _refused(handed: _Handed) -> Outcome:
    hand_in = handed.hand_in
    return Outcome(hand_in.where, "refused", handed.name, handed.person, reason=handed.refused)


def _look_at(submissions: Submissions, hand_in: HandIn) -> _Handed:
    """Find out what one person or team handed in, without taking it."""
    members = []
    left_out = []
    for member in sorted_out(hand_in.files):
        if member.refused:
            where = f"{hand_in.where}/{member.path}"
            where = hand_in.where if len(hand_in.files) == 1 else where
            left_out.append(Outcome(where, "left out", reason=member.refused))
        else:
            members.append(member)
    people, fault = people_of(hand_in.people, submissions.terms.roster or Roster(()))
    handed = _Handed(hand_in, tuple(left_out), people, refused=fault)
    if fault:
        return handed
    try:
        handed = replace(handed, name=common_name(people))
        check_one([each.path for each in members], left_out)
        files = {each.path: each.content for each in members}
        if len(files) == 1:  # people hand in the folder around their file, too
            files = {path.rpartition("/")[2]: content for path, content in files.items()}
        source = source_of(files)
        return replace(handed, source=source, late_days=_late_days(submissions, hand_in))
    except (SubmissionError, ChartError) as error:
        return replace(handed, refused=_in_a_line(error))


def _once_each(everything: Sequence[_Handed]) -> list[_Handed]:
    """Refuse what one person handed in under several names or numbers at one time."""
    places: dict[tuple[object, ...], list[str]] = {}
    for each in everything:
        places.setdefault(each.whose, []).append(each.hand_in.where)
    return [
        replace(each, source=None, refused=_of_several(each.person, found))
        if each.source and len(found) > 1
        else each
        for each in everything
        for found in [places[each.whose]]
    ]


def _of_several(person: str, places: Sequence[str]) -> str:
    return (
        f"expected one hand-in of {person}, got {len(places)} ({', '.join(places[:MOST_NAMES])}): "
        "hand in the one that counts, or add whoever else it is to the roster"
    )


def _take(
    submissions: Submissions,
    handed: _Handed,
    now: datetime,
    check: Check,
    override: Override,
) -> Outcome:
    """Take in what one person or team handed in."""
    hand_in, name, person = handed.hand_in, handed.name, handed.person
    if handed.source is None:
        return _refused(handed)
    try:
        if hand_in.time:
            submissions.set_time(handed.source, name, hand_in.time)
        filed = submissions.take(
            handed.source,
            name,
            author=person,
            now=hand_in.time or now,
            check=check,
            late_days=handed.late_days,
            # Else the same download, taken in again, would bring old versions to the front.
            keeps_known=hand_in.time is None,
            untimed=_is_untimed(submissions.terms, hand_in, now),
            override=override,
        )
    except (SubmissionError, ChartError) as error:
        refused = Outcome(hand_in.where, "refused", name, person, reason=_in_a_line(error))
        keep_refusals(submissions.folder, [_refusal(refused, now)])
        return refused
    reason = (
        filed.reason or _late_words(hand_in, filed.late_days) or _kept_words(submissions, filed)
    )
    return Outcome(hand_in.where, filed.status, name, person, filed.digest, reason)


def _in_a_line(error: Exception) -> str:
    return "; ".join(str(error).splitlines()[:3])


def _kept_words(submissions: Submissions, filed: Submission) -> str:
    """Say that another version plays; nothing if this one does."""
    playing = submissions.playing(filed.name)
    if playing is None or playing.digest == filed.digest:
        return ""
    return f"kept as it was; version {playing.digest[:12]} plays"


def _late_days(submissions: Submissions, hand_in: HandIn) -> int:
    """Count the days after the deadline; a platform without times only says whether."""
    if hand_in.time is not None:
        return submissions.terms.late_days_at(hand_in.time)
    has_deadline = submissions.terms.deadline is not None
    return LATE_WITHOUT_TIME if hand_in.is_late and has_deadline else 0


def _late_words(hand_in: HandIn, late_days: int) -> str:
    if not late_days:
        return ""
    late = f"{days_words(late_days)} late"
    return late if hand_in.time else f"{late}, as the platform does not say how late"
