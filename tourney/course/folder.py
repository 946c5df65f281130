"""The folder of submissions: plain files, and the rules for accepting a new one.

    submissions/
      submissions.yaml            the submission rules, if any
      handles.key                 key of the random pseudonyms, if any
      Ada/                        a name that plays
        pinned                    digest of the pinned version, if any
        3f0c…/                    a version, under the digest of its source
          record.json
          source/bold.py

Each version is written completely or not at all; later only its record changes. Several processes
may write at the same time, and any of them may be killed.

The rules decide by name, author, time and earlier withdrawals; the source itself is for the check.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeAlias
from unicodedata import normalize

from tourney.checks.report import CheckReport
from tourney.checks.source import Source, read_handed_in
from tourney.config.words import closest, hint
from tourney.course.files import LOCK, only_one, remove_folder, write_folder, write_whole
from tourney.course.names import check_name, check_person
from tourney.course.pseudonyms import KEY
from tourney.course.records import (
    NO_OVERRIDE,
    Override,
    Rule,
    Stated,
    Submission,
    choose,
    read_record,
    write_record,
)
from tourney.course.submission_rules import TERMS, SubmissionRules, read_terms
from tourney.errors import ChartError, SubmissionError
from tourney.game.words import counted
from tourney.standings.standing import label_of

DIGEST = re.compile(r"[0-9a-f]{32}")


def versions_in(folder: Path, name: str | None = None) -> Iterator[Path]:
    """Yield the folders of versions.

    Args:
        folder: Folder of submissions; may be missing.
        name: The name of the submissions; by default all names.
    """
    if not folder.is_dir():
        return
    homes = [folder / name] if name else sorted(folder.iterdir())
    for home in homes:
        if home.is_dir() and not home.is_symlink():
            yield from (place for place in home.iterdir() if DIGEST.fullmatch(place.name))


def names_in(folder: Path) -> list[str]:
    """Return the names that have a version, sorted; empty if the folder is missing."""
    if not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        homes = sorted(
            (each.name, each.path) for each in entries if each.is_dir(follow_symlinks=False)
        )
    return [name for name, home in homes if _holds_version(home)]


def _holds_version(home: str) -> bool:
    with os.scandir(home) as places:
        return any(DIGEST.fullmatch(place.name) for place in places)


def usual_folder() -> Path:
    """Return the folder that commands use by default: this one if it is a class."""
    return Path() if Path(TERMS).is_file() else Path("submissions")


def fault_of_folder(folder: Path) -> str:
    """Return why a folder is not a folder of submissions; empty if it is one."""
    if not folder.is_dir():
        meant = hint(near_folder(folder)) or "; the first submission creates it"
        return f"there is no such folder{meant}"
    if not _holds_submissions(folder):
        return (
            f"this is not a folder of submissions: it has no {TERMS} and no submission"
            f"{hint(near_folder(folder))}"
        )
    return ""


def fault_of_target(folder: Path) -> str:
    """Return why a folder accepts no submissions; empty if it does, or is new."""
    if not folder.is_dir() or all(
        each.name == KEY or each.name.startswith(".") for each in folder.iterdir()
    ):
        return ""
    # Last, because another first submission creates its lock before all other files.
    if (folder / LOCK).is_file() or _holds_submissions(folder):
        return ""
    return "the folder has other files and no submissions; choose a new folder"


def near_folder(folder: Path) -> str | None:
    """Return the neighbouring folder of submissions that was probably meant, if any."""
    try:
        beside = [each for each in folder.absolute().parent.iterdir() if each.name != folder.name]
        names = [each.name for each in beside if each.is_dir() and _holds_submissions(each)]
    except OSError:  # an unreadable folder is not suggested
        return None
    return closest(folder.name, names)


def _holds_submissions(folder: Path) -> bool:
    return (folder / TERMS).is_file() or any(True for _ in versions_in(folder))


def check_author(terms: SubmissionRules, own: Sequence[Submission], name: str, author: str) -> None:
    """Reject an author who may not submit under a name.

    Args:
        terms: The submission rules.
        own: Earlier versions of the name.
        name: The name to play under.
        author: The author of the submission.
    Raises: SubmissionError, with the reason and a remedy.
    """
    check_person(author)
    terms.check_author(author, name)
    first = min(own, key=lambda each: each.times[0], default=None)
    if first and terms.roster is None and first.author != author:
        raise SubmissionError(
            f"name {name!r} belongs to {first.author!r}, and you submit as {author!r}. Choose "
            "another name, or ask the organiser to put both of you on a roster."
        )


def judged_again(terms: SubmissionRules, filed: Submission) -> Submission:
    """Apply the present deadlines to the record of a version.

    The record keeps the time that a platform stated, so a deadline that is set, moved or extended
    later counts. Records without such a statement do not change. A version that was received here
    stays accepted, as its author knows it; a later deadline still reduces its late days.
    """
    if filed.stated is None:
        return filed
    allowed = terms.late_days_of(filed.author, filed.name)
    late = _late_days(terms, filed, allowed)
    if filed.stated == "received":
        return replace(filed, late_days=min(filed.late_days, late))
    is_waived = filed.waives("deadline")
    is_open = filed.stated == "nothing" and not is_waived
    untimed = is_open and terms.late_days_at(filed.times[0], filed.author, filed.name) > 0
    again = replace(filed, late_days=late, untimed=untimed)
    if again.plays and not is_waived:
        try:
            terms.check_time(filed.author, filed.name, late)
        except SubmissionError as error:
            return replace(again, status="rejected", reason=str(error))
    return again


def _late_days(terms: SubmissionRules, filed: Submission, allowed: int) -> int:
    if filed.stated in {"in time", "nothing"}:
        return 0
    if filed.stated == "late":
        return terms.stated_late_days(filed.author, filed.name)
    late = [terms.late_days_at(time, filed.author, filed.name) for time in filed.times]
    return next((each for each in reversed(late) if each <= allowed), late[0])


Check: TypeAlias = Callable[[Source], CheckReport]
"""Checks a source before it is filed."""

RECORD, SOURCE, PINNED = "record.json", "source", "pinned"


class Submissions:
    """All versions of all submissions of a class."""

    def __init__(
        self,
        folder: Path,
        terms: SubmissionRules | None = None,
        reserved: Collection[str] = (),
        demanded: str = "",
    ) -> None:
        """Open a folder, which the first submission creates.

        Args:
            folder: The folder.
            terms: The submission rules; by default those in the folder.
            reserved: Names that no student may submit under.
            demanded: Demands of the tournament, as reports store them; empty if the rules name no
                tournament.
        Raises: ConfigError, with the faults of the folder's rules.
        """
        self.folder = folder
        self.terms = read_terms(folder) if terms is None else terms
        self._reserved, self._demanded = tuple(reserved), demanded

    def take(
        self,
        source: Source,
        name: str,
        *,
        author: str,
        now: datetime,
        check: Check,
        late_days: int | None = None,
        keeps_known: bool = False,
        override: Override = NO_OVERRIDE,
        stated: Stated = "received",
        note: str = "",
    ) -> Submission:
        """Check a version, and file it with the report.

        A version that fails its check is filed as rejected; the version that plays stays the same.
        If the source equals the last version, nothing is filed; it is checked again only if the
        demands of the tournament have changed.

        Args:
            source: The submitted source.
            name: The name to play under.
            author: The author of the submission.
            now: Time of the submission, with its offset.
            check: Checks the source; called without a lock on the folder.
            late_days: Days after the deadline, if a platform counted them.
            keeps_known: Whether any equal version counts as this one, not only the last; for
                submissions without a time.
            override: Rules that are waived for this version; stored with it.
            stated: How the time is known; stored with the version, and judged again when deadlines
                change.
            note: The student's note; stored with the version, in place of an earlier one.
        Returns: The version as filed.
        Raises: SubmissionError, if the name, the author or the time is not accepted.
        """
        check_name(name)  # it names a folder, so before all else
        if known := self._known(source, name, now, keeps_known=keeps_known):
            check_author(self.terms, [known], name, author)
            if note and note != known.note:
                known = self._changed(name, known.digest, lambda each: replace(each, note=note))
            if self._is_settled(known):
                return known
            report = check(source)
            return self._changed(name, known.digest, lambda each: each.judged(report))
        late = self.terms.late_days_at(now, author, name) if late_days is None else late_days
        self._admit(source, name, author, now, late, override)
        is_open = stated == "nothing" and "deadline" not in override.limits
        report = check(source)
        self.folder.mkdir(parents=True, exist_ok=True)
        with only_one(self.folder):
            # Again, because another process may have filed a version meanwhile.
            self._admit(source, name, author, now, late, override)
            submission = Submission(
                name=name,
                author=author,
                times=(now,),
                kind=source.kind,
                digest=source.digest,
                late_days=late,
                status="accepted",
                override=str(override),
                untimed=is_open and self.terms.late_days_at(now, author, name) > 0,
                stated=stated,
                note=note,
                report=report,
            )
            return self._file(submission.judged(report), source)

    def set_time(self, source: Source, name: str, time: datetime) -> None:
        """Set the time of a version that was filed without one.

        If it was too late, the version is removed, since it would not have been accepted. Versions
        with a known time, and withdrawn ones, do not change.

        Args:
            source: The source of the version.
            name: The name that it plays under.
            time: Latest possible time of the submission, with its offset.
        """
        check_name(name)
        with only_one(self.folder):
            for each in self.versions(name):
                is_unknown = each.stated == "nothing" and not each.waives("deadline")
                is_open = each.untimed or is_unknown
                if each.digest != source.digest or not is_open or each.status == "withdrawn":
                    continue
                came = min(time, each.times[0])  # not later than the import
                late = self.terms.late_days_at(came, each.author, name)
                if late > self.terms.late_days_of(each.author, name):
                    remove_folder(self.folder / name / each.digest)
                else:
                    times = (came, *each.times[1:])
                    known = replace(each, times=times, late_days=late, untimed=False, stated="time")
                    self._rewrite(known)

    def needs_check(
        self,
        source: Source,
        name: str,
        *,
        author: str,
        now: datetime,
        late_days: int,
        keeps_known: bool,
        override: Override = NO_OVERRIDE,
    ) -> bool:
        """Return whether `take` would check a source, as far as that is known already."""
        try:
            check_name(name)
            if known := self._known(source, name, now, keeps_known=keeps_known):
                return not self._is_settled(known)
            self._admit(source, name, author, now, late_days, override)
        except SubmissionError:
            return False
        return True

    def versions(self, name: str | None = None) -> tuple[Submission, ...]:
        """Return the versions of a name, or of all names, by name and then by time.

        Present deadlines decide whether they are late.

        Raises: SubmissionError, if a record cannot be read.
        """
        found = [
            judged_again(self.terms, record)
            for place in versions_in(self.folder, name)
            if (record := self._record(place))
        ]
        return tuple(sorted(found, key=lambda each: (each.name, each.time, each.digest)))

    def names(self) -> tuple[str, ...]:
        """Return the names with at least one version."""
        # From the folders, because reading all records of a class is slow.
        return tuple(normalize("NFC", name) for name in names_in(self.folder))

    def current(self, rule: Rule | None = None) -> tuple[Submission, ...]:
        """Return the version that plays of each name, by name; names without one are omitted.

        Args:
            rule: How to choose; by default the rule of the folder.
        """
        chosen = (self.playing(name, rule) for name in sorted(self.names()))
        return tuple(each for each in chosen if each)

    def playing(self, name: str, rule: Rule | None = None) -> Submission | None:
        """Return the version of a name that plays, if any; `rule` as for `current`.

        Students who are excluded by the roster do not play.
        """
        if self.terms.roster and self.terms.roster.excludes(name):
            return None
        return choose(self.versions(name), rule or self.terms.rule, self.pinned(name))

    def group_of(self, name: str) -> str | None:
        """Return the groups of a name on the roster as one label, if it has any."""
        groups = self.terms.roster.groups_of(name) if self.terms.roster else ()
        return label_of(groups) or None

    def source_folder(self, submission: Submission) -> Path:
        """Return the folder of a version's files."""
        return self.folder / submission.name / submission.digest / SOURCE

    def read(self, submission: Submission) -> Source:
        """Read the source of a version.

        Raises: SubmissionError, if the files differ from the submission.
        """
        folder = self.source_folder(submission)
        source = read_handed_in(folder)
        if (source.digest, source.kind) != (submission.digest, submission.kind):
            raise SubmissionError(
                f"{folder} was changed after the submission: its source was "
                f"{submission.digest[:12]} and is now {source.digest[:12]}. Restore it from a "
                "copy, or withdraw the version."
            )
        return source

    def find(self, name: str, digest: str) -> Submission:
        """Find a version.

        Args:
            name: The name.
            digest: The version's digest, or enough of its beginning.
        Raises: SubmissionError, if that is not one version.
        """
        own = self.versions(name)
        if not own:
            raise SubmissionError(
                f"{self.folder} has no submission of {name[:40]!r}"
                f"{hint(closest(name, self.names()))}"
            )
        found = [each for each in own if digest and each.digest.startswith(digest.lower())]
        if len(found) != 1:
            there = ", ".join(each.digest[:12] for each in own)
            fault = "several versions that begin with" if found else "no version"
            raise SubmissionError(f"{name} has {fault} {digest[:40]!r}. Its versions: {there}")
        return found[0]

    def pinned(self, name: str) -> str | None:
        """Return the digest of the pinned version of a name, if any."""
        path = self.folder / name / PINNED
        return path.read_text(encoding="utf-8").strip() if path.is_file() else None

    def pin(self, name: str, digest: str) -> Submission:
        """Choose the version of a name that plays under the rule `pinned`.

        Args:
            name: The name.
            digest: The version's digest, or enough of its beginning.
        Raises: SubmissionError, if there is no such version that may play.
        """
        self._check_exists()
        with only_one(self.folder):
            found = self.find(name, digest)
            if not found.plays:
                raise SubmissionError(
                    f"{name} {found.digest[:12]} may not play, because it was {found.status}: "
                    f"{found.reason}"
                )
            write_whole(self.folder / name / PINNED, f"{found.digest}\n")
        return found

    def withdraw(self, name: str, digest: str, reason: str) -> Submission:
        """Withdraw a version, so that it no longer plays.

        Args:
            name: The name.
            digest: The version's digest, or enough of its beginning.
            reason: Shown to all users who list the submissions.
        Raises: SubmissionError, if there is no such version.
        """
        self._check_exists()
        return self._changed(name, digest, lambda each: each.withdrawn(reason))

    def _admit(  # noqa: PLR0917 - as `take` has them
        self,
        source: Source,
        name: str,
        author: str,
        now: datetime,
        late: int,
        override: Override,
    ) -> None:
        """Reject a wrong name, author or time, and a version that was withdrawn."""
        check_name(name, self.names(), self._reserved)
        if (self.folder / name).is_file():
            raise SubmissionError(
                f"name {name!r}: the folder has a file of this name; choose another name"
            )
        terms, own = self.terms, self.versions(name)
        check_author(terms, own, name, author)
        for each in own:
            if each.status == "withdrawn" and self._has_source(each, source):
                raise SubmissionError(
                    f"name {name!r}: version {each.digest[:12]} was withdrawn: {each.reason}. "
                    "Submit another version."
                )
        if "deadline" not in override.limits:
            terms.check_time(author, name, late)
        today = terms.local(now).date()
        taken = sum(terms.local(time).date() == today for each in own for time in each.times)
        most = None if "per_day" in override.limits else terms.per_day
        if most is not None and taken >= most:
            raise SubmissionError(
                f"name {name!r} has used its limit of {counted(most, 'version')} a day "
                f"({terms.zone_words}). Submit this one tomorrow."
            )

    def _has_source(self, filed: Submission, source: Source) -> bool:
        """Return whether a version has a source; the name of a single file does not matter."""
        if filed.digest == source.digest or not source.text:
            return filed.digest == source.digest
        try:
            return self.read(filed).text == source.text
        except (ChartError, SubmissionError):  # its stored files are damaged
            return False

    def _file(self, submission: Submission, source: Source) -> Submission:
        """Store a version; if it exists already, add the time to its record."""
        place = self.folder / submission.name / submission.digest
        before = self._record(place)
        if before:
            times = tuple(sorted((*before.times, submission.time)))
            note = submission.note or before.note
            submission = replace(submission, author=before.author, times=times, note=note)
            self._rewrite(submission)
            return submission
        place.parent.mkdir(exist_ok=True)
        texts = {f"{SOURCE}/{name}": text for name, text in source.files}
        write_folder(place, {**texts, RECORD: write_record(submission)})
        return submission

    def _rewrite(self, submission: Submission) -> None:
        place = self.folder / submission.name / submission.digest
        write_whole(place / RECORD, write_record(submission))

    def _known(
        self, source: Source, name: str, now: datetime, *, keeps_known: bool
    ) -> Submission | None:
        """Find the last version if it plays, or one that came at exactly this time."""
        own = self.versions(name)
        for each in own:
            is_last = each == own[-1] and each.plays
            if each.digest == source.digest and (is_last or keeps_known or now in each.times):
                return each
        return None

    def _is_settled(self, known: Submission) -> bool:
        """Return whether a version needs no other check for the present tournament."""
        is_back = known.status == "withdrawn"
        return is_back or known.report.demanded == self._demanded

    def _changed(
        self, name: str, digest: str, change: Callable[[Submission], Submission]
    ) -> Submission:
        """Change the record of a version as it is now."""
        with only_one(self.folder):
            changed = change(self.find(name, digest))
            self._rewrite(changed)
        return changed

    def _check_exists(self) -> None:
        if fault := fault_of_folder(self.folder):
            raise SubmissionError(f"{self.folder}: {fault}")

    @staticmethod
    def _record(place: Path) -> Submission | None:
        """Read the record of a version, if there is one."""
        if not place.is_dir():
            return None
        record = read_record(place / RECORD)
        # Some systems store accents separately from their letters.
        filed = normalize("NFC", place.parent.name), place.name
        if (normalize("NFC", record.name), record.digest) != filed:
            raise SubmissionError(
                f"{place / RECORD} is the record of {record.name} {record.digest[:12]}, not of "
                f"{filed[0]} {filed[1][:12]}. Move each folder back to its place."
            )
        return record
