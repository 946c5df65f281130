"""Handles: chosen or random, the same everywhere, and nothing public says whose they are."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

ROSTER = """\
person,as,ids,handle
Ada Lovelace,Ada Q,lovelace,Moonlight
Blaise Pascal,Blaise W,pascal,
Emmy Noether,Emmy N,noether,
"""
TERMS = "game: {preset: ve280, shuffle: uniform}\nroster: roster.csv\n"
CUP = """\
name: Cup
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 8, rounds: 20}
leaderboard: {names: handles, columns: [rank, entrant, author, profit_per_round]}
entrants:
  - submissions: class
  - strategy: mimic
"""
LEVELS = (
    CUP.replace("name: Cup", "name: Levels")
    .replace(
        "{kind: duplicate, tables: 8, rounds: 20}",
        "{kind: multi-table, seats: 3, block_rounds: 10, level_rounds: 10}",
    )
    .replace(
        "leaderboard: {names: handles, columns: [rank, entrant, author, profit_per_round]}\n", ""
    )
)
SEASON = "name: Spring\nruns: [Cup, Levels]\n"
PLAYER = """\
from tourney import Player


class {name}(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < {total}
"""
WHO = {"Ada Q": "lovelace", "Blaise W": "pascal", "Emmy N": "noether"}
WORDS = ("Ada", "Lovelace", "lovelace", "Blaise", "Pascal", "pascal", "Emmy", "Noether", "noether")


@pytest.fixture
def handles(cli: Cli, write: Write, tmp_path: Path) -> dict[str, str]:
    """Take in a class of three, and give their handles by name."""
    (tmp_path / "class").mkdir()
    write("class/submissions.yaml", TERMS)
    write("class/roster.csv", ROSTER)
    for total, (name, login) in enumerate(WHO.items(), start=15):
        file = write(f"{login}.py", PLAYER.format(name=login.title(), total=total))
        assert cli("submit", file, "--as", name, "--author", login, "--to", "class").status == 0
    told = json.loads(cli("submissions", "class", "--handles", "--json").out)
    return {each["name"]: each["handle"] for each in told}


def test_the_organiser_sees_who_is_who(cli: Cli, handles: dict[str, str]) -> None:
    """A handle of one's own, and random ones that stay the same."""
    assert handles["Ada Q"] == "Moonlight"
    assert len(set(handles.values())) == 3
    again = cli("submissions", "class", "--handles")
    rows = [line.split() for line in again.lines[2:]]
    assert [row[-1] for row in rows] == ["own", "random", "random"]
    assert all(handle in again.out for handle in handles.values())
    assert again.err == ""


def test_the_key_is_the_organisers_alone(handles: dict[str, str], tmp_path: Path) -> None:
    """Nobody else of the machine may read it."""
    del handles
    assert (tmp_path / "class" / "handles.key").stat().st_mode & 0o077 == 0


def test_a_handle_is_the_same_in_runs_boards_and_the_season(
    cli: Cli, write: Write, handles: dict[str, str]
) -> None:
    """The first board says so itself, the second is asked."""
    assert cli("run", write("cup.yaml", CUP)).status == 0
    assert cli("run", write("levels.yaml", LEVELS)).status == 0
    boards = [cli("leaderboard", name, "--names", "handles") for name in ("Cup", "Levels")]
    boards.append(cli("season", write("season.yaml", SEASON)))
    for board in boards:
        for handle in handles.values():
            assert handle in board.out
        assert not any(word in board.out for word in WORDS)
        assert sum("Player " in line for line in board.lines) == 1  # mimic, who is no person


def test_another_folder_with_the_same_key_gives_the_same_handles(
    cli: Cli, handles: dict[str, str], tmp_path: Path
) -> None:
    """For the next assignment of a course."""
    (tmp_path / "next").mkdir()
    for name in ("handles.key", "submissions.yaml", "roster.csv"):
        (tmp_path / "next" / name).write_bytes((tmp_path / "class" / name).read_bytes())
    sent = ("submit", "pascal.py", "--as", "Blaise W", "--author", "pascal", "--to", "next")
    assert cli(*sent).status == 0
    told = json.loads(cli("submissions", "next", "--handles", "--json").out)
    assert [each["handle"] for each in told] == [handles["Blaise W"]]


def test_published_pages_hold_handles_and_nothing_of_who_is_behind_them(
    cli: Cli, write: Write, handles: dict[str, str], tmp_path: Path
) -> None:
    """No file of the site has a name, a login, a file or a digest of a source."""
    assert cli("run", write("cup.yaml", CUP)).status == 0
    assert cli("publish", "--output", "site").status == 0
    digests = [path.name for path in (tmp_path / "class").glob("*/*") if len(path.name) == 32]
    assert len(digests) == 3
    site = tmp_path / "site"
    pages = [path.read_text() for path in site.rglob("*") if path.suffix in {".html", ".json"}]
    assert all(any(handle in page for page in pages) for handle in handles.values())
    for page in pages:
        assert not any(word in page for word in (*WORDS, *digests))


def test_names_and_handles_never_stand_on_pages_together(
    cli: Cli, write: Write, handles: dict[str, str], tmp_path: Path
) -> None:
    """A site by name tells no handle, and its data lead to none."""
    assert cli("run", write("cup.yaml", CUP)).status == 0
    assert cli("publish", "--output", "open", "--show-hidden").status == 0
    told = [path.read_text() for path in (tmp_path / "open").rglob("*.json")]
    told += [path.read_text() for path in (tmp_path / "open").rglob("*.html")]
    assert any("Ada Q" in page for page in told)
    assert not any(handle in page for handle in handles.values() for page in told)
    again = ("publish", "--data", "open/data.json", "--output", "again", "--names", "handles")
    assert cli(*again).status == 0
    assert "Player 1" in (tmp_path / "again" / "index.html").read_text()


def test_pages_made_again_keep_their_handles(
    cli: Cli, write: Write, handles: dict[str, str], tmp_path: Path
) -> None:
    """From data that tell handles the same pages follow, and they can be verified."""
    del handles
    assert cli("run", write("cup.yaml", CUP)).status == 0
    assert cli("publish", "--output", "site").status == 0
    assert cli("publish", "--data", "site/data.json", "--output", "again").status == 0
    page = "index.html"
    assert (tmp_path / "again" / page).read_bytes() == (tmp_path / "site" / page).read_bytes()
    assert cli("verify", "--site", "site").status == 0


def test_every_command_that_names_an_entrant_takes_its_handle(
    cli: Cli, write: Write, handles: dict[str, str]
) -> None:
    """However it is capitalised; the name goes as well."""
    assert cli("run", write("cup.yaml", CUP)).status == 0
    handle = handles["Blaise W"].upper()
    one = cli("replay", "--entrant", handle, "--table", "1", "--range", "1-1")
    assert (one.status, one.out) == (0, cli(*one_of("Blaise W")).out)
    assert cli("verdicts", "--entrant", handle).status == 0
    version = json.loads(cli("submissions", "class", "--json").out)[1]["digest"]
    assert "Blaise W: version" in cli("submissions", "class", "--pin", handle, version).err
    assert cli("submissions", "class", "--show-report", handle, version).status == 0
    sent = cli(
        "submit", "lovelace.py", "--as", "moonlight", "--author", "lovelace", "--to", "class"
    )
    assert "accepted as Ada Q" in sent.out
    write("export.csv", "Student,ID,Section,Cup (1)\nAda,lovelace,,\n")
    asked = (
        "grades",
        "Cup",
        "--gradebook",
        "export.csv",
        "--fill-column",
        "Cup",
        "--roster",
        "class",
    )
    told = cli(*asked, "--marks-by", f"beats:{handle}")
    assert (told.status, "the first that Blaise W may have" in told.err) == (0, True)
    why = "because"
    gone = cli("submissions", "class", "--withdraw", handle, version, "--reason", why)
    assert "Blaise W: version" in gone.err


def one_of(name: str) -> tuple[str, ...]:
    """Give the command that shows somebody's first round."""
    return ("replay", "--entrant", name, "--table", "1", "--range", "1-1")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("Ada,Ada,Player 3\n", "handle 'Player 3' is reserved for entrants without a handle"),
        ("Ada,Ada,=1+1\n", "handle '=1+1': it begins with '=', and a spreadsheet"),
        ("Emmy,Emmy,\nAda,Ada,Emmy\n", "handle 'Emmy' is too much like 'Emmy'; choose another"),
        ("Ada,Ada,Moon\nEmmy,Emmy,M00n\n", "handle 'M00n' is too much like 'Moon'; choose another"),
        ("Ada,Seine,Moon\nEmmy,Seine,Sun\n", "Seine has two handles, 'Moon' and 'Sun'"),
    ],
)
def test_a_handle_is_nobody_elses(
    cli: Cli, write: Write, tmp_path: Path, rows: str, message: str
) -> None:
    """Neither a name of others nor like one, and no formula; said with the line of the roster."""
    (tmp_path / "class").mkdir()
    write("class/submissions.yaml", TERMS)
    write("class/roster.csv", f"person,as,handle\n{rows}")
    ran = cli("submissions", "class")
    assert ran.status == 2
    assert message in ran.err
    assert f"roster.csv:{1 + rows.count(chr(10))}:1" in ran.err


def test_a_damaged_key_is_no_other_key(cli: Cli, handles: dict[str, str], tmp_path: Path) -> None:
    """With another one everybody would be called otherwise, so it is refused."""
    del handles
    (tmp_path / "class" / "handles.key").write_text("12")
    ran = cli("submissions", "class", "--handles")
    assert (ran.status, ran.out) == (2, "")
    assert "handles.key is damaged: it must have 64 hexadecimal digits" in ran.err
