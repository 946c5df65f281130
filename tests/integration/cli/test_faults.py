"""Competitors that break their contract: a verdict for them, the same board for the others."""

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CONFIG = """\
name: Faults
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
maximum: 50
format: {kind: duplicate, tables: 4, rounds: 20}
entrants:
  - strategy: simple
  - strategy: counting
"""

COMPARING = {
    *("rank_set", "joint_half_width", "above", "above_half_width", "relation", "least_tables")
}

TOP = "from tourney import Player\n\n\nclass Faulty(Player):\n"
BET = "    def bet(self, bankroll, minimum):\n        {}\n\n"
DRAW = "    def draw(self, dealer, player):\n        {}\n"


def file(bet: str = "return minimum", draw: str = "return False", rest: str = "") -> str:
    """Write a competitor: `bet` stands on line 6, `draw` on line 9, the rest begins on line 11."""
    return TOP + BET.format(bet) + DRAW.format(draw) + (f"\n{rest}" if rest else "")


ODD = """\

class Odd(Exception):
    def __repr__(self):
        raise RuntimeError

    __str__ = __repr__
"""

VERDICTS = {
    "raises in its constructor": (
        file(rest="    def __init__(self):\n        raise ValueError('no chips')\n"),
        "faulty.py:12: constructor: expected an answer, got ValueError: no chips (round 1; ",
    ),
    "raises in bet": (
        file(bet="return bankroll // 0"),
        "faulty.py:6: bet: expected an answer, got ZeroDivisionError: ",
    ),
    "raises in draw": (
        file(draw="return [][1]"),
        "faulty.py:9: draw: expected an answer, got IndexError: list index out of range (round ",
    ),
    "raises in expose": (
        file(rest="    def expose(self, card):\n        raise KeyError('card')\n"),
        "faulty.py:12: expose: expected an answer, got KeyError: 'card' (round 1; ",
    ),
    "raises in shuffled": (
        file(rest="    def shuffled(self):\n        raise OSError(5, 'no shoe')\n"),
        "faulty.py:12: shuffled: expected an answer, got OSError: [Errno 5] no shoe (round 1; ",
    ),
    "ends the program": (
        file(draw="import sys; sys.exit('enough')"),
        "faulty.py:9: draw: expected an answer, got SystemExit: enough (round ",
    ),
    "bets a text": (
        file(bet="return '5'"),
        "bet: your bet must be a whole number from 5 to 50; you bet '5'",
    ),
    "bets a fraction": (
        file(bet="return 5.0"),
        "bet: your bet must be a whole number from 5 to 50; you bet 5.0",
    ),
    "bets nothing": (
        file(bet="pass"),
        "bet: your bet must be a whole number from 5 to 50; you bet None",
    ),
    "bets too much": (
        file(bet="return 51"),
        "bet: your bet must be a whole number from 5 to 50; you bet 51 (round 1; ",
    ),
    "bets too little": (
        file(bet="return -5"),
        "bet: your bet must be a whole number from 5 to 50; you bet -5 (round 1; ",
    ),
    "draws a word": (
        file(draw="return 'hit'"),
        "draw: expected True or False, got 'hit': return True to hit or False to stand, not a word",
    ),
    "bets a method that it does not call": (
        file(bet="return self.most", rest="    def most(self):\n        return 5\n"),
        "bet: your bet must be a whole number from 5 to 50; you bet the method most itself: "
        "call it, with parentheses behind its name, or return a whole number (round 1; ",
    ),
    "draws by a function that it does not call": (
        file(draw="return self.random.random"),
        "draw: expected True or False, got the function random itself: call it, with "
        "parentheses behind its name, or return True or False (round ",
    ),
    "bets a list": (
        file(bet="return [5, 10]"),
        "bet: your bet must be a whole number from 5 to 50; you bet a list of 2",
    ),
    "fails inside of Python": (
        file(bet="import json; return json.loads('five')"),
        "faulty.py:6: bet: expected an answer, got json.decoder.JSONDecodeError: Expecting value",
    ),
    "draws neither True nor False": (
        file(draw="return 1"),
        "draw: expected True or False, got 1",
    ),
    "answers what cannot be shown": (
        file(bet="return Odd()") + ODD,
        "bet: your bet must be a whole number from 5 to 50; you bet something whose repr() raises "
        "RuntimeError",
    ),
    "raises what cannot be said": (
        file(bet="raise Odd") + ODD,
        "faulty.py:6: bet: expected an answer, got ",
    ),
    "writes over the terminal": (
        file(bet=r"raise ValueError('\x1b[2J\r\x07\x9b1m\u202e' + chr(10))"),
        r"faulty.py:6: bet: expected an answer, got ValueError: \x1b[2J\r\x07\x9b1m\u202e",
    ),
    "says more than anybody reads": (
        file(bet="raise ValueError('x' * 100_000)"),
        f"faulty.py:6: bet: expected an answer, got ValueError: {'x' * 1000}",
    ),
    "never comes back from itself": (
        file(bet="return self.bet(bankroll, minimum)"),
        "faulty.py:6: bet: expected an answer, got RecursionError: maximum recursion depth",
    ),
    "asks the keyboard": (
        file(bet="return int(input('your bet? '))"),
        "faulty.py:6: bet: expected an answer, got EOFError: ",
    ),
    "wants all memory": (
        file(bet="return [0] * 10**15"),
        "faulty.py:6: bet: expected an answer, got MemoryError",
    ),
    "fails late": (
        file(
            rest="    def shuffled(self):\n        self.n = getattr(self, 'n', 0) + 1\n"
            "        assert self.n < 3, 'tired'\n"
        ),
        "faulty.py:13: shuffled: expected an answer, got AssertionError: tired (round ",
    ),
}

NO_COMPETITORS = {
    "acts without the contract of it": (
        "from tourney import Player\n\n\nclass Faulty(Player):\n"
        "    def act(self, dealer, player, legal):\n        return legal[0]\n",
        "faulty.py:4: Faulty lacks bet and draw (a player needs bet and draw); "
        "write: class Faulty(ActPlayer)",
    ),
    "plays without the contract of it": (
        "from tourney import Player\n\n\nclass Faulty(Player):\n"
        "    def play(self, view):\n        return view.hand[0]\n",
        "faulty.py:4: Faulty lacks bet and draw (a player needs bet and draw); "
        "write: class Faulty(StraightsPlayer), if it is for",
    ),
    "cannot spell act": (
        "from tourney import ActPlayer\n\n\nclass Faulty(ActPlayer):\n"
        "    def acts(self, dealer, player, legal):\n        return legal[0]\n",
        "faulty.py:4: Faulty lacks act (a player needs act); define act in Faulty",
    ),
    "cannot be imported": (
        "import nowhere_to_be_found\n",
        "faulty.py:1: expected Python that runs, got ModuleNotFoundError: No module named 'nowhere",
    ),
    "is no Python": ("class Faulty(\n", "faulty.py:1: expected Python that can be read, got "),
    "has no draw": (
        TOP + BET.format("return minimum"),
        "faulty.py:4: Faulty lacks draw (a player needs bet and draw); define draw in Faulty",
    ),
    "is empty": ("", "faulty.py:1: expected a subclass of tourney.Player or"),
    "ends the program": (
        "import sys\nsys.exit(3)\n",
        "faulty.py:2: expected Python that runs, got SystemExit: 3",
    ),
    "writes over the terminal": (
        "raise ValueError('\\x1b[2J')\n",
        r"faulty.py:1: expected Python that runs, got ValueError: \x1b[2J",
    ),
}

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@pytest.fixture(autouse=True)
def _nothing_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever asks the keyboard find the end of its input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


@pytest.fixture
def alone(cli: Cli, write: Write) -> list[dict[str, Any]]:
    """Play without anybody at fault."""
    write("alone.yaml", CONFIG)
    rows: list[dict[str, Any]] = json.loads(
        cli("run", "alone.yaml", "--workers", 1, "--format", "json").out
    )
    assert len(rows) == 2
    return rows


def by_themselves(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give rows without what they say of others: whoever joins a field is compared too."""
    return [{name: row[name] for name in row.keys() - COMPARING} for row in rows]


@pytest.mark.parametrize(("text", "said"), VERDICTS.values(), ids=VERDICTS)
def test_a_competitor_at_fault_gets_a_verdict_and_the_run_goes_on(
    cli: Cli,
    write: Write,
    alone: list[dict[str, Any]],
    text: str,
    said: str,
) -> None:
    """Its cause and place are told in one clean line; nobody else's row changes by it."""
    write("faulty.py", text)
    write("faults.yaml", CONFIG + "  - file: faulty.py\n")
    ran = cli("run", "faults.yaml", "--workers", 1, "--format", "json", "--no-sandbox")
    assert ran.status == 1
    last = ran.err.splitlines()[-1]
    assert last.startswith(f"faulty: {said}")
    assert re.search(r" of 4 tables\); \S+", last), "expected a remedy, as a check gives one"
    assert len(last) < 2_200
    assert not CONTROL.search(ran.err)
    rows = json.loads(ran.out)
    honest = [row for row in rows if row["entrant"] != "faulty"]
    assert by_themselves(honest) == by_themselves(alone)
    (row,) = [row for row in rows if row["entrant"] == "faulty"]
    assert row["faults"] > 0


@pytest.mark.parametrize(("text", "said"), NO_COMPETITORS.values(), ids=NO_COMPETITORS)
def test_a_file_without_a_competitor_stops_before_the_run(
    cli: Cli, write: Write, tmp_path: Path, text: str, said: str
) -> None:
    """The message names its file and line; there is no run yet that could go on."""
    write("faulty.py", text)
    write("faults.yaml", CONFIG + "  - file: faulty.py\n")
    ran = cli("run", "faults.yaml", "--workers", 1, "--no-sandbox")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1
    assert not CONTROL.search(ran.err)
    assert not (tmp_path / "tourney.db").exists()


def test_workers_give_the_same_verdict(cli: Cli, write: Write) -> None:
    """A fault is a result like any other: it does not depend on where it happened."""
    write("faulty.py", VERDICTS["fails late"][0])
    write("faults.yaml", CONFIG + "  - file: faulty.py\n")
    alone, among = (
        cli("run", "faults.yaml", "--workers", workers, "--no-sandbox") for workers in (1, 2)
    )
    assert alone.status == among.status == 1
    assert alone.out == among.out
    assert alone.err.splitlines()[-1] == among.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("cost", "row"),
    [
        ("zero", {"rank": 3, "mean_final_bankroll": 0.0}),
        ("disqualify", {"rank": None, "mean_final_bankroll": 100.0}),
        ("keep", {"rank": 1, "mean_final_bankroll": 100.0}),
    ],
)
def test_the_organiser_says_what_a_fault_costs(
    cli: Cli, write: Write, cost: str, row: dict[str, Any]
) -> None:
    """The table's chips, the place in the standings, or nothing."""
    write("faulty.py", VERDICTS["raises in bet"][0])
    config = CONFIG.replace("rounds: 20", f"rounds: 20, on_fault: {cost}")
    write("faults.yaml", config + "  - file: faulty.py\n")
    ran = cli("run", "faults.yaml", "--workers", 1, "--format", "json", "--no-sandbox")
    (found,) = [each for each in json.loads(ran.out) if each["entrant"] == "faulty"]
    assert {name: found[name] for name in row} == row
    assert ran.status == 1


def test_someone_out_stands_last_on_the_board(cli: Cli, write: Write) -> None:
    """Without a place, but with a row."""
    write("faulty.py", VERDICTS["raises in bet"][0])
    config = CONFIG.replace("rounds: 20", "rounds: 20, on_fault: disqualify")
    write("faults.yaml", config + "  - file: faulty.py\n")
    ran = cli("run", "faults.yaml", "--workers", 1, "--no-sandbox")
    assert ran.lines[-1].split()[:2] == ["out", "faulty"]


def test_a_replay_shows_the_fault(cli: Cli, write: Write) -> None:
    """The hands up to it, who is out and why, and the driver's last line."""
    write("faulty.py", VERDICTS["fails late"][0])
    write("faults.yaml", CONFIG + "  - file: faulty.py\n")
    cli("run", "faults.yaml", "--workers", 1, "--no-sandbox")
    ran = cli("replay", "--entrant", "faulty", "--table", 1, "--no-sandbox")
    assert ran.status == 0
    said = "shuffled: expected an answer, got AssertionError: tired"
    assert f"# Player is out: {said}" in ran.lines
    assert ran.lines[-1].startswith("# Player has ")
    assert re.fullmatch(rf"faulty\.py:13: {said} \(round \d+\)\n", ran.err)


def test_a_replay_of_a_player_that_was_never_made_says_why(cli: Cli, write: Write) -> None:
    """There are no hands to be shown, so the reason is."""
    write("faulty.py", VERDICTS["raises in its constructor"][0])
    write("faults.yaml", CONFIG + "  - file: faulty.py\n")
    cli("run", "faults.yaml", "--workers", 1, "--no-sandbox")
    ran = cli("replay", "--entrant", "faulty", "--table", 1, "--no-sandbox")
    assert (ran.status, ran.lines) == (
        0,
        ["# Shuffling the deck", "# Player has 100 after 0 hands"],
    )
    assert ran.err == (
        "faulty.py:12: constructor: expected an answer, got ValueError: no chips (round 1)\n"
    )


def test_an_engine_that_cannot_play_somebody_is_refused_before_anything_is_stored(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    """Everybody whom it cannot play is named, with the reason."""
    others = "  - strategy: composition\n  - strategy: kelly\n"
    write("mixed.yaml", CONFIG + others)
    ran = cli("run", "mixed.yaml", "--engine", "compiled")
    assert (ran.status, ran.out) == (2, "")
    assert [line.split(": ")[:2] for line in ran.err.splitlines()[:2]] == [
        ["composition", "engine compiled"],
        ["kelly", "engine compiled"],
    ]
    assert not (tmp_path / "tourney.db").exists()
