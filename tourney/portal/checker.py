"""The process `checker`: checks and files uploads, and lets students choose versions.

A filed version has the time of its upload, by which `Submissions.take` recognises it: a check that
runs twice files one version. An upload stays in the inbox until its job has finished.
"""

import logging
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from threading import Thread
from typing import Any, Self

from tourney.checks.report import CheckReport
from tourney.checks.source import Source, source_of
from tourney.checks.starter_files import starting_files
from tourney.config.games import load_game
from tourney.config.model import Catalog, GameConfig
from tourney.course.folder import Submissions
from tourney.course.names import reserved_names
from tourney.course.records import LIMITS, Override, Submission
from tourney.course.rejections_log import Refusal, keep_refusals
from tourney.course.submission_check import IntakeCheck, contract_of, intake_check
from tourney.course.submission_rules import read_terms
from tourney.course.submission_status import copies
from tourney.course.teams import check_team
from tourney.course.zips import competitor_in, read_zip
from tourney.errors import ChartError, PortalError, SubmissionError, TourneyError
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.portal import (
    course_jobs,
    erasure,
    folder_erasure,
    folder_watch,
    grade_jobs,
    graded_tests,
    jobs,
    mutants,
    notices,
    team_jobs,
    tournament_file,
    versions,
)
from tourney.portal.accounts import courses
from tourney.portal.database import USUAL_GAME, open_database, time_text
from tourney.portal.jobs import sweep
from tourney.portal.personal_rules import lifted
from tourney.portal.places import Places
from tourney.portal.versions import DIGITS, Version, keep, versions_of
from tourney.portal.worker import Context, Handler, hide_path, of_course, work
from tourney.sandbox.levels import Level, probe
from tourney.tournament.catalog import catalog_of

THREADS = 2
MOST_UNPACKED = 8_000_000
"""Limit in bytes for all files in one competitor's zip."""
LONGEST_LINE = 1000
OTHER_GAME = "check it with "
"""Starts the advice of a check on how to check a player of another game."""

log = logging.getLogger("tourney.portal")


@dataclass(frozen=True, slots=True)
class Checks:
    """Data that all checks of the process share, so that each check is quick."""

    registry: Registry
    catalog: Catalog
    level: Level

    @classmethod
    def load(cls) -> Self:
        """Load the plugins, and test the sandbox of this machine.

        Raises: PortalError, if no sandbox works: then no student code runs here.
        """
        level = probe()
        if level is Level.UNSAFE:
            raise PortalError(
                "checker: this machine has no working sandbox; uploads wait until `tourney check "
                "FILE` runs here in one"
            )
        registry = load_plugins()
        return cls(registry, catalog_of(registry), level)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """Give the handler of each kind of job."""
        tries = partial(mutants.try_tests, catalog=self.catalog)
        return {
            "check": self.check,
            "choose": self.choose,
            graded_tests.KIND: tries,
            versions.KIND: self.search_copies,
        }

    def check(self, context: Context) -> Mapping[str, Any]:
        """Check an upload and file it; payload: file (in the inbox), title and author."""
        sweep(context.places, context.database)
        job, title = context.job, str(context.job.payload["title"])
        submissions, check = self._of_course(context)
        received = datetime.fromisoformat(job.received)
        author, course = str(job.payload["author"]), context.course.id
        limits, because = lifted(context.database, course, author, job.name, job.received)
        override = Override(tuple(each for each in LIMITS if each in limits), because)
        try:
            check_team(submissions, author, job.name)
            source = _read(context, title)
            taken = submissions.take(
                source,
                job.name,
                author=author,
                now=received,
                check=lambda each: _without_options(
                    check(each, partial(_say, context)), check.game
                ),
                override=override,
            )
        except (SubmissionError, ChartError) as error:
            reason = "; ".join(str(error).replace(f"{submissions.folder}/", "").splitlines())
            refusal = Refusal(received, title, "refused", job.name, author, reason)
            keep_refusals(submissions.folder, [refusal])
            _say(context, f"refused: {reason}")
            _notify(context)
            return {"status": "refused", "name": job.name, "reason": reason}
        self._tell(context, submissions)
        _say(context, _verdict(taken))
        _notify(context)
        return _result(taken)

    def choose(self, context: Context) -> Mapping[str, Any]:
        """Let a version compete, if the course's rule is the student's choice; payload: digest."""
        submissions, _ = self._of_course(context)
        if submissions.terms.rule != "pinned":
            raise SubmissionError(
                "you cannot choose a version in this course; its rule is "
                f"{submissions.terms.rule!r}"
            )
        chosen = submissions.pin(context.job.name, str(context.job.payload["digest"]))
        self._tell(context, submissions)
        _say(context, f"version {chosen.digest[:DIGITS]} competes from now on")
        return {"status": "chosen", "name": chosen.name, "digest": chosen.digest, "reason": ""}

    def search_copies(self, context: Context) -> Mapping[str, Any]:
        """Find submissions of a course that equal each other, without its starter files."""
        folder = context.folder
        with hide_path(f"{folder}/"):
            terms = read_terms(folder, self.catalog)
            starter = starting_files("starter", terms.game.rules) if terms.game else {}
            found = copies(Submissions(folder, terms), tuple(starter.values()))
        return {"status": "found", "copies": [(each.kind, each.names) for each in found]}

    def warm(self, places: Places) -> None:
        """Run a check for the game of each course, so that all modules are loaded early.

        Before the first course, the default game is checked: so its code is compiled when the first
        student submits.
        """
        with closing(open_database(places)) as database:
            folders = [places.course(each.slug) for each in courses(database)]
        games = {}
        if not folders:
            game = load_game(USUAL_GAME, self.catalog)
            games[game] = intake_check(game, self.registry, self.level)
        for folder in folders:
            try:
                terms = read_terms(folder, self.catalog)
                if terms.game:
                    games[terms.game] = intake_check(terms.game, self.registry, self.level)
            except TourneyError as error:  # students of that course see it when they submit
                log.warning("%s: %s", folder.name, error)
        for game, check in games.items():
            name, text = next(iter(starting_files("first", game.rules).items()))
            check(source_of({name: text.encode()}))

    def _of_course(self, context: Context) -> tuple[Submissions, IntakeCheck]:
        """Open a course's folder, and prepare checks for its game."""
        folder = context.folder
        with of_course(context):
            terms, demands = contract_of(folder, read_terms(folder, self.catalog), self.catalog)
        if terms.game is None:
            title = context.course.title
            raise PortalError(f"{title}: the course has no game yet; ask your lecturer")
        check = intake_check(terms.game, self.registry, self.level, demands=demands)
        reserved = reserved_names(self.registry)
        return Submissions(folder, terms, reserved, check.demanded), check

    @staticmethod
    def _tell(context: Context, submissions: Submissions) -> None:
        """Record the filed versions, and request practice; only the latest request matters."""
        tell_versions(context, submissions, context.job.name)
        if submissions.playing(context.job.name):
            jobs.add(context.database, "practice", {}, course=context.course.id, replaces=True)


def tell_versions(context: Context, submissions: Submissions, name: str) -> None:
    """Record which versions of a name are filed, for the pages."""
    playing = submissions.playing(name)
    versions = [
        (
            Version(
                name=each.name,
                digest=each.digest,
                received=time_text(each.time),
                status=each.status,
                reason=each.reason,
                plays=playing is not None and each.digest == playing.digest,
                report=each.report.to_data(),
            ),
            submissions.read(each).files,
        )
        for each in submissions.versions(name)
    ]
    keep(context.database, context.course.id, name, versions)


def read_folder(context: Context) -> Mapping[str, Any]:
    """Record the changes of commands in a folder.

    Payload: `names`, of submissions with changed versions; SETTINGS for all submissions.
    """
    database, course, names = context.database, context.course, context.job.payload["names"]
    before = versions_of(database, course.id, None)
    with of_course(context):
        submissions = Submissions(context.folder)
        course_jobs.tell_again(database, course.id, context.folder)
    if folder_watch.SETTINGS in names:
        course_jobs.share_roster(database, context.places, course)
        names = sorted({*submissions.names(), *(each.name for each in before)})
    for name in names:
        tell_versions(context, submissions, name)
    after = versions_of(database, course.id, None)
    if _playing(before) != _playing(after):
        jobs.add(database, "practice", {}, course=course.id, replaces=True)
    return {"status": "read"}


def _playing(versions: Sequence[Version]) -> frozenset[tuple[str, str]]:
    return frozenset((each.name, each.digest) for each in versions if each.plays)


def main(places: Places, arguments: Namespace) -> None:
    """Do jobs until a signal ends the process; without a sandbox, uploads wait."""
    handlers = {
        **course_jobs.HANDLERS,
        **tournament_file.HANDLERS,
        **grade_jobs.HANDLERS,
        **team_jobs.HANDLERS,
        **folder_erasure.HANDLERS,
        erasure.KIND: erasure.sweep,
        erasure.FOLDER: read_folder,
    }
    course_jobs.tell_all(places)
    with closing(open_database(places)) as database:
        erasure.ask(database)
        folder_watch.read_all(database)
        is_new = not courses(database)
    try:
        checks = Checks.load()
        if is_new:  # compiling takes a while, and the first roster does not wait for it
            Thread(target=checks.warm, args=(places,), daemon=True).start()
        else:
            checks.warm(places)
        handlers.update(checks.handlers)
    except PortalError as error:
        log.error("%s", error)  # noqa: TRY400 - a fault of the machine, told in words
    work(places, arguments.role, handlers, threads=THREADS)


def _read(context: Context, title: str) -> Source:
    """Read an upload.

    Raises: SubmissionError or ChartError, if it cannot be a competitor.
    """
    tell = partial(_say, context)
    if title.lower().endswith(".zip"):
        members = read_zip(context.upload, most_in_all=MOST_UNPACKED, title=title)
        source = source_of(competitor_in(title, members, tell))
    else:
        source = source_of({title: context.upload.read_bytes()})
    tell(f"read: {source.name}, {source.language.title}, version {source.digest[:DIGITS]}")
    return source


def _without_options(report: CheckReport, game: GameConfig) -> CheckReport:
    """Replace advice to check for another game, which is an option of the command line only."""
    advice = f"this course plays {game.preset}; submit a player for {game.rules.game}"
    findings = (
        replace(each, remedy=advice) if OTHER_GAME in each.remedy else each
        for each in report.findings
    )
    return replace(report, findings=tuple(findings))


def _notify(context: Context) -> None:
    """Notify the submitter and the rest of the team that the report is ready, once a job."""
    job, database, course = context.job, context.database, context.course.id
    for account in {job.account, *notices.students(database, course, job.name)} - {None}:
        once = f"report {job.id} {account}"
        notices.add(database, "report", account=account, course=course, once=once, job=job.id)


def _say(context: Context, line: str) -> None:
    context.say(printable(line, LONGEST_LINE))


def _verdict(taken: Submission) -> str:
    """Describe the result for a version in one line."""
    reason = f": {taken.report.reason}" if taken.report.reason else ""
    return f"{taken.status} as {taken.name}, version {taken.digest[:DIGITS]}{reason}"


def _result(taken: Submission) -> Mapping[str, Any]:
    return {
        "status": taken.status,
        "name": taken.name,
        "digest": taken.digest,
        "reason": taken.reason,
        "late_days": taken.late_days,
        "score": taken.report.score,
        "margin": taken.report.margin,
        "findings": [asdict(each) for each in taken.report.findings],
        "measured": [asdict(each) for each in taken.report.measured],
    }
