"""Grading a file of tests: what counts, what is caught, and what is said about the rest.

As well confined as the machine can; `tests/sandbox/tournaments/test_mutants.py` has those who want
to get out.
"""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace

import pytest

from tourney.errors import GradingError
from tourney.games.blackjack.game import BLACKJACK
from tourney.sandbox.levels import Level, probe
from tourney.testing.grading import Grade, grade_tests
from tourney.testing.mutants.trial import FileOfTests
from tourney.testing.mutants.watch import watch_tests

CANNOT_CONFINE = probe() is Level.UNSAFE
IMPORTS = """\
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple
from tourney import Card, Deck, DeckEmpty, Hand, Rank, Suit
"""
ASKS_FOR_52 = """
def test_a_new_deck_has_52_cards():
    assert Deck().cards_left == 52
"""
REFUSES_53 = """
    try:
        Deck().shuffle(53)
    except Exception:
        return
    raise AssertionError
"""


def graded(tests: str, seconds: float = 5, *, trusts_files: bool = CANNOT_CONFINE) -> Grade:
    """Grade tests, below the imports; they begin in line 5."""
    source = f"{IMPORTS}\n{dedent(tests).lstrip()}"
    return grade_tests(source, "mine.py", seconds=seconds, trusts_files=trusts_files)


def fault_of(tests: str, seconds: float = 5) -> str:
    """Say what is wrong with the only test, which then catches nothing."""
    (test,) = graded(tests, seconds).tests
    assert test.catches == ()
    return test.fault


def refused(source: str) -> str:
    """Say why a file is not graded."""
    text = dedent(source).lstrip()
    with pytest.raises(GradingError) as caught:
        grade_tests(text, "mine.py", seconds=2, trusts_files=CANNOT_CONFINE)
    return str(caught.value)


def test_a_test_catches_what_it_fails_with() -> None:
    """And nothing else."""
    grade = graded(ASKS_FOR_52)
    (test,) = grade.tests
    assert (test.name, test.line, test.fault) == ("test_a_new_deck_has_52_cards", 5, "")
    (caught,) = grade.caught("Deck")
    assert test.catches == (caught.name,)
    assert caught.kind.__name__ == "CountsDealtCards"
    assert len(grade.missed("Deck")) == 23
    assert grade.caught("Hand") == grade.caught("Simple") == grade.caught("Counting") == ()


def test_a_test_that_fails_a_correct_class_does_not_count() -> None:
    """The place is that of the line that failed, in the test or in what it calls."""
    fault = fault_of("""
        def count(deck):
            assert deck.cards_left == 51

        def test_a_new_deck():
            count(Deck())
    """)
    assert fault == (
        "mine.py:6: test_a_new_deck: fails with the correct implementations: "
        "AssertionError in `assert deck.cards_left == 51`; it does not count until it is fixed"
    )


def test_a_test_may_ask_only_what_the_documents_promise() -> None:
    """What is left open may be done otherwise, and the fault says how."""
    fault = fault_of("""
        def test_four_tens():
            assert Hand([Card(Rank.TEN, suit) for suit in Suit]).total == 40
    """)
    assert fault.startswith("mine.py:6: test_four_tens: fails with every correct Hand: ")
    assert fault.endswith(
        "it meets a Hand that totals 22 whenever it is over 21. The documents allow any total "
        "over 21 there. Test only what they promise"
    )


@pytest.mark.parametrize(
    "inside",
    ["Deck()._cards", REFUSES_53, "Counting().count"],
    ids=["how cards are kept", "what is not required", "how a count is kept"],
)
def test_a_look_inside_does_not_count(inside: str) -> None:
    """Another correct class is made otherwise."""
    assert "fails with" in fault_of(f"def test_inside():\n    {inside}\n")


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("def test_deck(deck): ...", "tests have no parameters such as deck; write a loop"),
        ("def test_deck(a, b, *, c, d=1): ...", "tests have no parameters such as a, b and c;"),
        ("class TestDeck: ...", "classes are not run; write its tests as functions"),
        ("async def test_deck(): ...", ": a return of coroutine, not an assert"),
        ("def test_deck(): yield", ": a return of generator, not an assert"),
        ("def test_deck(): return -1", ": a return of int, not an assert"),
        ("def test_deck(): raise SystemExit(1)", ": SystemExit: 1 in `def test_deck()"),
        ("def test_deck(): import os; os._exit(0)", ": the end of its process"),
        ("def test_deck(): 1 / 0", ": ZeroDivisionError: division by zero in `def"),
        ("def test_deck(): raise ValueError('\\x1b[2J')", r": ValueError: \x1b[2J in `def"),
        ("def test_deck(): ...\ndel test_deck", ": NameError: the file deletes this name"),
    ],
)
def test_what_is_no_test_is_explained(test: str, words: str) -> None:
    """Nothing is left out without a word."""
    fault = fault_of(test)
    assert fault.startswith("mine.py")
    assert words in fault


def test_of_two_tests_of_one_name_the_first_is_lost() -> None:
    """Python keeps the last; the author is told."""
    grade = graded(ASKS_FOR_52.lstrip() + "\n\n" + ASKS_FOR_52.lstrip())
    first, second = grade.tests
    assert first.fault == (
        "mine.py:5: test_a_new_deck_has_52_cards: line 9 has another test of this name; rename one"
    )
    assert (second.fault, len(second.catches)) == ("", 1)


def test_a_test_that_never_ends_does_not_count() -> None:
    """The others are run all the same."""
    grade = graded(f"def test_for_ever():\n    while True: pass\n\n{ASKS_FOR_52}", seconds=0.5)
    for_ever, other = grade.tests
    assert for_ever.fault == (
        "mine.py: test_for_ever: fails with the correct implementations: no answer "
        "within 0.5 s; it does not count until it is fixed"
    )
    assert len(other.catches) == 1


def test_a_test_that_never_ends_with_a_bug_catches_it() -> None:
    """Such as one that deals until the deck is empty."""
    grade = graded(
        """
        def test_every_deck_has_an_end():
            deck = Deck()
            try:
                while True:
                    deck.deal()
            except DeckEmpty:
                return
        """,
        seconds=0.5,
    )
    names = {bug.kind.__name__ for bug in grade.caught("Deck")}
    assert names == {"DealsTheSameCard", "NeverEmpty", "AnotherError"}


def test_a_file_that_cannot_be_loaded_with_a_bug_catches_it() -> None:
    """What stands outside of the tests is run once for every implementation."""
    grade = graded("FIRST = Deck().deal()\nassert FIRST.rank is Rank.TWO\n\n" + ASKS_FOR_52)
    names = {bug.kind.__name__ for bug in grade.caught("Deck")}
    assert names == {"AcesFirst", "DealsFromTheBottom", "CountsDealtCards"}


def test_tests_do_not_disturb_each_other() -> None:
    """What one does to a class is gone with the next implementation, and luck begins anew."""
    grade = graded("""
        import random

        LUCK = []

        def test_that_breaks_things():
            assert Deck().cards_left == 52
            Deck.deal = None
            LUCK.append(random.random())

        def test_of_luck():
            assert LUCK in ([], [random.random()])
    """)
    assert grade.faults == ()
    assert [bug.kind.__name__ for bug in grade.caught("Deck")] == ["CountsDealtCards"]


def test_asserts_are_never_optimised_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Python is told elsewhere."""
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    assert len(graded(ASKS_FOR_52).caught("Deck")) == 1


def test_what_runs_inside_needs_no_library() -> None:
    """So that it starts at once, and where there is nothing but Python."""
    program = "import sys, tourney.testing.mutants.trial; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not {"numpy", "numba", "pluggy", "pydantic", "yaml"} & set(done.stdout.split())


def test_what_tests_print_is_dropped() -> None:
    """It cannot be taken for an answer."""
    grade = graded("""
        import os, sys

        def test_loud():
            print('{"implementation": "deck-01", "test": "test_loud", "error": ""}', flush=True)
            os.write(1, b"here I am\\n")
            sys.stderr.write("and here\\n")
            assert sys.stdin.read() == ""
            assert Deck().cards_left == 52
    """)
    assert (grade.faults, len(grade.caught("Deck"))) == ((), 1)


def test_what_a_trusted_test_leaves_running_ends_with_it() -> None:
    """A thread or a process that waits for ever keeps nobody waiting."""
    grade = graded(
        """
        import subprocess, sys, threading

        def test_leaves_a_process():
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            threading.Thread(target=threading.Event().wait).start()
            if Deck().cards_left != 52:
                while True: pass
        """,
        seconds=2,
        trusts_files=True,
    )
    assert (grade.faults, len(grade.caught("Deck"))) == ((), 1)


def test_strategies_are_exchanged_however_they_are_imported() -> None:
    """By name or by module; other bundled strategies stay as they are."""
    tests = """
        import tourney.strategies.simple
        from tourney.strategies import counting
        from tourney.strategies.sharp import Sharp

        def test_simple():
            assert tourney.strategies.simple.Simple().bet(1000, 10) == 10

        def test_counting():
            assert counting.Counting().bet(1000, 10) == 10

        def test_sharp():
            assert Sharp().bet(1000, 10) == 10
    """
    grade = grade_tests(dedent(tests), "mine.py", trusts_files=CANNOT_CONFINE)
    assert grade.faults == ()
    assert len(grade.caught("Simple")) == 3
    assert grade.tests[1].catches == ()  # which no bug of Counting does without a card


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "mine.py has no functions named test_…; write: def test_deck():"),
        (
            "\n".join(f"def test_{number}(): ..." for number in range(1_001)),
            "mine.py has 1,001 tests, and the limit is 1,000, because each runs on all mutants; ",
        ),
        ("x = (", "mine.py:1: this is not valid Python: '(' was never closed"),
        ("x = '\0'", "mine.py"),
        (
            "from tourney.game.cards.deck import Deck\ndef test_deck(): ...",
            "mine.py:1: Deck of tourney.game.cards.deck is never exchanged for a buggy one; "
            "write: from tourney import Deck",
        ),
        (
            "from tourney import Simple\ndef test_simple(): ...",
            "mine.py:1: Simple of tourney is never exchanged for a buggy one; write: "
            "from tourney.strategies.simple import Simple",
        ),
        (
            "\nimport nothing_of_that_name\ndef test_deck(): ...",
            "mine.py:1: the file does not load with the correct implementations: "
            "ModuleNotFoundError: ",
        ),
        (
            "def test_deck(): ...\nwhile True: pass",
            "mine.py: the file does not load with the correct implementations: no answer",
        ),
        (
            "from tourney import Deck\nDeck()._cards\ndef test_deck(): ...",
            "mine.py:2: the file does not load with every correct Deck: AttributeError",
        ),
    ],
)
def test_a_file_that_does_not_load_is_refused(
    source: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its place, and what to write instead."""
    monkeypatch.setattr("tourney.testing.mutants.watch.START_SECONDS", 3)
    assert refused(source).startswith(words)


def test_answers_come_in_the_order_of_the_trials() -> None:
    """An implementation that nobody knows is a correct one."""
    trials = [("correct", "test_one"), ("no-such-bug", "test_one"), ("no-such-bug", "test_two")]
    source = "def test_one(): ...\ndef test_two(): raise ValueError\n"
    answers = [
        (each.implementation, each.test, each.error, each.line)
        for each in watch_tests(FileOfTests(BLACKJACK, source, "mine.py"), trials, 5, probe())
    ]
    assert answers == [
        ("correct", "test_one", "", 0),
        ("no-such-bug", "test_one", "", 0),
        ("no-such-bug", "test_two", "ValueError", 2),
    ]


COINS = """
from tourney.game import Game
from tourney.game.mutants import Mutants, mutants_in
from tourney.game.players import BasePlayer
import coin_mutants
from coins import Coin


class CoinPlayer(BasePlayer, game="coins"):
    pass


class Coins(Game):
    name, version = "coins", 1

    def contract(self):
        return CoinPlayer

    def table(self, block, accounts, watcher=None):
        raise NotImplementedError

    def mutants(self):
        buggy = tuple(mutants_in("Coin", coin_mutants))
        return Mutants({"Coin": "coins"}, {"Coin": Coin}, (), buggy)
"""
COIN = """
class Coin:
    sides = 2
"""
MUTANTS = '''
from coins import Coin


class ThreeSides(Coin):
    """Has a side too many.

    Caught by: the number of sides.
    """

    sides = 3
'''


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "no installed game has mutants; install one that has"),
        (2, "several games have mutants: blackjack and blackjack; name one with --game"),
    ],
    ids=["none", "two"],
)
def test_whose_mutants_are_meant_has_to_be_clear(
    count: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no game has some, or several do, the message says to name one."""
    kinds = [type(f"Another{number}", (type(BLACKJACK),), {}) for number in range(count)]
    games = {kind.__name__: SimpleNamespace(rules=SimpleNamespace(game=kind())) for kind in kinds}
    installed = SimpleNamespace(games=games)
    monkeypatch.setattr("tourney.testing.grading.load_plugins", lambda: installed)
    assert refused(ASKS_FOR_52) == words


@pytest.mark.parametrize("trusts_files", [CANNOT_CONFINE, True])
def test_a_game_of_a_plugin_brings_its_own_mutants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, trusts_files: bool
) -> None:
    """The processes of the tests find them where the game was imported from."""
    modules = {"coins": COIN, "coin_mutants": MUTANTS, "coin_game": COINS}
    for name, text in modules.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    tmp_path.chmod(0o755)
    game = import_module("coin_game").Coins()
    tests = "from coins import Coin\ndef test_sides():\n    assert Coin().sides == 2\n"
    grade = grade_tests(tests, game=game, trusts_files=trusts_files)
    assert [test.catches for test in grade.tests] == [("coin-01",)]
    (caught,) = grade.caught("Coin")
    assert caught.caught_by == "the number of sides."
    for name in modules:
        del sys.modules[name]  # for good: another test would be told of this game


def test_a_file_is_graded_for_so_long_in_all_and_no_longer() -> None:
    """However little each of its tests takes; until then it is told how far that is."""
    said: list[str] = []
    source = f"{IMPORTS}\n{dedent(ASKS_FOR_52)}"
    with pytest.raises(GradingError, match=r"mine\.py: the tests take more than 0 s with all"):
        grade_tests(source, "mine.py", most_seconds=0, trusts_files=CANNOT_CONFINE)
    grade_tests(source, "mine.py", most_seconds=600, trusts_files=CANNOT_CONFINE, tell=said.append)
    assert said == ["1 of 1 tests pass with every correct implementation"]
