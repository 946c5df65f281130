"""The check of a game by itself: what its author did wrong is said of the game, with a remedy."""

import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.checks.report import CheckReport
from tourney.sandbox.levels import Level, probe
from tourney.testing.games import check_game_alone

KUHN = (Path(__file__).parents[3] / "examples/kuhn-poker/kuhn_poker.py").read_text(encoding="utf-8")
DEAL = "rank = next(cards).rank"
MUTABLE = (
    ("self.moves: tuple[Move, ...] = ()", "self.moves = []"),
    ("self.moves in OVER", "tuple(self.moves) in OVER"),
)
MUTANTS = {
    "luck": (
        ((DEAL, "rank = choice(RANKS)"), ("from abc", "from random import choice\nfrom abc")),
        r"table \d+ differs when it is played again with .* imports random\)$",
        "take all chance from the cards",
    ),
    "shared": (
        ((DEAL, "SEEN.append(1)\n            " + DEAL),
         ("RANKS = (", "SEEN = []\nRANKS = ("),
         ("in RANKS:", "in RANKS[len(SEEN) % 7 == 0:] or rank in ranks:")),
        r"table \d+ differs when it is played (again|interleaved with others)",
        "keep changing state in the table or the round",
    ),
    "sets": (
        (("return CHECK, BET", "return tuple(sorted(Move, key=lambda each: "
          "hash(f'{self.ranks} {each}')))"),),
        r"differs when it is played in another process with the same cards",
        "do not iterate over a set",
    ),
    "views": (MUTABLE, r"the round changed a view after showing it", "a tuple"),
    "fractions": (
        (("(1, -1) if", "(0.5, -0.5) if"),),
        r"game kuhn, round \d+: wagers and results must be whole numbers",
        "divide by //",
    ),
    "debts": (
        (("bankroll >= 2", "bankroll >= 1"),),
        r"game kuhn, round 1: a seat loses more than its bankroll",
        "let may_play of the rules",
    ),
    "bounds": (
        (("class Kuhn(Game", """class Bounded:
    def round_bounds(self, rules, minimum):
        return -1, 1


class Kuhn(Bounded, Game"""),),
        r"game kuhn, round \d+: results \(.*\) are outside of round_bounds, -1 to 1",
        "make round_bounds of the game valid",
    ),
    "lists": (
        (("return CHECK, BET", "return [CHECK, BET]"),), r"a tuple of 1 to 65,025", "return tuple",
    ),
    "twice": ((("return CHECK, BET", "return CHECK, CHECK"),), r"legal action .* twice", "once"),
    "nothing": ((("return CHECK, BET", "return ()"),), r"legal_actions\(\) is empty", "to_act"),
    "endless": ((("None if self.moves in OVER else", ""),), r"has not ended after", "to_act"),
    "raises": (
        (("first, second = self.wagers()", "first, second = self.wagers"),),
        r"^a round failed: TypeError: cannot unpack",
        "fix that line",
    ),
    "missing": (
        (("def results(self)", "def result(self)"),),
        r"^a round failed: AttributeError: 'Round' object has no attribute 'results'",
        "define results in Round",
    ),
    "unhashable": (
        (("return CHECK, BET", "return CHECK, BET, []"),),
        r"round 1, act: the legal action \[\] cannot be hashed$",
        "frozen dataclasses",
    ),
    "wagers": (
        (("return 1 + (BET in self.moves[::2])", "return -1 - (BET in self.moves[::2])"),),
        r"expected wagers from 0, got -",
        "the stake of every seat",
    ),
    "unopened": (
        (("return Round(tuple(ranks))", "Round(tuple(ranks))"),),
        r"round 1: expected a round from open\(\), got None$",
        "return a round in open",
    ),
    "actor": (
        (("else len(self.moves) % 2", "else 5"),),
        r"round 1: expected None or a seat from 0 to 1 as to_act, got 5, an int$",
        "the seat whose turn it is",
    ),
    "unsettled": (
        (("return (1, -1) if first > second", "return None if first > second"),),
        r"expected a tuple of numbers from results\(\), got None$",
        "one whole number for each seat",
    ),
    "nobody": (
        (("return bankroll >= 2", "return False"),), r"may_play of the rules is false", "cost",
    ),
}  # fmt: skip
SHOWN = ["luck", "views", "raises", "unopened", "actor", "unsettled", "wagers"]
Check = Callable[..., CheckReport]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Check]:
    """Give what checks the example's game, after changes of its text."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def checked(*changes: tuple[str, str], level: Level = Level.UNSAFE) -> CheckReport:
        text = KUHN
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "kuhn_poker.py").write_text(text)
        invalidate_caches()
        return check_game_alone(import_module("kuhn_poker").KuhnRules(), level)

    yield checked
    sys.modules.pop("kuhn_poker", None)


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
def test_a_sound_game_passes_and_is_described(check: Check) -> None:
    """What was played, what a round adds up to, and that all of it is the same again."""
    report = check(level=probe())
    assert (report.passed, report.findings) == (True, ())
    told = {each.what: each.told for each in report.measured}
    assert list(told) == ["Tables", "Turns", "Results", "Repeatable", "Confined"]
    assert told["Results"] == "those of a round always add up to 0 chips"
    assert told["Confined"].endswith(": same results with and without the sandbox")


@pytest.mark.parametrize("name", with_more(SHOWN, sorted({*MUTANTS} - {*SHOWN})))
def test_a_fault_of_a_game_is_told_with_its_place_and_a_remedy(check: Check, name: str) -> None:
    """Of the game, and of no player."""
    changes, message, remedy = MUTANTS[name]
    report = check(*changes)
    assert not report.passed
    (finding,) = report.findings
    assert finding.place.startswith("kuhn_poker.py:")
    assert re.search(message, finding.message), finding.message
    assert remedy in finding.remedy
    assert "player" not in str(finding)


def test_what_a_game_prints_is_no_difference(check: Check) -> None:
    """In another process, where what was played is told by printing."""
    said = ("return bankroll >= 2", "return (print('asked\\n') or bankroll >= 2)")
    assert check(said).passed


def test_plans_that_would_be_far_from_play_are_warned_of(check: Check) -> None:
    """A game may be played all the same."""
    report = check(("seat_rounds * 5 // 4", "seat_rounds * 5"))
    assert report.passed
    (finding,) = report.findings
    assert "decisions of the rules estimates" in finding.message


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
def test_what_a_confined_player_cannot_have_is_told(check: Check) -> None:
    """A game whose turns import something once there are no files to import from."""
    late = (
        "    def ask(self, player, turn):\n        import colorsys\n"
        "        return super().ask(player, turn)\n\n    def contract"
    )
    report = check(("    def contract", late), level=probe())
    (finding,) = report.findings
    assert "a sandboxed player has other results at table" in finding.message


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
def test_turns_that_take_long_to_read_are_warned_of(check: Check) -> None:
    """Players of the game need more time than others have; no player is at fault."""
    slow = (
        "    def ask(self, player, turn):\n        burn()\n"
        "        return super().ask(player, turn)\n\n    def contract"
    )
    burn = (
        "from functools import cache\n\n\n@cache\ndef burn():\n"
        "    sum(range(3 * 10**8))\n\n\nRANKS ="
    )
    report = check(("    def contract", slow), ("RANKS =", burn), level=probe())
    (finding,) = report.findings
    assert (report.passed, finding.is_warning) == (True, True)
    assert "turns are slow to read: a sandboxed player that takes" in finding.message
    assert "cpu_us_per_decision: " in finding.remedy
