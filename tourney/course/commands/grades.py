"""`grades`: the places of a run or a season as marks in a gradebook."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import click
from tabulate import tabulate

from tourney.cli.options import (
    GROUP,
    REPLACE,
    RUN,
    STORE,
    NamedFile,
    check_group,
    check_target,
    note,
    shared_option,
)
from tourney.cli.run_warnings import resume_words, stored_run
from tourney.config.season import load_season
from tourney.course.commands.submissions import note_copies
from tourney.course.files import write_whole
from tourney.course.folder import Submissions
from tourney.course.grades.book import Gradebook, read_gradebook
from tourney.course.grades.marks import (
    ABSENT,
    RULES,
    SEASON_RULES,
    Line,
    Marks,
    alike,
    changes,
    idle,
    mark,
    points_text,
)
from tourney.course.grades.rankings import Ranked, Ranking, run_ranking, season_ranking
from tourney.errors import GradebookError, PointsError
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.report.publish.season import ScoringTerms, parts_of
from tourney.report.redaction import pseudonyms_of
from tourney.tournament.stored_standings import standings_of

MOST_POINTS = 100_000
FILE = NamedFile(dir_okay=False, path_type=Path)


class Points(click.ParamType[Fraction]):
    """A number of points, such as 12.5."""

    name = "points"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Fraction:
        """Read it."""
        try:
            points = Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            points = Fraction(-1)
        if not 0 <= points <= MOST_POINTS:
            self.fail(f"expected a number from 0 to {MOST_POINTS:,}, got {value!r}", param, ctx)
        return points


@click.command("grades")
@RUN
@STORE
@click.option(
    "--season", type=FILE, metavar="FILE", help="Mark the standing of a season instead of a run."
)
@shared_option("--gradebook", "export", required=True, type=FILE, metavar="FILE")
@click.option(
    "--fill-column", "column", required=True, metavar="NAME", help="Title of the column to fill."
)
@click.option(
    "--marks-by",
    "by",
    required=True,
    metavar="RULE",
    help=f"Rule that gives the marks: {RULES}; with --season {SEASON_RULES}.",
)
@click.option(
    "--max-points",
    "points",
    type=Points(),
    metavar="N",
    show_default="that of the gradebook, or 100",
    help="Points of the best place.",
)
@click.option(
    "--min-points",
    "least",
    type=Points(),
    default="0",
    show_default=True,
    metavar="N",
    help="Points of the last place.",
)
@shared_option("--roster", "people", type=NamedFile(path_type=Path), metavar="FILE|DIR")
@GROUP
@click.option(
    "--absent",
    type=click.Choice(tuple(ABSENT)),
    help="The mark of absent students; by default their cells stay unchanged.",
)
@click.option("--write", is_flag=True, help="Write the filled gradebook; without it, only show.")
@shared_option(
    "--output", "to", type=FILE, metavar="FILE", show_default="FILE-grades, next to the export"
)
@REPLACE
def grades_command(
    run: str | None,
    store: Path,
    season: Path | None,
    export: Path,
    column: str,
    by: str,
    points: Fraction | None,
    least: Fraction,
    people: Path | None,
    group: str | None,
    absent: str | None,
    write: bool,
    to: Path | None,
    replace: bool,
) -> None:
    """Fill a gradebook column with marks.

    RUN is a number or a name; the default is the latest run. With --season the marks come from the
    table of a season. The command shows the changes; --write creates a new file with them. The
    roster is a file, or a folder of submissions.
    """
    if run is not None and season is not None:
        raise click.UsageError("--season and RUN cannot be used together")
    book = read_gradebook(export)
    at = book.column(column)
    target = to or export.with_name(f"{export.stem}-grades{export.suffix}")
    if write:
        check_target(target, "--output", replaces=replace)
    ranking, pseudonyms = _season(season, store) if season else _board(run, store)
    if group is not None:
        check_group(group, (row.group for row in ranking.rows))
    try:
        marks = mark(
            book,
            at,
            ranking,
            by=_with_name(by, pseudonyms),
            least=least,
            points=points,
            people=people,
            group=group,
            absent=absent,
        )
    except PointsError as error:
        message = str(error).removeprefix("least: ")
        raise click.UsageError(f"--min-points: {message}") from error
    lines = marks.lines
    click.echo(_table(marks))
    note(f"{_shares(least, marks.most)}; {marks.rule.formula}")
    if points is None and book.possible(at) is None:
        note(
            f"{export} has no maximum for {printable(book.titles[at])!r}, so the first place gets "
            f"{points_text(marks.most)} points; set another number with --max-points"
        )
    _note_ties(lines)
    _note_left_over(marks, book)
    if people and people.is_dir():
        note_copies(Submissions(people))
    new = changes(lines)
    if people is None and any(each.row is None for each in lines):
        note("to match students with entrants, add --roster with a roster or folder of submissions")
    count = f"{len(new)} of {len(lines)} cells of {book.titles[at]!r} changed"
    if write:
        write_whole(target, book.filled(at, new), book.encoding)
        note(f"{target}: {count}")
    else:
        note(f"{count} by --write, in {target}; nothing is written yet")


def _with_name(rule: str, pseudonyms: Mapping[str, str]) -> str:
    """Replace a handle in a rule by its name."""
    kind, colon, word = rule.partition(":")
    known = {handle.casefold(): name for name, handle in pseudonyms.items()}
    return f"{kind}{colon}{known.get(word.casefold(), word)}"


def _board(run: str | None, store: Path) -> tuple[Ranking, Mapping[str, str]]:
    """Return the ranking of a finished run, and handles by name."""
    with stored_run(run, store, counts=True) as (kept, record, tournament, *_):
        if record.status != "finished":
            raise GradebookError(
                f"run {record.number} is not finished: {resume_words(record, tournament, store)}"
            )
        ranking = run_ranking(standings_of(tournament, kept, record), record.entrants)
        return ranking, pseudonyms_of(record.entrants)


def _season(file: Path, store: Path) -> tuple[Ranking, Mapping[str, str]]:
    """Return the ranking of a season with all results and names, whatever its page hides."""
    config, terms = load_season(file), ScoringTerms(tells_all=True)
    parts = parts_of(config, store, load_plugins(), terms, datetime.now(UTC))
    return season_ranking(config, parts), {}


def _table(marks: Marks) -> str:
    """Return a table of the changes of cells."""
    titles = ["Student", "Plays as", "Place", "Counts as", "Is", "Becomes", ""]
    rows = [
        [
            printable(each.student.name),
            each.row.name if each.row else "",
            _place(each.row),
            counted,
            printable(each.before),
            (each.after or "blank") if each.is_changed else "",
            printable(each.why) or ("" if each.is_changed else "as it is"),
        ]
        for each, counted in zip(marks.lines, marks.counted, strict=True)
    ]
    sides = ["left", "left", "right", "right", "right", "right", "left"]
    if not marks.rule.counted:  # then it is the place, or the first of the ranks on the board
        for row in (titles, sides, *rows):
            del row[3]
    return tabulate(rows, headers=titles, disable_numparse=True, colalign=sides if rows else None)


def _place(row: Ranked | None) -> str:
    if row is None:
        return ""
    return "out" if row.place is None else str(row.place)


def _shares(least: Fraction, most: Fraction) -> str:
    """Describe how a share becomes a mark."""
    if not least:
        return f"mark = {points_text(most)} * share"
    return f"mark = {points_text(least)} + {points_text(most - least)} * share"


def _note_ties(lines: Sequence[Line]) -> None:
    """Print the number of equal marks, and of empty cells."""
    entrants, marks, tied = alike(lines)
    blank = sum(not (each.before if each.after is None else each.after) for each in lines)
    note(
        f"marks: {marks} different {'one' if marks == 1 else 'ones'} for {entrants} "
        f"{'entrant' if entrants == 1 else 'entrants'}, "
        f"{tied} of whom share theirs with another; blank cells: {blank} of {len(lines)}"
    )


def _note_left_over(marks: Marks, book: Gradebook) -> None:
    """Print unchanged cells, entrants that take no marks, and uncertain marks."""
    lines, ranking = marks.lines, marks.ranking
    if left := [printable(each.student.name) for each in lines if each.why and each.after is None]:
        note(f"left as they are: {', '.join(left)}")
    if house := [each.name for each in ranking.rows if each.name in ranking.house]:
        note(f"house players, which take no marks: {', '.join(map(printable, house))}")
    if names := idle(ranking, lines):
        note(f"entrants without a student: {', '.join(names)}")
    for name in book.calculated:
        note(
            f"{printable(name)!r}: a spreadsheet would take this name for a formula. It is "
            "unchanged: upload the file to the platform without opening it in a spreadsheet"
        )
