"""A class as Canvas, Moodle and Gradescope export it, and its downloads, with all that is odd.

Names have commas, dots, accents, apostrophes, strokes and invisible marks, two students share one,
ids are missing or equal those of others in another column, downloads spell names in another form of
Unicode, some play as a team, and two of every five submissions have a fault of `FAULTS`.
"""

import csv
import io
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from zipfile import ZipFile

PLATFORMS = ("Canvas", "Moodle", "Gradescope")

ODD_NAMES = (
    *(("Ada", "Lovelace"), ("Ada", "Lovelace"), ("Seán J.", "O'Brien"), ("A. B.", "St. John")),
    *(("José", "van der Berg"), ("Martin L.", "King, Jr."), ("Zoë", "Müller-Lüdenscheidt")),
    *(("Thị Ánh", "Nguyễn"), ("Emmy", "Noether"), ("D'Arcy", "Wentworth"), ("Madonna", "")),
    *(("María José", "García López"), ("Ng", "Ng"), ("Ян", "Петров"), ("明", "王")),
    ("Bo", "Smith_Jones"),
)
GIVEN = (
    *("Ada", "Blaise", "Carl", "Dora", "Emil", "Fay", "Gus", "Hans", "Ida"),
    *("Joan", "Karl", "Lena", "Max", "Nora", "Otto", "Pia", "Rex", "Sue"),
)
FAMILY = (
    *("Abel", "Bayes", "Cantor", "Dirac", "Euler", "Fermat", "Galois", "Hilbert", "Ito"),
    *("Jordan", "Klein", "Lagrange", "Markov", "Newton", "Oresme", "Pascal", "Quine", "Riemann"),
)

FAULTS = (
    *("broken", "read-me", "two", "macosx", "late", "nothing", "copy", "renamed", "no class"),
)
BECOMES = {
    "": "played",
    "broken": "not playable",
    "read-me": "refused",
    "two": "refused",
    "macosx": "played",
    "late": "refused",
    "nothing": "no submission",
    "copy": "played",
    "renamed": "played",
    "no class": "not playable",
    "excluded": "excluded",
}
"""What becomes of whoever hands in so."""

DEADLINE = "2026-11-20 12:00+00:00"
IN_TIME, TOO_LATE = "2026-11-19 18:00:00.000000000 Z", "2026-11-25 18:00:00.000000000 Z"

PLAYER = """\
from tourney import Player


class Student{number}(Player):
    \"\"\"Mine.\"\"\"

    own = {number}

    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < {total}
"""


@dataclass(frozen=True, slots=True)
class Student:
    """Somebody of the class."""

    number: int  # from 1
    given: str
    family: str
    fault: str  # one of FAULTS; empty if there is none
    team: str = ""

    @property
    def name(self) -> str:
        """The given name first."""
        return f"{self.given} {self.family}".strip()

    @property
    def sorted_name(self) -> str:
        """The family name first, as a list has it."""
        return f"{self.family}, {self.given}{self.mark}" if self.family else self.given

    @property
    def mark(self) -> str:
        """An invisible mark that a list has behind some names."""
        return "\u200f" if self.number % 6 == 5 else ""

    @property
    def in_downloads(self) -> str:
        """The name as a download spells it: of some with the accents apart, of some in capitals."""
        name = unicodedata.normalize("NFD", self.name) if self.number % 2 else self.name
        return name.upper() if self.number % 7 == 4 else name

    @property
    def user(self) -> int:
        """The number that a platform gives."""
        return 70_000 + self.number

    @property
    def sid(self) -> str:
        """The number that the university gives, which some have not got."""
        if self.number % 5 == 0:  # the number of somebody else on the platform
            return str(self.user - 1)
        return "" if self.number % 7 == 0 else f"{90_000 + self.number:06}"

    @property
    def email(self) -> str:
        """An address."""
        return f"s{self.number}@example.org"

    @property
    def section(self) -> str:
        """The section."""
        return f"00{self.number % 3 + 1}"


def class_of(count: int) -> tuple[Student, ...]:
    """Give so many students; the last two are a team, and the one before is excluded."""
    faults = cycle(FAULTS)
    names = [*ODD_NAMES, *((given, family) for family in FAMILY for given in GIVEN)]
    students = [
        Student(number, *names[number - 1], fault=next(faults) if number % 5 in {2, 4} else "")
        for number in range(1, count - 2)
    ]
    excluded, first, second = range(count - 2, count + 1)
    return (
        *students,
        Student(excluded, *names[excluded - 1], fault="excluded"),
        Student(first, *names[first - 1], fault="", team="Team Seine"),
        Student(second, *names[second - 1], fault="", team="Team Seine"),
    )


def gradebook(
    students: Sequence[Student],
    platform: str,
    marks: Mapping[int, str] | None = None,
    comments: Mapping[int, str] | None = None,
) -> str:
    """Write a gradebook; of Moodle the grading worksheet.

    Args:
        students: The class.
        platform: One of PLATFORMS.
        marks: By number; what stands there is empty without.
        comments: Likewise, in a column that Moodle alone has beforehand.
    """
    marks, told = marks or {}, comments or {}
    rows = {"Canvas": _canvas, "Moodle": _moodle, "Gradescope": _gradescope}[platform]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n" if platform == "Moodle" else "\r\n")
    has_more = comments is not None and platform != "Moodle"
    for number, row in rows(students, marks, told):
        more = "Feedback comments" if number is None else told.get(number, "")
        writer.writerow([*row, more] if has_more else row)
    return ("\ufeff" if platform == "Canvas" else "") + text.getvalue()


Rows = Iterator[tuple[int | None, list[object]]]


def _canvas(students: Sequence[Student], marks: Mapping[int, str], _: Mapping[int, str]) -> Rows:
    yield None, ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Blackjack (4711)"]
    yield 0, ["    Points Possible", "", "", "", "", "20"]
    for each in students:
        row = [each.sorted_name, each.user, each.sid, each.email, each.section]
        yield each.number, [*row, marks.get(each.number, "")]
    yield 0, ["Student, Test", "70000", "", "", "001", ""]


def _moodle(
    students: Sequence[Student], marks: Mapping[int, str], comments: Mapping[int, str]
) -> Rows:
    yield (
        None,
        [
            *("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"),
            *("Grade can be changed", "Last modified (grade)", "Feedback comments"),
        ],
    )
    for each in students:
        mark, comment = marks.get(each.number, ""), comments.get(each.number, "")
        name = f"{each.name}{each.mark}"
        row: list[object] = [f"Participant {each.user}", name, each.email, "Submitted"]
        yield each.number, [*row, mark, "20.00", "Yes", "-", comment]


def _gradescope(
    students: Sequence[Student], marks: Mapping[int, str], _: Mapping[int, str]
) -> Rows:
    yield (
        None,
        [
            *("First Name", "Last Name", "SID", "Email", "Sections", "Blackjack"),
            "Blackjack - Max Points",
        ],
    )
    for each in students:
        row = [each.given, f"{each.family}{each.mark}", each.sid, each.email, each.section]
        yield each.number, [*row, marks.get(each.number, ""), "20.0"]


COLUMNS = {"Canvas": "Blackjack (4711)", "Moodle": "Grade", "Gradescope": "Blackjack"}


def write_download(path: Path, students: Sequence[Student], platform: str) -> None:
    """Write what a platform packs of all that was handed in."""
    place = {"Canvas": _in_canvas, "Moodle": _in_moodle, "Gradescope": _in_gradescope}[platform]
    metadata = []
    with ZipFile(path, "w") as download:
        for each in students:
            files = _files(each)
            for name, text in files.items():
                download.writestr(place(each, name), text)
            if files:
                metadata.append(_metadata(each))
        if platform == "Gradescope":
            download.writestr("export/submission_metadata.yml", "".join(metadata))


def _files(student: Student) -> dict[str, str]:
    """Give what somebody hands in; of a team one does."""
    number = student.number
    own = PLAYER.format(number=number, total=12 + number % 7)
    same = PLAYER.format(number=1, total=13)
    mine = same.replace("Student1", f"Mine{number}").replace("Mine.", f"Number {number}.")
    at_fault = {
        "nothing": {},
        "broken": {"own.py": own.replace("return minimum", "return (minimum")},
        "no class": {"own.py": f"number = {number}\n"},
        "read-me": {"README.md": "# How I did it\n"},
        "two": {"one.py": own, "two.py": own},
        "macosx": {"own.py": own, "__MACOSX/._own.py": "Mac OS X"},
        "copy": {"own.py": same, "notes.txt": "all mine"},
        "renamed": {"own.py": mine},
    }
    is_anothers = student.team and number % 2
    file = "own.py.txt" if number % 8 == 3 else "own.py"
    return at_fault.get(student.fault, {} if is_anothers else {file: own})


def _in_canvas(student: Student, name: str) -> str:
    words = f"{student.family}{student.given}".casefold()
    called = "".join(char for char in words if char.isalnum() or char == "_")
    late = "LATE_" if student.fault == "late" else ""
    folder, _, file = name.rpartition("/")
    attachment = 1000 * student.number + sum(map(ord, name)) % 1000
    return f"{folder}{'/' if folder else ''}{called}_{late}{student.user}_{attachment}_{file}"


def _in_moodle(student: Student, name: str) -> str:
    shown = student.in_downloads.replace("_", " ")
    return f"{shown}_{student.user}_assignsubmission_file_/{name}"


def _in_gradescope(student: Student, name: str) -> str:
    return f"export/submission_{student.user}/{name}"


def _metadata(student: Student) -> str:
    time = TOO_LATE if student.fault == "late" else IN_TIME
    sid = f'"{student.sid}"' if student.sid else "null"
    return (
        f'submission_{student.user}:\n  :submitters:\n  - :name: "{student.in_downloads}"\n'
        f"    :sid: {sid}\n    :email: {student.email}\n  :created_at: {time}\n"
    )
