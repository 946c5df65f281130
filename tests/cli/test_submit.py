"""`submit`, `submissions` and entrants of a folder of submissions, as people use them."""

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CHART = Path(__file__).parents[2] / "strategies" / "charts" / "mimic.txt"
PLAYER = """\
from tourney import Player


class Bold(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < TOTAL
"""
PROJECT = '[project]\nname = "bold"\n[project.entry-points.tourney]\nbold = "bold"\n'

CONFIG = """\
name: Class
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 20, batch_tables: 2}
entrants:
  - submissions: desk
    group: class
  - strategy: simple
"""

ROSTER = "person,as\nAda Lovelace,Ada\nBlaise Pascal,Blaise\n"


@pytest.fixture
def submit(cli: Cli, write: Write) -> Callable[..., Any]:
    """Give what hands in a player that draws below a total, as Ada."""

    def submit(total: object, name: str = "Ada", *others: object) -> Any:
        write("bold.py", PLAYER.replace("TOTAL", str(total)))
        arguments = ("--as", name, "--author", name.lower(), "--to", "desk", *others)
        return cli("submit", "bold.py", *arguments, "--trust-submissions")

    return submit


def listed(cli: Cli) -> list[tuple[str, str, bool]]:
    """Give names, statuses, and who plays."""
    told = json.loads(cli("submissions", "desk", "--json").out)
    return [(each["name"], each["status"], each["plays"]) for each in told]


def board(cli: Cli, *arguments: object) -> dict[str, Any]:
    """Read the leaderboard as a program would."""
    rows = json.loads(cli(*arguments, "--format", "json").out)
    return {row["entrant"]: row for row in rows}


def test_a_competitor_is_handed_in(cli: Cli, submit: Any) -> None:
    """What became of it in one line; listed with its status."""
    ran = submit(17)
    assert ran.status == 0
    assert re.fullmatch(r"bold\.py: accepted as Ada, version [0-9a-f]{12} in desk\n", ran.out), (
        ran.err
    )
    ran = cli("submissions", "desk")
    assert ran.lines[0].split()[:3] == ["Name", "Version", "Kind"]
    assert ran.lines[2].split()[0] == "Ada"
    assert ran.lines[2].split()[-3:] == ["ada", "accepted", "yes"]


def test_a_file_runs_only_for_who_has_read_it(cli: Cli, write: Write, tmp_path: Path) -> None:
    """As entrants from files do; a chart is no program."""
    write("bold.py", "open('ran', 'w')\n")
    ran = cli("submit", "bold.py", "--as", "Ada")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "bold.py: expected a file that you have read, as its check runs it with all your rights: "
        "read it, then add --trust-submissions\n"
    )
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "submissions").exists()
    ran = cli("submit", CHART, "--as", "Ada")
    assert (ran.status, "accepted as Ada" in ran.out) == (0, True)
    assert (tmp_path / "submissions" / "Ada").is_dir()


def test_a_version_that_fails_is_kept_and_another_plays(cli: Cli, submit: Any) -> None:
    """With the reason and its place; the status says so."""
    submit(17)
    ran = submit("(")
    assert ran.status == 1
    assert "rejected as Ada" in ran.out
    assert ran.err.startswith("bold.py:9: expected Python that can be read, got SyntaxError")
    assert listed(cli) == [("Ada", "accepted", True), ("Ada", "rejected", False)]
    assert "bold.py:9: expected Python that can be read" in cli("submissions", "desk").out


def test_an_organiser_pins_and_withdraws(cli: Cli, submit: Any) -> None:
    """By the beginning of a version's digest; the list says what plays then."""
    first = json.loads(submit(15, "Ada", "--json").out)["digest"]
    second = json.loads(submit(16, "Ada", "--json").out)["digest"]
    ran = cli("submissions", "desk", "--pin", "Ada", first[:8], "--rule", "pinned", "--json")
    assert [each["plays"] for each in json.loads(ran.out)] == [True, False]
    assert cli("submissions", "desk", "--withdraw", "Ada", second[:8]).status == 2
    ran = cli("submissions", "desk", "--withdraw", "Ada", second[:8], "--because", "copied")
    assert ran.status == 0
    assert "withdrawn" in ran.out
    assert "copied" in ran.out
    assert listed(cli) == [("Ada", "accepted", True), ("Ada", "withdrawn", False)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("bold.py", "--as", "simple"), "name 'simple': expected a name of your own, got that of"),
        (("bold.py", "--as", "=1+1"), "name '=1+1': expected a letter or digit first, got '='"),
        (("bold.cpp", "--as", "Ada"), "bold.cpp: expected a file of Python (.py), a chart (.txt)"),
        (
            ("bold.py", "--as", "Ada", "--author", "\x1b[2J"),
            "author '\\x1b[2J': expected a name of",
        ),
        (("bold\x1b.cpp", "--as", "Ada"), "'bold\\x1b.cpp': expected a file's name of printable"),
        (("gone.py", "--as", "Ada"), "gone.py: expected a file, got nothing of that name"),
        (("--zip", "gone.zip"), "--zip: expected a roster, which says who plays as whom"),
        (("--zip", "gone.zip", "--roster", "gone.csv"), "gone.csv: expected a roster, got: No suc"),
        (("--zip", "bold.py", "--roster", "r.csv"), "bold.py: expected a zip file, got BadZipFile"),
        (("essay.txt", "--as", "Ada"), "essay.txt:1:1: expected"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    cli: Cli, write: Write, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    """What was expected, what came, and how to mend it; nothing is kept."""
    write("bold.py", PLAYER)
    write("bold.cpp", "int main() {}\n")
    write("bold\x1b.cpp", "int main() {}\n")
    write("essay.txt", "Blackjack is a game.\n")
    write("r.csv", ROSTER)
    ran = cli("submit", *arguments, "--trust-submissions")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "submissions").exists()


@pytest.mark.parametrize(
    "arguments", [(), ("bold.py",), ("bold.py", "--as", "Ada", "--zip", "a.zip")]
)
def test_wrong_usage_says_what_is_missing(cli: Cli, write: Write, arguments: Any) -> None:
    """As of any command."""
    write("bold.py", PLAYER)
    ran = cli("submit", *arguments)
    assert ran.status == 2
    assert "Usage: tourney submit" in ran.err
    assert "expected" in ran.err


def test_a_list_of_nothing_says_so(cli: Cli) -> None:
    """As everywhere."""
    ran = cli("submissions")
    assert (ran.status, ran.err) == (2, "submissions: expected a folder of submissions, got none\n")


def test_a_whole_class_is_taken_in(cli: Cli, write: Write, tmp_path: Path) -> None:
    """A line for every file, and a sum; who was refused is told beside the others."""
    write("roster.csv", ROSTER)
    with ZipFile(tmp_path / "canvas.zip", "w") as file:
        file.writestr("lovelaceada_1_11_bold-1.py", PLAYER.replace("TOTAL", "17"))
        file.writestr("pascalblaise_2_12_mimic.txt", CHART.read_bytes())
        file.writestr("someoneelse_3_13_bold.py", PLAYER)
        file.writestr("../../evil.py", PLAYER)
    command = ("submit", "--zip", "canvas.zip", "--roster", "roster.csv", "--to", "desk")
    ran = cli(*command, "--trust-submissions")
    assert ran.status == 1
    assert [line.partition(", version")[0] for line in ran.lines] == [
        "lovelaceada_1_11_bold-1.py: accepted as Ada (Ada Lovelace)",
        "pascalblaise_2_12_mimic.txt: accepted as Blaise (Blaise Pascal)",
        "../../evil.py: left out: expected a path within the zip, got one that leads elsewhere",
    ]
    refused, total = ran.err.splitlines()
    assert refused.startswith("someoneelse_3_13_bold.py: refused: expected somebody on the roster")
    assert total == "2 accepted, 1 refused, 1 left out"
    told = json.loads(cli(*command, "--trust-submissions", "--json").out)
    assert [each["status"] for each in told] == ["accepted", "accepted", "refused", "left out"]
    assert [name for name, _, _ in listed(cli)] == ["Ada", "Blaise"]


def test_a_folder_of_submissions_plays(cli: Cli, write: Write, submit: Any, tmp_path: Path) -> None:
    """Under their names, in one group; nobody reads them in without trust."""
    submit(15)
    submit(17)
    submit("(")
    cli("submit", CHART, "--as", "Cee", "--author", "c", "--to", "desk")
    package = tmp_path / "package"
    package.mkdir()
    (package / "pyproject.toml").write_text(PROJECT, "utf-8")
    (package / "bold.py").write_text(PLAYER.replace("TOTAL", "17"), "utf-8")
    ran = cli("submit", package, "--as", "Bob", "--to", "desk", "--trust-submissions")
    assert ran.status == 0, ran.err
    write("class.yaml", CONFIG.replace("desk", "desk\n    rule: last"))
    chart = tmp_path / "desk" / "Cee"
    (charted,) = chart.glob("*/source/mimic.txt")
    charted.write_text(CHART.read_text("utf-8").replace("\n20 ", "\n2O "), "utf-8")
    ran = cli("run", "class.yaml", "--workers", 1, "--trust-submissions")
    assert (ran.status, "mimic.txt:18:1: expected a hand" in ran.err) == (2, True)
    charted.write_bytes(CHART.read_bytes())
    ran = cli("run", "class.yaml", "--workers", 1)
    assert (ran.status, "2 of somebody's files (bold.py and Bob)" in ran.err) == (2, True)


def test_a_run_keeps_what_was_handed_in(
    cli: Cli, write: Write, submit: Any, tmp_path: Path
) -> None:
    """Verified, replayed and resumed after the folder has gone; the digest is the submission's."""
    digest = json.loads(submit(17, "Ada", "--json").out)["digest"]
    package = tmp_path / "package"
    package.mkdir()
    (package / "pyproject.toml").write_text(PROJECT, "utf-8")
    (package / "bold.py").write_text(PLAYER.replace("TOTAL", "17"), "utf-8")
    cli("submit", package, "--as", "Bob", "--to", "desk", "--trust-submissions")
    write("class.yaml", CONFIG)
    rows = board(cli, "run", "class.yaml", "--workers", 1, "--trust-submissions")
    assert {row["group"] for row in rows.values()} == {"class", None}
    same = ("mean_final_bankroll", "rounds", "handle")
    assert [rows["Ada"][each] for each in same] == [rows["Bob"][each] for each in same]
    assert digest[:12] in cli("runs", 1).out
    for file in sorted((tmp_path / "desk").rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    (tmp_path / "desk").rmdir()
    verified = cli("verify", "--all", "--trust-submissions")
    assert (verified.status, "6 of 6" in verified.out) == (0, True)
    with sqlite3.connect(tmp_path / "tourney.db") as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM batches WHERE number % 2")
        database.execute("UPDATE runs SET status = 'running', finished = NULL")
    database.close()
    refused = cli("resume", "--workers", 1)
    assert (refused.status, "add --trust-submissions" in refused.err) == (2, True)
    assert "--trust-submissions" in cli("leaderboard").err
    assert cli("resume", "--workers", 1, "--trust-submissions").status == 0
    assert board(cli, "leaderboard") == rows


@pytest.mark.parametrize(
    ("entrant", "said"),
    [
        ("{submissions: nowhere}", "'nowhere': expected a folder of submissions, got none"),
        ("{submissions: empty}", "'empty': expected a folder of submissions, got one without any"),
        ("{submissions: desk, as: Us}", "expected submissions as they were handed in, got 'as': "),
        ("{submissions: desk, rule: first}", "rule: expected best, last or pinned; got 'first'"),
        ("{strategy: simple, rule: last}", "expected 'rule' beside 'submissions', got it alone: "),
        ("{submissions: desk, file: bold.py}", "got two of them: remove one"),
        ("{strategy: simple, as: ada}", "expected a name of its own, got 'ada' again"),
    ],
)
def test_a_fault_of_the_entry_has_its_place(
    cli: Cli, write: Write, submit: Any, tmp_path: Path, entrant: str, said: str
) -> None:
    """Line, column and path, like every fault of a configuration."""
    submit(17)
    (tmp_path / "empty").mkdir()
    config = CONFIG.replace("  - strategy: simple\n", f"  - {entrant}\n")
    write("class.yaml", config)
    ran = cli("run", "class.yaml", "--trust-submissions")
    assert (ran.status, ran.out) == (2, "")
    assert re.match(r"class\.yaml:10:\d+: entrants\[1\]", ran.err)
    assert said in ran.err


def test_a_competitor_of_another_game_is_named_with_its_entrant(
    cli: Cli, write: Write, submit: Any
) -> None:
    """So that the organiser knows whom to ask."""
    submit(17, "Ada")
    others = "".join(f"  - {{strategy: first-legal, as: {name}}}\n" for name in "BCD")
    config = CONFIG.replace("{preset: ve280, shuffle: uniform}", "straights")
    config = config.replace("bankroll: 100\nminimum: 5\n", "").replace("  - strategy: simple\n", "")
    write("class.yaml", config + others)
    ran = cli("run", "class.yaml", "--trust-submissions")
    assert ran.status == 2
    assert ran.err.startswith("entrant Ada: bold.py: expected a subclass of tourney.StraightsPla")


def test_a_source_that_was_changed_does_not_play(
    cli: Cli, write: Write, submit: Any, tmp_path: Path
) -> None:
    """Whoever changes a file in the folder is found out before the run."""
    submit(17)
    (file,) = (tmp_path / "desk").rglob("bold.py")
    file.write_text(PLAYER.replace("TOTAL", "21"), "utf-8")
    write("class.yaml", CONFIG)
    ran = cli("run", "class.yaml", "--trust-submissions")
    assert (ran.status, "expected the source that was handed in" in ran.err) == (2, True)


def test_a_class_alone_is_resumed(cli: Cli, write: Write, submit: Any, tmp_path: Path) -> None:
    """Nobody but submissions plays, and their folder has gone."""
    for name in ("Ada", "Bob", "Cee", "Dee"):
        cli("submit", CHART, "--as", name, "--author", name, "--to", "desk")
    config = CONFIG.replace("{preset: ve280, shuffle: uniform}", "easybj")
    config = config.replace("minimum: 5\n", "").replace("  - strategy: simple\n", "")
    write("class.yaml", config)
    assert cli("run", "class.yaml", "--workers", 1).status == 0
    (tmp_path / "desk").rename(tmp_path / "gone")
    assert cli("resume", "--workers", 1).status == 0
    assert len(board(cli, "leaderboard")) == 4
