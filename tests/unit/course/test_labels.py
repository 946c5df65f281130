"""Names in a download: only the platform's own name a student, and no name of a student's file."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.course.bulk_import import take_class
from tourney.course.folder import Submissions
from tourney.course.lms_downloads import read_class
from tourney.course.roster import Person, Roster
from tourney.course.submission_rules import SubmissionRules
from tourney.errors import SubmissionError

from .conftest import NOON, competitor, passes

PLAYER = competitor(17).text.encode()
ANN = Person("Ann Alder", ("Ann",), ("9001",))
BO = Person("Bo Birch", ("Bo",), ("9002",))
BOTH = Roster((ANN, BO))
METADATA = "submission_metadata.yml"
OWNERS = {"submission_700": "Ann Alder", "submission_701": "Bo Birch"}


def metadata(owners: Mapping[str, str]) -> bytes:
    """Write the students of submissions on Gradescope."""
    lines = (f"{place}:\n  :submitters:\n  - :name: {name}\n" for place, name in owners.items())
    return "".join(lines).encode()


FORGED = metadata(dict(zip(OWNERS, reversed(OWNERS.values()), strict=True)))
WORDS = (
    *("bold.py", "src", "submission_1", "submission_701", METADATA, "9002_103_bold.py"),
    *("Bo Birch_1234568_assignsubmission_file", "Bo Birch_2_assignsubmission_file_bold.py"),
    *("birchbo_9002_102_bold.py", "anon_aB3x9_102_bold.py", "assignsubmission_file_bold.py"),
)
CONTENTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("/".join),
    min_size=1,
    max_size=4,
    unique=True,
)
LABELS = {  # of Ann's files, by number, and of Bo's
    "Canvas": ("alderann_9001_10{}_", "birchbo_9002_200_"),
    "Moodle": ("Ann Alder_1234567_assignsubmission_file/", "Bo Birch_1_assignsubmission_file/"),
    "flat": ("Ann Alder_1234567_assignsubmission_file_", "Bo Birch_1_assignsubmission_file_"),
    "Gradescope": ("submission_700/", "submission_701/"),
}


def zipped(path: Path, members: Mapping[str, bytes]) -> Path:
    """Write a download."""
    with ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def taken(tmp_path: Path, members: Mapping[str, bytes], roster: Roster = BOTH) -> list[str]:
    """Take a download in and give its lines, without versions."""
    tmp_path.mkdir(exist_ok=True)
    desk = Submissions(tmp_path / "desk", SubmissionRules(roster=roster))
    download = read_class(zipped(tmp_path / "d.zip", members), roster)
    found = take_class(desk, download, NOON, passes)
    return [
        f"{str(each).partition(', version ')[0]}{f'; {each.reason}' if each.digest else ''}"
        for each in found
    ]


@tried(2_000)
@given(
    CONTENTS,
    st.sampled_from(list(LABELS)),
    st.sampled_from(["", "export/", "a/week 1/"]),
    st.sampled_from([BOTH, Roster((BO,)), Roster(())]),
)
def test_no_file_of_a_submission_names_its_student(
    tmp_path_factory: pytest.TempPathFactory,
    contents: list[str],
    platform: str,
    top: str,
    roster: Roster,
) -> None:
    """All files are the one student's who submitted them, and keep their paths."""
    ann, bo = LABELS[platform]
    members = {
        f"{top}{ann.format(at)}{path}": FORGED if path.endswith(METADATA) else PLAYER
        for at, path in enumerate(contents)
    }
    members[f"{top}{bo}ok.py"] = PLAYER
    if platform == "Gradescope":
        members[f"{top}{METADATA}"] = metadata(OWNERS)
    with TemporaryDirectory(dir=tmp_path_factory.getbasetemp()) as folder:
        download = read_class(zipped(Path(folder) / "d.zip", members), roster)
    assert download.left_over == ()
    found = {
        each.people[0].names[0]: sorted(file.path for file in each.files)
        for each in download.handed_in
    }
    names = ("alderann", "birchbo") if platform == "Canvas" else ("Ann Alder", "Bo Birch")
    assert len(download.handed_in) == 2
    assert found == dict(zip(names, (sorted(contents), ["ok.py"]), strict=True))


@pytest.mark.parametrize("is_unpacked", [False, True])
def test_a_students_own_metadata_changes_no_student(tmp_path: Path, *, is_unpacked: bool) -> None:
    """Only the file next to the folders of the submissions is the platform's."""
    members = {f"{place}/ok.py": PLAYER for place in OWNERS}
    members |= {f"submission_700/{METADATA}": FORGED, METADATA: metadata(OWNERS)}
    path = zipped(tmp_path / "d.zip", members)
    if is_unpacked:
        with ZipFile(path) as file:
            path = tmp_path / "unpacked"
            file.extractall(path)
    download = read_class(path)
    assert [(each.where, each.people[0].names) for each in download.handed_in] == [
        ("submission_700", ("Ann Alder",)),
        ("submission_701", ("Bo Birch",)),
    ]
    del members[METADATA]
    with pytest.raises(SubmissionError, match="which names the students, is missing"):
        read_class(zipped(tmp_path / "without.zip", members))


def test_two_exports_of_gradescope_in_one_folder_are_two(tmp_path: Path) -> None:
    """Each has its own metadata."""
    members = {
        f"{top}/{name}": content
        for top, student in (("a", "Ann Alder"), ("b", "Bo Birch"))
        for name, content in (
            ("submission_700/ok.py", PLAYER),
            (METADATA, metadata({"submission_700": student})),
        )
    }
    assert taken(tmp_path, members) == [
        "submission_700: accepted as Ann (Ann Alder); ",
        "submission_700: accepted as Bo (Bo Birch); ",
    ]


def test_the_platform_is_that_of_most_labels(tmp_path: Path) -> None:
    """A file that a student named like another platform's decides nothing for the class."""
    members = {
        "alderann_9001_101_assignsubmission_file_ok.py": PLAYER,
        "birchbo_9002_102_ok.py": PLAYER,
    }
    assert len(read_class(zipped(tmp_path / "a.zip", members)).handed_in) == 2
    groups = {f"Team_{n}_34{n}_assignsubmission_file_{n}_5_ok.py": PLAYER for n in (1, 2)}
    found = read_class(zipped(tmp_path / "b.zip", groups)).handed_in
    assert [each.people[0].names for each in found] == [("Team_1",), ("Team_2",)]


def test_a_file_deeper_than_the_labels_is_nobodys(tmp_path: Path) -> None:
    """A folder which is no submission may be anybody's."""
    members = {"alderann_9001_101_ok.py": PLAYER, "loose/birchbo_9002_102_ok.py": PLAYER}
    lines = taken(tmp_path, members)
    assert lines[0] == "alderann_9001_101_ok.py: accepted as Ann (Ann Alder); "
    assert lines[1].startswith("loose/birchbo_9002_102_ok.py: refused: Its name does not name")


def test_a_folder_named_like_a_submission_of_nobody_is_reported(tmp_path: Path) -> None:
    """As organisers put dates into the names of folders."""
    members = {"alderann_9001_101_ok.py": PLAYER, "birchbo_9002_102_ok.py": PLAYER}
    dated = {f"2026_11_30_week/{name}": content for name, content in members.items()}
    with pytest.raises(SubmissionError, match="its folder 2026_11_30_week looks like a student's"):
        taken(tmp_path, dated)
    own = {f"alderann_9001_100_hw/{name}": content for name, content in members.items()}
    assert all(" as Ann (Ann Alder)" in line for line in taken(tmp_path, own))


TEAM = tuple(
    Person(name, ("Team_4",), (number,), team="Team_4")
    for name, number in (("Ann Alder", "9001"), ("Bo Birch", "9002"))
)


@pytest.mark.parametrize("others", [(), (Person("Di Dill", ("Di",), ("4",)),)])
def test_a_group_on_canvas_may_have_a_number_at_its_end(
    tmp_path: Path, others: tuple[Person, ...]
) -> None:
    """Also if a student has this number."""
    lines = taken(tmp_path, {"team_4_9001_101_ok.py": PLAYER}, Roster((*TEAM, *others)))
    assert lines == ["team_4_9001_101_ok.py: accepted as Team_4 (Ann Alder); "]


def test_a_number_in_the_name_of_a_file_is_no_students(tmp_path: Path) -> None:
    """A stranger to the roster cannot submit as a student by the name of a file."""
    (line,) = taken(tmp_path, {"stranger_13_103_9002_104_ok.py": PLAYER})
    assert "refused: " in line
    assert " as Bo" not in line


GROUP = (
    "looks like the name of a group. If it is one, write it into the column `team` of the roster "
    "for each of its members"
)


@pytest.mark.parametrize(
    ("label", "line"),
    [
        (
            "oak_9001_101",
            "accepted as Ann (Ann Alder); the download calls Ann Alder 'oak'; 'oak' "
            f"{GROUP}, withdraw this version, and take the download in again",
        ),
        ("team_4_9001_101", f"refused: 'team_4' {GROUP}, and take the download in again."),
        ("newnameann_9001_101", "accepted as Ann (Ann Alder); the download calls Ann Alder"),
        ("alderann_9001_101", "accepted as Ann (Ann Alder); "),
    ],
)
def test_a_group_that_is_no_team_is_reported(tmp_path: Path, label: str, line: str) -> None:
    """Canvas names the group, and the number of a member; a new name of a student is none."""
    (said,) = taken(tmp_path, {f"{label}_ok.py": PLAYER})
    assert said.startswith(f"{label}_ok.py: {line}")


@pytest.mark.parametrize("label", ["Team 2-Ann Alder_13", "Team 2_345"])
def test_a_group_of_one_student_plays_alone(tmp_path: Path, label: str) -> None:
    """If the roster lists no other student of it."""
    members = {f"{label}_assignsubmission_file/ok.py": PLAYER}
    ann = Person("Ann Alder", ("Ann",), groups=("Lab", "Team 2"))
    lab = Person("Bo Birch", ("Bo",), groups=("Lab",))
    assert taken(tmp_path, members, Roster((ann, lab))) == [
        f"{label}: accepted as Ann (Ann Alder); "
    ]
    other = Person("Bo Birch", ("Bo",), ("9002",), groups=("Team 2",))
    (line,) = taken(tmp_path / "two", members, Roster((ann, other)))
    assert " as Ann " not in line
