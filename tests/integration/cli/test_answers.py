"""What commands print with `--json` is what their schemas say, key by key."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.support.proving import with_more
from tourney.cli.schema import ANSWERS

from .conftest import Cli

GAME = "ve280,shuffle=uniform"
STUDENT = Path(__file__).parents[3] / "examples" / "tests_of_a_student" / "test_blackjack.py"
ASKED = {
    "ev": (
        ("ev", "simple", "--game", GAME, "--rounds", "500"),
        ("ev", "edge", "--game", "six-decks-s17", "--rounds", "60000", "--bankroll", "9000"),
        ("ev", "counting", "--game", GAME, "--rounds", "2000", "--by-count"),
    ),
    "exact": (
        ("ev", "easybj-chart", "--game", "easybj", "--exact"),
        ("ev", "easybj-chart", "--game", "easybj", "--exact", "--bankroll", "1000"),
        ("ev", "basic-six-decks-s17", "--game", "six-decks-s17", "--exact"),
    ),
    "solve": (
        ("solve", "easybj"),
        ("solve", "easybj", "--against", "easybj-chart"),
        ("solve", "six-decks-s17,decks=1,reshuffle=every-round"),
    ),
    "deviations": (("solve", "csc24400", "--deviations", "3"),),
    "compare": (
        ("compare", "mimic", "simple", "--max-tables", "60", "--table-rounds", "60"),
        ("compare", "simple", "simple", "--max-tables", "2", "--table-rounds", "2"),
    ),
    "plan": (("plan", "plan.yaml", "--replications", "2"), ("plan", "knock.yaml")),
    "floor": (
        ("floor",),
        ("floor", "--replications", "3"),
    ),
    "verdicts": (("verdicts",),),
    "mutants": (("mutants", "student.py"), ("mutants", "student.py", "--show-missed")),
    "check": (("check", "good.py", "--game", GAME), ("check", "bad.py", "--game", GAME)),
}
OF_SMALL_GAMES = ("equilibrium", "exploitability")
"""No built-in game is small enough, so the tests of Kuhn poker ask for these."""
LONG = ("ev", "exact", "solve")
"""Those that compute for seconds: for `make prove`."""
EVENT = """
name: Event
seed: 3
game: {preset: ve280}
bankroll: 200
minimum: 5
floor: {tables: 2, round_seconds: {uniform: [20, 40]}}
entrants: [{strategy: simple}, {strategy: mimic}, {strategy: counting}, {strategy: never-bust}]
"""
GOOD = """
from tourney import Player


class Good(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < 16
"""


@pytest.fixture(autouse=True)
def files(write: Callable[[str, str], Path]) -> None:
    """Write what the commands read, beside them."""
    kinds = {"plan": "{kind: duplicate, tables: 4, rounds: 20}", "knock": "{kind: knockout}"}
    for name, kind in kinds.items():
        write(f"{name}.yaml", f"{EVENT}format: {kind}\n")
    raising = (
        "[{strategy: simple}, {file: raising.py}]\nformat: {kind: duplicate, tables: 2, rounds: 9}"
    )
    write("played.yaml", f"{EVENT.partition('entrants:')[0]}entrants: {raising}\n")
    write("raising.py", GOOD.replace("return player.total", "return player.tota"))
    write("student.py", STUDENT.read_text(encoding="utf-8"))
    write("good.py", GOOD)
    write("bad.py", GOOD.replace("def draw", "def drawn"))


@pytest.mark.parametrize("what", with_more([each for each in ASKED if each not in LONG], LONG))
def test_answers_are_as_their_schema_says(what: str, cli: Cli) -> None:
    """And a key more or less is none of them."""
    if what in {"floor", "verdicts"}:
        cli("run", "played.yaml", "--no-sandbox")
    schema = json.loads(cli("schema", what).out)
    Draft202012Validator.check_schema(schema)
    for words in ASKED[what]:
        said = cli(*words, "--json", *_seeded(words)).out
        faults = [
            each.message for each in Draft202012Validator(schema).iter_errors(json.loads(said))
        ]
        assert not faults, words
        assert not Draft202012Validator(schema).is_valid({**json.loads(said), "another": 1})


def test_every_schema_has_an_answer() -> None:
    """None is published that no command is asked for here."""
    assert sorted((*ASKED, *OF_SMALL_GAMES)) == sorted(ANSWERS)


def _seeded(words: Sequence[str]) -> tuple[str, ...]:
    return ("--seed", "1") if words[0] in {"ev", "compare"} and "--exact" not in words else ()
