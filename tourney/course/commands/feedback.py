"""`feedback`: the result of each submission, a page for each student."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from tabulate import tabulate

from tourney.cli.options import RUN, STORE, NamedFile, note, shared_option
from tourney.cli.run_warnings import note_choice, resume_words
from tourney.cli.visibility import BoardView, ViewOptions, policy_options
from tourney.course.commands.submissions import note_copies
from tourney.course.feedback.collection import Board, board_of, gather, site_at
from tourney.course.feedback.model import Answer
from tourney.course.feedback.pages import check_folder, filled, write_answers
from tourney.course.files import write_whole
from tourney.course.folder import Submissions, fault_of_folder
from tourney.course.grades.book import read_gradebook
from tourney.course.submission_status import handed_in
from tourney.errors import SubmissionError, TourneyError
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import load_plugins
from tourney.report.redaction import minute_words
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import enter_again
from tourney.tournament.stored_standings import standings_of

FILE = NamedFile(dir_okay=False, path_type=Path)
FOLDER = NamedFile(file_okay=False, path_type=Path)


@click.command("feedback")
@RUN
@STORE
@click.option(
    "--submissions",
    "folder",
    required=True,
    type=FOLDER,
    metavar="DIR",
    help="The folder of submissions; its roster lists the students who get a page.",
)
@shared_option("--output", "to", required=True, type=FOLDER, metavar="DIR")
@shared_option("--site", type=FOLDER, metavar="DIR")
@click.option(
    "--site-url",
    "url",
    metavar="URL",
    help="Public address of that site; otherwise the pages link to your disk.",
)
@click.option(
    "--comments",
    type=FILE,
    metavar="FILE",
    help="A platform's gradebook or worksheet; a copy gets each student's comment.",
)
@policy_options
def feedback_command(
    run: str | None,
    store: Path,
    folder: Path,
    to: Path,
    site: Path | None,
    url: str | None,
    comments: Path | None,
    asked: ViewOptions,
) -> None:
    """Write a feedback page for every student.

    RUN is a number or a name; the default is the latest run. Each page shows the student's
    submission and its result, as far as results may be shown by now. With --site the pages link to
    the published hands of the run. Students without a submission get a page too.
    """
    if fault := fault_of_folder(folder):
        raise SubmissionError(f"{folder}: {fault}")
    if url and not site:
        raise click.UsageError("--site-url needs --site DIR")
    check_folder(to)  # before results are gathered
    submissions = Submissions(folder)
    everybody, nobodys = handed_in(submissions)
    book = read_gradebook(comments) if comments else None
    board, record = _board(run, store, asked)
    pages = site_at(site, record, to, url) if site else None
    answers = tuple(gather(board, everybody, pages))
    has_lost_links = site is None and _has_links(to)
    written = write_answers(answers, record.name, to, pages.links if pages else ())
    click.echo(_table(answers, written))
    for each in nobodys:
        note(f"on no page: {printable(str(each))}")
    note_copies(submissions)
    if book:
        text, strangers = filled(book, answers)
        target = to / f"{book.path.stem}-feedback{book.path.suffix}"
        write_whole(target, text, book.encoding)
        unknown = f"; unknown: {', '.join(map(printable, strangers))}" if strangers else ""
        note(f"{target}: comments for the platform{unknown}")
    if site and not url:
        note(f"{to}: links to hands lead to {site} on this disk; add --site-url for other readers")
    if has_lost_links:
        note(f"{to}: pages linked to hands and no longer do; to keep the links, add --site DIR")
    counts = Counter(each.state for each in answers)
    note(f"{to}: {', '.join(f'{count} {state}' for state, count in counts.items())}")


def _has_links(folder: Path) -> bool:
    """Return whether existing pages link to the hands of tables."""
    pages = folder.glob("*.md")
    return any("[part 1](<" in page.read_text("utf-8", "replace") for page in pages)


def _board(run: str | None, store: Path, asked: ViewOptions) -> tuple[Board, RunRecord]:
    """Read a finished run and its disclosure rules.

    Raises: TourneyError, if it has not finished.
    """
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        note_choice(kept, record, run, counts=True)
        tournament = enter_again(record, registry, plays=False)
        if record.status != "finished":
            raise TourneyError(
                f"run {record.number} is not finished: {resume_words(record, tournament, store)}"
            )
        telling = asked.of(tournament, record.finished)
        shown = telling.rows(standings_of(tournament, kept, record))
        called = [row.name for row in shown]
        withheld = _withheld(telling)
        board = board_of(tournament, kept, record, registry, called=called, withheld=withheld)
    telling.note()
    return board, record


def _withheld(telling: BoardView) -> str:
    """Return a sentence with the end of the time that results are hidden; empty if they are not."""
    if not telling.is_sealed:
        return ""
    reveal = telling.policy.reveal
    return f"Results are withheld{f' until {minute_words(reveal)}' if reveal else ''}."


def _table(answers: Sequence[Answer], written: Sequence[Path]) -> str:
    """Return a line with the result of each student."""
    rows = [
        (
            printable(each.person),
            ", ".join(one.name for one in each.played),
            each.state,
            ", ".join("out" if one.is_out else str(one.place or "") for one in each.played),
            path.name,
        )
        for each, path in zip(answers, written, strict=True)
    ]
    headers = ["Person", "Plays as", "Result", "Place", "Page"]
    return tabulate(rows, headers=headers, disable_numparse=True)
