"""The folder of submissions: plain files that can be looked at, copied and backed up.

    submissions/
      submissions.yaml            the organiser's terms, if any
      handles.key                 from which random handles follow, if any
      Ada/                        a name that plays
        pinned                    digest of the version that was pinned, if any
        3f0c…/                    a version, under the digest of its source
          record.json
          source/bold.py

Versions appear whole or not at all, and only their records change. Two processes may take in at
once, and either may be killed at any instant.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeAlias
from unicodedata import normalize

from tourney.checks.report import CheckReport
from tourney.checks.source import Source, read_handed_in
from tourney.config.words import closest
from tourney.course.acceptance import admit, check_author, judged_again
from tourney.course.files import only_one, remove_folder, write_folder, write_whole
from tourney.course.folder_detection import fault_of_folder, names_in, versions_in
from tourney.course.names import check_name
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
from tourney.course.submission_rules import SubmissionRules, meant_words, read_terms
from tourney.errors import ChartError, SubmissionError
from tourney.standings.standing import label_of

Check: TypeAlias = Callable[[Source], CheckReport]
"""What looks at a source before it is filed."""

RECORD, SOURCE, PINNED = "record.json", "source", "pinned"


class Submissions:
    """What was handed in, in every version."""

    def __init__(
        self,
        folder: Path,
        terms: SubmissionRules | None = None,
        reserved: Collection[str] = (),
        demanded: str = "",
    ) -> None:
        """Open a folder, which need not be there before something is taken in.

        Args:
            folder: Where.
            terms: The organiser's terms; without them those that the folder holds.
            reserved: Names that nobody may submit under.
            demanded: What the tournament demands that `take` has sources checked for, as reports
                keep it; empty if the terms name none.
        Raises: ConfigError, with the faults of the folder's terms.
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
        untimed: bool = False,
        override: Override = NO_OVERRIDE,
        stated: Stated = "received",
    ) -> Submission:
        """Take in a version, and file it with what the check says.

        A version that fails is filed as rejected; which one plays does not change by it. What
        was handed in last already is left as it is, unless the tournament that the terms name
        demands something else by now: then it is checked again.

        Args:
            source: What is handed in.
            name: What it shall play under.
            author: Who hands it in.
            now: When, with its offset.
            check: Looks at the source; called without anything being locked.
            late_days: Days after the deadline, where somebody else counts them.
            keeps_known: Whether what is there at all is left as it is, where nobody knows when
                it came.
            untimed: Whether nobody knows if it came before the deadline, which is over.
            override: What of the terms does not hold for it; kept with it.
            stated: How the time is known; kept with it, and judged again when deadlines change.
        Returns: The version as it is filed.
        Raises: SubmissionError, if it is turned away: its name, author or time will not do.
        """
        check_name(name)  # it names a folder, so before all else
        if known := self._known(source, name, now, keeps_known=keeps_known):
            check_author(self.terms, [known], name, author)
            return known if self._is_settled(known) else self._judged(known, check(source))
        late = self.terms.late_days_at(now, author, name) if late_days is None else late_days
        self._admit(source, name, author, now, late, override)
        report = check(source)
        self.folder.mkdir(parents=True, exist_ok=True)
        with only_one(self.folder):
            self._admit(source, name, author, now, late, override)  # somebody may have been quicker
            submission = Submission(
                name=name,
                author=author,
                times=(now,),
                kind=source.kind,
                digest=source.digest,
                late_days=late,
                status="accepted",
                override=str(override),
                untimed=untimed and "deadline" not in override.limits,
                stated=stated,
                report=report,
            )
            return self._file(submission.judged(report), source)

    def set_time(self, source: Source, name: str, time: datetime) -> None:
        """Say when a version came of which nobody knew whether it was in time.

        If it was not, it is taken out of the folder, as it would not have been taken in. Versions
        whose time is known, or that were withdrawn, stay as they are.

        Args:
            source: What was handed in.
            name: What it plays under.
            time: When, at the latest; with its offset.
        """
        check_name(name)
        with only_one(self.folder):
            for each in self.versions(name):
                is_unknown = each.stated == "nothing" and not each.waives("deadline")
                is_open = each.untimed or is_unknown
                if each.digest != source.digest or not is_open or each.status == "withdrawn":
                    continue
                came = min(time, each.times[0])  # it was there when it was taken in
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
        """Say whether `take` would have a source checked, as far as that is known by now."""
        try:
            check_name(name)
            if known := self._known(source, name, now, keeps_known=keeps_known):
                return not self._is_settled(known)
            self._admit(source, name, author, now, late_days, override)
        except SubmissionError:
            return False
        return True

    def versions(self, name: str | None = None) -> tuple[Submission, ...]:
        """Give the versions of a name, or of all, by name and then by time.

        Whether they are late is judged by the deadlines of now.

        Raises: SubmissionError, if a record cannot be read.
        """
        found = [
            judged_again(self.terms, record)
            for place in versions_in(self.folder, name)
            if (record := self._record(place))
        ]
        return tuple(sorted(found, key=lambda each: (each.name, each.time, each.digest)))

    def names(self) -> tuple[str, ...]:
        """Give the names that something was taken in under."""
        # From the folders, because to read all records for each of a class takes long.
        return tuple(normalize("NFC", name) for name in names_in(self.folder))

    def current(self, rule: Rule | None = None) -> tuple[Submission, ...]:
        """Give the version of every name that plays, by name; names without one are left out.

        Args:
            rule: How to choose; without it as the terms say.
        """
        chosen = (self.playing(name, rule) for name in sorted(self.names()))
        return tuple(each for each in chosen if each)

    def playing(self, name: str, rule: Rule | None = None) -> Submission | None:
        """Give the version of a name that plays, if any; `rule` as for `current`.

        Nobody plays whom the roster excludes.
        """
        if self.terms.roster and self.terms.roster.excludes(name):
            return None
        return choose(self.versions(name), rule or self.terms.rule, self.pinned(name))

    def group_of(self, name: str) -> str | None:
        """Give the groups that the roster has a name in, as one label; None if there are none."""
        groups = self.terms.roster.groups_of(name) if self.terms.roster else ()
        return label_of(groups) or None

    def source_folder(self, submission: Submission) -> Path:
        """Give the folder that keeps a version's files."""
        return self.folder / submission.name / submission.digest / SOURCE

    def read(self, submission: Submission) -> Source:
        """Read the source of a version.

        Raises: SubmissionError, if it is not what was handed in.
        """
        folder = self.source_folder(submission)
        source = read_handed_in(folder)
        if (source.digest, source.kind) != (submission.digest, submission.kind):
            raise SubmissionError(
                f"{folder}: expected the source that was handed in ({submission.digest[:12]}), "
                f"got another ({source.digest[:12]}); put it back from a copy, or withdraw it"
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
                f"{self.folder}: expected a name that something was handed in under, got "
                f"{name[:40]!r}{meant_words(closest(name, self.names()))}"
            )
        found = [each for each in own if digest and each.digest.startswith(digest.lower())]
        if len(found) != 1:
            there = ", ".join(each.digest[:12] for each in own)
            got = "several that begin so" if found else "another"
            raise SubmissionError(
                f"{name}: expected one of its versions ({there}), got {got}: {digest[:40]!r}"
            )
        return found[0]

    def pinned(self, name: str) -> str | None:
        """Give the digest of the version of a name that was pinned, if any."""
        path = self.folder / name / PINNED
        return path.read_text(encoding="utf-8").strip() if path.is_file() else None

    def pin(self, name: str, digest: str) -> Submission:
        """Say which version of a name plays where the rule is `pinned`.

        Args:
            name: The name.
            digest: The version's digest, or enough of its beginning.
        Raises: SubmissionError, if there is no such version that may play.
        """
        with only_one(self._existing()):
            found = self.find(name, digest)
            if not found.plays:
                raise SubmissionError(
                    f"{name} {found.digest[:12]}: expected a version that may play, got one that "
                    f"was {found.status}: {found.reason}"
                )
            write_whole(self.folder / name / PINNED, f"{found.digest}\n")
        return found

    def withdraw(self, name: str, digest: str, reason: str) -> Submission:
        """Take a version back, so that it does not play any more.

        Args:
            name: The name.
            digest: The version's digest, or enough of its beginning.
            reason: Why, for everybody who looks.
        Raises: SubmissionError, if there is no such version.
        """
        with only_one(self._existing()):
            found = self.find(name, digest).withdrawn(reason)
            self._rewrite(found)
        return found

    def _admit(  # noqa: PLR0917 - as `take` has them
        self,
        source: Source,
        name: str,
        author: str,
        now: datetime,
        late: int,
        override: Override,
    ) -> None:
        """Turn away whose name, author or time will not do."""
        names = self.names()
        check_name(name, names, self._reserved)
        if (self.folder / name).is_file():
            raise SubmissionError(f"name {name!r}: expected one that is free, got a file's name")
        admit(
            self.terms,
            self.versions(name),
            name,
            is_same=lambda filed: self._has_source(filed, source),
            author=author,
            now=now,
            late_days=late,
            override=override,
        )

    def _has_source(self, filed: Submission, source: Source) -> bool:
        """Say whether a version has a source, whatever its one file is called."""
        if filed.digest == source.digest or not source.text:
            return filed.digest == source.digest
        try:
            return self.read(filed).text == source.text
        except (ChartError, SubmissionError):  # what was kept of it is spoilt
            return False

    def _file(self, submission: Submission, source: Source) -> Submission:
        """Keep a version, or note that it came once more."""
        place = self.folder / submission.name / submission.digest
        before = self._record(place)
        if before:
            times = tuple(sorted((*before.times, submission.time)))
            submission = replace(submission, author=before.author, times=times)
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
        """Find a good version that came last, or one that came at this very time."""
        own = self.versions(name)
        for each in own:
            is_last = each == own[-1] and each.plays
            if each.digest == source.digest and (is_last or keeps_known or now in each.times):
                return each
        return None

    def _is_settled(self, known: Submission) -> bool:
        """Say whether a version was checked for what the tournament demands now."""
        is_back = known.status == "withdrawn"
        return is_back or known.report.demanded == self._demanded

    def _judged(self, known: Submission, report: CheckReport) -> Submission:
        """Keep what another check says of a version, and nothing else of it anew."""
        with only_one(self.folder):
            judged = self.find(known.name, known.digest).judged(report)
            self._rewrite(judged)
        return judged

    def _existing(self) -> Path:
        if fault := fault_of_folder(self.folder):
            raise SubmissionError(f"{self.folder}: {fault}")
        return self.folder

    @staticmethod
    def _record(place: Path) -> Submission | None:
        """Read the record of a version; None if nothing was filed there."""
        if not place.is_dir():
            return None
        record = read_record(place / RECORD)
        # Some systems keep accents apart from their letters.
        filed = normalize("NFC", place.parent.name), place.name
        if (normalize("NFC", record.name), record.digest) != filed:
            raise SubmissionError(
                f"{place / RECORD}: expected the record of {filed[0]} {filed[1][:12]}, got that "
                f"of {record.name} {record.digest[:12]}; put each folder back where it was"
            )
        return record
