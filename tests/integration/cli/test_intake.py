"""Intake and lists of a class, and its groups, by the options of the commands."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tourney.sandbox.levels import Level, probe

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

TRUST = ("--no-sandbox",) if probe() is Level.UNSAFE else ()
ROSTER = """\
person,as,ids,groups
Ada Lovelace,Ada,7,001
Blaise Pascal,Blaise,8,002
"Gauss, Carl",Carl,9,001;002
Leo Euler,Leo,10,002
"""
TERMS = "game: ve280\nroster: roster.csv\ndeadline: '2026-11-20 12:00+00:00'\n"
PLAYER = """\
from tourney import Player


class Own(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < 16
"""
FILE = "_assignsubmission_file_"
TAKE = ("submit", "--zip", "download.zip", "--to", "class", *TRUST)
CUP = """\
name: Cup
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 10}
entrants:
  - submissions: class
"""


@pytest.fixture(autouse=True)
def _class(write: Write, tmp_path: Path) -> None:
    """Begin with a class and a download."""
    (tmp_path / "class").mkdir()
    write("class/submissions.yaml", TERMS)
    write("class/roster.csv", ROSTER)
    renamed = PLAYER.replace("Own", "Mine").replace("player", "hand")
    members = {
        "Ada Lovelace_7": PLAYER,
        "Blaise Pascal_8": PLAYER,
        "Carl Gauss_9": renamed,
        "Leo Euler_10": "def",
    }
    with ZipFile(tmp_path / "download.zip", "w") as download:
        for who, text in members.items():
            download.writestr(f"{who}{FILE}/own.py", text)


def test_received_says_when_a_download_came(cli: Cli) -> None:
    """So late that the deadline counts, or in time; a time needs its offset."""
    late = cli(*TAKE, "--received", "2026-11-22 12:00+00:00")
    assert late.status == 1
    assert "4 refused" in late.err
    assert "the deadline was 2026-11-20 12:00+00:00" in late.err
    in_time = cli(*TAKE, "--received", "2026-11-20 13:00+01:00")
    assert "3 accepted, 1 rejected" in in_time.err
    told = json.loads(cli("submissions", "class", "--json").out)
    assert {each["times"][0] for each in told if each["digest"]} == {"2026-11-20T13:00:00+01:00"}
    ran = cli(*TAKE, "--received", "2026-11-20")
    assert (ran.status, ran.out) == (2, "")
    assert "--received" in ran.err
    assert "expected a time with its offset" in ran.err


def test_without_a_deadline_nobody_is_late_and_that_is_said(cli: Cli, write: Write) -> None:
    """Once there is one, what was taken in is judged by it."""
    write("class/submissions.yaml", TERMS.partition("deadline")[0])
    ran = cli(*TAKE, "--received", "2020-11-21 12:00+00:00")
    assert ran.err.splitlines()[0] == (
        "download.zip: no submission counts as late, because submissions.yaml sets no deadline. "
        "Set `deadline`: it then applies to these submissions too"
    )
    write("class/submissions.yaml", TERMS.replace("2026", "2020"))
    told = json.loads(cli("submissions", "class", "--json").out)
    assert [(each["name"], each["status"], each["late_days"]) for each in told] == [
        (name, "rejected", 1) for name in ("Ada", "Blaise", "Carl", "Leo")
    ]
    extended = cli("class", "extensions", "class", "Ada", "--until", "2020-11-22", "--reason", "x")
    assert (extended.status, extended.out) == (2, "")
    assert "--until: expected a time with its offset" in extended.err
    until = ("--until", "2020-11-22 12:00+00:00", "--reason", "ill")
    assert "Ada Lovelace" in cli("class", "extensions", "class", "Ada", *until).out
    told = json.loads(cli("submissions", "class", "--json").out)
    assert [each["name"] for each in told if each["plays"]] == ["Ada"]
    assert cli("class", "extensions", "class", "7", "--remove").err.endswith("an extension\n")
    told = json.loads(cli("submissions", "class", "--json").out)
    assert not any(each["plays"] for each in told)


def test_a_day_late_ends_by_the_clock_of_the_class(cli: Cli, write: Write) -> None:
    """After the day on which clocks go back, which has 25 hours."""
    deadline = "time_zone: America/New_York\ndeadline: '2020-10-31 20:00'\nlate_days: 1\n"
    write("class/submissions.yaml", TERMS.partition("deadline")[0] + deadline)
    ran = cli(*TAKE, "--received", "2020-11-01 19:30")
    assert "3 accepted, 1 rejected" in ran.err
    listed = cli("submissions", "class").out
    assert "Handed in (America/New_York)" in listed
    assert "2020-11-01 19:30 (+1 d)" in listed


def test_a_download_without_times_can_be_given_one_afterwards(cli: Cli, write: Write) -> None:
    """That is said before anything is kept; what was too late is out then, and the rest settled."""
    write("class/submissions.yaml", TERMS.replace("2026", "2020"))
    first = cli(*TAKE)
    assert first.err.splitlines()[0] == (
        "download.zip: the platform gives no time for 4 submissions, so they count as in time. If "
        "they were late, import them again with --received TIME, which removes late ones"
    )
    assert "3 accepted, 1 rejected" in first.err
    assert cli("submissions", "class").out.count(" or before ") == 4
    late = ("--received", "2020-11-20 12:01+00:00")
    ran = cli(*TAKE, *late, "--only", "Ada Lovelace")
    assert (ran.status, ran.err.splitlines()[-1]) == (1, "1 refused")
    assert "The submission is 1 day late; the deadline was 2020-11-20 12:00+00:00. Ask" in ran.err
    excused = ("--only", "Blaise Pascal", "--override", "deadline", "--reason", "ill")
    assert "1 accepted" in cli(*TAKE, *late, *excused).err
    settled = cli(*TAKE, "--received", "2020-11-19 12:00+00:00")
    assert "gives no time" not in settled.err
    cli(*TAKE, *late)  # and their time does not change any more
    told = json.loads(cli("submissions", "class", "--json").out)
    assert {each["name"]: each["times"][0][:10] for each in told if each["digest"]} == {
        **dict.fromkeys(("Ada", "Carl", "Leo"), "2020-11-19"),
        "Blaise": "2020-11-20",
    }
    assert "untimed" not in str(told)


def test_who_was_excused_stays_excused_whenever_it_came(cli: Cli, write: Write) -> None:
    """A time that is told later undoes no decision on the deadline."""
    write("class/submissions.yaml", TERMS.replace("2026", "2020"))
    excused = ("--only", "Blaise Pascal", "--override", "deadline", "--reason", "ill")
    assert "1 accepted" in cli(*TAKE, *excused).err
    late = cli(*TAKE, "--received", "2020-11-22 12:00+00:00")
    assert "3 refused" in late.err
    (kept,) = [
        each for each in json.loads(cli("submissions", "class", "--json").out) if each["digest"]
    ]
    assert (kept["name"], kept["status"]) == ("Blaise", "accepted")


def test_override_takes_one_person_in_for_a_reason(cli: Cli) -> None:
    """Who is asked for is taken, and nobody else; without a reason nobody is."""
    late = (*TAKE, "--received", "2026-11-22 12:00+00:00", "--override", "deadline")
    for words, fault in (
        ((), "--override needs --reason REASON"),
        (("--reason", "ill"), "--override with --zip needs --only PERSON"),
    ):
        ran = cli(*late, *words)
        assert (ran.status, ran.out) == (2, "")
        assert fault in ran.err
    ran = cli(*late, "--reason", "ill", "--only", "Ada Lovelace")
    assert (ran.status, ran.err) == (0, "1 accepted\n")
    shown = cli("submissions", "class").out
    assert "deadline overridden: ill" in shown
    assert "Blaise" not in shown


def test_only_says_where_there_is_nothing_of_a_person(cli: Cli, write: Write) -> None:
    """That is no fault; what contradicts itself may be the person's, and is shown."""
    write("class/roster.csv", f"{ROSTER}Emmy Noether,Emmy,11,\n")
    ran = cli(*TAKE, "--only", "Emmy Noether")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err == "no file of Emmy Noether in download.zip\n"
    with ZipFile("download.zip", "w") as download:
        download.writestr("noetheremmy_7_1_own.py", PLAYER)
    ran = cli(*TAKE, "--only", "Emmy Noether")
    assert (ran.status, ran.out) == (1, "")
    assert "several students: '7' (Ada Lovelace) and 'noetheremmy' (Emmy Noether)" in ran.err


def test_missing_lists_whoever_has_nothing_that_plays(cli: Cli) -> None:
    """As a table, as CSV and as JSON, with the reason."""
    assert cli(*TAKE).status == 1
    assert cli("submissions", "class", "--missing").lines[2].startswith("Leo Euler")
    (row,) = csv.DictReader(cli("submissions", "class", "--missing", "--csv").lines)
    assert (row["person"], row["plays as"], row["groups"]) == ("Leo Euler", "Leo", "002")
    assert row["why"].startswith("rejected: own.py:1")
    (told,) = json.loads(cli("submissions", "class", "--missing", "--json").out)
    assert told["person"] == "Leo Euler"


def test_copies_list_who_handed_in_the_same(cli: Cli) -> None:
    """As a table and as CSV; both lists at once, or a table of neither, are refused."""
    assert cli(*TAKE).status == 1
    rows = list(csv.DictReader(cli("submissions", "class", "--copies", "--csv").lines))
    assert [(row["what"], row["who"]) for row in rows] == [
        ("the same source", "Ada; Blaise"),
        ("the same but for names and comments", "Ada; Blaise; Carl"),
    ]
    assert len(cli("submissions", "class", "--copies").lines) == 4
    for words, fault in (
        (("--missing", "--copies"), "--missing and --copies cannot be used together"),
        (("--csv",), "--csv needs --missing or --copies"),
    ):
        ran = cli("submissions", "class", *words)
        assert (ran.status, ran.out) == (2, "")
        assert fault in ran.err


def test_a_group_filters_boards_marks_and_who_joins_late(cli: Cli, write: Write) -> None:
    """Whoever is in several counts in each; an unknown one is refused by name."""
    assert cli(*TAKE).status == 1
    assert cli("run", write("cup.yaml", CUP), *TRUST).status == 0
    shown = json.loads(cli("leaderboard", "--group", "001", "--format", "json").out)
    assert sorted(row["entrant"] for row in shown) == ["Ada", "Carl"]
    ran = cli("leaderboard", "--group", "007")
    assert (ran.status, ran.out) == (2, "")
    assert "007" in ran.err
    export = "Name,Email,SID,Cup\nAda Lovelace,,7,\nBlaise Pascal,,8,\nLeo Euler,,10,\n"
    write("export.csv", export)
    grades = ("grades", "--gradebook", "export.csv", "--fill-column", "Cup", "--roster", "class")
    by = ("--marks-by", "place", "--group", "002", "--absent", "0", "--write")
    assert cli(*grades, *by).status == 0
    filled = list(csv.DictReader(Path("export-grades.csv").read_text().splitlines()))
    assert [bool(row["Cup"]) for row in filled] == [False, True, True]
    late = ("--add", "simple", "--as", "Late", "--in-group", "001")
    assert cli("extend", "1", *late, *TRUST).status == 0
    shown = json.loads(cli("leaderboard", "--group", "001", "--format", "json").out)
    assert sorted(row["entrant"] for row in shown) == ["Ada", "Carl", "Late"]


def test_a_game_and_the_same_with_uniform_shuffles_are_one_contract(cli: Cli, write: Write) -> None:
    """No warning at the intake nor at the run, and nothing has to be taken in again."""
    said = ("--received", "2026-11-20 11:00+00:00")
    assert cli(*TAKE, *said).status == 1
    first = cli("submissions", "class").out
    again = cli(*TAKE, *said, "--game", "ve280,shuffle=uniform")
    assert again.err.splitlines()[-1] == "3 accepted, 1 rejected"
    assert cli("submissions", "class").out == first
    assert Path("class/submissions.yaml").read_text() == TERMS
    ran = cli("run", write("cup.yaml", CUP), *TRUST)
    assert ran.status == 0
    assert "ve280" not in ran.err
    assert "checked" not in ran.err


BOLD = PLAYER.replace("return minimum", "return min(4 * minimum, bankroll)")


@pytest.fixture
def bold(write: Write) -> None:
    """Have the class checked for a tournament with a greatest wager, and Ada wager more."""
    write("class/submissions.yaml", f"{TERMS}tournament: ../cup.yaml\n")
    write("cup.yaml", f"{CUP}maximum: 10\n")
    write("bold.py", BOLD)
    write("own.py", PLAYER)


def hand_in(cli: Cli, file: str, name: str) -> Any:
    """Hand in before the deadline."""
    who = {"Ada": "Ada Lovelace", "Leo": "Leo Euler"}[name]
    time = ("--received", "2026-11-19 12:00+00:00")
    return cli("submit", file, "--as", name, "--author", who, "--to", "class", *time, *TRUST)


@pytest.mark.usefixtures("bold")
def test_a_class_is_checked_for_its_tournament(cli: Cli) -> None:
    """Who wagers more than that allows would fail there, and is rejected here."""
    ran = hand_in(cli, "bold.py", "Ada")
    assert (ran.status, ran.out.split(", version")[0]) == (1, "bold.py: rejected as Ada")
    assert "at a table whose limit is the minimum" in ran.err
    assert hand_in(cli, "own.py", "Leo").status == 0
    report = json.loads(cli("submissions", "class", "--json").out)
    told = {
        each["name"]: dict(tuple(one.values()) for one in each["report"]["measured"])
        for each in report
    }
    assert told["Leo"]["Tournament"].startswith("wagers from 5 to 10; at most 100 µs a decision ")


@pytest.mark.usefixtures("bold")
def test_changed_demands_of_a_tournament_are_told(cli: Cli, write: Write) -> None:
    """At the next run; and taking the same files in again checks them anew, as if in time."""
    before = [hand_in(cli, *each).out for each in (("bold.py", "Ada"), ("own.py", "Leo"))]
    run = ("run", "cup.yaml", "--dry-run", *TRUST)
    assert "checked for" not in cli(*run).err
    write("cup.yaml", f"{CUP}limits: {{cpu_us_per_decision: 200}}\n")
    (line,) = [each for each in cli(*run).err.splitlines() if "checked for" in each]
    assert line.startswith("class: Leo: checked for wagers from 5 to 10; at most 100 µs a decision")
    assert "the tournament has wagers from 5; at most 200 µs a " in line
    after = [hand_in(cli, *each).out for each in (("bold.py", "Ada"), ("own.py", "Leo"))]
    assert after == [before[0].replace("rejected", "accepted"), before[1]]
    assert "checked for" not in cli(*run).err
    versions = json.loads(cli("submissions", "class", "--json").out)
    assert [len(each["times"]) for each in versions] == [1, 1]
    assert hand_in(cli, "bold.py", "Ada").out == after[0]


@pytest.mark.usefixtures("bold")
@pytest.mark.parametrize(
    ("cup", "said"),
    [
        (
            CUP.replace("ve280,", "ve280, decks: 2,"),
            "submissions.yaml: game is ve280, and ",
        ),
        ("name: Cup\n", "cup.yaml:1:1: 'game' is missing"),
        (None, "cup.yaml: "),
    ],
)
def test_a_tournament_that_will_not_do_is_told(
    cli: Cli, write: Write, tmp_path: Path, cup: str | None, said: str
) -> None:
    """It plays another game than the terms say, or cannot be read."""
    (tmp_path / "cup.yaml").unlink()
    if cup:
        write("cup.yaml", cup)
    ran = hand_in(cli, "own.py", "Leo")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
