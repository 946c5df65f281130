"""The import of a whole class: each file of a download is matched to a person and checked."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from tourney.checks.report import CheckReport
from tourney.checks.source import Source, source_of
from tourney.config.words import hint
from tourney.course.folder import Check, Submissions
from tourney.course.lms_downloads import ClassDownload, HandIn
from tourney.course.records import NO_OVERRIDE, Override, Stated, Submission
from tourney.course.rejections_log import Refusal, keep_refusals
from tourney.course.roster import Identified, Person, Roster, common_name, identify
from tourney.course.submission_rules import SubmissionRules
from tourney.course.teams import form_teams
from tourney.course.zips import HIDDEN, MOST_NAMES, Member, check_one, contents_of, sorted_out
from tourney.errors import ChartError, SubmissionError, WorkerError
from tourney.execution.workers.worker import forked_pool
from tourney.game.words import counted
from tourney.plugins.source_files import is_wanted


class ChecksAhead:
    """A check that runs ahead of its calls, in several processes."""

    def __init__(
        self, check: Check, at_once: int, prepare: Callable[[], None] | None = None
    ) -> None:
        """Prepare without starting a check.

        Args:
            check: Checks a source; must be picklable if `at_once` is above 1.
            at_once: Number of sources checked in parallel; with 1, each is checked when called.
            prepare: Loads the modules of a check, once before the processes are forked.
        """
        self._check, self._prepare = check, prepare
        self._pool = forked_pool(at_once) if at_once > 1 else None
        self._begun: dict[str, Future[CheckReport]] = {}

    def close(self) -> None:
        """Cancel the checks that have not begun."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def begin(self, source: Source) -> None:
        """Queue the check of a source."""
        if self._pool and source.digest not in self._begun:
            if self._prepare and not self._begun:  # they are forked for the first one
                self._prepare()
            self._begun[source.digest] = self._pool.submit(self._check, source)

    def __call__(self, source: Source) -> CheckReport:
        """Return the report on a source.

        Raises: WorkerError, if a process of the check was killed.
        """
        begun = self._begun.get(source.digest)
        if begun is None:
            return self._check(source)
        try:
            return begun.result()
        except BrokenProcessPool as error:
            raise WorkerError(
                f"{source.name}: the process of its check was killed from outside. Import the "
                "same download again; the import resumes here."
            ) from error


NOT_CLEAR = "One member of its team is not on the roster. Ask the organiser."
NOT_MATCHED = "A file could not be matched to one student. Ask the organiser whether it is yours."
UNKNOWN = Identified(())
MOST_NAMED = 3
"""Students who are shown a file that could be theirs; more of them share a common word."""

OutcomeStatus = Literal["accepted", "rejected", "withdrawn", "refused", "left out"]
"""Filed and may play, failed its check, or was withdrawn; not imported, or not a competitor.

A summary of an import counts them in this order.
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a file, or of a whole submission."""

    where: str  # in the download
    status: OutcomeStatus
    name: str = ""  # under which it plays; empty if it is not known
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
        """Whether the organiser or the student has to act."""
        return self.status in {"rejected", "refused"}


@dataclass(frozen=True, slots=True)
class _Handed:
    """A submission before it is imported."""

    hand_in: HandIn
    left_out: tuple[Outcome, ...] = ()
    known: Identified = UNKNOWN  # its identified students
    name: str = ""  # that they play under; empty if it is not known
    source: Source | None = None  # None if it is refused
    late_days: int = 0
    refused: str = ""  # the reason
    again: Outcome | None = None  # where a member of the team has submitted the same

    @property
    def people(self) -> tuple[Person, ...]:
        """The identified students."""
        return self.known.people

    @property
    def person(self) -> str:
        """The author; empty if it is not known."""
        return self.people[0].person if self.name else ""

    @property
    def whose(self) -> tuple[object, ...]:
        """The key of a submission in a download."""
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
    tell_team: Callable[[str, Sequence[Person]], object] | None = None,
) -> Iterator[Outcome]:
    """Import the submissions of a class.

    Args:
        submissions: The folder; its rules have a roster.
        download: The submissions.
        now: The time, for platforms that do not give times.
        check: Checks every source.
        at_once: Number of sources checked in parallel.
        only: The student to import; all students by default.
        override: Submission rules that are waived, and why.
        prepare: Loads the modules of a check before several begin.
        tell_untimed: Receives, before anything is saved, the number of submissions without a time
            if the deadline is over.
        tell_team: Receives each team that the download makes and the roster does not have yet.
    """
    form_teams(submissions, download, tell_team or (lambda *_: None))
    roster = submissions.terms.roster or Roster(())
    everything = _once_each([_look_at(submissions, each) for each in download.handed_in])
    if only is not None:
        person = _the_one(roster, only)
        everything = [each for each in everything if _may_be_of(person, each, roster)]
    count = sum(_is_untimed(submissions.terms, each, now) for each in everything)
    if tell_untimed and count:
        tell_untimed(count)
    if only is None:
        everything += [_left_over(path, reason) for path, reason in download.left_over]
    # Before the checks, so that an interrupted import loses no entry.
    beforehand = [
        *(_refusal(outcome, now) for each in everything for outcome in each.left_out),
        *(entry for each in everything if each.refused for entry in _refusals(each, roster, now)),
    ]
    submissions.folder.mkdir(parents=True, exist_ok=True)
    keep_refusals(submissions.folder, beforehand)
    with closing(ChecksAhead(check, at_once, prepare)) as checks:
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
            if each.source or each.refused or each.again:
                yield _take(submissions, each, now, checks, override)


def _left_over(path: str, reason: str) -> _Handed:
    """Return a file of no submission; one without a reason is left out."""
    hand_in = HandIn(path, (), ())
    if reason:
        return _Handed(hand_in, refused=reason)
    junk = Outcome(path, "left out", reason="left by the system that made the zip")
    return _Handed(hand_in, left_out=(junk,))


def _own_name(person: Person, roster: Roster) -> str:
    """Return a name that only one student plays under, as students may be called the same."""
    return next((name for name in person.names if roster.playing_as(name) == (person,)), "")


def _is_untimed(terms: SubmissionRules, handed: _Handed, now: datetime) -> bool:
    """Report whether the deadline is over and the time of the submission is unknown."""
    is_open = _stated(handed.hand_in) == "nothing"
    return is_open and terms.late_days_at(now, handed.person, handed.name) > 0


def _the_one(roster: Roster, word: str) -> Person:
    """Find a student on the roster."""
    # Students of the same name play under different names.
    person = roster.find(word) or next(iter(roster.playing_as(word)), None)
    if person is None:
        meant = hint(roster.closest(word))
        raise SubmissionError(f"--only: {word!r} is not one student of the roster{meant}")
    return person


def _may_be_of(person: Person, handed: _Handed, roster: Roster) -> bool:
    """Report whether it is a student's, or names the student where it is not clear."""
    if handed.name:
        return handed.name in person.names
    words = (word for submitter in handed.hand_in.people for word in submitter.words)
    return any(person in roster.all_called(word) for word in words)


def _refusals(handed: _Handed, roster: Roster, now: datetime) -> Iterator[Refusal]:
    """Return the log entries of a refused submission.

    There is one for each of its students, or for each student that it may be of.
    """
    refused = _refusal(_refused(handed), now)
    is_clear = bool(handed.people) and not handed.known.fault
    if handed.name or not is_clear:
        yield refused
    if not handed.name:
        # The reason may name other members of the team.
        reason = handed.refused if is_clear else NOT_CLEAR
        reasons = [(each, reason) for each in handed.people]
        named = handed.known.named or (
            () if handed.people else roster.mentioned_in(handed.hand_in.where)
        )
        if len(named) <= MOST_NAMED:
            reasons += [(each, NOT_MATCHED) for each in named]
        for each, words in reasons:
            own = _own_name(each, roster)
            yield replace(refused, name=own, person=each.person, reason=words)


def _refusal(outcome: Outcome, now: datetime) -> Refusal:
    return Refusal(now, outcome.where, outcome.status, outcome.name, outcome.person, outcome.reason)


def _refused(handed: _Handed) -> Outcome:
    hand_in = handed.hand_in
    return Outcome(hand_in.where, "refused", handed.name, handed.person, reason=handed.refused)


def _look_at(submissions: Submissions, hand_in: HandIn) -> _Handed:
    """Find the students and the source of a submission, without taking it."""
    found = sorted_out(hand_in.files)
    left_out = list(_left_out(hand_in, found))
    roster = submissions.terms.roster or Roster(())
    known = _with_group(identify(hand_in.people, roster), hand_in.group)
    handed = _Handed(hand_in, tuple(left_out), known, refused=known.fault)
    if known.fault:
        return handed
    try:
        handed = replace(handed, name=_name_of(known, roster))
        _check_files(hand_in)
        check_one([each.path for each in found if not each.refused], left_out)
        source = source_of(contents_of(found))
        late = _late_days(submissions, hand_in, handed.person, handed.name)
        return replace(handed, source=source, late_days=late)
    except (SubmissionError, ChartError) as error:
        return replace(handed, refused=_in_a_line(error))


def _left_out(hand_in: HandIn, found: Sequence[Member]) -> Iterator[Outcome]:
    """Yield the files that are left out; those of a hidden folder, such as `.git`, together."""
    together = Counter(filter(None, map(_hidden_folder, found)))
    for member in found:
        if member.refused and together[_hidden_folder(member)] <= 1:
            where = f"{hand_in.where}/{member.path}"
            where = hand_in.where if len(hand_in.files) == 1 else where
            yield Outcome(where, "left out", reason=member.refused)
    for folder, count in together.items():
        if count > 1:
            where = f"{hand_in.where}/{folder}"
            yield Outcome(where, "left out", reason=f"{count:,} files, {HIDDEN}")


def _hidden_folder(member: Member) -> str:
    """Return the outermost hidden folder of a file that is left out for it; empty without one."""
    *folders, _ = member.path.split("/")
    at = next((at for at, folder in enumerate(folders) if not is_wanted(folder)), None)
    return "" if at is None or member.refused != HIDDEN else "/".join(folders[: at + 1]) + "/"


def _with_group(known: Identified, group: str) -> Identified:
    """Explain a name that the roster does not have, if it is probably that of a group."""
    if not group:
        return known
    looks = f"{group!r} looks like the name of a group"
    remedy = "write it into the column `team` of the roster for each of its members"
    again = "take the download in again"
    if known.fault:
        return replace(known, fault=f"{looks}. If it is one, {remedy}, and {again}.")
    # Otherwise the student would play twice, alone and in the team.
    alone = f"{looks}. If it is one, {remedy}, withdraw this version, and {again}"
    return replace(known, note=f"{known.note}; {alone}") if known.note else known


def _name_of(known: Identified, roster: Roster) -> str:
    """Return the name that the students of a submission play under.

    Raises: SubmissionError, if they have no name in common, or not that of their group.
    """
    name = common_name(known.people)
    # The only student of a group is no team, and plays alone.
    is_alone = known.people == roster.in_group(known.team) and len(known.people) == 1
    if known.team and known.team not in known.people[0].names and not is_alone:
        raise SubmissionError(
            f"The download names the group {known.team}, which the roster does not give to "
            f"{known.people[0].person}. Write it into the column `team`."
        )
    return name


def _check_files(hand_in: HandIn) -> None:
    if not hand_in.files:
        raise SubmissionError("The download has no file for it. Download it again.")


def _once_each(everything: Sequence[_Handed]) -> list[_Handed]:
    """Keep one of a team's equal submissions, and refuse several of one student."""
    places: dict[tuple[object, ...], list[str]] = {}
    first: dict[tuple[object, ...], str] = {}
    kept = []
    for each in everything:
        digest = each.source.digest if each.source else ""
        key = (each.name, each.hand_in.time, digest)
        is_again = digest and key in first and each.people[0].team == each.name
        if is_again:
            same = f"the same files as {first[key]}, of the same team"
            again = Outcome(each.hand_in.where, "left out", each.name, each.person, reason=same)
            kept.append(replace(each, source=None, again=again))
            continue
        first.setdefault(key, each.hand_in.where)
        places.setdefault(each.whose, []).append(each.hand_in.where)
        kept.append(each)
    return [
        replace(each, source=None, refused=_of_several(each.person, found))
        if each.source and len(found) > 1
        else each
        for each in kept
        for found in [places.get(each.whose, [])]
    ]


def _of_several(person: str, places: Sequence[str]) -> str:
    return (
        f"{person} has {len(places)} submissions "
        f"({', '.join(places[:MOST_NAMES])}). Submit the one that counts, or add the other student "
        "to the roster."
    )


def _take(
    submissions: Submissions,
    handed: _Handed,
    now: datetime,
    check: Check,
    override: Override,
) -> Outcome:
    """Take in one submission."""
    hand_in, name, person = handed.hand_in, handed.name, handed.person
    if handed.again:
        return handed.again
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
            # Otherwise a second import of the same download would make old versions the last.
            keeps_known=hand_in.time is None,
            override=override,
            stated=_stated(hand_in),
        )
    except (SubmissionError, ChartError) as error:
        refused = Outcome(hand_in.where, "refused", name, person, reason=_in_a_line(error))
        keep_refusals(submissions.folder, [_refusal(refused, now)])
        return refused
    words = (
        filed.reason,
        _late_words(hand_in, filed.late_days) or _kept_words(submissions, filed),
        handed.known.note,
    )
    reason = "; ".join(filter(None, words[:1] if filed.reason else words[1:]))
    return Outcome(hand_in.where, filed.status, name, person, filed.digest, reason)


def _in_a_line(error: Exception) -> str:
    return "; ".join(str(error).splitlines()[:3])


def _kept_words(submissions: Submissions, filed: Submission) -> str:
    """Report that another version plays; empty if this one does."""
    playing = submissions.playing(filed.name)
    if playing is None or playing.digest == filed.digest:
        return ""
    return f"unchanged; version {playing.digest[:12]} plays"


def _late_days(submissions: Submissions, hand_in: HandIn, person: str, name: str) -> int:
    """Count the days after the deadline; a platform without times only marks it as late."""
    if hand_in.time is not None:
        return submissions.terms.late_days_at(hand_in.time, person, name)
    return submissions.terms.stated_late_days(person, name) if hand_in.is_late else 0


def _stated(hand_in: HandIn) -> Stated:
    """Return how much the platform states about the time of a submission."""
    if hand_in.time is not None:
        return "time"
    if hand_in.is_late is None:
        return "nothing"
    return "late" if hand_in.is_late else "in time"


def _late_words(hand_in: HandIn, late_days: int) -> str:
    if not late_days:
        return ""
    late = f"{counted(late_days, 'day')} late"
    return late if hand_in.time else f"{late}, because the platform does not give the time"
