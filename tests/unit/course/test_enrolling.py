"""From an export to a roster: who is on it, what they are called, and what a newer one changes."""

import csv
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.course.grades.book import read_gradebook
from tourney.course.names import check_name, check_person
from tourney.course.roster import Person
from tourney.course.roster_file import read_roster, written
from tourney.course.roster_import import LEFT, Enrolment, enrol
from tourney.errors import GradebookError, TourneyError

from . import exports

Enrol = Callable[..., Enrolment]


@pytest.fixture
def enrolled(tmp_path: Path) -> Enrol:
    """Give what enrols everybody of an export."""

    def enrolled(text: str, kept: tuple[Person, ...] = (), encoding: str = "utf-8") -> Enrolment:
        path = tmp_path / "export.csv"
        path.write_bytes(text.encode(encoding))
        return enrol(read_gradebook(path), kept, ("simple",))

    return enrolled


def told(enrolment: Enrolment) -> list[tuple[object, ...]]:
    """Give names, ids and groups."""
    return [
        (each.person, each.names[0], each.ids, each.email, each.groups) for each in enrolment.people
    ]


def test_canvas_lists_students_with_logins_and_sections(enrolled: Enrol) -> None:
    """Without lines about columns and the test student; of equal names the second gets a number."""
    both = ("CS 101-001", "CS 101-002")
    assert told(enrolled(exports.CANVAS)) == [
        ("Ada Lovelace", "Ada Lovelace", ("101", "0042", "lovelace"), "", both),
        ("Seán J. O'Brien", "Seán J O'Brien", ("102", "0043", "obrien"), "", both[1:]),
        (
            'José "Pepe" van der Berg',
            "José Pepe van der Berg",
            ("103", "0044", "berg"),
            "",
            both[:1],
        ),
        ("Ada Lovelace", "Ada Lovelace 2", ("104", "0045", "lovelac2"), "", both[:1]),
    ]


def test_moodle_lists_students_with_addresses_and_groups(enrolled: Enrol) -> None:
    """In the language of the site; teachers are passed over."""
    assert told(enrolled(exports.MOODLE)) == [
        ("Ada Lovelace", "Ada Lovelace", ("0042",), "ada@example.org", ("Monday", "Team A")),
        ("Seán J. O'Brien", "Seán J O'Brien", (), "sean@example.org", ("Monday",)),
        ("Zoë", "Zoë", ("0044",), "zoe@example.org", ()),
    ]
    (juergen,) = enrolled(exports.MOODLE_GERMAN, encoding="cp1252").people
    assert (juergen.person, juergen.groups) == ("Jürgen Groß", ("Montag",))
    assert [each.person for each in enrolled(exports.MOODLE_PEOPLE).people] == ["Ada Lovelace"]
    assert enrolled(exports.MOODLE_SHEET).people[0].ids == ("participant:1234567",)


def test_gradescope_lists_students_with_sids_and_sections(enrolled: Enrol) -> None:
    """Instructors of its roster are passed over."""
    assert told(enrolled(exports.GRADESCOPE)) == [
        ("Ada Lovelace", "Ada Lovelace", ("0042",), "ada@example.org", ("001", "002")),
        ("Emmy Noether", "Emmy Noether", (), "emmy@example.org", ("002",)),
    ]
    assert told(enrolled(exports.GRADESCOPE_PEOPLE)) == [
        ("Ada Lovelace", "Ada Lovelace", ("0042",), "ada@example.org", ("001",))
    ]


@pytest.mark.parametrize("text", exports.EVERY)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "mixed"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_an_export_says_the_same_however_it_is_written(
    enrolled: Enrol, text: str, end: str, separator: str, encoding: str
) -> None:
    """Whatever stands between cells, ends lines, or writes accents."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    before = next(each for each in "\t;," if each in plain.split("\n")[0])
    again = StringIO()
    rows = csv.writer(again, delimiter=separator, lineterminator="\n")
    rows.writerows(csv.reader(StringIO(plain), delimiter=before))
    lines = again.getvalue().splitlines()
    ends = ["\r\n", "\r", "\n"] if end == "mixed" else [end]
    changed = "".join(line + ends[at % len(ends)] for at, line in enumerate(lines))
    assert told(enrolled(changed, encoding=encoding)) == told(enrolled(text))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ('"Núñez-O\u2019Neil, Zoë"', "Zoë Núñez-O'Neil"),
        ('"King, Jr., Martin L."', "Martin L King Jr"),
        ('"""李"", Wei 😀"', "Wei 李"),
        ("=1+1", "1 1"),
        ("simple", "simple 2"),
        ("\u0410da", "Student"),
        ("...", "Student"),
        ('"Wolfeschlegelsteinhausenbergerdorff-Smythe, Hubert Blaine"', "Hubert Blaine"),
    ],
)
def test_a_name_is_shown_without_what_a_board_cannot_show(
    enrolled: Enrol, name: str, shown: str
) -> None:
    """By the rule that the how-to states."""
    (person,) = enrolled(f"Student,ID,Section\n{name},7,1\n").people
    assert person.names == (shown,)


def test_names_that_could_be_taken_for_each_other_get_numbers(enrolled: Enrol) -> None:
    """Accents, capitals and letters that look alike make no difference to a reader."""
    rows = "".join(f"{name},{at},1\n" for at, name in enumerate(("Jose", "José", "JOSE", "J0se")))
    enrolment = enrolled(f"Student,ID,Section\n{rows}")
    names = [each.names[0] for each in enrolment.people]
    assert names == ["Jose", "José 2", "JOSE 3", "J0se 4"]
    assert enrolment.unclear == ()


def test_people_of_one_name_without_ids_are_named(enrolled: Enrol) -> None:
    """They have names to play under, but no download could tell them apart."""
    enrolment = enrolled("First name,Last name,Email address\nAda,King,\nAda,King,a@b\nEve,K,\n")
    assert [each.names[0] for each in enrolment.people] == ["Ada King", "Ada King 2", "Eve K"]
    assert enrolment.unclear == enrolment.people[:1]


def test_every_fault_is_told_with_its_line_and_column(enrolled: Enrol, tmp_path: Path) -> None:
    """At once."""
    text = (
        "Student,ID,SIS Login ID,Section\n"
        ",101,ada,1\n"
        "Bob,102,bob\n"
        '"Eve"x,103,eve,1\n'
        "Leo,104,ada,1\n"
        "Max,10;5,max,1\n"
        f"{'N' * 201},106,n,{'S' * 81}\n"
        '"Leo, ",107,ada,1\n\ue000,108,,1\n'
    )
    with pytest.raises(GradebookError) as caught:
        enrolled(text)
    path = tmp_path / "export.csv"
    assert str(caught.value).splitlines() == [
        f"{path}:3:1: this line has 3 cells, and the heading has 4. Export again.",
        f"{path}:4:1: the quote of this cell is not closed before the next cell",
    ]
    with pytest.raises(GradebookError) as caught:
        enrolled(text.replace("Bob,102,bob\n", "").replace('"Eve"x', "Eve"))
    assert str(caught.value).splitlines() == [
        f"{path}:2:1: Student: The name is missing. Export a list with names.",
        f"{path}:4:1: 'ada' is also in line 2. Correct it in one of the lines, or empty that cell.",
        f"{path}:5:5: ID: The id '10;5' has a ';'. Correct it.",
        f"{path}:6:1: Student: expected up to 200 characters, got 201. Shorten it.",
        f"{path}:6:209: Section: expected up to 80 characters, got 81. Shorten it.",
        f"{path}:7:1: 'ada' is also in line 2. Correct it in one of the lines, or empty that cell.",
        f"{path}:8:1: Student: No character of the name is printable. Correct it on the platform.",
    ]


def test_lines_of_one_student_are_told_from_an_id_of_two(enrolled: Enrol) -> None:
    """Only a line that is there twice may be removed."""
    with pytest.raises(GradebookError, match=r"3:1: 'a' is also in line 2. Remove one of the line"):
        enrolled("Student,ID,SIS Login ID\nAda,1,a\nADA,2,a\n")
    with pytest.raises(GradebookError, match=r"3:1: 'a' is also in line 2. Correct it in one of"):
        enrolled("Student,ID,SIS Login ID\nAda,1,a\nBo,2,a\n")


@pytest.mark.parametrize(
    ("name", "encoding", "read_as"),
    [
        ("Łukasz Żak", "cp1250", "£ukasz ¯ak"),
        ("Иван Петров", "cp1251", "Èâàí Ïåòðîâ"),
        ("Jürgen Groß", "mac_roman", "JŸrgen Gro§"),
        ("José Pérez".encode().decode("cp1252"), "utf-8", "JosÃ© PÃ©rez"),
        ("?ukasz ?ak", "ascii", "?ukasz ?ak"),
        ("Jos\ufffd", "utf-8", "Jos\ufffd"),
    ],
    ids=["polish", "russian", "mac", "twice", "lost", "replaced"],
)
def test_letters_of_another_encoding_are_reported(
    enrolled: Enrol, name: str, encoding: str, read_as: str
) -> None:
    """Spreadsheet programs save names so; students would play under other names."""
    with pytest.raises(GradebookError) as caught:
        enrolled(f"Student,ID\n{name},1\n", encoding=encoding)
    assert f":2:1: Student: The letters of '{read_as}' come from another encoding" in str(
        caught.value
    )


def test_a_number_that_excel_has_shortened_is_reported(enrolled: Enrol) -> None:
    """Once in each line; several students then have the same."""
    head = "First Name,Last Name,SID,Email\n"
    with pytest.raises(GradebookError) as caught:
        enrolled(f"{head}Ann,Alder,2.0213E+12,a@x.edu\nBo,Elm,2.0213E+12,b@x.edu\n")
    lines = str(caught.value).splitlines()
    assert [each.rpartition(": A spreadsheet")[0].rpartition("csv:")[2] for each in lines] == [
        "2:11: SID",
        "3:8: SID",
    ]


def test_a_line_of_sums_is_no_student(enrolled: Enrol, tmp_path: Path) -> None:
    """It has neither a name nor an id."""
    assert len(enrolled("Student,ID,Quiz (1)\nAda,1,7\n,,#DIV/0!\n").people) == 1
    passed_over = read_gradebook(tmp_path / "export.csv").passed_over
    assert passed_over == ((3, "a line without a name and an id"),)


@pytest.mark.parametrize("nothing", ["N/A", "n/a", "-", "—", "#N/A"])
def test_a_text_in_place_of_an_id_is_none(enrolled: Enrol, nothing: str) -> None:
    """Several students may have it."""
    head = "First Name,Last Name,SID,Email,Role\n"
    rows = (f"{name},Alder,{nothing},{nothing},Student\n" for name in ("Ann", "Bo"))
    people = enrolled(head + "".join(rows)).people
    assert [(each.person, each.all_ids) for each in people] == [("Ann Alder", ()), ("Bo Alder", ())]


def test_a_long_name_is_shortened_only_on_boards(enrolled: Enrol, tmp_path: Path) -> None:
    """The roster has it in full, so that downloads find it."""
    name = " ".join(["Pedro", *("Alcântara" for _ in range(14))])
    (person,) = people = enrolled(f"Student,ID,Section\n{name},7,1\n").people
    assert (person.person, person.names) == (name, ("Pedro Alcântara Alcântara Alcântara",))
    path = tmp_path / "roster.csv"
    path.write_text(written(people), "utf-8")
    assert read_roster(path).people == people
    check_person(name)


@pytest.mark.parametrize(
    "sentence",
    [
        *("A and B", "A und B", "A et B", "A y B", "A e B", "A en B", "A och B", "A og B"),
        *("A ja B", "A i B", "A a B", "A ve B", "A és B", "A и B", "A \u0456 B", "A và B"),
        *("A和B", "A 和 B", "AとB", "A、B", "A및B", "A و B", "A وB", "A \u05d5B", "A \u05d5-B"),
    ],
)
def test_sections_are_read_in_the_language_of_canvas(enrolled: Enrol, sentence: str) -> None:
    """If each of them has a student of its own."""
    head = "Student,ID,Section\nAda,1,A\nBo,2,B\nCy,3,C in D\n"
    people = enrolled(f"{head}Emmy,4,{sentence}\nMax,5,X und B\n").people
    assert [each.groups for each in people] == [
        ("A",),
        ("B",),
        ("C in D",),
        ("A", "B"),
        ("X und B",),
    ]


@pytest.mark.parametrize("sentence", ["A, C in D und B", "A, C in D, and B", "A、C in D及B"])
def test_a_word_between_sections_may_be_part_of_one(enrolled: Enrol, sentence: str) -> None:
    """What other students have decides."""
    head = "Student,ID,Section\nAda,1,A\nBo,2,B\nCy,3,C in D\n"
    people = enrolled(f'{head}Emmy,4,"{sentence}"\n').people
    assert people[-1].groups == ("A", "C in D", "B")


def test_an_export_of_nobody_is_refused(enrolled: Enrol) -> None:
    """It would make a class of nobody."""
    with pytest.raises(GradebookError, match="No student is in it"):
        enrolled("Student,ID,Section\n    Points Possible,,\n")


def test_what_an_organiser_wrote_stays_when_an_export_is_read_again(enrolled: Enrol) -> None:
    """Aliases, teams, late days, handles and exclusions; groups and addresses are the export's."""
    first = enrolled(exports.GRADESCOPE).people
    mine = replace(
        first[0],
        names=("Seine", "Ada", "Countess"),
        team="Seine",
        late_days=4,
        handle="quiet-otter",
    )
    kept = (mine, replace(first[1], excluded="audits"))
    again = enrolled(exports.GRADESCOPE.replace('"001, 002"', "003"), kept)
    assert again.people == (replace(mine, groups=("003",)), kept[1])
    assert again.changed == ((mine, again.people[0]),)
    assert (again.joined, again.left) == ((), ())


def test_who_joins_or_leaves_is_told(enrolled: Enrol) -> None:
    """Who left is excluded, and back when an export has them again."""
    kept = enrolled(exports.MOODLE).people
    newer = exports.MOODLE.replace("Zoë\t\t0044\t\tzoe@", "Zoé\t\t0045\t\tzoé@")
    enrolment = enrolled(newer, kept)
    assert [each.person for each in enrolment.left] == ["Zoë"]
    assert [(each.person, each.names[0]) for each in enrolment.joined] == [("Zoé", "Zoé 2")]
    assert enrolment.people[2].excluded == LEFT
    back = enrolled(exports.MOODLE, enrolment.people)
    assert [after.person for _, after in back.changed] == ["Zoë"]
    assert back.people[2] == kept[2]
    assert [each.person for each in back.left] == ["Zoé"]


def test_people_are_known_again_by_id_before_name(enrolled: Enrol) -> None:
    """Somebody else of the same name is somebody new; who had no id is known by name."""
    kept = (Person("Ada Lovelace", ("Ada",), ("7",)), Person("Emmy Noether", ("Emmy",)))
    enrolment = enrolled(
        'Student,ID,Section\n"Lovelace, Ada",8,1\n"King, Ada",7,1\n"Noether, Emmy",9,1\n',
        kept,
    )
    assert [(each.names[0], each.ids) for each in enrolment.people] == [
        ("Ada", ("7",)),
        ("Emmy", ("9",)),
        ("Ada Lovelace", ("8",)),
    ]


@pytest.mark.parametrize("text", exports.EVERY)
def test_a_kept_roster_reads_as_it_was_written(enrolled: Enrol, tmp_path: Path, text: str) -> None:
    """With all its columns; also as a spreadsheet in Germany saves it."""
    people = enrolled(text).people
    people = (replace(people[0], late_days=2, handle="otter", excluded="audits"), *people[1:])
    path = tmp_path / "roster.csv"
    path.write_text(written(people), "utf-8")
    assert read_roster(path).people == people
    rows = list(csv.reader(written(people).splitlines()))
    with path.open("w", encoding="cp1252", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    assert read_roster(path).people == people


NOISE = st.sampled_from(
    ["", ",", ";", "\t", '"', '""', "\r", "\n", "\r\n", "\0", "\ufeff", "\xa0", "é", "İ", "ß", "ﬁ",
     "=", "'", "Points Possible", "Student, Test", "李", "\u0430", "\u202e", "😀", "x" * 90, "\x1f",
     "\x07", "\ue000", "\U00031350", " und ", " e ", "、", "sep=;\n", "N/A"]
)  # fmt: skip


@tried(10_000)
@given(
    st.sampled_from(exports.EVERY),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), NOISE), max_size=8),
    st.sampled_from(["utf-8", "cp1252", "latin-1", "utf-16"]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=3),
)
def test_a_mutated_export_is_read_or_refused(
    text: str,
    changes: list[tuple[float, int, str]],
    encoding: str,
    bytes_: list[tuple[float, int]],
) -> None:
    """Never with anything but a message; what is read makes a roster that can be kept."""
    for at, length, noise in changes:
        place = int(at * len(text))
        text = text[:place] + noise + text[place + length :]
    data = bytearray(text.encode(encoding, "replace"))
    for at, byte in bytes_:
        if data:
            data[int(at * (len(data) - 1))] = byte
    with TemporaryDirectory() as name:
        path = Path(name) / "export.csv"
        path.write_bytes(data)
        try:
            people = enrol(read_gradebook(path), ()).people
        except TourneyError:
            return
        roster = Path(name) / "roster.csv"
        roster.write_text(written(people), "utf-8")
        names = [each.names[0] for each in people]
        for at, each in enumerate(names):
            check_name(each, names[:at])
        assert read_roster(roster).people == people
        assert enrol(read_gradebook(path), people).people == people
