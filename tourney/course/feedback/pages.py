"""Feedback as pages in HTML and Markdown, and as a column of comments.

Each page is a single file, so that it can be sent to one student. `filled` adds comments to a
platform's file, and changes no other bytes of it.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from unicodedata import normalize

from tourney.course.feedback.model import Answer, time_words, version_words
from tourney.course.grades.book import Gradebook
from tourney.course.grades.people import find
from tourney.course.names import folded, letter_table
from tourney.course.roster import Roster
from tourney.errors import TourneyError
from tourney.plugins.fault_text import printable
from tourney.report.site.pages import FILTERS, templates
from tourney.report.site.site_files import static_files
from tourney.standings.data import csv_of

COLUMN = "Feedback comments"
"""The column's title in a grading worksheet of Moodle."""

BEGINS_FORMULA = re.compile(r"""(^["\s]+|[,;\t|]["\s]*)([=+@-])""")


def as_comments(answers: Sequence[Answer], file_name: Callable[[Answer], str]) -> str:
    """Return the overview as CSV: a line for each student, with the comment.

    Args:
        answers: One for each student.
        file_name: Returns the name of the student's pages.
    """
    rows = [["Name", "IDs", "Plays as", "Result", "Place", "Page", COLUMN]]
    for each in answers:
        person, played = each.handed_in.person, each.played
        places = ("out" if one.is_out else str(one.place or "") for one in played)
        row = [
            person.person,
            ";".join(person.ids),
            ";".join(one.name for one in played),
            each.state,
            ";".join(places),
            f"{file_name(each)}.html",
            each.comment,
        ]
        rows.append([in_one_line(cell) for cell in row])
    return csv_of(rows)


def in_one_line(text: str) -> str:
    """Return the text of a cell on one line, without formulas."""
    return without_formulas(" ".join(text.split()))


def without_formulas(text: str) -> str:
    """Put an apostrophe before each formula, also after another separator of cells.

    >>> without_formulas("mend it; =1+1")
    "mend it; '=1+1"
    >>> print(without_formulas('"=1+1"'))
    "'=1+1"
    """
    return BEGINS_FORMULA.sub(r"\1'\2", text)


def filled(book: Gradebook, answers: Sequence[Answer]) -> tuple[str, tuple[str, ...]]:
    """Fill the comments of a platform's file, or add them as its last column.

    Args:
        book: A gradebook, a list of participants or a grading worksheet.
        answers: The feedback of each student.
    Returns: The text of the file, and the names of students in it without a comment.
    """
    people = Roster(tuple(each.handed_in.person for each in answers))
    texts = {each.handed_in.person: in_one_line(each.comment) for each in answers}
    comments, unknown = {}, []
    for student in book.students:
        found = find(student, people)
        if len(found) == 1:
            # Latin-1 does not have all letters.
            data = texts[found[0]].encode(book.encoding, "backslashreplace")
            comments[student.line] = data.decode(book.encoding)
        else:
            unknown.append(student.name)
    at = book.column_of("comment")
    titles = [folded(title) for title in book.titles]
    if at is None and folded(COLUMN) in titles:
        at = titles.index(folded(COLUMN))
    if at is not None:
        return book.filled(at, comments), tuple(unknown)
    return book.with_column(COLUMN, comments), tuple(unknown)


Links = Sequence[tuple[str, str]]
"""Titles and addresses of pages."""

OVERVIEW = "feedback.csv"
"""File with the page of each student, for the organiser."""

LONGEST = 2000
"""Most characters of a line of text by users."""

BEGINNING = re.compile(r"^(\d*)([-+=.)])(?=[\s=-]|$)")
"""The beginning of a list, a rule or the underline of a heading."""

WITHOUT_STROKES = letter_table("łl øo đd ðd þth æae œoe ħh \u0131i")
"""Letters that Unicode does not decompose into a letter from a to z and an accent."""

MARKUP = re.compile(r"([\\`*_\[\]<>&|~#!$@])")
ADDRESS = re.compile(r"(www)\.|(:)//", re.IGNORECASE)
TICKS = re.compile("`+")


def write_answers(
    answers: Sequence[Answer], run: str, folder: Path, links: Links = ()
) -> list[Path]:
    """Write all pages and the overview.

    Args:
        answers: One for each student.
        run: Title of the run.
        folder: Created if needed; rejected if it contains other files. Pages of students who have
            left are removed.
        links: To the board of the run, and to other pages, if they are known.
    Returns: The pages in HTML, in the order of the answers.
    Raises: TourneyError, if the folder is not usable.
    """
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts: dict[str, str] = {OVERVIEW: as_comments(answers, file_name)}
    pages = []
    for answer in answers:
        name = file_name(answer)
        texts[f"{name}.html"] = as_html(answer, run, links=links)
        texts[f"{name}.md"] = as_markdown(answer, run, links)
        pages.append(folder / f"{name}.html")
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode("utf-8", "backslashreplace"))
    for path in (*folder.glob("*.html"), *folder.glob("*.md")):
        if path.name not in texts:
            path.unlink()
    return pages


def file_name(answer: Answer) -> str:
    """Return the name of a student's files, without the suffix.

    It has letters of the student's name for people who look through the folder, and digits of a
    hash, because two students may have the same name.
    """
    name = answer.person.casefold().translate(WITHOUT_STROKES)
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode()
    letters = "-".join(re.findall("[a-z0-9]+", plain))[:40].strip("-")
    own = answer.handed_in.person
    who = "\n".join((own.person, *own.names, *own.ids))
    digits = blake2b(who.encode(), digest_size=4).hexdigest()
    return f"{letters}-{digits}" if letters else digits


def as_html(answer: Answer, run: str, sheet: str = "", links: Links = ()) -> str:
    """Render a page, with its style sheet inside or with the address of one."""
    return _renderer("feedback.html")(answer=answer, run=run, sheet=sheet, links=links)


def as_markdown(answer: Answer, run: str, links: Links = ()) -> str:
    """Render a page as CommonMark with tables."""
    return _renderer("feedback.md")(answer=answer, run=run, links=links)


@cache
def _renderer(name: str) -> Callable[..., str]:
    """Load a template, once for a whole class."""
    environment = templates()
    # Markdown has other markup than HTML; its filters escape it.
    environment.autoescape = name.endswith(".html")
    environment.filters.update(FILTERS)
    environment.filters.update(md=escaped, code=as_code, time=time_words)
    style = next(content for _, content in static_files(["site.css"])).decode()
    environment.globals.update(version_words=version_words, style=style)
    return environment.get_template(name).render


def escaped(text: str) -> str:
    r"""Escape text for Markdown, anywhere in an item or a cell.

    >>> escaped("*<b>* at www.example.org")
    '\\*\\<b\\>\\* at www\\.example.org'
    >>> escaped("- 1"), escaped("-1"), escaped("2. two")
    ('\\- 1', '-1', '2\\. two')
    """
    line = BEGINNING.sub(r"\1\\\2", MARKUP.sub(r"\\\1", printable(text, LONGEST)))
    return ADDRESS.sub(lambda found: f"{found[1]}\\." if found[1] else "\\://", line)


def as_code(text: str) -> str:
    """Return text as inline code, without markup in it.

    >>> as_code("a `b`")
    '`` a `b` ``'
    """
    line = printable(text, LONGEST)
    ticks = "`" * (1 + max(map(len, TICKS.findall(line)), default=0))
    return f"{ticks} {line} {ticks}" if "`" in line else f"{ticks}{line or ' '}{ticks}"


def check_folder(folder: Path) -> None:
    """Reject a folder with files that are no feedback.

    Raises: TourneyError.
    """
    if folder.exists() and not folder.is_dir():
        raise TourneyError(f"{folder} is a file; name a folder for the feedback")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / OVERVIEW).is_file():
        raise TourneyError(
            f"{folder} has other files than feedback; choose a new or an empty folder"
        )
