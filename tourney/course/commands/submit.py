"""`submit`: one competitor, or the download of a whole class."""

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from getpass import getuser
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click

from tourney.checks.source import read_handed_in
from tourney.cli import completion
from tourney.cli.check_report import LONGEST_LINE, show_report
from tourney.cli.options import (
    JSON,
    NO_SANDBOX,
    NamedFile,
    note,
    refuse_beside,
    refuse_without,
    shared_option,
)
from tourney.config.games import load_game
from tourney.config.words import hint
from tourney.course.bulk_import import OutcomeStatus, take_class
from tourney.course.commands.upload import TOKEN, UploadError, is_address, send, token_of
from tourney.course.extensions import MOMENT_WORDS, moment_in
from tourney.course.folder import Submissions, fault_of_target, near_folder, usual_folder
from tourney.course.games import game_for, game_text, keep_game
from tourney.course.lms_downloads import ClassDownload, read_class
from tourney.course.names import reserved_names, shown
from tourney.course.records import DIGITS, LIMITS, LONGEST_NOTE, Limit, Override, Submission
from tourney.course.rejections_log import Refusal, keep_refusals
from tourney.course.roster import OF_TEST_STUDENT, Person
from tourney.course.roster_file import read_roster
from tourney.course.submission_check import IntakeCheck, contract_of, intake_check
from tourney.course.submission_rules import TERMS, read_terms
from tourney.course.tournament_entrants import name_meant
from tourney.errors import ChartError, SubmissionError
from tourney.execution.workers.workload import told_if_long
from tourney.game.words import counted
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.sandbox.levels import Level, probe
from tourney.tournament.catalog import catalog_of

TRUST = "read its code, then add --no-sandbox to run it with your permissions"

MOST_AT_ONCE = 4
"""Parallel checks of a class; more would wait for this process."""


class Place(NamedFile):
    """A folder, or the address of a portal's course."""

    def convert(
        self,
        value: "str | os.PathLike[str]",
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """Leave an address as it is."""
        if is_address(str(value)):
            return str(value)
        return super().convert(value, param, ctx)


TO = click.option(
    "--to",
    "place",
    type=Place(file_okay=False, path_type=Path),
    metavar="DIR",
    default=usual_folder,
    show_default="submissions; in a class's folder, this one",
    help="Folder of submissions, created if needed; or a portal's course, such as "
    "https://cards.example.edu/c/cs101.",
)
TOKEN_FILE = click.option(
    "--token-file",
    type=NamedFile(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"File with the token for a portal; the default is {TOKEN} in the environment.",
)


class Moment(click.ParamType[datetime]):
    """A time, with its offset unless the class names a time zone."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Read it."""
        try:
            return datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"expected {MOMENT_WORDS}, got {value!r}", param, ctx)


def moment_of(given: datetime, option: str, zone: tzinfo | None) -> datetime:
    """Return the time of an option in the time zone of the class.

    Raises: UsageError, if it has no offset and the class names no time zone.
    """
    try:
        return moment_in(given.isoformat(), zone)
    except ValueError:
        got = given.isoformat(" ", "minutes")
        raise click.UsageError(f"{option}: expected {MOMENT_WORDS}, got '{got}'") from None


def _text_of(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Return a note without line ends and repeated spaces.

    Raises: BadParameter, if it is too long or has characters that no page can show.
    """
    text = " ".join(value.split())
    if len(text) > LONGEST_NOTE or not text.isprintable():
        raise click.BadParameter(f"use at most {LONGEST_NOTE} printable characters", ctx, param)
    return text


@click.command("submit")
@click.argument("file", type=NamedFile(path_type=Path), required=False)
@shared_option("--as", "name", metavar="NAME")
@click.option(
    "--author", metavar="AUTHOR", help="The author; by default your name on this machine."
)
@TO
@TOKEN_FILE
@shared_option(
    "--game",
    metavar="GAME",
    shell_complete=completion.games,
    show_default="that of DIR/submissions.yaml",
)
@click.option(
    "--zip",
    "download",
    type=NamedFile(path_type=Path),
    metavar="ZIP|DIR",
    help="Import a whole class: a download of Canvas, Moodle or Gradescope, as a zip or unpacked.",
)
@shared_option("--roster", type=NamedFile(dir_okay=False, path_type=Path), metavar="ROSTER")
@click.option("--only", metavar="PERSON", help="With --zip, import this student only.")
@click.option(
    "--received",
    type=Moment(),
    metavar="TIME",
    help="The time of submission if the platform does not give it, as '2026-12-01 23:59+01:00'.",
)
@click.option(
    "--override",
    "limits",
    multiple=True,
    type=click.Choice(LIMITS),
    help="Waive this submission rule for the student; stored with the version.",
)
@shared_option("--reason", metavar="REASON", default="")
@click.option(
    "--note",
    "text",
    metavar="TEXT",
    default="",
    callback=_text_of,
    help=f"Note on the version for the lecturer, at most {LONGEST_NOTE} characters.",
)
@click.option("--report", "whole", is_flag=True, help="Print the whole report of the check.")
@NO_SANDBOX
@JSON
def submit_command(
    file: Path | None,
    name: str | None,
    author: str | None,
    place: Path | str,
    token_file: Path | None,
    game: str | None,
    download: Path | None,
    roster: Path | None,
    only: str | None,
    received: datetime | None,
    limits: tuple[Limit, ...],
    reason: str,
    text: str,
    whole: bool,
    trust_submissions: bool,
    as_json: bool,
) -> int:
    """Submit a competitor.

    FILE is a Python file, a C++ file (.cpp), a chart (.txt), or the folder of a small package or a
    C++ project. It is checked in a sandbox, and every version is kept. The first submission to DIR
    names the game.
    """
    if isinstance(place, str):
        others = (name, author, game, download, roster, only, received, limits, whole)
        if not file or any(others) or trust_submissions:
            raise click.UsageError(
                "--to: a portal needs only FILE and --note; remove the other options"
            )
        return _send(place, file, token_of(token_file), text, as_json=as_json)
    folder = place
    _check_options()
    registry = load_plugins()
    reception = _Reception(folder, roster, game, registry)
    check = intake_check(
        reception.game,
        registry,
        trust=TRUST,
        is_trusting=trust_submissions,
        demands=reception.demands,
    )
    if received:
        received = moment_of(received, "--received", reception.submissions.terms.time_zone)
    if download:
        how = _How(only, received, Override(limits, reason.strip()))
        return _take_class(
            reception, download, check, how, is_trusting=trust_submissions, as_json=as_json
        )
    assert file
    name = shown(name or "")
    author, now = author or _user(), datetime.now(UTC)
    override, meant = Override(limits, reason.strip()), name_meant(reception.submissions, name)
    try:
        taken = reception.submissions.take(
            read_handed_in(file),
            meant,
            author=author,
            now=received or now,
            check=check,
            override=override,
            note=text,
        )
    except (SubmissionError, ChartError) as error:
        if file.exists():  # otherwise its name was mistyped
            reason = "; ".join(str(error).splitlines())
            keep_refusals(folder, [Refusal(now, file.name, "refused", name, author, reason)])
        raise
    reception.keep_game()
    if as_json:
        click.echo(json.dumps(taken.to_data()))
    else:
        _tell(taken, file, folder, whole=whole)
    return 0 if taken.plays else 1


def _check_options() -> None:
    """Reject options of a whole class with those of one competitor, and useless ones."""
    refuse_without("a portal's address as --to", "token_file")
    given = click.get_current_context().params
    download, only, limits = (given[each] for each in ("download", "only", "limits"))
    if not limits:
        refuse_without("--override", "reason")
    if download and (given["file"] or given["name"] or given["author"]):
        raise click.UsageError("--zip cannot be used with FILE, --as or --author")
    if not download and not (given["file"] and given["name"]):
        raise click.UsageError("give FILE and --as NAME, or --zip ZIP of a whole class")
    if download and given["whole"]:
        raise click.UsageError("--zip cannot be used with --report; see `tourney submissions`")
    if download:
        refuse_beside("--zip", "text")
    if only and not download:
        raise click.UsageError("--only needs --zip")
    if limits and not given["reason"].strip():
        raise click.UsageError("--override needs --reason REASON")
    if limits and download and not only:
        raise click.UsageError("--override with --zip needs --only PERSON")
    if download and not given["roster"]:
        _check_class(given["place"])


def _check_class(folder: Path) -> None:
    """Reject a folder without a class, whose roster a download would need.

    Raises: SubmissionError.
    """
    if not (folder / TERMS).is_file():
        raise SubmissionError(
            f"{folder}: there is no class in this folder{hint(near_folder(folder))}. Create "
            f"it with `tourney class new {folder} --gradebook FILE`."
        )


def _send(address: str, file: Path, token: str, text: str, *, as_json: bool) -> int:
    """Submit to a portal, and print the result."""

    def tell(line: str) -> None:
        if not as_json:
            click.echo(printable(line, LONGEST_LINE))

    try:
        job = send(address, file, token, tell, text)
    except UploadError as error:
        note(printable(str(error), LONGEST_LINE))
        return 1
    result, state = job["result"], job["state"]
    if as_json:
        click.echo(json.dumps(job))
    elif state != "done":
        reason = result.get("reason", "a newer upload has taken its place")
        note(printable(f"{file}: not checked: {reason}", LONGEST_LINE))
    return 0 if result.get("status") == "accepted" else 1


class _How(NamedTuple):
    """Options of the import of a class."""

    only: str | None
    received: datetime | None
    override: Override


class _Reception:
    """A folder of submissions, and the game it is for."""

    def __init__(
        self, folder: Path, roster: Path | None, game: str | None, registry: Registry
    ) -> None:
        self._folder, self._catalog = folder, catalog_of(registry)
        if fault := fault_of_target(folder):
            raise SubmissionError(f"{folder}: {fault}")
        terms = read_terms(folder, self._catalog)
        self._is_new = terms.game is None
        asked = load_game(game, self._catalog) if game else None
        if roster:
            terms = replace(terms, roster=read_roster(roster))
        terms, self.demands = contract_of(folder, terms, self._catalog)
        self.game = game_for(folder, terms, asked)
        demanded = str(self.demands) if terms.tournament else ""
        self.submissions = Submissions(folder, terms, reserved_names(registry), demanded)

    def keep_game(self) -> None:
        """Write the game into the submission rules, once the folder exists."""
        is_new = self._is_new and self._folder.is_dir()
        if is_new and keep_game(self._folder, self.game, self._catalog):
            note(f"{self._folder} is for {game_text(self.game)} from now on")


def _tell(taken: Submission, file: Path, folder: Path, *, whole: bool) -> None:
    """Print the result of a file, in a line or with the whole report."""
    version = f"version {taken.digest[:DIGITS]}"
    click.echo(f"{file}: {taken.status} as {taken.name}, {version} in {folder}")
    if whole:
        show_report(taken.report, file.name)
    elif taken.report.reason:
        word = "warning: " if taken.plays else ""
        note(word + printable(taken.report.reason, LONGEST_LINE))


def _user() -> str:
    """Return the name of this machine's user."""
    try:
        return getuser()
    except (OSError, KeyError, ImportError):  # the machine has no name for the user
        return ""  # rejected later, with a remedy


def _note_untimed(download: Path, count: int) -> None:
    """Print that submissions without a time count as in time, and how to set the time."""
    many = ("they count", "they were late, import them")
    so, late = ("it counts", "it was late, import it") if count == 1 else many
    note(
        f"{download}: the platform gives no time for {counted(count, 'submission')}, so {so} as in "
        f"time. If {late} again with --received TIME, which removes late ones"
    )


def _note_team(name: str, members: Sequence[Person]) -> None:
    """Report a new team on the roster."""
    people = " and ".join(each.person for each in members)
    note(printable(f"new team on the roster: {people} play as {name}", LONGEST_LINE))


def _note_unjudged(reception: _Reception, download: Path, handed_in: ClassDownload) -> None:
    """Print that the submission rules have no deadline yet."""
    if reception.submissions.terms.has_deadline:
        return
    late = sum(bool(each.is_late) for each in handed_in.handed_in)
    marked = f"; the platform marks {late} of them as late" if late else ""
    note(
        f"{download}: no submission counts as late, because {TERMS} sets no deadline{marked}. Set "
        "`deadline`: it then applies to these submissions too"
    )


def _take_class(
    reception: _Reception,
    download: Path,
    check: IntakeCheck,
    how: _How,
    *,
    is_trusting: bool,
    as_json: bool,
) -> int:
    """Import a whole class, and print the result of every file."""
    roster = reception.submissions.terms.roster
    if roster is None:
        raise SubmissionError("--zip needs a roster; add --roster ROSTER")
    # Code without a sandbox runs in this process, one source at a time.
    is_alone = is_trusting or probe() is Level.UNSAFE
    at_once = 1 if is_alone else min(MOST_AT_ONCE, os.cpu_count() or 1)
    now = datetime.now(UTC)
    outcomes = []
    handed_in = read_class(download, roster).received(how.received)
    _note_unjudged(reception, download, handed_in)

    def prepare() -> None:
        with told_if_long(note):
            check.prepare()

    for outcome in take_class(
        reception.submissions,
        handed_in,
        now,
        check,
        at_once,
        only=how.only,
        override=how.override,
        prepare=prepare,
        tell_untimed=partial(_note_untimed, download),
        tell_team=_note_team,
    ):
        outcomes.append(outcome)
        if not as_json:
            click.echo(printable(str(outcome), LONGEST_LINE), err=outcome.is_fault)
    reception.keep_game()
    if as_json:
        click.echo(json.dumps([asdict(each) for each in outcomes]))
    counts = Counter(each.status for each in outcomes)
    statuses = [each for each in get_args(OutcomeStatus) if counts[each]]
    summary = ", ".join(f"{counts[each]} {each}" for each in statuses)
    note(summary or printable(f"no file of {how.only} in {download}", LONGEST_LINE))
    unmatched = sum(
        each.is_fault and not each.name and each.reason != OF_TEST_STUDENT for each in outcomes
    )
    if unmatched:
        note(f"{unmatched} of them could not be matched to a student or team")
    return 1 if any(each.is_fault for each in outcomes) else 0
