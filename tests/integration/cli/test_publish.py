"""`publish`: pages from a run, the same pages from their data, and no more than may be told."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.support.told import told_of, write_told, wrong_of_tables
from tourney.cli import progress

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CUP = """\
name: Cup
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 8, rounds: 30}
entrants:
  - {strategy: simple, as: Ada Q., group: staff}
  - {strategy: counting, as: Blaise W.}
  - {strategy: never-bust, as: Sofja X.}
"""
NAMES = ("Ada Q.", "Blaise W.", "Sofja X.", "staff", "counting", "never-bust")


@pytest.fixture
def played(cli: Cli, write: Write) -> Cli:
    """Play a small cup."""
    write("cup.yaml", CUP)
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    return cli


def _files(folder: str) -> dict[str, bytes]:
    place = Path(folder)
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file()
    }


def test_the_same_run_gives_the_same_bytes_and_so_do_its_data(played: Cli) -> None:
    """Nothing hangs on the clock, and the JSON alone rebuilds the site."""
    for arguments in ("--output a", "--output b", "--data a/data.json --output c"):
        assert played("publish", *arguments.split()).status == 0
    assert _files("a") == _files("b") == _files("c")


def test_the_data_fit_their_schema(played: Cli) -> None:
    """`data.schema.json` beside them says what they are."""
    played("publish", "--output", "site")
    schema = json.loads(Path("site/data.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    parts = {"data": schema}
    for kind, name in (("entrants", "PagePart"), ("hands", "HandsPart")):
        parts[kind] = {"$defs": schema["$defs"], "$ref": f"#/$defs/{name}"}
    seen = set()
    for path in Path("site").rglob("*.json"):
        kind = "data" if path.name == "data.json" else path.parent.name
        if path.name != "data.schema.json":
            Draft202012Validator(parts[kind]).validate(json.loads(path.read_text()))
            seen.add(kind)
    assert seen == {"data", "entrants", "hands"}


def test_every_cell_of_the_board_stands_in_the_data(played: Cli) -> None:
    """What pages print of results is text of the data, with true minus signs."""
    played("publish", "--output", "site")
    told = told_of("site")
    page = Path("site/index.html").read_text()
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    shown = [text for text in re.findall(r">([^<>]+)<", body) if text.strip()]
    known = {
        cell["text"].replace("-", "\N{MINUS SIGN}") if column["is_number"] else cell["text"]
        for entrant in told["entrants"]
        for column, cell in zip(told["columns"], entrant["cells"], strict=True)
    }
    assert shown
    assert {text.replace("&amp;", "&") for text in shown} <= known


def test_a_rule_that_the_game_leaves_open_is_not_on_the_page(played: Cli) -> None:
    """Such as the minimum, which the configuration sets."""
    played("publish", "--output", "site")
    assert told_of("site")["run"]["rules"]["minimum"] == "None"
    page = Path("site/index.html").read_text()
    assert "<dt>soft 17</dt><dd>stand</dd>" in page
    assert ">None<" not in page


def test_pages_refer_to_nothing_outside_their_folder(played: Cli) -> None:
    """A site works from disk, and every link of it leads somewhere."""
    played("publish", "--output", "site")
    for path in Path("site").rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"#]+)"', path.read_text()):
            if not link.startswith("data:"):
                assert (path.parent / link).is_file(), (path, link)


def test_the_commitment_and_the_secret_are_shown(played: Cli) -> None:
    """Anybody can check that the shoes were fixed before play."""
    played("publish", "--output", "site")
    page = Path("site/index.html").read_text()
    run = told_of("site")["run"]
    assert run["commitment"] in page
    assert run["secret"] in page


def test_handles_leave_no_name_in_any_file(played: Cli) -> None:
    """Neither in the pages, nor in the data, nor in the names of files."""
    played("publish", "--output", "site", "--names", "handles")
    for name, content in _files("site").items():
        if not name.startswith("static/"):
            assert not [word for word in NAMES if word.encode() in content], name
    assert "Player 1" in Path("site/index.html").read_text()


def test_top_one_leaves_nobody_else_in_any_file(played: Cli) -> None:
    """Not even where the first meets them head to head."""
    played("publish", "--output", "all")
    first = told_of("all")["entrants"][0]["name"]
    played("publish", "--data", "all/data.json", "--output", "site", "--top", "1")
    others = [name for name in NAMES[:3] if name != first]
    for name, content in _files("site").items():
        assert not [word for word in others if word.encode() in content], name


def test_a_freeze_withholds_results_and_the_secret(played: Cli) -> None:
    """With the secret anybody could play the run again, and know."""
    played("publish", "--output", "site", "--freeze", "2001-01-01", "--reveal", "2999-01-01")
    told = told_of("site")
    assert told["run"]["secret"] is None
    assert [each["name"] for each in told["entrants"]] == sorted(NAMES[:3])
    assert not any(each["cells"] or each["results"] for each in told["entrants"])
    assert "hidden until 2999-01-01" in Path("site/index.html").read_text()
    assert not list(Path("site").glob("hands/*"))


@pytest.mark.parametrize("top", [None, "2"])
def test_a_sealed_page_shows_what_may_be_told(played: Cli, top: str | None) -> None:
    """Who plays, by group, unless that is withheld; the commitment; and no word of a standing."""
    asked = ["--top", top] if top else []
    played("publish", "--output", "all")
    told = told_of("all")
    told["run"] |= {"status": "playing", "finished": None, "secret": None, "salt": None}
    write_told("all", told)
    asked += ["--freeze", "2001-01-01", "--reveal", "2999-01-01"]
    assert played("publish", "--data", "all/data.json", "--output", "site", *asked).status == 0
    page = Path("site/index.html").read_text()
    assert "interim results" not in page
    assert "Not finished yet." in page
    assert told["run"]["commitment"] in page
    assert "<table" not in page
    shown = [name for name in NAMES[:3] if f"<li>{name}</li>" in page]
    assert shown == ([] if top else list(NAMES[:3]))
    assert ("<h3>staff</h3>" in page) is not bool(top)


def test_a_ceremony_is_published_only_with_final_results(played: Cli) -> None:
    """Otherwise it would show the places before the reveal; an earlier one is removed."""
    ceremony = Path("site/ceremony.html")
    played("publish", "--output", "site")
    assert 'href="ceremony.html"' in Path("site/index.html").read_text()
    assert all(f">{name}" in ceremony.read_text() for name in NAMES[:3])
    played("publish", "--output", "site", "--freeze", "2001-01-01")
    assert not ceremony.exists()
    assert "ceremony.html" not in Path("site/index.html").read_text()
    played("publish", "--output", "site")
    assert ceremony.exists()
    told = told_of("site")
    told["run"] |= {"status": "playing", "finished": None, "secret": None, "salt": None}
    write_told("site", told)
    played("publish", "--data", "site/data.json", "--output", "site")
    assert not ceremony.exists()
    assert "interim results" in Path("site/index.html").read_text()


def test_what_was_withheld_once_stays_withheld(played: Cli) -> None:
    """Data that were told under a policy hold no more than that."""
    played("publish", "--output", "a", "--names", "handles", "--top", "2")
    played("publish", "--data", "a/data.json", "--output", "b")
    assert _files("a") == _files("b")


def test_pages_of_who_is_no_longer_shown_are_removed(played: Cli) -> None:
    """A site that is written again holds what it tells now."""
    played("publish", "--output", "site")
    played("publish", "--output", "site", "--top", "1", "--show-tables", "1")
    pages = sorted(path.name for path in Path("site").glob("*/*.html"))
    assert pages == ["1-1-1.html", "1-2-1.html", "1.html"]


def test_a_folder_with_other_files_is_refused(played: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's home becomes a site by a slip; no table is played again first."""
    monkeypatch.setattr("tourney.cli.publish.collect", lambda *_, **__: pytest.fail("replayed"))
    Path("home").mkdir()
    Path("home/letter.txt").write_text("dear Ada")
    ran = played("publish", "--output", "home", "--show-tables", "0", "--samples", "0")
    assert ran.status == 2
    assert "home: the folder has other files than a site" in ran.err


def test_data_that_are_none_are_refused(played: Cli, write: Write) -> None:
    """With the place that is wrong."""
    write("data.json", '{"version": 2, "run": {}}')
    ran = played("publish", "--data", "data.json", "--output", "site")
    assert ran.status == 2
    assert "data.json: run.name: field required" in ran.err


def test_without_replays_nobody_is_played_again(played: Cli) -> None:
    """No hands, no fans and no decisions, but everything else."""
    played("publish", "--output", "site", "--show-tables", "0", "--samples", "0")
    told = told_of("site")
    first = told["entrants"][0]
    assert (first["tables"], first["fan"], first["decisions"]) == ([], None, None)
    assert first["duels"]


def test_the_leaderboard_tells_no_more_than_the_pages(played: Cli) -> None:
    """The same policy holds for the terminal, CSV and JSON."""
    for codec in ("simple", "github", "csv", "json"):
        board = played("leaderboard", "--format", codec, "--names", "handles", "--top", "2")
        assert not [word for word in NAMES if word in board.out + board.err], codec
        assert "Player 2" in board.out
        assert "Player 3" not in board.out
        sealed = played("leaderboard", "--format", codec, "--freeze", "2001-01-01")
        assert not [word for word in NAMES[:3] if word in sealed.out + sealed.err], codec


@pytest.mark.parametrize("folder", ["taken/site", "taken/deep/site"])
def test_a_folder_that_cannot_be_made_is_named(played: Cli, folder: str) -> None:
    """A file stands where it would have to lie."""
    Path("taken").write_text("", encoding="utf-8")
    ran = played("publish", "--output", folder)
    assert ran.status == 1
    assert ran.err.startswith("taken/")
    assert ran.err.endswith("the output cannot be written (Not a directory)\n")


def test_a_log_says_now_and_then_how_far_it_is(
    played: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In plain lines, and none where it is done at once."""
    assert "looked at again" not in played("publish", "--output", "a").err
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    ran = played("publish", "--output", "b")
    assert ran.err.splitlines()[-2] == "24 of 24 tables looked at again"


def test_a_column_is_added_to_the_board_of_a_run_that_is_over(played: Cli) -> None:
    """On the terminal, in exports and on the pages; once, if it is there already."""
    for asked in ("--column handle --column rank", "--column handle --format csv"):
        ran = played("leaderboard", *asked.split())
        assert ran.status == 0
        assert "Total bet" in ran.lines[0] or "handle" in ran.lines[0]
    played("publish", "--output", "site", "--column", "handle", "--column", "rank")
    names = [column["name"] for column in told_of("site")["columns"]]
    assert names[-1] == "handle"
    assert names.count("rank") == 1
    assert played("verify", "--site", "site").status == 0


@pytest.mark.parametrize("number", [0, 1])
def test_a_column_that_cannot_be_had_is_told(cli: Cli, write: Write, number: int) -> None:
    """One that nobody knows, and one that needs what this run has not stored."""
    write("cup.yaml", (FLOOR, f"{CUP}luck_adjustment: false\n")[number])
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    for command in (("leaderboard",), ("publish", "--output", "site")):
        ran = cli(*command, "--column", "adjusted_profit")
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("column adjusted_profit: expected one that makes sense here: ")
        assert "luck of the cards was not followed" in ran.err
        assert ran.err.count("\n") == 1
        assert "column: expected one of rank, " in cli(*command, "--column", "nonsense").err
        meant = "got 'profit' (did you mean 'profit_per_round'?)\n"
        assert cli(*command, "--column", "profit").err.endswith(meant)


FLOOR = """\
name: Floor
seed: 3
game: ve280
bankroll: 100
minimum: 5
format: {kind: multi-table, seats: 3, block_rounds: 6, minimums: [5, 10, 25, 50]}
entrants: [{strategy: simple, count: 3}, {strategy: counting}]
"""
"""A run whose places the format gives, so that no luck is followed."""


BLACKJACK = "{preset: ve280, shuffle: uniform}\nbankroll: 200\nminimum: 5", NAMES[4:]
STRAIGHTS = "straights", ("first-legal", "thrifty", "blocker", "bookkeeper")
PLAYED = {
    "independent, tables: 8, rounds: 30, batch_tables: 4": BLACKJACK,
    "duplicate, tables: 6, rounds: 30, block_rounds: 7": BLACKJACK,
    "match, tables: 7": STRAIGHTS,
    "multi-table, seats: 2, level_rounds: 10, block_rounds: 5": BLACKJACK,
}


@pytest.mark.parametrize("kind", PLAYED)
def test_tables_are_told_as_they_went(cli: Cli, write: Write, kind: str) -> None:
    """Curves end where tables did; the best have more chips or fewer points, and so have rivals."""
    game, strategies = PLAYED[kind]
    entrants = "".join(f"  - {{strategy: {each}, count: 2}}\n" for each in strategies)
    write(
        "cup.yaml",
        f"name: Cup\nseed: 3\ngame: {game}\nformat: {{kind: {kind}}}\nentrants:\n{entrants}",
    )
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    cli("publish", "--output", "site", "--show-tables", "4")
    is_points = game == "straights"
    assert not wrong_of_tables(told_of("site"), is_match=is_points, more_is_better=not is_points)
    assert cli("verify", "--site", "site", "--workers", "1").status == 0


@pytest.mark.parametrize("home", ["https://example.edu/cs101", "../index.html"])
def test_every_page_leads_back_to_the_home_of_the_course(cli: Cli, played: Path, home: str) -> None:
    """A path counts from the folder of the site, so it is longer on pages in its folders."""
    assert cli("publish", "--output", "site", "--home", home).status == 0
    pages = list(Path("site").rglob("*.html"))
    assert len(pages) > 3
    for path in pages:
        (back,) = re.findall(r'<a href="([^"]+)">Course home</a>', path.read_text())
        whole = home if "://" in home else str((path.parent / back).resolve())
        assert whole == (back if "://" in home else str(Path("index.html").resolve()))
    assert cli("verify", "--site", "site").status == 0


def test_the_home_of_the_configuration_is_linked_without_the_option(cli: Cli, write: Write) -> None:
    """The run keeps it, and the option overrides it."""
    write("cup.yaml", f"{CUP}home: https://example.edu/cs101\n")
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    publish = ("publish", "--output", "site", "--show-tables", "0", "--samples", "0")
    for option, home in (
        ([], "https://example.edu/cs101"),
        (["--home", "../index.html"], "../index.html"),
    ):
        assert cli(*publish, *option).status == 0
        assert f'<a href="{home}">Course home</a>' in Path("site/index.html").read_text()
        assert cli("verify", "--site", "site").status == 0


def test_a_home_of_the_configuration_that_is_no_page_has_its_place(cli: Cli, write: Write) -> None:
    """A browser would run it."""
    lines = len(CUP.splitlines())
    write("cup.yaml", f"{CUP}home: javascript:alert(1)\n")
    ran = cli("run", "cup.yaml", "--dry-run")
    assert ran.status == 2
    assert f"cup.yaml:{lines + 1}:7: home: expected an address such as https://example" in ran.err


def test_a_home_that_is_no_page_is_refused(cli: Cli, played: Path) -> None:
    """A browser would run it."""
    ran = cli("publish", "--output", "site", "--home", "javascript:alert(1)")
    assert ran.status == 2
    assert "expected an address such as https://example.edu/cs101" in ran.err
    assert not Path("site").exists()
