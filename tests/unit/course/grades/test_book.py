"""Gradebooks as Canvas exports them: what is found in them, and what stays as it was."""

import csv
from collections.abc import Callable
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.config.documents import Faults
from tourney.course.grades.book import Gradebook, number_in, read_gradebook
from tourney.course.roster_file import rows_of
from tourney.errors import GradebookError

EXPORT = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,"
    "Blackjack (4711),Essay (4712),Final Score\r\n"
    ",,,,,Manual Posting,,\r\n"
    '"    Points Possible",,,,,20,10,(read only)\r\n'
    '"Lovelace, Ada",101,S1,lovelace,"001 and 002",,9.50,95\r\n'
    '"Pascal, Blaise",102,,pascal,001,12,"8",80\r\n'
    '"Student, Test",99,,f00,001,,,\r\n'
)

Read = Callable[[str], Gradebook]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Give what reads a text as a gradebook."""

    def read(text: str) -> Gradebook:
        path = tmp_path / "export.csv"
        path.write_bytes(text.encode())
        return read_gradebook(path)

    return read


def test_students_are_found_with_what_they_are_called(read: Read) -> None:
    """Given name first; lines about columns and the student made up for tests are none."""
    first, second = read(EXPORT).students
    assert (first.line, first.name, first.ids) == (4, "Ada Lovelace", ("101", "S1", "lovelace"))
    assert (second.line, second.name, second.ids) == (5, "Blaise Pascal", ("102", "pascal"))


def test_lines_about_columns_may_be_translated(read: Read) -> None:
    """Only above the maxima, and only without a name or an id: a student is never left out."""
    text = EXPORT.replace("Manual Posting", "Manuelle Veröffentlichung")
    book = read(text)
    assert [each.name for each in book.students] == ["Ada Lovelace", "Blaise Pascal"]
    locked = text.replace("Essay (4712)", "Total").replace("20,10,", "20,(schreibgeschützt),")
    with pytest.raises(GradebookError, match="column"):
        read(locked).column("Total")
    sorted_above = text.replace(",,,,,Manuelle Veröffentlichung,,", "Noether,103,,,001,5,,")
    assert len(read(sorted_above).students) == 3


def test_names_may_come_in_two_columns(read: Read) -> None:
    """As Canvas writes them if asked to."""
    text = (
        "LastName,FirstName,ID,Section,Essay (1)\n    Points Possible,,,,5\nNoether,Emmy,3,001,\n"
    )
    (student,) = read(text).students
    assert (student.name, student.ids) == ("Emmy Noether", ("3",))


@pytest.mark.parametrize("name", ["Blackjack (4711)", "blackjack", " Blackjack "])
def test_a_column_goes_by_its_title_with_or_without_its_number(read: Read, name: str) -> None:
    """However it is capitalised."""
    book = read(EXPORT)
    assert book.column(name) == 5
    assert book.possible(5) == 20


@pytest.mark.parametrize("name", ["Final Score", "Student", "SIS Login ID", "section"])
def test_a_column_that_canvas_works_out_is_not_filled(read: Read, name: str) -> None:
    """Nor one that says who somebody is."""
    with pytest.raises(GradebookError, match=r"column: '.*' is not for marks: Canvas would ignore"):
        read(EXPORT).column(name)


def test_an_unknown_column_is_answered_with_those_there_are(read: Read) -> None:
    """And with the one that was meant."""
    with pytest.raises(GradebookError) as caught:
        read(EXPORT).column("Blackjak (4711)")
    assert str(caught.value).endswith(
        "export.csv: column: expected 'Blackjack (4711)' or 'Essay (4712)', got 'Blackjak (4711)': "
        "name one of these, or make the assignment in Canvas and export again "
        "(did you mean 'Blackjack (4711)'?)"
    )


def test_a_list_of_participants_has_no_column_for_marks(read: Read) -> None:
    """The assignment may well be in Moodle, and only in another export."""
    text = "First name,Last name,Email address\nAda,Lovelace,ada@example.org\n"
    with pytest.raises(GradebookError, match="export the gradebook, as a list of participants has"):
        read(text).column("Blackjack")


def test_two_columns_of_one_title_go_by_their_numbers(read: Read) -> None:
    """Nobody guesses which one."""
    book = read("Student,ID,Quiz (1),Quiz (2)\nAda,1,,\n")
    with pytest.raises(GradebookError, match=r"'Quiz' is ambiguous: 'Quiz \(1\)', 'Quiz \(2\)'"):
        book.column("Quiz")
    assert book.column("Quiz (2)") == 3


def test_two_columns_of_exactly_one_title_need_another_title(read: Read) -> None:
    """A title in full would not help, unless it differs in its capitals."""
    book = read("First name,Last name,Quiz,Quiz,essay,Essay\nAda,King,,,,\n")
    with pytest.raises(
        GradebookError, match="Rename one in Moodle, and export the gradebook again"
    ):
        book.column("Quiz")
    with pytest.raises(GradebookError, match=r"'essay', 'Essay'\. Write one in full"):
        book.column("ESSAY")
    assert book.column("Essay") == 5


def test_nothing_changes_but_the_cell(read: Read) -> None:
    """Quotes, line ends and the mark before the text stay."""
    filled = read(EXPORT).filled(5, {4: "17.5", 5: "3"})
    assert filled == EXPORT.replace('002",,', '002",17.5,').replace("001,12,", "001,3,")


def test_excel_omits_empty_cells_at_the_ends_of_later_rows(read: Read) -> None:
    """It saves 16 rows together; a download that broke off is not completed."""
    rows = [f"S{line},{line}{',,' if line < 17 else ''}" for line in range(2, 19)]
    text = "\r\n".join(["Student,ID,Quiz (1),Comment", *rows, ""])
    filled = text.replace("S17,17", "S17,17,,").replace("S18,18", "S18,18,5,")
    assert read(text).filled(2, {18: "5"}) == filled
    with pytest.raises(GradebookError, match="18:1: this line has 2 cells"):
        read(text.rstrip())


def test_decimals_are_written_as_the_file_has_them(read: Read) -> None:
    """With commas between semicolons, and in quotes between commas."""
    book = read("Student;ID;Quiz (1);Essay (2)\nAda;1;;7,5\n")
    assert book.mark_text(Fraction(20, 3), 2) == "6,67"
    assert book.filled(2, {2: "6,67"}).splitlines()[1] == "Ada;1;6,67;7,5"
    book = read('Student,ID,Quiz (1),Essay (2)\nAda,1,,"7,5"\n')
    assert (
        book.filled(2, {2: book.mark_text(Fraction(1, 2), 2)}).splitlines()[1]
        == 'Ada,1,"0,5","7,5"'
    )


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(100), "100"),
        (Fraction(1, 8), "0.13"),
        (Fraction(1, 10), "0.1"),
        (Fraction(1, 1000), "0"),
    ],
)
def test_marks_have_two_decimals_at_most(read: Read, mark: Fraction, text: str) -> None:
    """A half is rounded up."""
    assert read(EXPORT).mark_text(mark, 5) == text


@pytest.mark.parametrize("name", ["=1+1", "@SUM(A1)", "-2+3", "+1", " =1", '="" & HYPERLINK("x")'])
def test_a_name_that_a_spreadsheet_would_calculate_is_named(read: Read, name: str) -> None:
    """It stays as it is, as all but marks do; what Canvas made harmless is no matter."""
    quoted = name.replace('"', '""')
    text = f'Student,ID,Quiz (1)\n"{quoted}",1,\n"=""=2""",2,\n-,3,-\n'
    book = read(text)
    assert book.filled(2, {2: "5"}) == text.replace('",1,', '",1,5')
    assert book.calculated == (name, "-")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: expected a heading of Canvas (Student, ID, Section), Moodle"),
        ("Nam,Mark\n", "1: expected a heading of Canvas (Student, ID, Section), Moodle"),
        (
            "Autumn 2026,,\n\nStudent,ID,Quiz\nAda,1,\n",
            "1: expected a heading of Canvas (Student, ID, Section), Moodle (First name, Last "
            "name, Email address) or Gradescope (First Name, Last Name, SID); got 'Autumn 2026,,': "
            "remove the lines above line 3, which has the heading",
        ),
        ("Student,ID,Quiz\nAda,1\n", "2:1: this line has 2 cells, and the heading has 3"),
        (
            'Student,ID,Quiz\n"Ada,1,\n',
            "2:1: the quote of this cell is not closed before the next cell",
        ),
        (
            'Student,ID,Quiz\n"Ada"x,1,\n',
            "2:1: the quote of this cell is not closed before the next cell",
        ),
    ],
)
def test_what_is_no_gradebook_is_refused(read: Read, text: str, message: str) -> None:
    """With the line, and what to do."""
    with pytest.raises(GradebookError) as caught:
        list(read(text).students)
    assert f"export.csv:{message}" in str(caught.value)


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    """Names would come out wrong; so would those of two encodings in one file."""
    path = tmp_path / "export.csv"
    path.write_bytes("Student,ID,Quiz\nJosé,1,\n".encode("utf-16"))
    with pytest.raises(GradebookError, match=r"export\.csv is text in UTF-16 .*, not a CSV file"):
        read_gradebook(path)
    path.write_bytes("Student,ID\nJosé,1\n".encode() + "José,2\n".encode("cp1252"))
    with pytest.raises(GradebookError, match=r"csv:3:4: the byte 0xe9 is not valid in UTF-8"):
        read_gradebook(path)


def test_a_file_in_another_encoding_is_to_be_saved_in_utf_8(tmp_path: Path) -> None:
    """Another export would have the same one."""
    path = tmp_path / "export.csv"
    path.write_bytes('Student,ID\n"陈, 小",1\n'.encode("gbk"))
    with pytest.raises(GradebookError, match=r"csv:2:2: the byte 0xb3 .* Save it as `CSV UTF-8`"):
        read_gradebook(path)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_first_line_may_state_the_separator(read: Read, sign: str, mark: str) -> None:
    """As Excel writes and reads it; it stays in the file."""
    text = f"{mark}sep={sign}\r\nStudent;ID;Quiz (1)\r\nAda;7;\r\n".replace(";", sign)
    book = read(text)
    assert [(each.line, each.ids, each.cells[0].place) for each in book.students] == [
        (3, ("7",), (3, 1))
    ]
    assert book.filled(2, {3: "5"}) == text.replace(f"7{sign}", f"7{sign}5")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Expected, got."""
    with pytest.raises(GradebookError, match=r"export\.csv: there is no such file. Check"):
        read_gradebook(tmp_path / "export.csv")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("12", 12), ("1.234,50", "1234.5"), ("-3.5", "-3.5"), ("1,2345", "1.2345")),
        *(("1,000,000", 1000000), ("0,125", "0.125"), ("1000.125", "1000.125")),
        *(
            ("", None),
            ("EX", None),
            ("-", None),
            ("1,000", None),
            ("12.500", None),
            ("1,2,3", None),
        ),
    ],
)
def test_numbers_are_read_as_canvas_reads_them(text: str, number: str | int | None) -> None:
    """The last sign is that of the decimals, unless it may be that of thousands."""
    assert number_in(text) == (None if number is None else Fraction(number))


@pytest.mark.parametrize(
    ("most", "other", "points"),
    [
        ("1,000", "87.50", 1000),
        ("1,000", "1,250.50", 1000),
        ("1,000", "87,50", 1),
        ("12.500", "0.5", "12.5"),
        ("1,000.00", "", 1000),
        ("1,000", "", None),
        ("1.000", "2,000", None),
    ],
)
def test_a_maximum_is_read_by_the_decimals_of_the_file(
    read: Read, most: str, other: str, points: str | int | None
) -> None:
    """If there are none, nothing is guessed."""
    book = read(f'Student,ID,Quiz (1),Essay (2)\nPoints Possible,,"{most}",100\nAda,1,,"{other}"\n')
    if points is not None:
        assert book.possible(2) == Fraction(points)
        return
    with pytest.raises(
        GradebookError, match=r"csv:2:18: the maximum '1.000' may be 10* or 10*\. S"
    ):
        book.possible(2)


CELLS = st.text(st.sampled_from(',;"\n\r x='), max_size=5)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=5), st.sampled_from(",;"))
def test_cells_are_those_that_python_reads(table: list[list[str]], separator: str) -> None:
    """Whatever is in them; and each stands where it says."""
    written = StringIO()
    csv.writer(written, delimiter=separator).writerows(table)
    text = written.getvalue()
    rows = list(rows_of(Faults("a.csv"), text, separator))
    said = [[cell.text for cell in row] for row in rows]
    assert said == [row for row in table if any(cell.strip() for cell in row)]
    for cell in (cell for row in rows for cell in row):
        again = list(
            csv.reader(StringIO(text[cell.start : cell.end], newline=""), delimiter=separator)
        )
        assert again == ([[cell.text]] if cell.end > cell.start else [])
