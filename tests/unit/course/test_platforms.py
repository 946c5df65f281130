"""Files as learning platforms and systems really write them, and the student of each of them."""

import shutil
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from unicodedata import normalize
from zipfile import ZipFile, ZipInfo

import pytest

from tourney.course.bulk_import import NOT_MATCHED, take_class
from tourney.course.feedback.pages import COLUMN
from tourney.course.folder import Submissions
from tourney.course.grades.book import Gradebook, read_gradebook
from tourney.course.lms_downloads import read_class
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import read_roster, written
from tourney.course.roster_import import Enrolment, enrol
from tourney.course.submission_rules import SubmissionRules
from tourney.course.submission_status import copies, handed_in, missing
from tourney.errors import GradebookError

from .conftest import NOON, competitor, passes

PLAYER = competitor(17).text.encode()
ANN = Person("Ann Alder", ("Ann Alder",), ("9001", "S-01", "aa01"), email="aa@example.edu")
BO = Person("Bo Smith_Jones", ("Bo",), ("9003",))
JOSE = Person("José Pérez", ("José Pérez",))
ELI = Person("Eli Elm", ("Oak", "Eli"), ("9004",), team="Oak")
FAY = Person("Fay Fir", ("Oak", "Fay"), ("9005",), team="Oak")
DAN = Person("דן כהן", ("דן כהן",), ("9006",))
CLASS = (ANN, BO, JOSE, ELI, FAY, DAN)
FILE = "assignsubmission_file"


@pytest.fixture
def desk(tmp_path: Path) -> Submissions:
    """Open a folder with a roster that is a file."""
    return _desk(tmp_path, CLASS)


def _desk(tmp_path: Path, people: tuple[Person, ...]) -> Submissions:
    path = tmp_path / "roster.csv"
    path.write_text(written(people), "utf-8")
    return Submissions(tmp_path / "desk", SubmissionRules(roster=read_roster(path)))


def zipped(path: Path, members: Mapping[str, bytes]) -> Path:
    """Write a zip with the names as they are."""
    with ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def taken(desk: Submissions, members: Mapping[str, bytes] | Path) -> list[str]:
    """Take a download in and give its lines, without versions."""
    path = members if isinstance(members, Path) else desk.folder.with_suffix(".zip")
    if not isinstance(members, Path):
        zipped(path, members)
    found = take_class(desk, read_class(path), NOON, passes)
    return [str(each).partition(", version ")[0] for each in found]


def raw_zip(path: Path, name: bytes, *, flag: int = 0) -> Path:
    """Write a zip of one file, whose name has these bytes."""
    plain = "x" * len(name)
    zipped(path, {plain: PLAYER})
    data = path.read_bytes().replace(plain.encode(), name)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(mark) + at
        data = data[:place] + flag.to_bytes(2, "little") + data[place + 2 :]
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKD"])
@pytest.mark.parametrize(
    "name", ["José Pérez", "JOSÉ PÉREZ", "Pérez José", "José\u200f Pérez", "José Pérez\ue000"]
)
def test_spelling_makes_no_difference(desk: Submissions, form: str, name: str) -> None:
    """Accents apart from their letters, capitals, invisible marks, the family name first."""
    members = {f"{normalize(form, name)}_1234568_{FILE}/ok.py": PLAYER}  # type: ignore[arg-type]  # a form
    (line,) = taken(desk, members)
    assert line.endswith("accepted as José Pérez (José Pérez)")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "cp437", "cp850", "cp1252"], ids=["mac", "dos", "windows", "java"]
)
def test_names_are_read_without_the_flag_of_utf_8(
    desk: Submissions, tmp_path: Path, encoding: str
) -> None:
    """As macOS, old Windows and some libraries write them."""
    name = f"José Pérez_1234568_{FILE}/ok.py".encode(encoding)
    (line,) = taken(desk, raw_zip(tmp_path / "d.zip", name))
    assert line.endswith("accepted as José Pérez (José Pérez)")


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("Łukasz Żak", "cp852"),
        ("Пётр Сидоров", "cp866"),
        ("Γιώργος Παππάς", "cp737"),
        ("Çağla Öz", "cp857"),
        ("表示 太郎", "cp932"),
        ("张伟", "gbk"),
        ("陳大文", "big5"),
        ("김민준", "cp949"),
    ],
)
def test_an_old_zip_is_read_in_the_code_page_of_the_class(
    tmp_path: Path, name: str, encoding: str
) -> None:
    """As Windows zips a download again in another country."""
    desk = _desk(tmp_path, (Person(name, (name,)), JOSE))
    path = raw_zip(tmp_path / "d.zip", f"{name}_1234568_{FILE}/ok.py".encode(encoding))
    found = read_class(path, desk.terms.roster)
    assert [str(each).partition(",")[0] for each in take_class(desk, found, NOON, passes)] == [
        f"{name}_1234568: accepted as {name} ({name})"
    ]


def test_a_zip_of_a_student_may_have_names_in_another_code_page(
    desk: Submissions, tmp_path: Path
) -> None:
    """The Japanese name has the byte of a stroke, which no name of a file may have."""
    packed = raw_zip(tmp_path / "p.zip", "ポーカー.py".encode("cp932")).read_bytes()
    (line,) = taken(desk, {f"José Pérez_1234568_{FILE}/a.zip": packed})
    assert line == "José Pérez_1234568: accepted as José Pérez (José Pérez)"


def test_the_test_student_takes_no_part(desk: Submissions) -> None:
    """A teacher tries the assignment in the student view of Canvas."""
    assert taken(desk, {"studenttest_505_6005_ok.py": PLAYER}) == [
        "studenttest_505_6005_ok.py: refused: Its author is the platform's test student, so it is "
        "not imported."
    ]


@pytest.mark.parametrize("copy", ["ok (1).py", "ok - Kopie.py", "Copy of ok.py", "new/ok.py"])
def test_a_file_that_is_attached_twice_counts_once(desk: Submissions, copy: str) -> None:
    """Its copy has nearly the same name; the first name counts."""
    folder = f"José Pérez_1234568_{FILE}"
    assert taken(desk, {f"{folder}/{copy}": PLAYER, f"{folder}/ok.py": PLAYER}) == [
        f"José Pérez_1234568/{copy}: left out: the same as ok.py",
        "José Pérez_1234568: accepted as José Pérez (José Pérez)",
    ]


@pytest.mark.parametrize("late", ["", "LATE_"])
def test_canvas_keeps_strokes_in_names(desk: Submissions, late: str) -> None:
    """The numbers tell where the name ends."""
    (line,) = taken(desk, {f"smith_jonesbo_{late}9003_503_ok.py": PLAYER})
    assert line.endswith("accepted as Bo (Bo Smith_Jones)")


def test_canvas_names_a_group_and_the_number_of_a_member(desk: Submissions) -> None:
    """The team of the roster plays."""
    (line,) = taken(desk, {"oak_9004_503_ok.py": PLAYER})
    assert line == "oak_9004_503_ok.py: accepted as Oak (Eli Elm)"


def test_canvas_may_know_a_new_name(desk: Submissions) -> None:
    """The number decides, and the line reports the name."""
    path = zipped(desk.folder.with_suffix(".zip"), {"newnameann_9001_503_ok.py": PLAYER})
    (outcome,) = take_class(desk, read_class(path), NOON, passes)
    assert (outcome.status, outcome.name) == ("accepted", "Ann Alder")
    assert outcome.reason == "the download calls Ann Alder 'newnameann'"


@pytest.mark.parametrize("spelled", ["perezjose", "prezjos", "pérezjosé"])
def test_a_name_without_its_accents_is_no_new_name(tmp_path: Path, spelled: str) -> None:
    """Whether the platform keeps the bare letters or drops them, if the number decides."""
    desk = _desk(tmp_path, (replace(JOSE, ids=("9007",)),))
    path = zipped(desk.folder.with_suffix(".zip"), {f"{spelled}_9007_503_ok.py": PLAYER})
    (outcome,) = take_class(desk, read_class(path), NOON, passes)
    assert (outcome.status, outcome.reason) == ("accepted", "")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("alderann_9001_text.html", "a text that was typed on the page"),
        ("alderann_LATE_9001_link.html", "a link to another page"),
    ],
)
def test_what_is_no_file_is_answered(desk: Submissions, name: str, words: str) -> None:
    """On the student's page and in the list of the missing."""
    line = taken(desk, {name: b"<p>x</p>"})[-1]
    assert "refused as Ann Alder" in line
    (why,) = [each.why for each in missing(desk) if each.person == "Ann Alder"]
    assert words in why
    assert "Submit the file itself" in why


@pytest.mark.parametrize(
    "members",
    [
        {"anon_aB3x9_501_ok.py": PLAYER, "LATE_anon_Zz9x1_502_ok.py": PLAYER},
        {f"Participant_1234567_{FILE}/ok.py": PLAYER, f"Participant_1234568_{FILE}/ok.py": PLAYER},
        {f"Teilnehmerin_1_{FILE}_/ok.py": PLAYER, f"Teilnehmerin_2_{FILE}_/ok.py": PLAYER},
    ],
    ids=["canvas", "moodle", "german"],
)
def test_an_anonymous_download_is_recognised(
    desk: Submissions, members: Mapping[str, bytes]
) -> None:
    """Each file is refused, with the remedy."""
    lines = taken(desk, members)
    assert len(lines) == 2
    assert all("The download hides names" in line for line in lines)


def test_a_hidden_name_goes_by_the_number_of_its_assignment(tmp_path: Path) -> None:
    """If a worksheet of the assignment has told the roster."""
    desk = _desk(tmp_path, (Person("Ann Alder", ("Ann",), ("participant:1234567",)), BO))
    line, other = taken(
        desk,
        {f"Participant_1234567_{FILE}/a.py": PLAYER, f"Participant_9003_{FILE}/a.py": PLAYER},
    )
    assert line.endswith("accepted as Ann (Ann Alder)")
    assert "hides names" in other  # Bo's number is of another kind


def test_attachments_of_one_attempt_are_several(desk: Submissions) -> None:
    """Canvas downloads no earlier attempts; a number alone is taken off the name."""
    members = {f"alderann_9001_{700 + n}_level-{n}.py": PLAYER for n in (1, 2)}
    assert "It has 2 competitors (level-1.py, level-2.py)" in taken(desk, members)[0]
    assert "accepted" in taken(desk, {"alderann_9001_703_bold-3.py": PLAYER})[0]
    assert desk.read(desk.current()[0]).name == "bold.py"


@pytest.mark.parametrize("group", ["Oak", "oak", "O\u0061k\u200e"])
def test_moodle_has_a_folder_for_each_member_of_a_team(desk: Submissions, group: str) -> None:
    """The team plays once."""
    names = ("Eli Elm_1234567", "Fay Fir_1234568")
    lines = taken(desk, {f"{group}-{name}_{FILE}/ok.py": PLAYER for name in names})
    assert lines[0].endswith("accepted as Oak (Eli Elm)")
    assert "left out as Oak (Fay Fir): the same files as" in lines[1]
    assert len(desk.versions()) == 1


def test_newer_moodle_has_a_folder_for_a_team(desk: Submissions) -> None:
    """And one for all who are in none."""
    lines = taken(
        desk,
        {
            f"Oak_345_{FILE}/ok.py": PLAYER,
            f"Ann Alder_1234569_{FILE}/ok.py": PLAYER,
            f"Default group_{FILE}/ok.py": PLAYER,
        },
    )
    assert [line.partition(":")[2][:18] for line in lines[:2]] == [
        " accepted as Oak (",
        " accepted as Ann A",
    ]
    assert "stands for the students of no group" in lines[2]


@pytest.mark.parametrize(
    "members",
    [
        {f"Elk_9_{FILE}/ok.py": PLAYER},
        {f"Elk-{name}_{FILE}/ok.py": PLAYER for name in ("Ann Alder_1", "Bo Smith Jones_2")},
    ],
    ids=["newer", "older"],
)
def test_a_group_of_moodle_becomes_a_team(tmp_path: Path, members: Mapping[str, bytes]) -> None:
    """Which the roster has from then on."""
    people = (
        Person("Ann Alder", ("Ann",), groups=("Elk",)),
        Person("Bo Smith Jones", ("Bo",), groups=("Elk",)),
        ELI,
    )
    desk = _desk(tmp_path, people)
    assert "accepted as Elk (Ann Alder)" in taken(desk, members)[0]
    again = read_roster(tmp_path / "roster.csv").people
    assert [(each.team, each.names) for each in again] == [
        ("Elk", ("Elk", "Ann")),
        ("Elk", ("Elk", "Bo")),
        ("Oak", ("Oak", "Eli")),
    ]


def test_a_name_with_a_dash_is_no_group(desk: Submissions) -> None:
    """A stranger is not taken for a student with the second half of the name."""
    (line,) = taken(desk, {f"Jean-Ann Alder_5_{FILE}/ok.py": PLAYER})
    assert "refused" in line
    (why,) = [each.why for each in missing(desk) if each.person == "Ann Alder"]
    assert why.startswith("refused")


def test_a_pair_of_gradescope_becomes_a_team(tmp_path: Path) -> None:
    """Unless one of them has a team, or has submitted alone."""
    desk = _desk(tmp_path, CLASS)
    metadata = "".join(
        f"submission_{number}:\n  :submitters:\n"
        + "".join(f"  - :name: {name}\n" for name in names)
        + "  :created_at: 2026-11-20 11:00:00 Z\n"
        for number, names in ((1, ("Ann Alder", "José Pérez")), (2, ("Eli Elm", "דן כהן")))
    )
    members = {f"export/submission_{number}/ok.py": PLAYER for number in (1, 2)}
    members["export/submission_metadata.yml"] = metadata.encode()
    first, second = taken(desk, members)
    assert first == "submission_1: accepted as Ann Alder and José Pérez (Ann Alder)"
    assert "no team in common. Write one into the column `team`." in second
    team = read_roster(tmp_path / "roster.csv").people[2].team
    assert team == "Ann Alder and José Pérez"
    assert taken(_reopened(desk, tmp_path), members) == [first, second]


def _reopened(desk: Submissions, tmp_path: Path) -> Submissions:
    return Submissions(desk.folder, SubmissionRules(roster=read_roster(tmp_path / "roster.csv")))


def test_a_submission_without_files_is_answered(desk: Submissions) -> None:
    """Gradescope lists it, and the download has no folder of it."""
    metadata = b"submission_1: {':submitters': [{':name': Ann Alder}]}\nsubmission_2: {}\n"
    members = {"submission_metadata.yml": metadata, "submission_2/x.py": PLAYER}
    lines = taken(desk, members)
    assert lines[-1].startswith("submission_1: refused as Ann Alder (Ann Alder): The download has")


def test_a_zip_of_windows_has_backslashes(desk: Submissions, tmp_path: Path) -> None:
    """Its folders are folders all the same."""
    packed = tmp_path / "bot.zip"
    with ZipFile(packed, "w") as file:
        for name in ("bot#", "bot#ok.py"):
            info = ZipInfo(name)
            info.create_system = 0
            file.writestr(info, PLAYER if name.endswith(".py") else b"")
    data = packed.read_bytes().replace(b"bot#", b"bot\\")
    (line,) = taken(desk, {"alderann_9001_700_bot.zip": data})
    assert line.endswith("accepted as Ann Alder (Ann Alder)")


@pytest.mark.parametrize("is_nested", [False, True])
def test_an_unpacked_download_is_a_download(
    desk: Submissions, tmp_path: Path, is_nested: bool
) -> None:
    """Also where the system has unpacked the zips in it, and with what it leaves."""
    top = tmp_path / "submissions" / ("week 1" if is_nested else "")
    (top / "alderann_9001_700_bot" / "bot").mkdir(parents=True)
    (top / "alderann_9001_700_bot" / "bot" / "ok.py").write_bytes(PLAYER)
    (top / ".DS_Store").write_bytes(b"\0")
    (top / "smith_jonesbo_9003_701_ok.py").write_bytes(PLAYER)
    (top / "link.py").symlink_to("/etc/passwd")
    lines = taken(desk, tmp_path / "submissions")
    assert sum("accepted" in line for line in lines) == 2
    assert sum("left by the system" in line for line in lines) == 1
    assert sum("It is a link or a device" in line for line in lines) == 1
    again = shutil.make_archive(str(tmp_path / "again"), "zip", tmp_path / "submissions")
    assert sum("accepted" in line for line in taken(desk, Path(again))) == 2


def test_an_extra_ending_is_taken_off(desk: Submissions) -> None:
    """As mail programs and systems that hide endings add it."""
    (line,) = taken(desk, {f"Ann Alder_1_{FILE}/ok.py.txt": PLAYER})
    assert line.endswith("accepted as Ann Alder (Ann Alder)")
    assert desk.read(desk.current()[0]).name == "ok.py"


@pytest.mark.parametrize(
    "name", ["alderann.py", "ok (Ann Alder).py", "S-01.py", "9001.py", "Ann_Alder-final.py"]
)
def test_a_file_of_nobody_is_shown_to_whom_it_names(desk: Submissions, name: str) -> None:
    """And is no success."""
    members = {name: PLAYER, f"Bo Smith Jones_1_{FILE}/ok.py": PLAYER}
    path = zipped(desk.folder.with_suffix(".zip"), members)
    outcomes = list(take_class(desk, read_class(path), NOON, passes))
    assert [each.is_fault for each in outcomes if each.where == name] == [True]
    told, nobodys = handed_in(desk)
    assert [each.refused for each in told if each.person == ANN] == [(NOT_MATCHED,)]
    assert [each.where for each in nobodys] == [name]
    (why,) = [each.why for each in missing(desk) if each.person == "Ann Alder"]
    assert why == f"refused: {NOT_MATCHED}"


def read(tmp_path: Path, text: str, name: str = "book.csv") -> Gradebook:
    """Read a text as a gradebook."""
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read_gradebook(path)


def enrolled(tmp_path: Path, text: str, kept: tuple[Person, ...] = ()) -> Enrolment:
    """Enrol the students of a list."""
    return enrol(read(tmp_path, text), kept)


CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,Blackjack (4711)\n"


def test_ids_of_two_kinds_may_be_equal(tmp_path: Path) -> None:
    """The roster writes their kinds, and each mention finds its own."""
    text = CANVAS + '"Alder, Ann",1001,12345,aa01,A,\n"Alder, Ann",12345,99999,bb02,A,\n'
    people = enrolled(tmp_path, text).people
    assert [each.ids for each in people] == [
        ("1001", "sis:12345", "aa01"),
        ("canvas:12345", "99999", "bb02"),
    ]
    roster = Roster(people)
    assert roster.all_called("canvas:12345") == people[1:]
    assert roster.all_called("sis:12345") == people[:1]
    assert roster.all_called("12345") == people
    assert enrolled(tmp_path, text, people).people == people


def test_a_second_worksheet_changes_no_class(tmp_path: Path) -> None:
    """Its numbers are of one assignment, even if they were others' before."""
    head = 'Identifier,"Full name",Status,Grade,"Maximum grade","Grade can be changed"\n'
    rows = ["Participant {},Ann Alder,-,,20.00,Yes\n", "Participant {},Bo Birch,-,,20.00,Yes\n"]
    first = enrolled(tmp_path, head + "".join(map(str.format, rows, (11, 12))))
    second = enrolled(tmp_path, head + "".join(map(str.format, rows, (12, 11))), first.people)
    assert (second.joined, second.left) == ((), ())
    assert [each.person for each in second.people] == ["Ann Alder", "Bo Birch"]
    renamed = "Participant 11,Ann Newname,-,,20.00,Yes\n" + rows[1].format(12)
    third = enrolled(tmp_path, head + renamed, first.people)
    assert [each.person for each in third.people] == ["Ann Newname", "Bo Birch"]


def test_students_of_one_name_stay_while_nothing_tells_them_apart(tmp_path: Path) -> None:
    """None is excluded by a guess."""
    head = "First name,Last name,Email address\n"
    first = enrolled(tmp_path, f"{head}Ann,Alder,\nAnn,Alder,\n")
    later = enrolled(tmp_path, f"{head}Ann,Alder,\n", first.people)
    assert later.people == first.people


@pytest.mark.parametrize(
    "marks",
    [
        *("\u200f", "\u202a\u202c", "\ufeff\u200b", "\u00ad\u2066"),
        *("\ue000", "\U0010fffd", "\U0003fffd", "\x07", "\x80"),  # private, unknown, and control
    ],
)
def test_unprintable_characters_are_left_out_and_reported(tmp_path: Path, marks: str) -> None:
    """The class is made all the same."""
    given, family = DAN.person.split()
    name = f"{marks[0]}{family}, {marks[-1].join(given)}{marks}"
    book = read(tmp_path, f'{CANVAS}"Alder, Ann",1,,,A,\n"{name}",9002,S-02,bb02,A,\n')
    assert [each.has_marks for each in book.students] == [False, True]
    assert [each.person for each in enrol(book, ()).people] == ["Ann Alder", DAN.person]


def test_a_new_name_with_the_same_id_is_followed(tmp_path: Path) -> None:
    """Under the old name to play, and found by both names."""
    head = '"First name","Last name","ID number","Email address",Groups\n'
    kept = enrolled(tmp_path, f"{head}Ann,Alder,1001,aa@x,A\nBo,Birch,1002,bb@x,A\n").people
    later = enrolled(tmp_path, f"{head}Ann,Newname,1001,aa@x,A\nBo,Birch,1002,bb@x,A\n", kept)
    assert [(old.person, new.person) for old, new in later.renamed] == [
        ("Ann Alder", "Ann Newname")
    ]
    assert later.people[0].names == ("Ann Alder",)
    roster = Roster(later.people)
    assert roster.find("Ann Newname") == roster.find("Ann Alder") == later.people[0]


def test_another_platform_knows_the_class_again(tmp_path: Path) -> None:
    """By the names, as no id is of a kind that both have."""
    kept = enrolled(tmp_path, f'{CANVAS}"Alder, Ann",1,,,A,\n"Birch, Bo",2,,,A,\n').people
    text = "First Name,Last Name,SID,Email\nAnn,Alder,S-1,aa@x\nBo,BIRCH,S-2,bb@x\n"
    later = enrolled(tmp_path, text, kept)
    assert (later.joined, later.left) == ((), ())
    assert later.people[1].ids == ("2", "S-2")


WORKSHEETS = {
    "English": 'Identifier,"Full name",Status,Grade,"Maximum grade","Grade can be changed",'
    '"Last modified (grade)","Feedback comments"',
    "German": 'ID,"Vollständiger Name",Status,Bewertung,Bestwertung,'
    '"Bewertung kann geändert werden","Zuletzt geändert (Bewertung)","Feedback als Kommentar"',
    "French": 'Identifiant,"Nom complet",Statut,Note,"Note maximale","La note peut être modifiée",'
    '"Dernière modification (note)","Feedback par commentaires"',
    "Spanish": 'Identificador,"Nombre completo",Estatus,Calificación,"Calificación máxima",'
    '"La calificación puede ser cambiada","Última modificación (calificación)",'
    '"Comentarios de retroalimentación"',
    "Italian": 'Identificativo,"Nome completo",Stato,Valutazione,"Valutazione massima",'
    '"La valutazione può essere cambiata","Ultima modifica (valutazione)",Commenti',
    "Portuguese": 'Identificador,"Nome completo",Estado,Nota,"Nota máxima",'
    '"A nota pode ser alterada.","Última modificação (nota)","Comentários de feedback"',
}
HIDDEN = {
    "German": "Teilnehmer/in",
    "Spanish": "Participante ",
    "Italian": "Partecipante",
    "Portuguese": "Participante",
}
NO = {"German": "Nein", "French": "Non", "Portuguese": "Não"}


@pytest.mark.parametrize("language", WORKSHEETS)
def test_a_worksheet_is_read_in_its_language(tmp_path: Path, language: str) -> None:
    """Its numbers, its maximum, its decimals, its column of comments, and what it keeps."""
    word, no = HIDDEN.get(language, "Participant "), NO.get(language, "No")
    book = read(
        tmp_path,
        f'\ufeff{WORKSHEETS[language]}\n"{word}1234567","Ann Alder",-,,"20,00",Yes,-,\n'
        f'"{word}1234568","Bo Birch",-,"12,50","20,00",{no},-,\n',
    )
    column = book.column(book.titles[3])
    assert book.possible(column) == 20
    assert book.mark_text(Fraction(25, 2), column) == "12,5"
    assert [each.kind_ids for each in book.students] == [
        ("participant:1234567",),
        ("participant:1234568",),
    ]
    assert book.column_of("comment") == 7
    assert [each.is_locked for each in book.students] == [False, True]
    fillable = [at for at, title in enumerate(book.titles) if book.platform.takes_marks(title)]
    assert fillable == [3]
    assert COLUMN == "Feedback comments"


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ('"1,2",-', "2.5"),
        ('"1,2","3,50"', "2,5"),
        ("2,3.50", "2.5"),
        ('2,"1,250"', "2.5"),
        ('2,"1,250.50"', "2.5"),
    ],
)
def test_the_decimal_sign_is_that_of_the_column(tmp_path: Path, cells: str, text: str) -> None:
    """Groups and thousands are no decimals."""
    book = read(tmp_path, f"First name,Last name,Groups,Quiz (Real)\nAnn,Alder,{cells}\n")
    assert book.mark_text(Fraction(5, 2), 3) == text


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("First name,Last name,Quiz (Percentage)\nAnn,Alder,85.00 %\n", "Quiz"),
        ("First name,Last name,Quiz (Real)\nAnn,Alder,Excellent\n", "Quiz"),
        ("ID,Vollständiger Name,Bewertung,Skala\nTeilnehmer/in1,Ann,,gut\n", "Bewertung"),
        (
            "OrgDefinedId,Last Name,First Name,End-of-Line Indicator\n#1,A,B,#\n",
            "End-of-Line Indicator",
        ),
        ("Login;Nachname;Vorname;Matrikelnummer;Note\na;A;B;1;\n", "Note"),
    ],
)
def test_what_takes_no_points_is_refused(tmp_path: Path, text: str, column: str) -> None:
    """Scales, percentages, and columns that a platform would not read."""
    with pytest.raises(GradebookError, match=r"is not for marks|not points|an assignment, but"):
        read(tmp_path, text).column(column)


@pytest.mark.parametrize(
    ("text", "platform", "ids", "most"),
    [
        (
            "OrgDefinedId,Username,Last Name,First Name,Email,"
            "Blackjack Points Grade <Numeric MaxPoints:20 Weight:10>,End-of-Line Indicator\n"
            "#400000001,#alderann,Alder,Ann,aa@example.edu,,#\n",
            "Brightspace (D2L)",
            ("400000001", "alderann"),
            20,
        ),
        (
            '"Last Name","First Name","Username","Student ID","Last Access","Availability",'
            '"Blackjack [Total Pts: 20 Score] |12345"\n"Alder","Ann","aa01","1001","","Yes",""\n',
            "Blackboard",
            ("1001", "aa01"),
            20,
        ),
        (
            "Login;Nachname;Vorname;Matrikelnummer\naa01;Alder;Ann;1001\n",
            "ILIAS",
            ("1001", "aa01"),
            None,
        ),
        (
            'Student ID,Student Name,Blackjack [20],* Blackjack\naa01,"Alder, Ann",,\n',
            "Sakai",
            ("aa01",),
            20,
        ),
    ],
    ids=["d2l", "blackboard", "ilias", "sakai"],
)
def test_lists_of_other_platforms_are_called_by_their_names(
    tmp_path: Path, text: str, platform: str, ids: tuple[str, ...], most: int | None
) -> None:
    """They make a roster, and take marks where they say how many."""
    book = read(tmp_path, text)
    (person,) = enrol(book, ()).people
    assert (book.platform.name, person.person, person.ids) == (platform, "Ann Alder", ids)
    if most:
        column = book.column("Blackjack")
        assert book.possible(column) == most
        assert book.filled(column, {book.students[0].line: "5"}) != book.text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04" + b"\0" * 30, "a spreadsheet"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 30, "a spreadsheet"),
        ("Name\tMark\r\n".encode("utf-16"), "UTF-16"),
        (b"<html><table></table></html>", "a web page"),
        (b"<!doctype html>\n<html></html>", "a web page"),
        (b"\xef\xbb\xbf\r\n  <TABLE><tr><td>First name", "a web page"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>", "an XML document"),
    ],
)
def test_a_spreadsheet_is_named_with_the_way_to_csv(
    tmp_path: Path, data: bytes, words: str
) -> None:
    """As platforms and people save them."""
    path = tmp_path / "grades.xls"
    path.write_bytes(data)
    with pytest.raises(GradebookError, match=rf"{words}.*Export it as CSV"):
        read_gradebook(path)


RENAMED = PLAYER.decode().replace("return player.total < 17", "LINE")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("total = player.total; return total < 17", "t = player.total; return t < 17"),
        (
            "self.total = player.total; return self.total < 17",
            "self.own = player.total; return self.own < 17",
        ),
    ],
)
def test_a_copy_is_found_whatever_its_names(desk: Submissions, one: str, other: str) -> None:
    """Also where a name is that of an attribute of the platform."""
    members = {
        f"Ann Alder_1_{FILE}/a.py": RENAMED.replace("LINE", one).encode(),
        f"José Pérez_2_{FILE}/b.py": RENAMED.replace("LINE", other).encode(),
    }
    taken(desk, members)
    (found,) = copies(desk)
    assert found.kind == "the same but for names and comments"


def test_what_the_course_hands_out_is_no_copy(tmp_path: Path) -> None:
    """Neither the file itself nor one with other names, and other files are compared without it."""
    starter = tmp_path / "starter.py"
    starter.write_bytes(PLAYER)
    roster = Roster(CLASS)
    desk = Submissions(tmp_path / "desk", SubmissionRules(roster=roster, starter=starter))
    named = PLAYER.replace(b"Bold", b"Mine")
    taken(desk, {f"Ann Alder_1_{FILE}/a.py": PLAYER, f"José Pérez_2_{FILE}/b.py": named})
    assert copies(desk) == ()
    plain = Submissions(desk.folder, SubmissionRules(roster=roster))
    assert [each.kind for each in copies(plain)] == ["the same but for names and comments"]
    assert copies(plain, [PLAYER.decode()]) == ()
