"""A whole class at once: every file of a download gets a line, and nobody's fault stops others."""

import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from zipfile import ZipFile

import pytest

from tourney.checks.report import CheckReport
from tourney.checks.source import Source
from tourney.course.bulk_import import NOT_MATCHED, Outcome, take_class
from tourney.course.folder import Submissions
from tourney.course.lms_downloads import read_class
from tourney.course.rejections_log import read_refusals
from tourney.course.roster import Person, Roster
from tourney.course.submission_rules import SubmissionRules
from tourney.course.submission_status import handed_in, missing
from tourney.errors import SubmissionError, WorkerError

from .conftest import NOON, fails, passes

ROSTER = Roster(
    (
        Person("Ada Lovelace", ("Ada",)),
        Person("Blaise Pascal", ("Seine", "Blaise"), ("blaise@example.org",)),
        Person("René Descartes", ("Seine",), ("404",)),
        Person("Eve", ("Eve",)),
    )
)
CLASS = Roster(
    (
        Person("One Student", ("One",), ("101",)),
        Person("Two Student", ("Two",), ("102", "two@example.org")),
        Person("Ada King", ("Ada",), ("103",)),
        Person("Ada King", ("Ada 2",), ("104", "101")),
    )
)
PLAYER = b"class Bold: ...\n"
CHART = (Path(__file__).parents[3] / "strategies" / "charts" / "mimic.txt").read_bytes()

METADATA = """\
---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '11'
    :email: ada@example.org
  :created_at: 2026-11-20 11:59:00.384103000 Z
  :score: 0.0
  :history: []
submission_2:
  :submitters:
  - :name: B. Pascal
    :sid:
    :email: blaise@example.org
  - :name: Descartes
    :sid: '404'
    :email: rene@example.org
  :created_at: 2026-11-21 13:00:00.000000000 Z
submission_3:
  :submitters:
  - :name: Nobody
    :email: nobody@example.org
  :created_at: 2026-11-20 11:00:00.000000000 Z
submission_5:
  :submitters:
  - :name: Eve
  :created_at: 2026-11-28 11:00:00.000000000 Z
"""


def zipped(path: Path, members: Mapping[str, bytes]) -> Path:
    """Write a download."""
    with ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


@pytest.fixture
def desk(tmp_path: Path) -> Submissions:
    """Open a folder with a roster and a deadline."""
    return Submissions(
        tmp_path / "desk", SubmissionRules(roster=ROSTER, deadline=NOON, late_days=2)
    )


def lines(desk: Submissions, path: Path, check: object = passes) -> list[str]:
    """Take a download in and give what is said of it."""
    found = take_class(desk, read_class(path), NOON + timedelta(days=9), check)  # type: ignore[arg-type]  # a check
    return [str(outcome) for outcome in found]


def without_versions(said: list[str]) -> list[str]:
    """Leave the digests out."""
    return [line.partition(", version ")[0] for line in said]


def test_canvas_names_people_in_the_names_of_files(desk: Submissions, tmp_path: Path) -> None:
    """The attempt is no part of the file's name; who is late has used a day."""
    path = zipped(
        tmp_path / "canvas.zip",
        {
            "lovelaceada_101_1001_bold-2.py": PLAYER,
            "pascalblaise_LATE_102_1002_mimic.txt": CHART,
            "nobodyatall_103_1003_bold.py": PLAYER,
            "eve_104_1004_bold.cpp": b"int main() {}",
            "notes.txt": b"mine",
        },
    )
    assert lines(desk, path) == [
        "lovelaceada_101_1001_bold-2.py: accepted as Ada (Ada Lovelace), version ffc1a7d9091a",
        "pascalblaise_LATE_102_1002_mimic.txt: accepted as Seine (Blaise Pascal), version "
        "34b4b18f4dea: 1 day late, because the platform does not give the time",
        "nobodyatall_103_1003_bold.py: refused: No student on the roster is called '103' or "
        "'nobodyatall'. Add one of these to the student's ids.",
        "eve_104_1004_bold.cpp: refused as Eve (Eve): bold.cpp:1: expected a function that gives "
        'your player, got none; begin with #include "player.h", and add at the end: '
        "Player *get_Competitor() { return &competitor; }",
        "notes.txt: refused: Its name does not name a student. Submit it alone, with --as NAME.",
    ]
    ada, seine = desk.current()
    assert desk.read(ada).name == "bold.py"
    assert (ada.late_days, seine.late_days) == (0, 1)
    assert seine.author == "Blaise Pascal"


def test_of_several_files_the_competitor_counts(desk: Submissions, tmp_path: Path) -> None:
    """Not its tests; two competitors are refused."""
    path = zipped(
        tmp_path / "canvas.zip",
        {
            "lovelaceada_101_1002_bold-2.py": PLAYER,
            "lovelaceada_101_1003_test_bold.py": b"def test(): ...",
            "pascalblaise_102_1004_bold.py": PLAYER,
            "pascalblaise_102_1005_timid.py": PLAYER,
        },
    )
    assert without_versions(lines(desk, path)) == [
        "lovelaceada_101_1002_bold-2.py/test_bold.py: left out: a test, which does not compete",
        "lovelaceada_101_1002_bold-2.py: accepted as Ada (Ada Lovelace)",
        "pascalblaise_102_1004_bold.py: refused as Seine (Blaise Pascal): It has 2 "
        "competitors (bold.py, timid.py). Submit only the one that counts.",
    ]


def test_two_attachments_of_one_name_are_two(desk: Submissions, tmp_path: Path) -> None:
    """Also where one of them is in a zip, and neither is filed."""
    packed = zipped(tmp_path / "bold.zip", {"bold.py": PLAYER + b"# other"}).read_bytes()
    path = zipped(
        tmp_path / "canvas.zip",
        {
            "lovelaceada_101_1001_bold.py": PLAYER,
            "lovelaceada_101_1002_bold.py": PLAYER + b"# other",
            "pascalblaise_102_1003_bold.py": PLAYER,
            "pascalblaise_102_1004_bold.zip": packed,
            "eve_103_1005_bold.py": PLAYER,
            "eve_103_1006_test_bold.py": b"",
            "eve_103_1007_test_bold.py": b"",
        },
    )
    reason = "It has 2 competitors (bold.py, bold.py). Submit only the one that counts."
    first = "eve_103_1005_bold.py"
    assert without_versions(lines(desk, path)) == [
        f"lovelaceada_101_1001_bold.py: refused as Ada (Ada Lovelace): {reason}",
        f"pascalblaise_102_1003_bold.py: refused as Seine (Blaise Pascal): {reason}",
        *(2 * [f"{first}/test_bold.py: left out: a test, which does not compete"]),
        f"{first}: accepted as Eve (Eve)",
    ]


def test_files_of_two_people_under_one_number_have_a_line_each(
    desk: Submissions, tmp_path: Path
) -> None:
    """Nobody's is filed as another's, and none vanishes."""
    desk.terms = SubmissionRules(roster=CLASS)
    names = ("onestudent_102_900_x.py", "twostudent_102_901_x.py")
    one, two = lines(desk, zipped(tmp_path / "a.zip", dict.fromkeys(names, PLAYER)))
    assert one.startswith(f"{names[0]}: refused: Its author matches several students: '102' ")
    assert two.startswith(f"{names[1]}: accepted as Two (Two Student)")


@pytest.mark.parametrize(
    "names",
    [
        ("some_102_900_x.py", "other_102_901_x.py"),
        ("Two Student_7_assignsubmission_file_x.py", "Two Student_8_assignsubmission_file_x.py"),
    ],
    ids=["canvas", "moodle"],
)
def test_nobody_hands_in_twice_in_one_download(
    desk: Submissions, tmp_path: Path, names: tuple[str, str]
) -> None:
    """One of them may be somebody's who is called the same and not on the roster."""
    desk.terms = SubmissionRules(roster=CLASS)
    said = lines(desk, zipped(tmp_path / "a.zip", dict.fromkeys(names, PLAYER)))
    places = [name.partition("_assign")[0] for name in names]
    assert said == [
        f"{place}: refused as Two (Two Student): Two Student has 2 submissions "
        f"({', '.join(places)}). Submit the one that counts, or add the other student to the "
        "roster."
        for place in places
    ]


def test_gradescope_lists_people_beside_the_folders(desk: Submissions, tmp_path: Path) -> None:
    """Teams play under a name they share, and the platform says when something came."""
    top = "assignment_7_export"
    project = b'[project.entry-points.tourney]\nbold = "bold_player"\n'
    path = zipped(
        tmp_path / "gradescope.zip",
        {
            f"{top}/submission_metadata.yml": METADATA.encode(),
            f"{top}/submission_1/bold.py": PLAYER,
            f"{top}/submission_2/pack/pyproject.toml": project,
            f"{top}/submission_2/pack/bold_player.py": PLAYER,
            f"{top}/submission_2/pack/__pycache__/bold_player.pyc": b"\0",
            f"{top}/submission_3/bold.py": PLAYER,
            f"{top}/submission_4/bold.py": PLAYER,
            f"{top}/submission_5/bold.py": PLAYER,
            f"{top}/roster.csv": b"",
            "__MACOSX/x": b"",
        },
    )
    assert without_versions(lines(desk, path)) == [
        "submission_1: accepted as Ada (Ada Lovelace)",
        "submission_2/__pycache__/bold_player.pyc: left out: hidden, or made by a tool",
        "submission_2: accepted as Seine (Blaise Pascal)",
        "submission_3: refused: No student on the roster is called 'nobody@example.org' or "
        "'Nobody'. Add one of these to the student's ids.",
        "submission_4: refused: The download names no student for it. Look up the author, and "
        "submit the file alone.",
        "submission_5: refused as Eve (Eve): The submission is 8 days late; the deadline was "
        "2026-11-20 12:00+00:00 (up to 2 days late are allowed). Ask the organiser.",
        f"{top}/roster.csv: refused: Its name does not name a student. Submit it alone, with --as "
        "NAME.",
        "__MACOSX/x: left out: left by the system that made the zip",
    ]
    ada, seine = desk.current()
    assert (ada.late_days, seine.late_days) == (0, 2)
    assert ada.time == NOON - timedelta(minutes=1)
    assert seine.kind == "package"


def submitted_by(*people: Mapping[str, str]) -> bytes:
    """Write what Gradescope says of a submission."""
    told = "submission_1:\n  :submitters:\n"
    for words in people:
        told += "  - :role: student\n"
        told += "".join(f"    :{name}: '{word}'\n" for name, word in words.items())
    return told.encode()


@pytest.mark.parametrize(
    ("members", "got"),
    [
        (
            {"onestudent_102_900_x.py": PLAYER},
            "'102' (Two Student) and 'onestudent' (One Student)",
        ),
        (
            {
                "submission_1/x.py": PLAYER,
                "submission_metadata.yml": submitted_by({"name": "One Student", "sid": "102"}),
            },
            "'102' (Two Student) and 'One Student' (One Student)",
        ),
        (
            {
                "submission_1/x.py": PLAYER,
                "submission_metadata.yml": submitted_by({"sid": "101", "email": "two@example.org"}),
            },
            "'101' (One Student or Ada King) and 'two@example.org' (Two Student)",
        ),
    ],
    ids=["canvas", "gradescope", "address"],
)
def test_a_download_that_contradicts_itself_is_refused(
    desk: Submissions, tmp_path: Path, members: Mapping[str, bytes], got: str
) -> None:
    """Whatever it says of one person has to be true of that person."""
    desk.terms = SubmissionRules(roster=CLASS)
    (said,) = lines(desk, zipped(tmp_path / "a.zip", members))
    where = next(iter(members)).partition("/")[0]
    assert said == (
        f"{where}: refused: Its author matches several students: {got}. Correct the ids of the "
        "roster."
    )
    assert desk.names() == ()


def test_words_that_are_several_peoples_agree_with_one(desk: Submissions, tmp_path: Path) -> None:
    """As a number may stand in two columns of ids, and two people may be called the same."""
    desk.terms = SubmissionRules(roster=CLASS)
    members = {f"{who}_101_1_x.py": PLAYER for who in ("onestudent", "kingada")}
    assert without_versions(lines(desk, zipped(tmp_path / "a.zip", members))) == [
        "onestudent_101_1_x.py: accepted as One (One Student)",
        "kingada_101_1_x.py: accepted as Ada 2 (Ada King)",
    ]


def test_the_number_in_a_name_of_moodle_is_nobodys_id(desk: Submissions, tmp_path: Path) -> None:
    """A name decides, and the number tells apart who is called the same, and nobody else."""
    desk.terms = SubmissionRules(roster=CLASS)
    people = ("One Student_102", "Ada King_104", "Somebody Else_102")
    members = {f"{who}_assignsubmission_file_/x.py": PLAYER for who in people}
    assert without_versions(lines(desk, zipped(tmp_path / "a.zip", members))) == [
        "One Student_102: accepted as One (One Student)",
        "Ada King_104: accepted as Ada 2 (Ada King)",
        "Somebody Else_102: refused: No student on the roster is called 'Somebody Else'. Add it to "
        "the student's ids.",
    ]


def test_a_download_can_be_taken_in_every_night(desk: Submissions, tmp_path: Path) -> None:
    """What was there stays as it was."""
    members = {
        "submission_metadata.yml": METADATA.encode(),
        "submission_1/bold.py": PLAYER,
        "submission_2/mimic.txt": CHART,
    }
    path = zipped(tmp_path / "gradescope.zip", members)
    first = lines(desk, path)
    before = desk.versions()
    assert lines(desk, path) == first
    assert desk.versions() == before


@pytest.mark.parametrize(
    "members",
    [
        {"lovelaceada_1_2_bold.py": PLAYER},
        {
            "submission_metadata.yml": METADATA.partition("submission_2")[0].encode(),
            "submission_1/bold.py": PLAYER,
        },
    ],
    ids=["canvas", "gradescope"],
)
def test_what_was_taken_back_stays_so_when_its_download_comes_again(
    desk: Submissions, tmp_path: Path, members: Mapping[str, bytes]
) -> None:
    """Nobody is refused for it, however many versions of the day there are."""
    desk.terms = replace(desk.terms, per_day=2, deadline=None)
    path = zipped(tmp_path / "a.zip", members)
    lines(desk, path)
    (old,) = desk.versions()
    desk.withdraw("Ada", old.digest, "copied")
    newer = Source("file", (("bold.py", "class Newer: ...\n"),))
    desk.take(newer, "Ada", author="Ada Lovelace", now=old.time, check=passes)
    before = desk.versions()
    assert lines(desk, path) == [
        f"{list(members)[-1].removesuffix('/bold.py')}: withdrawn as Ada (Ada Lovelace), version "
        f"{old.digest[:12]}: copied"
    ]
    assert desk.versions() == before
    assert read_refusals(desk.folder) == ()


def test_an_old_download_brings_no_version_to_the_front(desk: Submissions, tmp_path: Path) -> None:
    """Canvas does not say when something came; what is there stays where it is."""
    old = zipped(tmp_path / "old.zip", {"lovelaceada_1_2_bold.py": PLAYER})
    new = zipped(tmp_path / "new.zip", {"lovelaceada_1_3_bold-1.py": PLAYER + b"# new\n"})
    lines(desk, old)
    list(take_class(desk, read_class(new), NOON + timedelta(days=10), passes))
    before = desk.versions()
    (said,) = lines(desk, old)
    assert desk.versions() == before
    assert said.endswith(f": unchanged; version {before[1].digest[:12]} plays")


@pytest.mark.skipif(sys.platform == "win32", reason="forks no processes")
def test_a_class_is_checked_several_at_a_time(desk: Submissions, tmp_path: Path) -> None:
    """Only what has to be, and the outcomes keep their order."""
    (tmp_path / "seen").mkdir()
    check = partial(passes_together, tmp_path / "seen")
    path = zipped(
        tmp_path / "canvas.zip",
        {
            "lovelaceada_1_2_a.py": PLAYER,
            "nobody_5_6_c.py": PLAYER + b"# c",
            "pascalblaise_3_4_b.py": PLAYER + b"# b",
        },
    )
    prepared: list[int] = []
    prepare = partial(prepared.append, os.getpid())
    found = [
        take_class(desk, read_class(path), NOON, check, at_once=2, prepare=prepare)
        for _ in range(2)
    ]
    for outcomes in found:
        said = [(each.name, each.status) for each in outcomes]
        assert said == [("Ada", "accepted"), ("", "refused"), ("Seine", "accepted")]
    assert sorted(each.name for each in (tmp_path / "seen").iterdir()) == ["a.py", "b.py"]
    assert prepared == [os.getpid()]  # once, here, for whom processes are forked later


def passes_together(seen: Path, source: Source) -> CheckReport:
    """Check once, and wait until another check runs, too."""
    (seen / source.name).open("x").close()
    until = monotonic() + 60
    while len(list(seen.iterdir())) < 2:
        assert monotonic() < until
        sleep(0.01)
    return passes(source)


def ends_its_process(source: Source) -> CheckReport:
    """Be killed, as by whoever runs out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    return passes(source)


@pytest.mark.skipif(sys.platform == "win32", reason="forks no processes")
def test_a_check_that_was_ended_from_outside_is_told(desk: Submissions, tmp_path: Path) -> None:
    """With the remedy; nothing is filed that nobody looked at."""
    path = zipped(tmp_path / "canvas.zip", {"lovelaceada_1_2_a.py": PLAYER})
    taking = take_class(desk, read_class(path), NOON, ends_its_process, at_once=2)
    with pytest.raises(
        WorkerError, match=r"was killed from outside\. Import the same download again"
    ):
        list(taking)
    assert desk.versions() == ()


def test_somebody_who_was_misspelt_is_suggested(desk: Submissions, tmp_path: Path) -> None:
    """From the roster, by name or id; domains and numbers say nothing."""
    path = zipped(tmp_path / "a.zip", {"lovelaceadda_1_2_a.py": PLAYER})
    (said,) = lines(desk, path)
    assert "called '1' or 'lovelaceadda' (did you mean 'Ada Lovelace'?). Add one of" in said
    assert ROSTER.closest("eva@example.org") == "Eve"
    assert ROSTER.closest("stranger@example.org") is None
    assert ROSTER.closest("405") is None


def test_a_competitor_that_fails_its_check_is_rejected(desk: Submissions, tmp_path: Path) -> None:
    """And filed with its reason; the class goes on."""

    def check(source: Source) -> CheckReport:
        return fails(source) if source.kind == "file" else passes(source)

    path = zipped(
        tmp_path / "canvas.zip",
        {"lovelaceada_1_2_a.py": PLAYER, "pascalblaise_3_4_mimic.txt": CHART},
    )
    rejected, accepted = lines(desk, path, check)
    assert rejected.endswith(": bold.py:7: expected a class, got 3; write a class")
    assert "rejected as Ada" in rejected
    assert "accepted as Seine" in accepted
    assert [each.name for each in desk.current()] == ["Seine"]
    assert [each.name for each in desk.versions()] == ["Ada", "Seine"]


def test_people_without_a_common_name_are_refused(desk: Submissions, tmp_path: Path) -> None:
    """Nobody knows what such a team would play as."""
    metadata = METADATA.replace("'404'", "'11'").replace("Descartes", "Ada Lovelace")
    members = {"submission_metadata.yml": metadata.encode(), "submission_2/bold.py": PLAYER}
    said, *empty = lines(desk, zipped(tmp_path / "a.zip", members))
    assert all("refused" in line for line in empty)
    assert "The roster gives Blaise Pascal, Ada Lovelace no team in common" in said


def refused_to(desk: Submissions) -> dict[str, tuple[str, ...]]:
    """Give what people are told who were refused, by the name they play under."""
    told, _ = handed_in(desk)
    return {each.person.names[0]: each.refused for each in told if each.refused}


def test_everybody_of_a_team_that_is_refused_is_told(desk: Submissions, tmp_path: Path) -> None:
    """Also people of one name, and nobody who shares a name with one of them."""
    third = Person("Third Student", ("Third", "Team"))
    team = Person("One Student", ("Team", "One"), ("101",))
    desk.terms = SubmissionRules(roster=Roster((team, third, *CLASS.people[1:])))
    both = ({"name": "One Student"}, {"name": "Ada King", "sid": "104"})
    members = {"submission_metadata.yml": submitted_by(*both), "submission_1/x.py": PLAYER}
    (said,) = lines(desk, zipped(tmp_path / "a.zip", members))
    reason = (
        "The roster gives One Student, Ada King no team in common. Write one into the column "
        "`team`."
    )
    assert said == f"submission_1: refused: {reason}"
    assert refused_to(desk) == {"Team": (reason,), "Ada 2": (reason,)}
    why = {each.name: each.why for each in missing(desk)}
    assert why.pop("Ada 2") == why.pop("Team") == f"refused: {reason}"
    assert set(why.values()) == {"no submission"}


def test_who_hands_in_with_somebody_unknown_is_told(desk: Submissions, tmp_path: Path) -> None:
    """Without a word about others, which the organiser alone is told."""
    desk.terms = SubmissionRules(roster=CLASS)
    both = ({"name": "One Student"}, {"name": "Ada King", "sid": "102"})
    members = {"submission_metadata.yml": submitted_by(*both), "submission_1/x.py": PLAYER}
    (said,) = lines(desk, zipped(tmp_path / "a.zip", members))
    _, nobodys = handed_in(desk)
    assert [str(each) for each in nobodys] == [said]
    assert refused_to(desk) == {
        "One": ("One member of its team is not on the roster. Ask the organiser.",),
        "Two": (NOT_MATCHED,),
        "Ada": (NOT_MATCHED,),
        "Ada 2": (NOT_MATCHED,),
    }


def test_nothing_of_a_hostile_download_gets_past_the_roster(
    desk: Submissions, tmp_path: Path
) -> None:
    """Without a roster nobody is anybody."""
    desk.terms = replace(desk.terms, roster=None)
    path = zipped(tmp_path / "a.zip", {"lovelaceada_1_2_a.py": PLAYER})
    (said,) = lines(desk, path)
    assert "refused: No student on the roster is called" in said


@pytest.mark.parametrize(
    ("members", "said"),
    [
        (
            {"bold.py": b""},
            "has files such as bold.py. Download all submissions again, from Canvas",
        ),
        ({}, "has no files"),
        (
            {"hw1.zip": b"", "hw2.zip": b""},
            "has files such as hw1.zip, hw2.zip. Unpack it, and import each zip file in it alone.",
        ),
        (
            {"submission_1/bold.py": b""},
            "submission_metadata.yml, which names the students, is missing",
        ),
        (
            {"submission_1/a.py": b"", "submission_metadata.yml": b"a: [\n"},
            "submission_metadata.yml:2:1: invalid YAML",
        ),
    ],
)
def test_what_is_no_download_is_refused(
    tmp_path: Path, members: Mapping[str, bytes], said: str
) -> None:
    """With both forms that are known."""
    with pytest.raises(SubmissionError) as caught:
        read_class(zipped(tmp_path / "a.zip", members))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text", ["[]", "a", "submission_1: 3", "submission_1: {submitters: {a: 1}}", "1: 2"]
)
def test_metadata_of_another_form_names_nobody(
    desk: Submissions, tmp_path: Path, text: str
) -> None:
    """So what is there is refused, not lost."""
    members = {"submission_metadata.yml": text.encode(), "submission_1/bold.py": PLAYER}
    said = lines(desk, zipped(tmp_path / "a.zip", members))
    assert said == [
        "submission_1: refused: The download names no student for it. Look up the author, and "
        "submit the file alone."
    ]


def test_an_outcome_says_whether_somebody_has_to_act() -> None:
    """What is left out is no fault."""
    assert [
        Outcome("x", status).is_fault
        for status in ("accepted", "rejected", "withdrawn", "refused", "left out")  # type: ignore[arg-type]  # all there are
    ] == [False, True, False, True, False]


@pytest.mark.parametrize(
    ("names", "stored"),
    [
        (("p/q/player.cpp", "p/q/main.cpp"), ["main.cpp", "player.cpp"]),
        (
            ("p/Makefile", "p/README.md", "p/src/main.cpp", "p/src/player.cpp"),
            ["src/main.cpp", "src/player.cpp"],
        ),
        (("p/q/r/Makefile", "p/q/r/s/player.cpp", "p/q/r/count.h"), ["count.h", "s/player.cpp"]),
        (("p/Makefile", "p/a/player.cpp", "p/a/main.cpp", "p/b/player.cpp"), []),
        (("p/q/pyproject.toml", "p/q/bold.py"), ["bold.py", "pyproject.toml"]),
        (("p/Makefile", "p/bold.cpp", "p/hand.cpp"), []),
    ],
)
def test_a_zipped_project_may_lie_at_any_depth(
    desk: Submissions, tmp_path: Path, names: tuple[str, ...], stored: list[str]
) -> None:
    """A makefile above it is no competitor, and a refusal names the competitors only."""
    texts = {
        "player.cpp": b"Player *get_Competitor() { return 0; }",
        "pyproject.toml": b'[project]\nname = "x"\n[project.entry-points.tourney]\nb = "bold"\n',
        "bold.py": PLAYER,
    }
    files = {name: texts.get(name.rpartition("/")[2], b"") for name in names}
    inner = zipped(tmp_path / "p4.zip", files).read_bytes()
    said = lines(desk, zipped(tmp_path / "canvas.zip", {"lovelaceada_11_1_p4.zip": inner}))
    if stored:
        assert any("accepted as Ada (Ada Lovelace)" in line for line in said), said
        assert [name for name, _ in desk.read(desk.current()[0]).files] == stored
        return
    main = "player.cpp" if "p/b/player.cpp" in names else ".cpp"
    several = ", ".join(name for name in sorted(names) if name.endswith(main))
    assert any(f"It has 2 competitors ({several}). Submit only" in line for line in said), said


def test_a_folder_that_its_author_has_zipped_is_opened(desk: Submissions, tmp_path: Path) -> None:
    """By all three platforms, once; whatever is wrong with it is its author's alone."""
    giver = b"Player *get_Competitor() { return 0; }"
    files = {"p4/player.cpp": giver, "p4/counter.h": b"", "p4/a.out": b"\xff", "__MACOSX/x": b""}
    project = zipped(tmp_path / "p4.zip", files).read_bytes()
    deep = zipped(tmp_path / "deep.zip", {"again.zip": project}).read_bytes()
    large = zipped(tmp_path / "large.zip", {f"{n}.py": b"x" * 900_000 for n in range(3)})
    accepted = "accepted as Ada (Ada Lovelace)"
    canvas = {"lovelaceada_11_1_p4.zip": project, "eve_12_2_deep.zip": deep}
    canvas["blaisepascal_13_3_no.zip"] = b"PK"
    canvas["renedescartes_14_4_large.zip"] = large.read_bytes()
    said = lines(desk, zipped(tmp_path / "canvas.zip", canvas))
    assert any(f"lovelaceada_11_1_p4.zip: {accepted}" in line for line in said), said
    assert any("/a.out: left out: no part of a program in C++" in each for each in said), said
    assert any("It is an archive within the download" in line for line in said), said
    assert any("It cannot be read as a zip file (BadZipFile)" in line for line in said), said
    assert any(",000 bytes. Make it shorter" in line for line in said), said
    (ada,) = desk.current()
    assert [name for name, _ in desk.read(ada).files] == ["counter.h", "player.cpp"]
    for number, folder in enumerate(("Ada Lovelace_11_assignsubmission_file_", "submission_1")):
        other = Submissions(tmp_path / f"desk{number}", desk.terms)
        members = {f"{folder}/p4.zip": project, "submission_metadata.yml": METADATA.encode()}
        members = members if number else {f"{folder}/p4.zip": project}
        said = lines(other, zipped(tmp_path / f"{number}.zip", members))
        assert any(accepted in line for line in said), said
