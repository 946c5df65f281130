"""`submit`, `submissions` and entrants of a folder of submissions, as people use them."""

import json
import re
import shlex
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.resilience.damage.crafted import seal_as_it_is
from tourney.course import submission_check
from tourney.course.commands import submit as submit_module
from tourney.course.submission_rules import SubmissionRules
from tourney.games.blackjack.check import matches
from tourney.sandbox.levels import Level, probe

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CHARTS = Path(__file__).parents[3] / "strategies" / "charts"
CHART = CHARTS / "basic_six_decks_s17.txt"
BOTH_CARDS = CHARTS / "mimic.txt"
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

GAME = ("--game", "ve280,shuffle=uniform")

GAME_TEXT = '{preset: ve280, shuffle: "uniform"}'

TRUST = ("--no-sandbox",) if probe() is Level.UNSAFE else ()
"""What a machine asks for that cannot confine anybody."""

ROSTER = "person,as\nAda Lovelace,Ada\nBlaise Pascal,Blaise\n"


@pytest.fixture(autouse=True)
def _few_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check by a match of a tenth of the length."""
    monkeypatch.setattr(matches, "TABLES", 20)


@pytest.fixture
def submit(cli: Cli, write: Write) -> Callable[..., Any]:
    """Give what hands in a player that draws below a total, as Ada."""

    def submit(total: object, name: str = "Ada", *others: object) -> Any:
        write("bold.py", PLAYER.replace("TOTAL", str(total)))
        arguments = ("--as", name, "--author", name.lower(), "--to", "desk", *others)
        return cli("submit", "bold.py", *arguments, *GAME, *TRUST)

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
    name, *_, author, status, _, _, _, plays = ran.lines[2].split()
    assert (name, author, status, plays) == ("Ada", "ada", "accepted", "yes")
    assert " ± " in ran.lines[2]


def test_a_note_is_stored_with_its_version_and_listed(cli: Cli, submit: Any) -> None:
    """Without line ends; the last note counts, and a list without notes has no column for them."""
    assert submit(17).status == 0
    assert "Note" not in cli("submissions", "desk").lines[0]
    assert submit(17, "Ada", "--note", "counts\n aces").status == 0
    assert submit(17).status == 0
    listing = cli("submissions", "desk")
    assert listing.lines[0].split()[-1] == "Note"
    assert listing.lines[2].endswith("counts aces")
    (version,) = json.loads(cli("submissions", "desk", "--json").out)
    assert version["note"] == "counts aces"
    assert submit(17, "Ada", "--note", "bets less").status == 0
    (version,) = json.loads(cli("submissions", "desk", "--json").out)
    assert version["note"] == "bets less"
    assert len(version["times"]) == 1


@pytest.mark.parametrize("text", ["a" * 201, "a\u202eb"])
def test_a_note_that_no_page_can_show_is_refused(cli: Cli, submit: Any, text: str) -> None:
    """Before anything is checked or stored."""
    ran = submit(17, "Ada", "--note", text)
    assert ran.status == 2
    assert "'--note': use at most 200 printable characters" in ran.err
    assert not Path("desk").exists()


def test_a_note_is_of_one_version(cli: Cli) -> None:
    """A download of a class has many."""
    ran = cli("submit", "--zip", "class.zip", "--note", "better")
    assert ran.status == 2
    assert "--note has no effect with --zip" in ran.err


def test_where_nobody_is_confined_a_file_needs_trust(
    cli: Cli, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And its report says so; a chart is no program."""
    monkeypatch.setattr(submission_check, "probe", lambda: Level.UNSAFE)
    write("bold.py", PLAYER.replace("TOTAL", "17"))
    ran = cli("submit", "bold.py", "--as", "Ada", *GAME)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "bold.py cannot be checked in a sandbox: this machine has no sandbox; read its code, then "
        "add --no-sandbox to run it with your permissions\n"
    )
    assert not (tmp_path / "submissions").exists()
    ran = cli("submit", CHART, "--as", "Bob", *GAME)
    assert (ran.status, "accepted as Bob" in ran.out) == (0, True)
    ran = cli("submit", "bold.py", "--as", "Ada", "--report", "--no-sandbox")
    assert ran.status == 0, ran.err
    assert "  Sandbox               none: the file ran with all your rights" in ran.lines


def test_a_file_that_loops_is_rejected(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The intake goes on; here after half a second, not three."""
    budget = submission_check.ANY.budget._replace(loading=0.5)
    monkeypatch.setattr(submission_check, "ANY", submission_check.ANY._replace(budget=budget))
    write("bold.py", PLAYER.replace("TOTAL", "17") + "\nwhile True: pass\n")
    ran = cli("submit", "bold.py", "--as", "Ada", "--to", "desk", *GAME)
    assert (ran.status, "rejected as Ada" in ran.out) == (1, True)
    assert "bold.py:11: import: loading the file takes more than 500 ms of CPU time" in ran.err


def test_a_folder_is_for_one_game(cli: Cli, write: Write, submit: Any, tmp_path: Path) -> None:
    """Said once and kept, before other terms; another one is refused."""
    write("bold.py", PLAYER.replace("TOTAL", "17"))
    ran = cli("submit", "bold.py", "--as", "Ada", "--to", "desk")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith("desk names no game yet. Name it once with --game GAME")
    (tmp_path / "desk").mkdir()
    terms = write("desk/submissions.yaml", "# mine\nper_day: 9\n")
    ran = submit(17)
    said = GAME_TEXT
    assert ran.err.endswith(f"desk is for {said} from now on\n")
    assert terms.read_text("utf-8") == f"game: {said}\n# mine\nper_day: 9\n"
    assert submit(16).err == ""
    assert cli("submit", CHART, "--as", "Bob", "--to", "desk").status == 0
    ran = cli("submit", CHART, "--as", "Bob", "--to", "desk", "--game", "easybj")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"--game is easybj, and desk/submissions.yaml names {said}. ")
    terms.write_text("game: {preset: ve281}\n", "utf-8")
    ran = submit(18)
    assert ran.err.startswith("desk/submissions.yaml:1:16: game.preset: expected ")
    assert "did you mean 've280'?" in ran.err


def test_a_chart_of_another_dealer_is_refused_at_once(cli: Cli, tmp_path: Path) -> None:
    """Not when the class is waiting."""
    ran = cli("submit", BOTH_CARDS, "--as", "Ada", *GAME)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("mimic.txt: the chart's columns are both cards of the dealer,")
    assert not (tmp_path / "submissions").exists()


def test_two_first_submissions_at_one_moment_both_succeed(
    cli: Cli, submit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one has read the folder before the first one has written its game."""
    read, others = submit_module.read_terms, ["Ada"]

    def read_before_another_submits(folder: Path, catalog: Any) -> SubmissionRules:
        terms = read(folder, catalog)
        if others:
            assert submit(17, others.pop()).status == 0
        return terms

    monkeypatch.setattr(submit_module, "read_terms", read_before_another_submits)
    ran = submit(16, "Bob")
    assert (ran.status, ran.err) == (0, "")
    assert {name for name, *_ in listed(cli)} == {"Ada", "Bob"}
    assert (tmp_path / "desk/submissions.yaml").read_text("utf-8") == f"game: {GAME_TEXT}\n"


def test_the_whole_report_is_printed_for_who_asks(cli: Cli, submit: Any) -> None:
    """At once, or later from what was kept; else the reason in a line."""
    ran = submit(17, "Ada", "--report")
    assert ran.lines[1:3] == ["bold.py: passed", "  Game                  ve280, shuffle uniform"]
    assert ran.lines[-5].startswith("  Compared with simple  ")
    assert " instead of " in ran.lines[-1]
    digest = json.loads(cli("submissions", "desk", "--json").out)[0]["digest"]
    told = cli("submissions", "desk", "--show-report", "Ada", digest[:8])
    assert told.lines[0] == f"Ada {digest[:12]}: passed"
    assert told.lines[1:] == ran.lines[2:]


def test_a_version_that_fails_is_kept_and_another_plays(cli: Cli, submit: Any) -> None:
    """With the reason and its place; the status says so."""
    submit(17)
    ran = submit("(")
    assert ran.status == 1
    assert "rejected as Ada" in ran.out
    assert ran.err.startswith("bold.py:9: ")
    assert ran.err.count("\n") == 1
    assert listed(cli) == [("Ada", "accepted", True), ("Ada", "rejected", False)]
    assert "syntax error" in cli("submissions", "desk").out


def test_an_organiser_pins_and_withdraws(cli: Cli, submit: Any) -> None:
    """By the beginning of a version's digest; the list says what plays then."""
    first = json.loads(submit(15, "Ada", "--json").out)["digest"]
    second = json.loads(submit(16, "Ada", "--json").out)["digest"]
    ran = cli("submissions", "desk", "--pin", "Ada", first[:8], "--rule", "pinned", "--json")
    told = json.loads(ran.out)
    assert [(each["plays"], each["pinned"]) for each in told] == [(True, True), (False, False)]
    ran = cli("submissions", "desk")
    assert ran.err.startswith("the pin of Ada has no effect, because submission_rule is last. Set ")
    assert [line.split()[-1] for line in ran.lines[2:]] == ["pinned", "yes"]
    ran = cli("submissions", "desk", "--pin", "Adda", first[:8])
    assert (ran.status, "desk has no submission of 'Adda' (did you mean 'Ada'?)" in ran.err) == (
        2,
        True,
    )
    assert cli("submissions", "desk", "--withdraw", "Ada", second[:8]).status == 2
    ran = cli("submissions", "desk", "--withdraw", "Ada", second[:8], "--reason", "copied")
    assert ran.status == 0
    assert "withdrawn" in ran.out
    assert "copied" in ran.out
    assert listed(cli) == [("Ada", "accepted", True), ("Ada", "withdrawn", False)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("bold.py", "--as", "simple"), "name 'simple': it is too much like 'simple', a strategy"),
        (("bold.py", "--as", "=1+1"), "name '=1+1': it begins with '=', and a spreadsheet"),
        (("bold.cpp", "--as", "Ada"), "bold.cpp:1: expected a function that gives your player, g"),
        (
            ("bold.py", "--as", "Ada", "--author", "\x1b[2J"),
            "author '\\x1b[2J': expected a name of",
        ),
        (
            ("bold\x1b.cpp", "--as", "Ada"),
            "'bold\\x1b.cpp': the name of a file must consist of printable",
        ),
        (("gone.py", "--as", "Ada"), "gone.py does not exist; check the spelling"),
        (("class.zip", "--as", "Ada"), "class.zip: expected a file of Python (.py), a file of C"),
        (("--zip", "gone.zip"), "submissions: there is no class in this folder. Create it with"),
        (("--zip", "gone.zip", "--roster", "gone.csv"), "gone.csv cannot be read: No such file"),
        (("--zip", "bold.py", "--roster", "r.csv"), "bold.py cannot be read as a zip file (BadZip"),
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
    write("class.zip", "PK")
    write("r.csv", ROSTER)
    ran = cli("submit", *arguments, *GAME, *TRUST)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "submissions").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give FILE and --as NAME, or --zip ZIP"),
        (("bold.py",), "give FILE and --as NAME, or --zip ZIP"),
        (("bold.py", "--as", "Ada", "--zip", "a.zip"), "--zip cannot be used with FILE, --as"),
    ],
)
def test_wrong_usage_says_what_is_missing(
    cli: Cli, write: Write, arguments: Any, said: str
) -> None:
    """As of any command."""
    write("bold.py", PLAYER)
    ran = cli("submit", *arguments)
    assert ran.status == 2
    assert "Usage: tourney submit" in ran.err
    assert said in ran.err


def test_a_list_of_nothing_says_so(cli: Cli) -> None:
    """As everywhere."""
    ran = cli("submissions")
    assert (ran.status, ran.err) == (
        2,
        "submissions: there is no such folder; the first submission creates it\n",
    )
    ran = cli("submissions", ".")
    assert (ran.status, ran.err) == (
        2,
        ".: this is not a folder of submissions: it has no submissions.yaml and no submission\n",
    )


def test_a_mistyped_file_leaves_no_record(cli: Cli, write: Write, submit: Any) -> None:
    """A file that exists and is refused is one."""
    submit(17)
    write("essay.txt", "Blackjack is a game.\n")
    for name in ("gone.py", "essay.txt"):
        assert cli("submit", name, "--as", "Ann", "--to", "desk").status == 2
    records = json.loads(cli("submissions", "desk", "--json").out)
    assert [each["where"] for each in records if each["status"] == "refused"] == ["essay.txt"]


def test_a_download_for_no_class_says_how_to_make_one(cli: Cli) -> None:
    """It needs a roster, not only a game."""
    ran = cli("submit", "--zip", "export.zip", "--to", "cards")
    assert (ran.status, ran.err) == (
        2,
        "cards: there is no class in this folder. Create it with `tourney class new cards "
        "--gradebook FILE`.\n",
    )


def test_in_the_folder_of_a_class_nobody_names_it(cli: Cli, write: Write) -> None:
    """Lecturers change into the folder that `class new` made."""
    write("submissions.yaml", f"game: {GAME_TEXT}\n")
    assert cli("submit", CHART, "--as", "Ada").status == 0
    assert not Path("submissions").exists()
    assert [each["name"] for each in json.loads(cli("submissions", "--json").out)] == ["Ada"]


def test_a_folder_that_was_misspelt_is_suggested(cli: Cli) -> None:
    """If one beside it holds submissions."""
    cli("submit", CHART, "--as", "Ada", "--to", "class", *GAME)
    assert cli("submissions", "clas").err == (
        "clas: there is no such folder (did you mean 'class'?)\n"
    )
    assert "(did you mean 'class'?)" in cli("submit", CHART, "--as", "Ada", "--to", "clas").err


@pytest.mark.parametrize("folder", ["site", "."])
def test_nothing_is_handed_in_to_a_folder_of_something_else(
    cli: Cli, write: Write, folder: str
) -> None:
    """A published site would show a student's source; what is refused leaves nothing."""
    Path("site").mkdir()
    write("site/index.html", "<p>A board</p>")
    before = sorted(Path().rglob("*"))
    ran = cli("submit", CHART, "--as", "Ada", "--to", folder, *GAME)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        f"{folder}: the folder has other files and no submissions; choose a new folder\n"
    )
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize(
    "there", [".git/HEAD", "handles.key", "submissions.yaml", "refusals.jsonl", "Ada/left"]
)
def test_a_folder_that_is_prepared_or_was_left_takes_what_is_handed_in(
    cli: Cli, write: Write, there: str
) -> None:
    """By its organiser, or by a command that was killed before a version was filed."""
    Path("class", there).parent.mkdir(parents=True)
    write(f"class/{there}", "00" * 32 if there == "handles.key" else "")
    if there in {"refusals.jsonl", "Ada/left"}:
        write("class/.lock", "")
    assert cli("submit", CHART, "--as", "Ada", "--to", "class", *GAME).status == 0


def test_a_whole_class_is_taken_in(cli: Cli, write: Write, tmp_path: Path) -> None:
    """A line for every file, and a sum; who was refused is told beside the others."""
    write("roster.csv", ROSTER)
    with ZipFile(tmp_path / "canvas.zip", "w") as file:
        file.writestr("lovelaceada_1_11_bold-1.py", PLAYER.replace("TOTAL", "17"))
        file.writestr("pascalblaise_2_12_chart.txt", CHART.read_bytes())
        file.writestr("someoneelse_3_13_bold.py", PLAYER)
        file.writestr("../../evil.py", PLAYER)
        file.writestr("studenttest_9_14_bold.py", PLAYER)
    command = ("submit", "--zip", "canvas.zip", "--roster", "roster.csv", "--to", "desk", *TRUST)
    ran = cli(*command, *GAME)
    assert ran.status == 1
    assert [line.partition(", version")[0] for line in ran.lines] == [
        "lovelaceada_1_11_bold-1.py: accepted as Ada (Ada Lovelace)",
        "pascalblaise_2_12_chart.txt: accepted as Blaise (Blaise Pascal)",
    ]
    unjudged, refused, nobody, evil, kept, total, unmatched = ran.err.splitlines()
    assert nobody.endswith("test student, so it is not imported.")
    assert unjudged.startswith(
        "canvas.zip: no submission counts as late, because submissions.yaml "
    )
    assert evil == "../../evil.py: refused: Its path leads out of the zip."
    assert unmatched == "2 of them could not be matched to a student or team"
    assert kept == f"desk is for {GAME_TEXT} from now on"
    assert refused.startswith("someoneelse_3_13_bold.py: refused: No student on the roster is")
    assert total == "2 accepted, 3 refused"
    told = json.loads(cli(*command, "--json").out)
    assert [each["status"] for each in told] == ["accepted"] * 2 + ["refused"] * 3
    assert listed(cli) == [
        ("Ada", "accepted", True),
        ("Blaise", "accepted", True),
        ("", "refused", False),
        ("", "refused", False),
        ("", "refused", False),
    ]


def test_the_list_tells_students_of_the_same_name_apart(cli: Cli, write: Write) -> None:
    """By the login, as their pages do; other students keep their plain names."""
    write("roster.csv", "person,as,ids\nWei Li,Wei Li,wli\nWei Li,Wei Li 2,weil2\nBo Ek,Bo,bek\n")
    for name, author in (("Wei Li", "Wei Li"), ("Wei Li 2", "Wei Li"), ("Bo", "Bo Ek")):
        who = ("--as", name, "--author", author, "--roster", "roster.csv")
        assert cli("submit", CHART, *who, "--to", "desk", *GAME).status == 0
    write(
        "desk/submissions.yaml",
        f"{Path('desk/submissions.yaml').read_text()}roster: ../roster.csv\n",
    )
    listed = cli("submissions", "desk").out
    assert all(f"  {each}  " in listed for each in ("Wei Li (wli)", "Wei Li (weil2)", "Bo Ek"))


def test_a_folder_of_submissions_plays(cli: Cli, write: Write, submit: Any, tmp_path: Path) -> None:
    """Under their names, in one group; a chart that was spoilt is told with its place."""
    submit(15)
    submit(17)
    submit("(")
    cli("submit", CHART, "--as", "Cee", "--author", "c", "--to", "desk", *GAME)
    package = tmp_path / "package"
    package.mkdir()
    (package / "pyproject.toml").write_text(PROJECT, "utf-8")
    (package / "bold.py").write_text(PLAYER.replace("TOTAL", "17"), "utf-8")
    ran = cli("submit", package, "--as", "Bob", "--to", "desk", *GAME, *TRUST)
    assert ran.status == 0, ran.err
    write("class.yaml", CONFIG.replace("desk", "desk\n    rule: last"))
    chart = tmp_path / "desk" / "Cee"
    (charted,) = chart.glob("*/source/basic_six_decks_s17.txt")
    charted.write_text(CHART.read_text("utf-8").replace("\n20 ", "\n2O "), "utf-8")
    ran = cli("run", "class.yaml", "--workers", 1, "--no-sandbox")
    assert (ran.status, "s17.txt:18:1: expected a hand" in ran.err) == (2, True)
    charted.write_bytes(CHART.read_bytes())
    ran = cli("run", "class.yaml", "--workers", 1, *TRUST)
    assert ran.status == 0, ran.err


def test_charts_of_another_game_are_told_at_once(cli: Cli, write: Write) -> None:
    """Whose they are, and how to leave them out, so that the class can play."""
    for name in ("Ada", "Bob"):
        cli("submit", BOTH_CARDS, "--as", name, "--to", "desk", "--game", "easybj")
    write("class.yaml", CONFIG)
    ran = cli("run", "class.yaml")
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 2
    for name, line in zip(("Ada", "Bob"), ran.err.splitlines(), strict=True):
        assert f"entrant {name}: the chart's columns are both cards of the dealer" in line
        assert f"tourney submissions desk --withdraw {name} " in line
        command = shlex.split(line.partition("leave it out: tourney ")[2])
        assert cli(*command).status == 0
    assert "no submission in 'desk' may play" in cli("run", "class.yaml").err


def test_a_run_keeps_what_was_handed_in(
    cli: Cli, write: Write, submit: Any, tmp_path: Path
) -> None:
    """Verified, replayed and resumed after the folder has gone; the digest is the submission's."""
    digest = json.loads(submit(17, "Ada", "--json").out)["digest"]
    package = tmp_path / "package"
    package.mkdir()
    (package / "pyproject.toml").write_text(PROJECT, "utf-8")
    (package / "bold.py").write_text(PLAYER.replace("TOTAL", "17"), "utf-8")
    cli("submit", package, "--as", "Bob", "--author", "Bob Moran", "--to", "desk", *GAME, *TRUST)
    write("class.yaml", CONFIG)
    rows = board(cli, "run", "class.yaml", "--workers", 1, "--no-sandbox")
    assert {row["group"] for row in rows.values()} == {"class", None}
    same = ("mean_final_bankroll", "rounds", "handle")
    assert [rows["Ada"][each] for each in same] == [rows["Bob"][each] for each in same]
    assert digest[:12] in cli("runs", 1).out
    for file in sorted((tmp_path / "desk").rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    (tmp_path / "desk").rmdir()
    assert board(cli, "leaderboard", "--column", "author")["Bob"]["author"] == "Bob Moran"
    verified = cli("verify", "--full", "--no-sandbox")
    assert (verified.status, "6 of 6" in verified.out) == (0, True)
    with closing(sqlite3.connect(tmp_path / "tourney.db")) as database, database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM batches WHERE number % 2")
        database.execute("UPDATE runs SET status = 'running', finished = NULL")
    database.close()
    seal_as_it_is(tmp_path / "tourney.db")
    refused = cli("resume", "--workers", 1)
    assert (refused.status, "add --no-sandbox" in refused.err) == (2, True)
    assert "--no-sandbox" not in cli("leaderboard").err  # that the store says so is no reason
    assert cli("resume", "--workers", 1, "--no-sandbox").status == 0
    assert board(cli, "leaderboard") == rows


@pytest.mark.parametrize(
    ("entrant", "said"),
    [
        ("{submissions: nowhere}", "'nowhere': there is no such folder"),
        ("{submissions: empty}", "'empty': this is not a folder of submissions"),
        ("{submissions: desk, as: Us}", "'as' is a setting of the submissions themselves"),
        ("{submissions: desk, rule: first}", "rule: expected best, last or pinned; got 'first'"),
        ("{strategy: simple, rule: last}", "'rule' has no effect without 'submissions'; "),
        ("{submissions: desk, file: bold.py}", "an entrant has only one of"),
        ("{strategy: simple, as: ada}", "'ada' is already an entrant"),
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
    ran = cli("run", "class.yaml", "--no-sandbox")
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
    ran = cli("run", "class.yaml", "--no-sandbox")
    assert ran.status == 2
    assert ran.err.startswith("entrant Ada: bold.py: Bold plays blackjack, not straights")


def test_a_folder_for_another_game_is_named(cli: Cli, write: Write, submit: Any) -> None:
    """In one line, however many play of it; for its own game there is none."""
    submit(17, "Ada")
    cli("submit", CHART, "--as", "Bob", "--author", "bob", "--to", "desk", *GAME)
    write("class.yaml", CONFIG)
    assert "checked for" not in cli("run", "class.yaml", "--dry-run", *TRUST).err
    write("class.yaml", CONFIG.replace("uniform}", "uniform, decks: 2}"))
    for more in (("--dry-run",), ()):
        told = cli("run", "class.yaml", "--workers", 1, *more, *TRUST).err.splitlines()
        assert [line for line in told if "checked for" in line] == [
            f"desk: the competitors were checked for {GAME_TEXT}, and the game here is "
            f"{GAME_TEXT[:-1]}, decks: 2}}. They may fail: submit them again for this game, to "
            "another folder."
        ]


def test_a_source_that_was_changed_does_not_play(
    cli: Cli, write: Write, submit: Any, tmp_path: Path
) -> None:
    """Whoever changes a file in the folder is found out before the run."""
    submit(17)
    (file,) = (tmp_path / "desk").rglob("bold.py")
    file.write_text(PLAYER.replace("TOTAL", "21"), "utf-8")
    write("class.yaml", CONFIG)
    ran = cli("run", "class.yaml", "--no-sandbox")
    assert (ran.status, "was changed after the submission" in ran.err) == (2, True)


def test_a_class_alone_is_resumed(cli: Cli, write: Write, submit: Any, tmp_path: Path) -> None:
    """Nobody but submissions plays, and their folder has gone."""
    for name in ("Ada", "Bob", "Cee", "Dee"):
        cli("submit", CHART, "--as", name, "--author", name, "--to", "desk", "--game", "easybj")
    config = CONFIG.replace("{preset: ve280, shuffle: uniform}", "easybj")
    config = config.replace("minimum: 5\n", "").replace("  - strategy: simple\n", "")
    write("class.yaml", config)
    assert cli("run", "class.yaml", "--workers", 1).status == 0
    (tmp_path / "desk").rename(tmp_path / "gone")
    assert cli("resume", "--workers", 1).status == 0
    assert len(board(cli, "leaderboard")) == 4
