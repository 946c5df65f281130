"""`verify --site`: whoever has the published files only can check what they say."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.proving import with_more
from tests.support.told import told_of, write_told
from tourney.cli import main

from .test_watch import interrupt

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CUP = """\
name: Cup
seed: 3
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 6, rounds: 20}
entrants:
  - {strategy: simple, as: Ada Q., group: staff}
  - {strategy: counting, as: Blaise W.}
  - {strategy: never-bust, as: Sofja X.}
  - {strategy: mimic, as: Emmy Y.}
"""


STRAIGHTS = "game: straights", "thrifty first-legal blocker gatekeeper bookkeeper"
GAMES = "game: straights", STRAIGHTS[1]
SEVERAL = "counting sharp kelly progression chaser finisher"
KINDS = {
    "straights": (*STRAIGHTS, "{kind: duplicate, tables: 8, rounds: 3}"),
    "games": (*GAMES, "{kind: match, tables: 4, games: 2}"),
    "swiss": (*STRAIGHTS, "{kind: swiss, rounds: 3, waves: 2}"),
    "casino": (
        "game: european",
        SEVERAL,
        "{kind: independent, tables: 5, rounds: 40, block_rounds: 15}",
    ),
    "double deck": ("game: double-deck", SEVERAL, "{kind: duplicate, tables: 5, rounds: 40}"),
    "riffles": ("game: ve280", SEVERAL, "{kind: duplicate, tables: 4, rounds: 30}"),
    "fixed wagers": ("game: csc24400", "simple mimic", "{kind: duplicate, tables: 4, rounds: 40}"),
    "knockout": ("game: six-decks-s17", SEVERAL, "{kind: knockout, seats: 3, rounds: 12}"),
    "many tables": (
        "game: six-decks-h17",
        SEVERAL,
        "{kind: multi-table, seats: 3, block_rounds: 6, minimums: [5]}",
    ),
}
"""Small tournaments of all kinds: game, entrants and format."""
LONG = ("casino", "double deck", "many tables")
"""Those of which best play is worked out anew, for seconds: for `make prove`."""

FAILING = """\
from tourney import Player


class Failing(Player):
    def __init__(self):
        self.left = 25

    def bet(self, bankroll, minimum):
        self.left -= 1
        return minimum if self.left else 0

    def draw(self, dealer, player):
        return player.total() < 17 if player.total() != 13 else None
"""


BETWEEN = """\
from tourney import Player


class Failing(Player):
    def __init__(self):
        self.left = LEFT

    def bet(self, bankroll, minimum):
        return 0 if METHOD == "bet" and self.left < 0 else minimum

    def expose(self, card):
        if METHOD == "expose" and self.left < 0 and self.stands:
            raise ValueError

    def draw(self, dealer, player):
        self.left -= 1
        self.stands = player.total >= 17
        return not self.stands
"""
"""Fails once it was asked often enough, but never within a round."""


@pytest.mark.parametrize("kind", with_more([each for each in KINDS if each not in LONG], LONG))
def test_every_kind_of_tournament_verifies(cli: Cli, write: Write, kind: str) -> None:
    """Boards and hands, as far as they follow from what is published."""
    game, strategies, form = KINDS[kind]
    chips = "" if "straights" in game else f"bankroll: {20 if 'csc' in game else 300}"
    least = "minimum: 5" if chips and "csc" not in game else ""
    entrants = "".join(f"  - strategy: {name}\n" for name in strategies.split())
    head = f"name: Cup\nseed: 11\n{game}\n{chips}\n{least}\nformat: {form}\n"
    write("cup.yaml", f"{head}entrants:\n{entrants}")
    assert cli("commit", "cup.yaml", "--anchor", "anchor.json").status == 0
    assert cli("run", "cup.yaml", "--anchor", "anchor.json", "--workers", "1").status == 0
    published = cli("publish", "--output", "site", "--show-tables", "1", "--samples", "0")
    said = [each for each in published.err.splitlines() if not each.endswith(" looked at again")]
    assert (published.status, len(said)) == (0, 1)  # a busy machine says how far it is, too
    ran = cli("verify", "--site", "site", "--anchor", "anchor.json")
    assert (ran.status, ran.err) == (0, "")
    assert "which fix the configuration, the secret, " in ran.out
    assert "dealt from the secret and played by the published moves" in ran.out


@pytest.mark.parametrize("cost", ["zero", "disqualify", "keep"])
def test_tables_with_faults_verify(cli: Cli, write: Write, cost: str) -> None:
    """Whatever a verdict costs; hands are dealt again up to the fault and after it."""
    write("failing.py", FAILING)
    write(
        "cup.yaml",
        "name: Cup\nseed: 3\ngame: {preset: ve280, shuffle: uniform}\nbankroll: 200\nminimum: 5\n"
        f"format: {{kind: duplicate, tables: 6, rounds: 30, on_fault: {cost}}}\n"
        "entrants: [{strategy: simple}, {strategy: mimic}, {file: failing.py}]\n",
    )
    assert cli("run", "cup.yaml", "--workers", "1", "--no-sandbox").status == 1
    assert cli("publish", "--output", "site", "--no-sandbox").status == 0
    ran = cli("verify", "--site", "site")
    assert (ran.status, ran.err) == (0, "")
    own = next(each for each in told_of("site")["entrants"] if each["name"] == "failing")
    page = Path(f"site/entrants/{own['number']}.html").read_text()
    # Which tables are worst is as true as the mean: it counts those that are lost.
    worst = [each["result"] for each in own["tables"] if each["kind"] == "worst"]
    assert page.count("<td>worst, lost by a fault</td>") == (3 if cost == "zero" else 0)
    assert (worst == [0.0, 0.0, 0.0]) == (cost == "zero")
    assert (" 6 of them were lost by a fault and count as the worst result." in page) == (
        cost == "zero"
    )


@pytest.mark.parametrize(
    ("game", "method", "left"),
    [
        ("game: {preset: ve280, shuffle: uniform}\nminimum: 5", "bet", 20),
        ("game: {preset: ve280, shuffle: uniform}\nminimum: 5", "expose", 20),
        ("game: csc24400", "expose", 20),
        ("game: {preset: ve280, shuffle: uniform}\nminimum: 5", "bet", -1),
    ],
    ids=["wagers", "cards", "fixed wagers", "the first wager"],
)
def test_tables_with_a_fault_between_rounds_verify(
    cli: Cli, write: Write, game: str, method: str, left: int
) -> None:
    """Alone at a table, it leaves no line of the round that was to come."""
    write("failing.py", BETWEEN.replace("METHOD", repr(method)).replace("LEFT", str(left)))
    write(
        "cup.yaml",
        f"name: Cup\nseed: 3\n{game}\nbankroll: 200\n"
        "format: {kind: duplicate, tables: 6, rounds: 30}\n"
        "entrants: [{strategy: mimic}, {file: failing.py}]\n",
    )
    assert cli("run", "cup.yaml", "--no-sandbox").status == 1
    assert cli("publish", "--output", "site", "--no-sandbox").status == 0
    ran = cli("verify", "--site", "site")
    assert (ran.status, ran.err) == (0, "")
    own = next(each for each in told_of("site")["entrants"] if each["name"] == "failing")
    played = [block["rounds"] for table in own["tables"] for block in table["blocks"]]
    assert len(played) == 6
    assert all((left > 0) <= len(rounds) < 30 and "#" not in "".join(rounds) for rounds in played)


def test_ranks_of_an_unfinished_run_allow_for_who_has_not_played(cli: Cli, write: Write) -> None:
    """Whoever leads may still be passed by them; the page counts them, and all of it verifies."""
    config = write("cup.yaml", CUP.replace("tables: 6", "tables: 200"))
    interrupt(config, Path("tourney.db"), 2)
    board = json.loads(cli("leaderboard", "--format", "json").out)
    ranks = [row["rank_set"] for row in board]
    assert all(each.endswith((" to 3", " to 4")) for each in ranks), ranks
    assert len(ranks) == 2
    assert cli("publish", "--output", "site").status == 0
    page = Path("site/index.html").read_text(encoding="utf-8")
    assert "2 entrants have no finished table yet, so their ranks are open." in page
    ran = cli("verify", "--site", "site")
    assert (ran.status, ran.err) == (0, "")
    _forge(cli, Path("site"), lambda told: told["run"].update(status="finished"))
    said = cli("verify", "--site", "site").err
    assert "data.json: policy: absent: expected 0 in a finished run" in said


def test_rounds_are_not_left_off_the_end_of_a_table(cli: Cli, site: Path) -> None:
    """Only a verdict ends it early, and one would stand among the results."""

    def cut(told: dict[str, Any]) -> None:
        (block,) = told["entrants"][1]["tables"][0]["blocks"]
        block["rounds"].pop()
        block["last"] = [237.0]

    _forge(cli, site, cut)
    ran = cli("verify", "--site", site)
    assert ran.status == 1
    assert "the hands have a fault that is missing in the results" in ran.err


def test_tables_of_a_player_that_is_never_made_verify(cli: Cli, write: Write) -> None:
    """Alone at a table it plays no round, and that is what is published."""
    write("stillborn.py", FAILING.replace("self.left = 25", "raise ValueError"))
    write("cup.yaml", CUP + "  - file: stillborn.py\n")
    assert cli("run", "cup.yaml", "--no-sandbox", "--workers", "1").status == 1
    assert cli("publish", "--output", "site", "--no-sandbox").status == 0
    ran = cli("verify", "--site", "site")
    assert (ran.status, ran.err) == (0, "")


@pytest.fixture(scope="module")
def _published(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Play and publish a small cup once; give the files of its site."""
    folder = tmp_path_factory.mktemp("published")
    config, store, site = folder / "cup.yaml", folder / "cup.db", folder / "site"
    config.write_text(CUP, encoding="utf-8")
    assert main(["run", str(config), "--store", str(store), "--workers", "1"]) == 0
    asked = [
        "publish",
        "--store",
        str(store),
        "--output",
        str(site),
        "--show-tables",
        "1",
        "--samples",
        "2",
    ]
    assert main(asked) == 0
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def site(cli: Cli, _published: dict[str, bytes]) -> Path:
    """Lay the site into the folder of the test, without the store."""
    assert cli
    for name, content in _published.items():
        path = Path("site") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return Path("site")


def _forge(cli: Cli, site: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the data, and make all pages anew, as a careful forger would."""
    told = told_of(site)
    change(told)
    write_told(site, told)
    assert cli("publish", "--data", site / "data.json", "--output", site).status == 0


def test_a_site_as_published_verifies_without_its_store(cli: Cli, site: Path) -> None:
    """Commitment, pages, board and hands, each in one line."""
    ran = cli("verify", "--site", site)
    assert (ran.status, ran.err) == (0, "")
    verified = [line for line in ran.lines if line.startswith("verified: ")]
    assert verified[0] == "verified: commitment: the secret and the salt open it"
    assert re.fullmatch(r"verified: pages: \d+ files are as data.json gives them", verified[1])
    assert "cells of 4 rows follow from 24 published tables" in verified[2]
    assert "160 rounds at 8 tables, dealt from the secret" in verified[3]


def test_what_nobody_can_verify_is_named(cli: Cli, site: Path) -> None:
    """With the reason, so that nobody takes the rest for the whole."""
    ran = cli("verify", "--site", site)
    left = "\n".join(line for line in ran.lines if line.startswith("not verified: "))
    assert "the hands of 16 of 24 tables: they are not published" in left
    assert "that the commitment was published before play" in left
    assert "fans, curves of tables, decisions, verdicts" in left


def test_a_changed_cell_of_the_data_is_found(cli: Cli, site: Path) -> None:
    """Even where all pages agree with it."""

    def change(told: dict[str, Any]) -> None:
        names = [column["name"] for column in told["columns"]]
        cell = told["entrants"][0]["cells"][names.index("profit_per_round")]
        cell |= {"value": 0.5, "text": "+0.5000"}

    _forge(cli, site, change)
    ran = cli("verify", "--site", site)
    name = told_of(site)["entrants"][0]["name"]
    assert ran.status == 1
    lines = ran.err.splitlines()
    assert re.fullmatch(
        rf"data.json: {name}: Profit per round: expected [+-]0\.\d+ by the tables, got \+0.5000",
        lines[0],
    )
    assert lines[-1] == "site: 1 difference"


def test_a_changed_result_of_a_table_is_found_in_board_and_hands(cli: Cli, site: Path) -> None:
    """A bankroll that was never won moves the mean, and is not what the cards gave."""

    def change(told: dict[str, Any]) -> None:
        first = told["entrants"][0]
        results, best = first["results"], first["tables"][0]
        at = results["table"].index(best["table"])
        results["final"][at] += 100
        results["net"][at] += 100

    _forge(cli, site, change)
    ran = cli("verify", "--site", site)
    assert ran.status == 1
    assert "Mean final bankroll (95 %): expected" in ran.err
    assert re.search(r"hands of .*, table \d+: net: the hands give -?\d+, but", ran.err)


@pytest.mark.parametrize("part", ["card", "move", "wager"])
def test_a_changed_hand_is_found(cli: Cli, site: Path, part: str) -> None:
    """The shoe is dealt again, and the moves are played again."""

    def change(told: dict[str, Any]) -> None:
        rounds = told["entrants"][1]["tables"][0]["blocks"][0]["rounds"]
        heads, wagers, events = rounds[2].split("|")
        if part == "card":
            events = ("a" if events[0] != "a" else "b") + events[1:]
        elif part == "move":
            events = re.sub(r"\d(?=[!^]|\D*=)", lambda found: str(1 - int(found[0]) % 2), events)
        else:
            wagers = str(int(wagers) + 1)
        rounds[2] = f"{heads}|{wagers}|{events}"

    _forge(cli, site, change)
    ran = cli("verify", "--site", site)
    assert ran.status == 1
    name = told_of(site)["entrants"][1]["name"]
    line = ran.err.splitlines()[0]
    assert line.startswith(f"data.json: hands of {name}, table ")
    assert re.search(r"round \d+: expected .*, got", line)


def test_an_order_that_does_not_follow_is_found(cli: Cli, site: Path) -> None:
    """Nobody climbs the board by changing places with a neighbour."""

    def change(told: dict[str, Any]) -> None:
        rows = told["entrants"]
        for key in ("results", "interval", "duels", "tables"):
            rows[0][key], rows[1][key] = rows[1][key], rows[0][key]

    _forge(cli, site, change)
    ran = cli("verify", "--site", site)
    names = [each["name"] for each in told_of(site)["entrants"]]
    assert ran.status == 1
    expected = f"data.json: row 1: expected {names[1]} by the tables, got {names[0]}"
    assert expected in ran.err.splitlines()


def test_a_changed_page_is_found(cli: Cli, site: Path) -> None:
    """Byte for byte."""
    page = site / "index.html"
    page.write_text(page.read_text().replace("Leaderboard", "Leaderbord", 1))
    (site / "duels.html").unlink()
    (site / "entrants" / "9.html").write_text("<p>I was here, too")
    ran = cli("verify", "--site", site)
    assert ran.status == 1
    assert ran.err.splitlines() == [
        "index.html: the content differs from data.json",
        "duels.html: this page of data.json is missing",
        "entrants/9.html: this page does not belong to data.json",
        "site: 3 differences",
    ]


def test_a_schema_of_another_version_of_pydantic_is_no_difference(cli: Cli, site: Path) -> None:
    """It only describes the data, so an outsider with another version blames nobody."""
    path = site / "data.schema.json"
    path.write_text(path.read_text().replace('"title": "', '"title": "The ', 1))
    ran = cli("verify", "--site", site)
    assert ran.status == 0, ran.err
    assert "data.schema.json: it is not what this version of pydantic writes" in ran.out + ran.err


def test_a_changed_commitment_is_found(cli: Cli, site: Path) -> None:
    """The secret opens one commitment only."""
    _forge(cli, site, lambda told: told["run"].update(commitment="ab" * 32))
    ran = cli("verify", "--site", site)
    assert ran.status == 1
    assert re.fullmatch(
        r"data.json: commitment: expected [0-9a-f]{64} by the secret and the salt, got (ab){32}",
        ran.err.splitlines()[0],
    )


def test_another_secret_deals_other_cards(cli: Cli, site: Path) -> None:
    """A commitment to shoes that were not dealt helps nobody."""

    def change(told: dict[str, Any]) -> None:
        from tourney.game.cards.keys import Secret

        other = Secret.from_seed(4)
        told["run"] |= {
            "secret": other.value.hex(),
            "salt": other.salt.hex(),
            "commitment": other.commitment,
        }

    _forge(cli, site, change)
    ran = cli("verify", "--site", site)
    assert ran.status == 1
    assert len(re.findall(r"hands of .* as card 1 by its shoe, got", ran.err)) == 8


def test_a_site_of_the_first_two_says_what_is_withheld(cli: Cli, site: Path) -> None:
    """What follows from two rows is verified, and no more."""
    cli("publish", "--data", site / "data.json", "--output", "top", "--top", "2")
    ran = cli("verify", "--site", "top")
    assert (ran.status, ran.err) == (0, "")
    assert "cells of 2 rows follow from 12 published tables" in ran.out
    assert (
        "not verified: rank sets, intervals that hold for all rows, and that no other entrant is "
        "better: 2 of 4 entrants are shown\n"
    ) in ran.out


def test_a_site_of_handles_verifies_but_for_names(cli: Cli, site: Path) -> None:
    """Numbers are nobody's secret."""
    cli("publish", "--data", site / "data.json", "--output", "masked", "--names", "handles")
    ran = cli("verify", "--site", "masked")
    assert (ran.status, ran.err) == (0, "")
    assert "not verified: the names of entrants: handles replace them\n" in ran.out


def test_a_sealed_site_has_pages_to_verify_and_no_results(cli: Cli, site: Path) -> None:
    """The secret is sealed with them."""
    sealed = ("--freeze", "2001-01-01", "--reveal", "2999-01-01")
    cli("publish", "--data", site / "data.json", "--output", "sealed", *sealed)
    ran = cli("verify", "--site", "sealed")
    assert (ran.status, ran.err) == (0, "")
    assert [line.partition(":")[0] for line in ran.lines].count("verified") == 1
    assert "not verified: all results: they are sealed until 2999-01-01" in ran.out
    assert "not verified: the commitment, and every shoe: the secret is published when" in ran.out


FORGERIES = {
    "unit": (("run", "unit"), 5, "run.unit: 5 differs from 1, the unit of the rules"),
    "rules": (("run", "rules", "soft_17"), "shrug", "rules: the settings do not fit ve280"),
    "fault": (("run", "fault"), "free", "run.fault: expected lost, out, stands; got 'free'"),
    "secret": (("run", "secret"), "xyz", "secret and salt: they are not hexadecimal"),
    "seal": (("policy", "is_sealed"), True, "it has results although they are sealed"),
    "lists": (("entrants", 0, "results", "net"), [1], "results: expected lists of one length"),
    "tables": (("entrants", 0, "results", "table", 0), 2**70, "heats and tables from 1 to"),
    "duels": (("entrants", 1, "duels"), [], "expected duels with the 3 nearest rows"),
    "interval": (("entrants", 1, "interval"), None, "interval: expected mean="),
    "rounds": (("entrants", 2, "results", "rounds", 0), 3, "table 1: expected 20 rounds, got 3"),
    "seat": (("entrants", 2, "tables", 0, "blocks", 0, "seat"), 4, "the seat is not at the table"),
    "number": (("entrants", 2, "number"), 9, "expected number 3, got 9"),
}
"""Where something is changed, to what, and words of the line that tells."""


@pytest.mark.parametrize("forgery", FORGERIES)
def test_whatever_is_changed_ends_in_a_line_that_says_so(
    cli: Cli, site: Path, forgery: str
) -> None:
    """Never in a traceback."""
    path, value, words = FORGERIES[forgery]
    told = told_of(site)
    part: Any = told
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    write_told(site, told)
    ran = cli("verify", "--site", site)
    assert ran.status == 1
    assert [
        line for line in ran.err.splitlines() if line.startswith("data.json: ") and words in line
    ]


def test_some_tables_will_do_where_there_are_many(cli: Cli, site: Path) -> None:
    """What was not drawn is named."""
    ran = cli("verify", "--site", site, "--sample", "3")
    assert (ran.status, ran.err) == (0, "")
    assert "verified: hands: 60 rounds at 3 tables, dealt from the secret" in ran.out
    assert "not verified: the hands of 5 published tables: by --sample, not drawn" in ran.out


@pytest.mark.parametrize("name", ["entrants/2.json", "hands/2-1.json"])
def test_a_part_that_is_not_the_one_named_above_it_is_found(
    cli: Cli, site: Path, name: str
) -> None:
    """Whoever knows `data.json` byte for byte knows every file, even where nothing follows."""
    path = site / name
    path.write_bytes(path.read_bytes() + b" ")
    ran = cli("verify", "--site", site)
    assert ran.status == 1
    named, found, count = ran.err.splitlines()
    assert re.fullmatch(
        rf"{name}: expected SHA-256 [0-9a-f]{{64}}, as is named, got [0-9a-f]{{64}}", named
    )
    assert found == f"{name}: the content differs from data.json"
    assert count == "site: 2 differences"
    again = cli("publish", "--data", site / "data.json", "--output", "again")
    assert (again.status, again.err) == (2, f"site: {named}\n")


def test_a_part_that_is_missing_is_named(cli: Cli, site: Path) -> None:
    """Data are no more than a row for everybody without the files beside them."""
    (site / "entrants" / "2.json").unlink()
    for command in (("verify", "--site", site), ("publish", "--data", site / "data.json")):
        ran = cli(*command, *(() if command[0] == "verify" else ("--output", "again")))
        assert ran.status == 2
        assert "entrants/2.json: cannot read this part of the site's data: No such" in ran.err
        assert "copy the whole folder with data.json" in ran.err


PARTS = {
    "no details": ("entrants/2.json", "[]", "not details of an entrant"),
    "no JSON": ("entrants/2.json", "{", "not valid JSON: Expecting property name"),
    "no hands": ("hands/2-1.json", "7", "blocks: input should be a valid list"),
    "an unknown form": ("data.json", '{"version": 3}', "data.json: version: input should be 2"),
    "no form": ("data.json", "{}", "data.json: version: input should be 2"),
    "no rows": ("data.json", '{"version": 2, "entrants": 7}', "entrants: input should be a valid"),
    "odd rows": ("data.json", '{"version": 2, "entrants": [7]}', "entrants.0: input should be"),
}


@pytest.mark.parametrize("part", PARTS)
def test_parts_that_are_none_are_refused_by_name(cli: Cli, site: Path, part: str) -> None:
    """Never by a traceback."""
    name, text, words = PARTS[part]
    (site / name).write_text(text)
    ran = cli("verify", "--site", site)
    assert ran.status == 2
    assert words in ran.err


def test_the_folder_of_a_site_instead_of_a_run_is_suggested_as_one(cli: Cli, site: Path) -> None:
    """Whether there is a store or not."""
    ran = cli("verify", site)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "site is the folder of a site, not a run (did you mean `tourney verify --site site`?)\n"
    )


def test_a_folder_that_is_no_site_is_refused(cli: Cli) -> None:
    """With the file that is missing."""
    Path("empty").mkdir()
    ran = cli("verify", "--site", "empty")
    assert ran.status == 2
    assert "empty/data.json: cannot read the data of a site: No such file" in ran.err


def test_a_run_and_a_site_are_not_verified_together(cli: Cli, site: Path) -> None:
    """One of them is meant."""
    ran = cli("verify", "1", "--site", site)
    assert ran.status == 2
    assert "RUN has no effect with --site; leave out one of them" in ran.err
