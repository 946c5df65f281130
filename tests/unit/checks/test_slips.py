"""Misspelt methods: which names are taken for slips, and which are left alone."""

from pathlib import Path

import pytest

from tourney.checks.lint import is_slip, slips
from tourney.checks.source import source_of
from tourney.games.blackjack.players import Player
from tourney.games.straights.player import StraightsPlayer

ROOT = Path(__file__).parents[3]
HEAD = "from tourney import Player\n\n\nclass Bold(Player):\n"


def found(*lines: str, head: str = HEAD) -> list[str]:
    """Give the names that a file is warned of."""
    text = head + "".join(f"    {line}\n" for line in lines)
    said = (each.warning for each in slips(source_of({"bold.py": text.encode()}), Player))
    return [each.message.partition(" is not ")[0] for each in said]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *[(name, "expose") for name in ("exposed", "exposes", "exposing", "expsoe", "expos")],
        *[(name, "shuffled") for name in ("shuffle", "shuffles", "shuffling", "shufled")],
        *[(name, "bet") for name in ("Bet", "BET", "bets", "betting")],
        *[(name, "draw") for name in ("Draw", "drawn", "drwa", "draws", "drawing")],
        *[(name, "play") for name in ("plays", "Play", "played", "playing")],
        *[(name, "act") for name in ("acts", "acted", "action", "Act")],
    ],
)
def test_a_letter_an_ending_or_a_case_away_is_a_slip(name: str, meant: str) -> None:
    """People write what they remember of a method."""
    assert is_slip(name, meant)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("expose", "expose"),
        ("_expose", "expose"),
        ("reset", "bet"),
        ("wager", "bet"),
        ("choose", "expose"),
        ("show", "draw"),
    ],
)
def test_other_words_are_none(name: str, meant: str) -> None:
    """However alike they sound."""
    assert not is_slip(name, meant)


@pytest.mark.parametrize(
    "lines",
    [
        ("def get(self): return 1", "def bet(self, bankroll, minimum): return self.get()"),
        ("def exposed(self): pass", "def expose(self, card): self.seen = card"),
        ("@property", "def best(self): return 1"),
        ("shuffled = lambda self: None",),
    ],
    ids=["called", "beside", "property", "right"],
)
def test_a_helper_is_left_alone(lines: tuple[str, ...]) -> None:
    """It is called, stands beside the method it resembles, or is no method at all."""
    assert found(*lines) == []


def test_only_classes_that_may_play_are_looked_at() -> None:
    """Python's own classes, and those of nobody, are asked nothing by a table."""
    shuffle = "def shuffle(self): pass"
    assert found(shuffle, head="class Shoe:\n") == []
    assert found(shuffle, head="from enum import Enum\n\n\nclass Shoe(Enum):\n") == []
    assert found(shuffle, head="from tourney import *\n\n\nclass Bold(Player):\n") == ["shuffle"]
    assert found(shuffle, head=f"{HEAD}    pass\n\n\nclass Bolder(Bold):\n") == ["shuffle"]


def test_a_file_that_cannot_be_read_is_left_to_its_loading() -> None:
    """Which says what is wrong with it, and where."""
    assert found("def (") == []


@pytest.mark.filterwarnings("error")
def test_odd_escapes_are_nobodys_business_here() -> None:
    """Python would warn of them on the screen of whoever takes submissions in."""
    assert found("def exposed(self): return '\\d'") == ["exposed"]


@pytest.mark.parametrize("contract", [Player, StraightsPlayer])
def test_no_file_of_the_project_is_warned_of(
    contract: type[Player] | type[StraightsPlayer],
) -> None:
    """Strategies, examples and tests: thousands of methods, with the names that people choose."""
    texts = [
        path
        for folder in ("strategies", "examples", "tests")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ]
    said = [
        f"{path}: {each}"
        for path in texts
        for each, *_ in slips(source_of({path.name: path.read_bytes()}), contract)
    ]
    assert len(texts) > 100
    assert said == []
