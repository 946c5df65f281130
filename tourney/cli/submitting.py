"""Taking in competitors: `submit` and `submissions`."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from getpass import getuser
from pathlib import Path
from textwrap import wrap

import click
from tabulate import tabulate

from tourney.cli.options import note, prints_aside
from tourney.errors import SubmissionError, TourneyError
from tourney.plugins import load_plugins
from tourney.plugins.words import printable
from tourney.submissions import (
    RULES,
    Check,
    CheckReport,
    Rule,
    Source,
    Submission,
    Submissions,
    check_by_loading,
    read_class,
    read_handed_in,
    read_roster,
    read_terms,
    take_class,
)

BUNDLED = "tourney"
"""The distribution whose strategies' names are reserved."""

STATUSES = ("accepted", "rejected", "refused", "left out")
"""What becomes of files, in the order of their sums."""

DIGITS, REASON_WIDTH, LONGEST_LINE = 12, 50, 1000
"""How much is shown of a digest, how wide reasons are, and how long lines."""

TO = click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    default="submissions",
    show_default=True,
    help="Folder of submissions; made if it is not there.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command("submit")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--as", "name", metavar="NAME", help="Name to play under.")
@click.option(
    "--author", metavar="AUTHOR", help="Who hands it in; without it your name on this machine."
)
@TO
@click.option(
    "--zip",
    "download",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="ZIP",
    help="Take in a whole class instead: a download of Canvas or Gradescope.",
)
@click.option(
    "--roster",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="ROSTER",
    help="Who may submit as whom, in CSV or YAML.",
)
@click.option(
    "--trust-submissions",
    is_flag=True,
    help="Let files run in this process to be checked, with all your rights.",
)
@JSON
def submit_command(
    file: Path | None,
    name: str | None,
    author: str | None,
    folder: Path,
    download: Path | None,
    roster: Path | None,
    trust_submissions: bool,
    as_json: bool,
) -> int:
    """Hand in a competitor.

    FILE is a file of Python, a chart (.txt), or the folder of a small package. It is checked and
    kept in every version.
    """
    terms = read_terms(folder)
    if roster:
        terms = replace(terms, roster=read_roster(roster))
    submissions = Submissions(folder, terms, _reserved())
    check = _check(trusts_files=trust_submissions)
    if download:
        if file or name or author:
            raise click.UsageError("--zip: expected no FILE, --as or --author, got one of them")
        return _take_class(submissions, download, check, as_json=as_json)
    if not file or not name:
        raise click.UsageError("expected FILE and --as NAME, or --zip and --roster")
    taken = submissions.take(
        read_handed_in(file),
        name,
        author=author or _user(),
        now=datetime.now(UTC),
        check=check,
    )
    if as_json:
        click.echo(json.dumps(taken.to_data()))
    else:
        version = f"version {taken.digest[:DIGITS]}"
        click.echo(f"{file}: {taken.status} as {taken.name}, {version} in {folder}")
    for finding in taken.report.findings:
        note(printable(str(finding)))
    return 0 if taken.plays else 1


def _user() -> str:
    """Give the name of the person at this machine."""
    try:
        return getuser()
    except (OSError, KeyError, ImportError):  # where the machine knows nobody by name
        return ""  # which is refused with a remedy


def _reserved() -> tuple[str, ...]:
    """Give the names of bundled strategies."""
    strategies = load_plugins().strategies
    return tuple(name for name, each in strategies.items() if each.distribution == BUNDLED)


def _check(*, trusts_files: bool) -> Check:
    """Give what checks a source; a file of Python only runs for who says so."""

    def check(source: Source) -> CheckReport:
        if source.kind != "chart" and not trusts_files:
            raise TourneyError(
                f"{source.name}: expected a file that you have read, as its check runs it with "
                "all your rights: read it, then add --trust-submissions"
            )
        with prints_aside():
            return check_by_loading(source)

    return check


def _take_class(submissions: Submissions, download: Path, check: Check, *, as_json: bool) -> int:
    """Take in a whole class, and say of every file what became of it."""
    if submissions.terms.roster is None:
        raise SubmissionError(
            "--zip: expected a roster, which says who plays as whom; add --roster ROSTER"
        )
    outcomes = []
    for outcome in take_class(submissions, read_class(download), datetime.now(UTC), check):
        outcomes.append(outcome)
        if not as_json:
            click.echo(printable(str(outcome), LONGEST_LINE), err=outcome.is_fault)
    if as_json:
        click.echo(json.dumps([asdict(each) for each in outcomes]))
    counts = {status: sum(each.status == status for each in outcomes) for status in STATUSES}
    note(", ".join(f"{count} {status}" for status, count in counts.items() if count))
    return 1 if any(each.is_fault for each in outcomes) else 0


@click.command("submissions")
@click.argument("folder", type=click.Path(path_type=Path), default="submissions", metavar="[DIR]")
@click.option("--rule", type=click.Choice(RULES), help="Which version plays, whatever the terms.")
@click.option("--pin", nargs=2, metavar="NAME VERSION", help="Let a version play by `pinned`.")
@click.option("--withdraw", nargs=2, metavar="NAME VERSION", help="Take a version back.")
@click.option("--because", metavar="REASON", help="Why it is withdrawn.")
@JSON
def submissions_command(
    folder: Path,
    rule: Rule | None,
    pin: tuple[str, str] | None,
    withdraw: tuple[str, str] | None,
    because: str | None,
    as_json: bool,
) -> None:
    """List what was handed in.

    DIR is a folder of submissions, `submissions` if none is named. Every version is listed, with
    its status and the reason; the one that plays is marked.
    """
    if not folder.is_dir():
        raise SubmissionError(f"{folder}: expected a folder of submissions, got none")
    submissions = Submissions(folder)
    if withdraw:
        if not because:
            raise click.UsageError("--withdraw: expected --because REASON with it, got none")
        taken = submissions.withdraw(*withdraw, because)
        note(f"{taken.name}: version {taken.digest[:DIGITS]} withdrawn")
    if pin:
        taken = submissions.pin(*pin)
        note(f"{taken.name}: version {taken.digest[:DIGITS]} pinned")
    playing = {(each.name, each.digest) for each in submissions.current(rule)}
    rows = [(each, (each.name, each.digest) in playing) for each in submissions.versions()]
    if as_json:
        told = [{**each.to_data(), "plays": plays} for each, plays in rows]
        click.echo(json.dumps(told))
        return
    click.echo(_table(rows))


def _table(rows: Sequence[tuple[Submission, bool]]) -> str:
    """Show versions, a line each."""
    headers = ["Name", "Version", "Kind", "Handed in (UTC)", "By", "Status", "Plays", "Reason"]
    lines = [
        (
            each.name,
            each.digest[:DIGITS],
            each.kind,
            f"{each.time.astimezone(UTC):%Y-%m-%d %H:%M}{_late(each)}",
            each.author,
            each.status,
            "yes" if plays else "",
            "\n".join(wrap(printable(each.reason), REASON_WIDTH)),
        )
        for each, plays in rows
    ]
    return tabulate(lines, headers=headers, disable_numparse=True)


def _late(submission: Submission) -> str:
    return f" (+{submission.late_days} d)" if submission.late_days else ""
