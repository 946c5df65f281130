"""`submissions`: the submissions of a folder, and the state of a class."""

import json
from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import click
from tabulate import tabulate

from tourney.cli.check_report import show_report as print_report
from tourney.cli.options import JSON, NamedFile, note, refuse_beside, refuse_without, shared_option
from tourney.course.folder import Submissions, fault_of_folder, usual_folder
from tourney.course.pseudonyms import KEY, make_key, read_key
from tourney.course.records import DIGITS, RULES, Rule, Submission
from tourney.course.rejections_log import Refusal, read_refusals
from tourney.course.roster import Roster
from tourney.course.submission_rules import SubmissionRules, read_terms
from tourney.course.submission_status import PLAY, copies, missing
from tourney.course.tournament_entrants import name_meant, pseudonyms_in
from tourney.errors import SubmissionError
from tourney.plugins.fault_text import printable
from tourney.standings.data import csv_of

NAMES_WIDTH, REASON_WIDTH = 70, 50
"""Width of the names of equal submissions, and of reasons."""

Rows = list[tuple[str, ...]]


def list_class(
    submissions: Submissions, *, wants_missing: bool, as_csv: bool, as_json: bool
) -> None:
    """Print the students without a version that plays, or the equal submissions.

    Args:
        submissions: Of the class.
        wants_missing: Whether to print the students, not the equal submissions.
        as_csv: Print CSV without formulas.
        as_json: Print JSON.
    """
    headings, rows = _missing(submissions) if wants_missing else _copies(submissions)
    if as_csv:
        click.echo(csv_of([headings, *rows]), nl=False)
    elif as_json:
        click.echo(json.dumps([dict(zip(headings, row, strict=True)) for row in rows]))
    elif rows:
        cells = [[*map(printable, row[:-1]), _wrapped(row[-1], NAMES_WIDTH)] for row in rows]
        titles = [heading.capitalize() for heading in headings]
        click.echo(tabulate(cells, headers=titles, disable_numparse=True))
    if not rows:
        note("all students have a version that plays" if wants_missing else "there are no copies")


def _missing(submissions: Submissions) -> tuple[tuple[str, ...], Rows]:
    rows: Rows = [
        (each.person, each.name, "; ".join(each.groups), each.why) for each in missing(submissions)
    ]
    return ("person", "plays as", "groups", "why"), rows


def _copies(submissions: Submissions) -> tuple[tuple[str, ...], Rows]:
    found = copies(submissions, templates_of(submissions.folder))
    rows: Rows = [(each.kind, "; ".join(each.names)) for each in found]
    return ("what", "who"), rows


def note_copies(submissions: Submissions) -> None:
    """Print the submissions with the same source, or the same but for its names."""
    for each in copies(submissions, templates_of(submissions.folder)):
        if each.kind != PLAY:
            note(f"{each.kind}: {printable('; '.join(each.names))}")


EXAMPLES = Path(__file__).parents[1] / "page_examples.json"
"""The competitors in the pages for students, which `docs/generate.py` writes here."""


def templates_of(folder: Path) -> tuple[str, ...]:
    """Return the platform's starter competitors for the game of a folder, and its examples."""
    # These load games and the check, which only the search for copies needs.
    from tourney.checks.starter_files import starting_files  # noqa: PLC0415 - see above
    from tourney.plugins.loading import load_plugins  # noqa: PLC0415 - see above
    from tourney.tournament.catalog import catalog_of  # noqa: PLC0415 - see above

    game = read_terms(folder, catalog_of(load_plugins())).game
    starters = starting_files("starter", game.rules).values() if game else ()
    return (*starters, *json.loads(EXAMPLES.read_text(encoding="utf-8")).values())


PINNED: Rule = "pinned"
"""The rule by which pins count."""


@click.command("submissions")
@click.argument("folder", type=NamedFile(path_type=Path), default=usual_folder, metavar="[DIR]")
@click.option("--rule", type=click.Choice(RULES), help="Which version plays; overrides the rules.")
@click.option("--pin", nargs=2, metavar="NAME VERSION", help="Let a version play by `pinned`.")
@click.option("--withdraw", nargs=2, metavar="NAME VERSION", help="Withdraw a version.")
@shared_option("--reason", metavar="REASON")
@click.option(
    "--show-report", nargs=2, metavar="NAME VERSION", help="Print the report on a version."
)
@click.option(
    "--missing", "wants_missing", is_flag=True, help="List students without a version that plays."
)
@click.option("--copies", "wants_copies", is_flag=True, help="List equal submissions.")
@click.option("--csv", "as_csv", is_flag=True, help="Print --missing or --copies as CSV.")
@click.option(
    "--handles",
    is_flag=True,
    help="List the pseudonyms of all students; random ones are drawn once.",
)
@JSON
def submissions_command(
    folder: Path,
    rule: Rule | None,
    pin: tuple[str, str] | None,
    withdraw: tuple[str, str] | None,
    reason: str | None,
    show_report: tuple[str, str] | None,
    wants_missing: bool,
    wants_copies: bool,
    as_csv: bool,
    handles: bool,
    as_json: bool,
) -> None:
    """List the submissions.

    DIR is a folder of submissions; the default is this folder if it is a class, else `submissions`.
    The list has every version with its status and reason, and every rejected file; the version
    that plays is marked.
    """
    _check_list(as_csv, wants_missing, wants_copies)
    _check_beside(("wants_missing", "wants_copies", "handles", "show_report"))
    if fault := fault_of_folder(folder):
        raise SubmissionError(f"{folder}: {fault}")
    submissions = Submissions(folder)
    if wants_missing or wants_copies:
        list_class(submissions, wants_missing=wants_missing, as_csv=as_csv, as_json=as_json)
        return
    if handles:
        _show_handles(submissions, as_json=as_json)
        return
    if show_report:
        found = submissions.find(name_meant(submissions, show_report[0]), show_report[1])
        print_report(found.report, f"{found.name} {found.digest[:DIGITS]}")
        return
    if withdraw:
        if not reason:
            raise click.UsageError("--withdraw needs --reason REASON")
        taken = submissions.withdraw(name_meant(submissions, withdraw[0]), withdraw[1], reason)
        note(f"{taken.name}: version {taken.digest[:DIGITS]} withdrawn")
    if pin:
        taken = submissions.pin(name_meant(submissions, pin[0]), pin[1])
        note(f"{taken.name}: version {taken.digest[:DIGITS]} pinned")
    rows, refusals = _rows(submissions, rule), read_refusals(folder)
    if as_json:
        versions = [
            {**each.to_data(), "plays": plays, "pinned": is_pinned}
            for each, plays, is_pinned in rows
        ]
        click.echo(json.dumps([*versions, *(_data(each) for each in refusals)]))
    else:
        refused = [each for each in refusals if each.status == "refused"]
        click.echo(_table(rows, refused, submissions.terms))
    _note_idle(rows, rule or submissions.terms.rule)


def _check_list(as_csv: bool, *lists: bool) -> None:
    """Reject --missing with --copies, and --csv without either."""
    if all(lists):
        raise click.UsageError("--missing and --copies cannot be used together")
    if as_csv and not any(lists):
        raise click.UsageError("--csv needs --missing or --copies")


def _check_beside(lists: Sequence[str]) -> None:
    """Reject options that would have no effect."""
    given = click.get_current_context().params
    for each in filter(given.get, lists):
        others = [other for other in lists if other != each]
        refuse_beside(
            f"--{each.removeprefix('wants_').replace('_', '-')}", *others, "rule", "pin", "withdraw"
        )
    if given["show_report"]:
        refuse_beside("--show-report", "as_json")
    if not given["withdraw"]:
        refuse_without("--withdraw NAME VERSION", "reason")


def _show_handles(submissions: Submissions, *, as_json: bool) -> None:
    """List names and pseudonyms; a missing key of the random ones is drawn."""
    path = submissions.folder / KEY
    if read_key(submissions.folder) is None:
        make_key(submissions.folder)
        note(f"{path} created; keep it secret, and copy it into the other folders of this course")
    known, names = pseudonyms_in(submissions), submissions.names()
    known.check(names)
    rows = [(name, known.of(name), "own" if known.is_chosen(name) else "random") for name in names]
    headers = ["Name", "Handle", "Choice"]
    if as_json:
        data = [dict(zip(map(str.lower, headers), row, strict=True)) for row in rows]
        click.echo(json.dumps(data))
    else:
        click.echo(tabulate(rows, headers=headers, disable_numparse=True))


class _Row(NamedTuple):
    """A version, and whether it plays."""

    submission: Submission
    plays: bool
    is_pinned: bool


def _rows(submissions: Submissions, rule: Rule | None) -> tuple[_Row, ...]:
    """Return a row for each version."""
    playing = {(each.name, each.digest) for each in submissions.current(rule)}
    pinned = {(name, submissions.pinned(name)) for name in submissions.names()}
    return tuple(
        _Row(each, key in playing, key in pinned)
        for each in submissions.versions()
        for key in [(each.name, each.digest)]
    )


def _note_idle(rows: Sequence[_Row], rule: Rule) -> None:
    """Print pins that have no effect, because another rule chooses."""
    names = [each.submission.name for each in rows if each.is_pinned and rule != PINNED]
    if names:
        pins = f"the pin of {names[0]} has" if len(names) == 1 else f"{len(names)} pins have"
        note(
            f"{pins} no effect, because submission_rule is {rule}. Set submission_rule: "
            f"{PINNED}, or add rule: {PINNED} to `submissions:` in a tournament"
        )


def _data(refusal: Refusal) -> dict[str, object]:
    """Return a refusal with the keys of versions."""
    data = refusal.to_data()
    time, person = data.pop("time"), data.pop("person")
    marks = {"author": person, "times": [time], "digest": "", "plays": False, "pinned": False}
    return {**data, **marks}


def _table(rows: Sequence[_Row], refusals: Sequence[Refusal], rules: SubmissionRules) -> str:
    """Return a table of versions and refusals."""
    headers = ["Name", "Version", "Kind", f"Handed in ({rules.zone_words})", "By", "Status"]
    lines: list[tuple[str, ...]] = [
        (
            each.name,
            each.digest[:DIGITS],
            each.kind,
            f"{rules.local(each.time):%Y-%m-%d %H:%M}{_late(each)}",
            _author(each.author, each.name, rules.roster),
            each.status,
            _score_words(each),
            ", ".join(["yes"] * plays + ["pinned"] * is_pinned),
            _wrapped(each.reason or each.override),
            _wrapped(each.note),
        )
        for each, plays, is_pinned in rows
    ]
    lines += [
        (
            each.name,
            "",
            "",
            f"{rules.local(each.time):%Y-%m-%d %H:%M}",
            _author(each.person, each.name, rules.roster),
            each.status,
            "",
            "",
            _wrapped(f"{each.where}: {each.reason}"),
            "",
        )
        for each in refusals
    ]
    headers += ["Score", "Plays", "Reason", "Note"]
    if not any(row.submission.note for row in rows):  # no column of empty cells
        lines, headers = [line[:-1] for line in lines], headers[:-1]
    return tabulate(lines, headers=headers, disable_numparse=True)


def _author(author: str, name: str, roster: Roster | None) -> str:
    """Return the author, with a login if several students have this name."""
    if roster is None or len(roster.all_called(author)) <= 1:
        return author
    person = roster.author_of(author, name)
    return person.title if person else author


def _wrapped(text: str, width: int = REASON_WIDTH) -> str:
    return "\n".join(wrap(printable(text), width))


def _score_words(submission: Submission) -> str:
    """Return the score of its check, with the interval."""
    score, margin = submission.report.score, submission.report.margin
    if score is None:
        return ""
    return f"{score:+z.1f}" if margin is None else f"{score:+z.1f} ± {margin:.1f}"


def _late(submission: Submission) -> str:
    late = f" (+{submission.late_days} d)" if submission.late_days else ""
    return f"{late} or before" if submission.untimed else late
