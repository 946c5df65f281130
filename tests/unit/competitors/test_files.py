"""A single file as a competitor: found, or refused with its line and a remedy."""

import inspect
import pickle
import sys
import traceback

import pytest

from tourney import Player, StraightsPlayer
from tourney.competitors.files import load_competitor
from tourney.errors import PluginError

CONTRACTS = Player, StraightsPlayer
"""What messages name: whatever has been imported, be it by another test."""
IMPORT = "from tourney import Player\n"
BOLD = """
class Bold(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return False
"""


def test_the_only_player_of_a_file_competes() -> None:
    """One subclass of Player needs no further word."""
    assert load_competitor(IMPORT + BOLD, "bold.py").__name__ == "Bold"


def test_helpers_and_imported_players_do_not_compete() -> None:
    """What the class builds on, and what comes from elsewhere, is not meant."""
    base = BOLD.replace("Bold", "Base")
    imported = (
        IMPORT + "from tourney.games.blackjack.players import Player as Other\nAlias = None\n"
    )
    text = imported + base + "class Bold(Base): pass\nclass Odds: pass\nAlias = Bold\n"
    assert load_competitor(text, "bold.py").__name__ == "Bold"


def test_an_abstract_class_beside_the_only_player_does_not_matter() -> None:
    """A class that cannot play is no choice."""
    text = IMPORT + "class Later(Player): pass\n" + BOLD
    assert load_competitor(text, "bold.py").__name__ == "Bold"


def test_a_file_may_say_which_class_competes() -> None:
    """Of several classes `competitor` names one, wherever it comes from."""
    text = IMPORT + BOLD + BOLD.replace("Bold", "Timid") + "competitor = Timid\n"
    assert load_competitor(text, "bold.py").__name__ == "Timid"


def test_a_script_part_does_not_run() -> None:
    """What an author tries at home stays at home."""
    text = IMPORT + BOLD + "if __name__ == '__main__':\n    raise SystemExit\n"
    assert load_competitor(text, "bold.py").__name__ == "Bold"


def test_every_load_has_a_module_of_its_own() -> None:
    """Two entrants from one file share nothing; the last can be pickled and inspected."""
    text = (
        IMPORT
        + "from dataclasses import dataclass\n@dataclass\n"
        + BOLD.lstrip()
        + "    n: int = 1\n"
    )
    first, second = load_competitor(text, "bold.py"), load_competitor(text, "bold.py")
    assert first is not second
    assert pickle.loads(pickle.dumps(second)) is second  # noqa: S301 - our own pickle
    assert inspect.getsource(second).startswith("@dataclass\nclass Bold(Player):\n")
    assert inspect.getsourcelines(second.bet)[1] == 5


def test_the_module_has_the_same_name_wherever_the_file_is_loaded() -> None:
    """What a worker sends back is found again by its name."""
    name = load_competitor(IMPORT + BOLD, "bold.py").__module__
    sys.modules.pop(name)
    assert load_competitor(IMPORT + BOLD, "bold.py").__module__ == name


def test_namesakes_keep_their_own_lines() -> None:
    """A traceback shows the line of the file it is about, never that of another entrant."""
    texts = [IMPORT + BOLD.replace("return minimum", f"return {n} / 0") for n in (1, 2)]
    for number, kind in enumerate([load_competitor(text, "bold.py") for text in texts], start=1):
        with pytest.raises(ZeroDivisionError) as caught:
            kind().bet(5, 5)
        assert f"return {number} / 0" in "".join(traceback.format_exception(caught.value))


def test_a_file_named_like_a_module_of_python_keeps_its_name() -> None:
    """`random.py` is a fine name for a competitor."""
    with pytest.raises(PluginError, match=r"^random\.py:1: "):
        load_competitor("1 / 0", "random.py")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = (\n", "bold.py:1: expected Python that can be read, got SyntaxError: '(' was never"),
        ("a = 1\n\tb = 2\n", "bold.py:2: expected Python that can be read, got IndentationError"),
        ("x = '\0'", "bold.py"),
        ("\n1 / 0\n", "bold.py:2: expected Python that runs, got ZeroDivisionError: division by"),
        ("import json\n\njson.loads('{')\n", "bold.py:3: expected Python that runs, got json."),
        ("def f():\n    exit_now\nf()\n", "bold.py:2: expected Python that runs, got NameError"),
        (
            "import sys\nsys.exit('bye')\n",
            "bold.py:2: expected Python that runs, got SystemExit: b",
        ),
        ("", "bold.py:1: expected a subclass of tourney.Player or"),
        ("class A: pass\nclass B: pass", "got only A and B; write: class NAME(Player)"),
        (BOLD.replace("(Player)", ""), "bold.py:2: expected a subclass of tourney.Player or"),
        (
            IMPORT + "class Half(Player):\n    def bet(self): pass",
            "bold.py:2: Half lacks draw (",
        ),
        (IMPORT + "class Half(Player):\n    def bet(self): pass", "needs bet and draw); define"),
        (IMPORT + "competitor = Player", "bold.py:2: competitor: Player itself cannot play"),
        (
            IMPORT + "competitor = 7",
            "bold.py:2: competitor: expected a subclass of tourney.Player or",
        ),
        (IMPORT + BOLD + "competitor = Bold()", "remedy"),
    ],
)
def test_a_file_without_a_competitor_is_refused(text: str, message: str) -> None:
    """The message has the author's line, what was expected, what came, and a remedy."""
    before = set(sys.modules)
    with pytest.raises(PluginError) as caught:
        load_competitor(text, "bold.py")
    said = str(caught.value)
    if message == "remedy":
        message = "got <_competitor_bold_"
        assert said.endswith("; name the class, Bold, without calling it")
    assert message in said
    assert said.startswith("bold.py")
    assert "\n" not in said
    assert set(sys.modules) == before


def test_several_players_are_listed() -> None:
    """The author says which of them competes."""
    text = IMPORT + BOLD + BOLD.replace("Bold", "Timid")
    message = (
        r"^bold\.py:10: expected one subclass of tourney\.Player or tourney\.StraightsPlayer, "
        "got 2: Bold and Timid; say which one competes: write competitor = Bold at the end of the "
        "file$"
    )
    with pytest.raises(PluginError, match=message):
        load_competitor(text, "bold.py")


def test_an_interrupt_is_no_fault_of_a_file() -> None:
    """Whoever presses Ctrl-C wants the program to end; nothing half loaded is left."""
    before = set(sys.modules)
    with pytest.raises(KeyboardInterrupt):
        load_competitor("raise KeyboardInterrupt", "bold.py")
    assert set(sys.modules) == before
