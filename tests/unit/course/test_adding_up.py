"""Mutated rosters, downloads and worksheets: no student, no file and no answer is lost."""

import csv
from collections import Counter
from fractions import Fraction
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import normalize
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.course.bulk_import import take_class
from tourney.course.folder import Submissions
from tourney.course.grades.book import read_gradebook
from tourney.course.grades.marks import fill
from tourney.course.grades.rankings import Ranking
from tourney.course.lms_downloads import read_class
from tourney.course.names import squeezed
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import read_roster, written
from tourney.course.roster_import import enrol
from tourney.course.submission_rules import SubmissionRules
from tourney.course.submission_status import handed_in, missing
from tourney.course.zips import read_zip
from tourney.errors import TourneyError

from .conftest import NOON, competitor, passes

NAMES = (
    *("Ann Alder", "José Pérez", "Seán J. O'Brien", "Bo Smith_Jones", "Thị Ánh Nguyễn"),
    *("Martin L. King, Jr.", "María José García López", "Ng Ng", "Madonna", "Jean-Luc Müller"),
)
MARKS = ("", "\u200f", "\u200b", "\ufeff", "\u00ad", "\u202a")


@st.composite
def spellings(draw: st.DrawFn, name: str) -> str:
    """Spell a name in another way that means the same."""
    form = draw(st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
    cased = draw(st.sampled_from([str, str.upper, str.lower]))
    at = draw(st.integers(0, len(name)))
    spelt = cased(name[:at] + draw(st.sampled_from(MARKS)) + name[at:])
    return normalize(form, spelt)  # type: ignore[arg-type]  # one of the forms


def people_of(names: tuple[str, ...]) -> tuple[Person, ...]:
    """Give students of these names, with ids of two kinds that are others' in the other one."""
    count = len(names)
    return tuple(
        Person(name, (f"Name {at}",), (f"canvas:{100 + at}", f"sis:{100 + (at + 1) % count}"))
        for at, name in enumerate(names)
    )


def _path(platform: str, name: str, number: int, file: str) -> str:
    """Give the path of a student's file in a download."""
    if platform == "Canvas":
        family, _, given_name = name.rpartition(" ")
        kept = "".join(
            char for char in (given_name + family).lower() if char.isalnum() or char == "_"
        )
        return f"{squeezed(kept) or kept}_{number}_{700 + number}_{file}"
    plain = name.replace("/", "").replace("_", " ")
    return f"{plain}_{9_000 + number}_assignsubmission_file/{file}"


FILES = st.lists(
    st.sampled_from(["ok.py", "notes.txt", "README.md", "ok.py.txt", "test_ok.py", "a/b.py"]),
    min_size=1,
    max_size=3,
    unique=True,
)
LOOSE = st.lists(
    st.sampled_from(["notes.txt", "Ann Alder.py", "__MACOSX/._x", "x/102.py", ".DS_Store"]),
    max_size=2,
    unique=True,
)


@tried(2_000)
@given(st.data(), st.sampled_from(["Canvas", "Moodle"]), st.booleans(), st.booleans())
def test_every_file_of_a_download_has_its_answer(
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
    platform: str,
    is_zip: bool,
    is_damaged: bool,
) -> None:
    """A line for each submission and each loose file, and a student for each clear name."""
    people = people_of(NAMES)
    members: dict[str, bytes] = {}
    numbers = st.sampled_from(range(len(NAMES)))
    chosen = data.draw(st.lists(numbers, min_size=1, max_size=3, unique=True))
    for at in chosen:
        name = data.draw(spellings(NAMES[at]))
        if is_damaged and name:
            place = data.draw(st.integers(0, len(name) - 1))
            name = name[:place] + data.draw(st.sampled_from("xé-_7")) + name[place + 1 :]
        for file in data.draw(FILES):
            members[_path(platform, name, 100 + at, file)] = competitor(at).text.encode()
    for loose in data.draw(LOOSE):
        members[loose] = b"x"
    with TemporaryDirectory(dir=tmp_path_factory.getbasetemp()) as folder:
        place = Path(folder) / "download"
        _write(place, members, is_zip=is_zip)
        read = read_zip(place, opens_zips=True)
        assert len(read) == len(list(members) if is_zip else _files(place))
        desk = Submissions(Path(folder) / "desk", SubmissionRules(roster=Roster(people)))
        try:
            download = read_class(place)
        except TourneyError:
            assert is_damaged
            return
        inside = sum(len(each.files) for each in download.handed_in)
        assert inside + len(download.left_over) == len(read)
        outcomes = list(take_class(desk, download, NOON, passes))
        answers = Counter(each.where for each in outcomes if each.status != "left out")
        assert all(answers[each.where] == 1 for each in download.handed_in)
        assert {path for path, _ in download.left_over} <= {each.where for each in outcomes}
        told, nobodys = handed_in(desk)
        assert [each.person for each in told] == list(people)
        playing = {each.name for each in desk.current()}
        for at in chosen if not is_damaged else ():
            (own,) = [each for each in told if each.person == people[at]]
            assert own.versions or own.refused
        lost = [each for each in outcomes if each.status == "refused" and not each.name]
        assert {each.where for each in lost} <= {each.where for each in nobodys}
        assert {each.name for each in missing(desk)} == {each.names[0] for each in people} - playing


def _write(place: Path, members: dict[str, bytes], *, is_zip: bool) -> None:
    if is_zip:
        with ZipFile(place, "w") as file:
            for name, content in members.items():
                file.writestr(name, content)
        return
    for name, content in members.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _files(place: Path) -> list[Path]:
    return [each for each in place.rglob("*") if each.is_file()]


HEADS = {
    "Canvas": ("Student", "ID", "SIS User ID", "Section"),
    "Moodle": ("Identifier", "Full name", "Email address", "Maximum grade"),
    "Gradescope": ("Name", "SID", "Email", "Sections"),
}


def _row(platform: str, name: str, at: int) -> tuple[str, ...]:
    """Write a student's line."""
    return {
        "Canvas": (name, str(100 + at), str(100 + (at + 1) % 60), "A"),
        "Moodle": (f"Participant {at}", name, f"s{at}@example.edu", "20.00"),
        "Gradescope": (name, f"S-{at:03}", f"s{at}@example.edu", "A"),
    }[platform]


def _table(platform: str, rows: list[tuple[str, ...]], more: str = "") -> str:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow([*HEADS[platform], *([more] if more else [])])
    writer.writerows([*row, *([""] if more else [])] for row in rows)
    return text.getvalue()


PLAIN = tuple(name for name in NAMES if "," not in name)


@tried(2_000)
@given(st.data(), st.sampled_from(list(HEADS)), st.sampled_from(list(HEADS)))
def test_no_student_is_lost_or_enrolled_twice(data: st.DataObject, first: str, second: str) -> None:
    """Whatever the second list's spelling, order and platform, and whoever is gone or new."""
    before = [_row(first, name, at) for at, name in enumerate(PLAIN)]
    there = data.draw(st.lists(st.sampled_from(range(len(PLAIN))), min_size=1, unique=True))
    after = [_row(second, data.draw(spellings(PLAIN[at])), at) for at in there]
    joins = data.draw(st.booleans())
    if joins:
        after.append(_row(second, "Somebody New", 50))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "list.csv"
        path.write_text(_table(first, before), "utf-8")
        kept = enrol(read_gradebook(path), ()).people
        path.write_text(_table(second, after), "utf-8")
        enrolment = enrol(read_gradebook(path), kept)
        roster = Path(folder) / "roster.csv"
        roster.write_text(written(enrolment.people), "utf-8")
        assert read_roster(roster).people == enrolment.people
    assert len(kept) == len(PLAIN)
    assert [each.person for each in enrolment.joined] == ["Somebody New"] * joins
    gone = {PLAIN[at] for at in range(len(PLAIN)) if at not in there}
    assert {each.person for each in enrolment.left} == gone
    assert len(enrolment.people) == len(PLAIN) + joins
    taking_part = [each for each in enrolment.people if not each.excluded]
    assert len(taking_part) == len(after)


@tried(2_000)
@given(st.data(), st.sampled_from(list(HEADS)))
def test_every_line_of_a_worksheet_has_its_student(data: st.DataObject, platform: str) -> None:
    """Whoever is on both, under any spelling, and each once."""
    there = data.draw(st.lists(st.sampled_from(range(len(PLAIN))), min_size=1, unique=True))
    rows = [_row(platform, data.draw(spellings(PLAIN[at])), at) for at in there]
    people = Roster(people_of(PLAIN) if platform == "Canvas" else _without_ids())
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.csv"
        path.write_text(_table(platform, rows, "Blackjack"), "utf-8")
        book = read_gradebook(path)
        lines = fill(book, book.column("Blackjack"), Ranking(()), people, lambda _: Fraction(1))
    assert len(lines) == len(there)
    whys = [f"Name {at} is not on the board" for at in there]
    assert Counter(line.why for line in lines) == Counter(whys)


def _without_ids() -> tuple[Person, ...]:
    return tuple(Person(name, (f"Name {at}",)) for at, name in enumerate(PLAIN))
