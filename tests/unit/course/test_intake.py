"""A class's files: what lies beside a competitor, what is overridden, kept, missing and copied."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from zipfile import ZipFile

import pytest

from tourney.checks.report import CheckReport
from tourney.checks.source import Source
from tourney.competitors.fingerprints import shape_of
from tourney.course.bulk_import import take_class
from tourney.course.folder import Submissions
from tourney.course.lms_downloads import read_class
from tourney.course.records import Override
from tourney.course.rejections_log import Refusal, keep_refusals, read_refusals
from tourney.course.roster import Person, Roster
from tourney.course.submission_rules import SubmissionRules
from tourney.course.submission_status import PLAY, SAME, SHAPE, copies, missing
from tourney.errors import SubmissionError

from .conftest import NOON, competitor, fails, passes

ROSTER = Roster(
    (
        Person("Ada Lovelace", ("Ada",), ("11",), groups=("001",)),
        Person("Blaise Pascal", ("Blaise",), ("12",), groups=("001", "002")),
        Person("Eve", ("Eve",), ("13",), excluded="audits"),
        Person("Leo Euler", ("Leo",), ("14",)),
    )
)
PLAYER = competitor(17).text.encode()
CHART = (Path(__file__).parents[3] / "strategies" / "charts" / "mimic.txt").read_bytes()
FILE = "_assignsubmission_file_"


@pytest.fixture
def desk(tmp_path: Path) -> Submissions:
    """Open a folder with a roster and a deadline that is over."""
    return Submissions(tmp_path / "desk", SubmissionRules(roster=ROSTER, deadline=NOON, per_day=1))


def taken(desk: Submissions, members: Mapping[str, bytes], **how: object) -> list[str]:
    """Take a download in and give what is said of it, without versions."""
    path = desk.folder.with_suffix(".zip")
    with ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    received = how.pop("received", NOON)
    download = read_class(path).received(received)  # type: ignore[arg-type]  # a time
    check = how.pop("check", passes)
    found = take_class(desk, download, NOON + timedelta(days=9), check, **how)  # type: ignore[arg-type]  # as named
    return [str(each).partition(", version ")[0] for each in found]


def test_moodle_names_people_in_folders_or_files(desk: Submissions) -> None:
    """With or without a stroke at the end of the folder, or flat."""
    assert taken(
        desk,
        {
            f"Ada Lovelace_11{FILE}/bold.py": PLAYER,
            f"Blaise Pascal_99{FILE}mimic.txt": CHART,
            "Leo Euler_14_assignsubmission_file/bold.py": PLAYER,
            "Leo Euler_14_assignsubmission_onlinetext/onlinetext.html": b"<p>here it is</p>",
            f"Somebody Else_15{FILE}/bold.py": PLAYER,
        },
    ) == [
        "Ada Lovelace_11: accepted as Ada (Ada Lovelace)",
        "Blaise Pascal_99: accepted as Blaise (Blaise Pascal)",
        "Leo Euler_14/onlinetext.html: left out: a text that was typed on the page of the platform",
        "Leo Euler_14: accepted as Leo (Leo Euler)",
        "Somebody Else_15: refused: No student on the roster is called 'Somebody Else'. Add it to "
        "the student's ids.",
    ]
    assert desk.group_of("Blaise") == "001; 002"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("README", "a read-me, which does not compete"),
        ("ReadMe.txt", "a read-me, which does not compete"),
        ("notes.txt", "a note beside the competitor"),
        ("report.md", "a note beside the competitor"),
        ("table.png", "a note beside the competitor"),
        (".vscode/settings.json", "hidden, or made by a tool"),
        (".idea/workspace.xml", "hidden, or made by a tool"),
        ("__pycache__/bold.cpython-312.pyc", "hidden, or made by a tool"),
        ("bold.py~", "left by an editor"),
        ("test_bold.py", "a test, which does not compete"),
        ("tests/bold.py", "a test, which does not compete"),
        ("__init__.py", "an empty file"),
    ],
)
def test_what_lies_beside_a_competitor_is_left_out_and_said(
    desk: Submissions, name: str, why: str
) -> None:
    """And nobody is refused for it; a folder around the file is no matter."""
    where = f"Ada Lovelace_11{FILE}/work"
    assert taken(desk, {f"{where}/{name}": b"", f"{where}/bold.py": PLAYER}) == [
        f"Ada Lovelace_11/work/{name}: left out: {why}",
        "Ada Lovelace_11: accepted as Ada (Ada Lovelace)",
    ]
    assert desk.read(desk.current()[0]).name == "bold.py"


def test_many_files_of_a_hidden_folder_have_one_line(desk: Submissions) -> None:
    """A repository has hundreds, and the refusals of a class would be lost among them."""
    where = f"Ada Lovelace_11{FILE}/work"
    names = ("bold.py", ".git/HEAD", ".git/objects/fc/1", ".git/objects/fd/2")
    assert taken(desk, {f"{where}/{name}": PLAYER for name in names}) == [
        "Ada Lovelace_11/work/.git/: left out: 3 files, hidden, or made by a tool",
        "Ada Lovelace_11: accepted as Ada (Ada Lovelace)",
    ]


def test_a_chart_beside_a_read_me_is_a_competitor(desk: Submissions) -> None:
    """And two charts are two."""
    members = {f"Ada Lovelace_11{FILE}/{name}": CHART for name in ("chart.txt", "README.md")}
    assert taken(desk, members)[-1] == "Ada Lovelace_11: accepted as Ada (Ada Lovelace)"
    members = {f"Leo Euler_14{FILE}/{name}": CHART for name in ("a.txt", "b.txt")}
    assert "It has 2 competitors (a.txt, b.txt)" in taken(desk, members)[0]


def test_what_was_refused_is_kept_once(desk: Submissions) -> None:
    """With the reason and the remedy, however often the download is taken in."""
    members = {
        f"Ada Lovelace_11{FILE}/README.md": b"",
        f"Ada Lovelace_11{FILE}/a.py": PLAYER,
        f"Ada Lovelace_11{FILE}/b.py": PLAYER,
    }
    said = taken(desk, members)
    taken(desk, members)
    aside, refused = read_refusals(desk.folder)
    assert (aside.status, aside.where) == ("left out", "Ada Lovelace_11/README.md")
    assert (refused.status, refused.name, refused.person) == ("refused", "Ada", "Ada Lovelace")
    assert said[1].endswith(refused.reason)
    assert refused.reason.endswith("Submit only the one that counts.")


def test_a_file_of_refusals_that_was_changed_is_named(desk: Submissions) -> None:
    """With its line."""
    desk.folder.mkdir()
    keep_refusals(desk.folder, [Refusal(NOON, "a.py", "refused", "Ada", "Ada", "no")])
    with (desk.folder / "refusals.jsonl").open("a") as file:
        file.write("{}\n")
    with pytest.raises(SubmissionError, match=r"refusals\.jsonl:2 is damaged \(KeyError"):
        read_refusals(desk.folder)


def test_a_deadline_or_a_limit_is_overridden_for_one_person(desk: Submissions) -> None:
    """For a reason that is kept with the version."""
    members = {f"{who}{FILE}/bold.py": PLAYER for who in ("Ada Lovelace_11", "Leo Euler_14")}
    late = NOON + timedelta(days=3)
    assert all(
        "The submission is 3 days late; the deadline was" in each
        for each in taken(desk, members, received=late)
    )
    how = {"received": late, "only": "Ada Lovelace", "override": Override(("deadline",), "ill")}
    assert taken(desk, members, **how) == ["Ada Lovelace_11: accepted as Ada (Ada Lovelace)"]
    (ada,) = desk.versions()
    assert (ada.override, ada.late_days) == ("deadline overridden: ill", 3)
    again = {"name": "Ada", "author": "Ada Lovelace", "now": late, "check": passes}
    both = Override(("deadline", "per_day"), "my own fault")
    with pytest.raises(SubmissionError, match="'Ada' has used its limit of 1 version a day"):
        desk.take(competitor(16), **again, override=Override(("deadline",), "x"))  # type: ignore[arg-type]  # as named
    kept = desk.take(competitor(16), **again, override=both)  # type: ignore[arg-type]  # as named
    assert desk.find("Ada", kept.digest).override == (
        "deadline and per_day overridden: my own fault"
    )


def test_the_one_person_is_on_the_roster(desk: Submissions) -> None:
    """Or nobody is taken in."""
    with pytest.raises(SubmissionError, match="--only: 'A' is not one student of the roster"):
        taken(desk, {f"Ada Lovelace_11{FILE}/bold.py": PLAYER}, only="A")


def test_the_platform_knows_better_when_something_came(desk: Submissions) -> None:
    """A time that the organiser gives is for those of whom nobody else says one."""
    metadata = (
        "submission_1:\n  :submitters:\n  - :name: Ada Lovelace\n"
        "  :created_at: 2026-11-20 11:00:00.000000000 Z\n"
    )
    members = {"submission_metadata.yml": metadata.encode(), "submission_1/bold.py": PLAYER}
    taken(desk, members, received=NOON + timedelta(days=5))
    assert desk.versions()[0].time == datetime.fromisoformat("2026-11-20T11:00:00+00:00")


def test_who_is_excluded_neither_hands_in_nor_plays(desk: Submissions) -> None:
    """As the roster says why."""
    (said,) = taken(desk, {f"Eve_13{FILE}/bold.py": PLAYER})
    assert "author 'Eve': Eve is excluded by the roster: audits. Ask the organiser." in said
    taken(desk, {f"Ada Lovelace_11{FILE}/bold.py": PLAYER})
    people = (Person("Ada Lovelace", ("Ada",), ("11",), excluded="left"),)
    desk.terms = SubmissionRules(roster=Roster(people))
    assert desk.current() == ()


def test_everybody_without_a_version_that_plays_is_listed(desk: Submissions) -> None:
    """With what was said last."""
    taken(desk, {f"Ada Lovelace_11{FILE}/bold.py": PLAYER}, check=fails)
    two = {f"Blaise Pascal_12{FILE}/{name}.py": PLAYER for name in "ab"}
    taken(desk, two)
    found = {each.name: each for each in missing(desk)}
    assert found["Ada"].why == "rejected: bold.py:7: expected a class, got 3; write a class"
    assert found["Blaise"].why.startswith("refused: It has 2 competitors")
    assert found["Blaise"].groups == ("001", "002")
    assert (found["Eve"].why, found["Leo"].why) == ("excluded: audits", "no submission")


def test_copies_are_told_by_source_by_shape_and_by_play(tmp_path: Path) -> None:
    """Each kind lists what a finer one does not say."""
    desk = Submissions(tmp_path / "desk")
    plain = competitor(17).text
    renamed = "# my own work\n" + plain.replace("player", "mine").replace("Bold", "Brave")
    other = plain.replace("< 17", "<= 16")
    texts = {"Ada": plain, "Bob": plain, "Cay": renamed, "Dan": other, "Eve": competitor(12).text}
    for name, text in texts.items():
        play = "alike" if name != "Eve" else "other"
        desk.take(
            Source("file", (("bold.py", text),)),
            name,
            author=name,
            now=NOON,
            check=lambda _, play=play: CheckReport(passed=True, answers=play),
        )
    assert [(each.kind, each.names) for each in copies(desk)] == [
        (SAME, ("Ada", "Bob")),
        (SHAPE, ("Ada", "Bob", "Cay")),
        (PLAY, ("Ada", "Bob", "Cay", "Dan")),
    ]


@pytest.mark.parametrize("text", ["(" * 10_000, "x = " + "-" * 100_000 + "1", "def", "\0", "'\\d'"])
def test_a_source_that_python_cannot_read_has_no_shape(text: str) -> None:
    """And nothing warns or falls over."""
    assert shape_of(text) in {"", shape_of("'\\d'")}


def test_people_of_one_name_are_told_apart_by_what_they_play_under(desk: Submissions) -> None:
    """The platform's number says who it is, and the name to play under says it from there on."""
    people = (Person("Ada King", ("Ada",), ("7",), 0), Person("Ada King", ("Ada 2",), ("8",), 3))
    desk.terms = SubmissionRules(roster=Roster(people), deadline=NOON)
    members = {f"Ada King_{number}{FILE}/bold.py": PLAYER for number in (7, 8)}
    first, second = taken(desk, members, received=NOON + timedelta(days=2))
    assert "Ada King_7: refused as Ada (Ada King): The submission is 2 days late" in first
    assert second.startswith("Ada King_8: accepted as Ada 2 (Ada King)")
    only = {"received": NOON, "only": "Ada"}
    assert taken(desk, members, **only) == ["Ada King_7: accepted as Ada (Ada King)"]


def test_people_of_one_name_in_one_team_are_told_apart_by_their_logins(tmp_path: Path) -> None:
    """The team's name is the same for both."""
    people = [
        Person("Kim Lee", ("Dragons",), (login, number), team="Dragons")
        for login, number in (("klee", "21"), ("kimlee2", "22"))
    ]
    desk = Submissions(tmp_path / "desk", SubmissionRules(roster=Roster(tuple(people))))
    (words,) = taken(desk, {f"Kim Lee_99{FILE}/bold.py": PLAYER})
    assert "could be Kim Lee (klee) or Kim Lee (kimlee2)" in words


def test_an_id_that_is_only_a_kind_means_nobody(tmp_path: Path) -> None:
    """A roster written by hand may have one; files without a number are not that student's."""
    people = (Person("Ann Alder", ("Ann",), ("sis:",)), Person("Bo Alder", ("Bo",), ("7",)))
    desk = Submissions(tmp_path / "desk", SubmissionRules(roster=Roster(people)))
    assert Roster(people).all_called("") == ()
    (words,) = taken(desk, {f"Zoe Zander_99{FILE}/bold.py": PLAYER})
    assert "Ann" not in words
