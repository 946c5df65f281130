"""The remedies for faults of players in Python, without a sandbox."""

import sys
from collections.abc import Mapping
from types import MappingProxyType

import pytest

from tourney.checks import construction_cost
from tourney.checks.construction_cost import Trial
from tourney.checks.lint import repeat_finding
from tourney.checks.pools import ANY
from tourney.checks.remedies import finding_of
from tourney.checks.report import Finding
from tourney.checks.source import source_of
from tourney.game.ledger import Verdict
from tourney.game.players import BasePlayer
from tourney.games.blackjack.players import Player
from tourney.games.straights.player import StraightsPlayer

IS_OLD = sys.version_info < (3, 12)
CONFLICT = """\
def bet(self, bankroll, minimum):
<<<<<<< HEAD
    return minimum
=======
    return 2 * minimum
>>>>>>> bold
"""


def finding(
    message: str,
    line: str = "",
    call: str = "import",
    contract: type[BasePlayer] = Player,
) -> Finding:
    """Give the finding on a verdict about line 1 of a file."""
    source = source_of({"bold.py": line.encode()})
    verdict = Verdict("raised", call, 1, 0, f"{call}: {message}", "bold.py:1", "")
    return finding_of(verdict, source, contract)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("ImportError: cannot import name 'override' from 'typing'", "override"),
        ("ImportError: cannot import name 'Buffer' from 'collections.abc'", "Buffer"),
        ("AttributeError: module 'math' has no attribute 'sumprod'", "sumprod"),
    ],
)
def test_a_name_of_a_newer_python_is_no_misspelling(message: str, name: str) -> None:
    """The remedy says which version runs here."""
    assert finding(message).remedy == (
        f"write it without {name}, which needs a newer version of Python: this platform runs "
        f"Python {sys.version_info.major}.{sys.version_info.minor}"
    )


@pytest.mark.parametrize(
    ("message", "remedy"),
    [
        ("module 'math' has no attribute 'sqrtt'", "write sqrt instead of sqrtt"),
        ("module 'math' has no attribute 'qqqq'", "check the spelling, also of capitals"),
    ],
)
def test_a_name_that_a_module_lacks_is_compared_with_its_names(message: str, remedy: str) -> None:
    """Also where it is used, not only where it is imported."""
    assert finding(f"AttributeError: {message}", call="draw").remedy.startswith(remedy)


@pytest.mark.skipif(not IS_OLD, reason="this version of Python can read these lines")
@pytest.mark.parametrize(
    "line", ["type Total = int", "class Bold[T](Player):", "    def best[T](self, items: T):"]
)
def test_newer_syntax_is_named_with_its_version(line: str) -> None:
    """`invalid syntax` alone would not help."""
    verdict = Verdict("raised", "import", 1, 0, "syntax error: invalid syntax", "bold.py:1", "")
    remedy = finding_of(verdict, source_of({"bold.py": line.encode()}), Player).remedy
    assert remedy.startswith("write this line without the syntax of Python 3.12: this platform ")


@pytest.mark.skipif(not IS_OLD, reason="this version of Python can read these lines")
def test_quotes_within_an_f_string_are_named() -> None:
    """Newer versions of Python can read them."""
    message = "syntax error: f-string: expecting '}'"
    verdict = Verdict("raised", "import", 1, 0, message, "bold.py:1", "")
    remedy = finding_of(verdict, source_of({"bold.py": b'x = f"{"a"}"\n'}), Player).remedy
    assert "these need Python 3.12" in remedy


def test_marks_of_a_merge_conflict_are_named_with_their_line() -> None:
    """Python reports another fault at the first of them."""
    message = "syntax error: expected an indented block"
    verdict = Verdict("raised", "import", 1, 0, message, "bold.py:2", "")
    remedy = finding_of(verdict, source_of({"bold.py": CONFLICT.encode()}), Player).remedy
    assert remedy.startswith("resolve the merge conflict at line 2: ")


@pytest.mark.parametrize("name", ["exit", "quit"])
def test_the_functions_that_end_a_session_are_no_misspellings(name: str) -> None:
    """A sandboxed process has none of them."""
    remedy = finding(f"NameError: name {name!r} is not defined", call="draw").remedy
    assert remedy.endswith("remove the call that ends its process")


@pytest.mark.parametrize("message", ["EOFError: EOF when reading a line", "SystemExit: 0"])
def test_a_program_that_runs_while_it_is_loaded_is_told_where_to_put_its_code(message: str) -> None:
    """It is useful on its author's machine."""
    assert finding(message).remedy.endswith('below `if __name__ == "__main__":`')
    assert "__main__" not in finding(message, call="draw").remedy


@pytest.mark.parametrize(
    "message",
    [
        "ModuleNotFoundError: 'helper': not in the sandbox, where players can rely on tourney",
        "ImportError: attempted relative import with no known parent package",
    ],
)
def test_an_own_module_beside_the_file_gets_its_place(message: str) -> None:
    """A check reads one file or a package."""
    own_runs = '\n\nif __name__ == "__main__":\n    ...\n'
    assert ("import it below `if __name__" in finding(message, own_runs).remedy) == (
        "ModuleNotFoundError" in message
    )
    wanted = "put the code of that file into this one, or submit a package with a pyproject.toml"
    assert finding(message).remedy.endswith(wanted)


@pytest.mark.parametrize(
    ("line", "message", "contract", "remedy"),
    [
        (
            "return player.total() < 16",
            "TypeError: 'int' object is not callable",
            Player,
            "leave out the parentheses after total: it is a value, not a method",
        ),
        (
            "return Action.hit if player.total < 13 else Action.STAND",
            "AttributeError: hit",
            Player,
            "write HIT instead of hit",
        ),
        (
            "return Action.hit",
            "AttributeError: type object 'Action' has no attribute 'hit'",
            Player,
            "write HIT instead of hit",
        ),
        (
            "return view.legalPlays[0]",
            "AttributeError: 'StraightsView' object has no attribute 'legalPlays'",
            StraightsPlayer,
            "write legal_plays instead of legalPlays",
        ),
        (
            "return TABLE[dealer.rank]",
            "KeyError: <Rank.TWO: 2>",
            Player,
            "the keys must be ranks, such as Rank.TWO; or look up card.value",
        ),
        (
            "return TABLE[player.total]",
            "KeyError: 21",
            Player,
            "add this key to the dictionary, or use its method get",
        ),
        (
            "self.table = {}",
            "AttributeError: property 'table' of 'Bold' object has no setter",
            Player,
            "use another name than table, which holds what your seat sees",
        ),
        (
            "return self.limt",
            "AttributeError: 'Bold' object has no attribute 'limt'",
            Player,
            "write a test that asks the same question, and fix that line",
        ),
    ],
)
def test_a_slip_in_the_use_of_the_games_objects_gets_its_name(
    line: str, message: str, contract: type[BasePlayer], remedy: str
) -> None:
    """Only where the class is public, or the line shows it."""
    assert finding(message, line, "draw", contract).remedy == remedy


def test_an_attribute_that_hides_a_method_is_shown_with_its_line() -> None:
    """Python only says that a number is not callable."""
    text = "class Bold:\n    def bet(self, bankroll, minimum):\n        self.bet = minimum\n"
    verdict = Verdict("raised", "bet", 2, 0, "TypeError: 'int' object is not callable", "", "")
    remedy = finding_of(verdict, source_of({"bold.py": text.encode()}), Player).remedy
    assert remedy == "bold.py:3 hides the method bet: give self.bet another name"


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("%matplotlib inline", "delete this line: only notebooks have commands with % or !"),
        ("```python", "delete this line, and the one after the code: they mark code in a chat"),
    ],
)
def test_a_line_that_only_notebooks_or_chats_have_is_named(line: str, remedy: str) -> None:
    """Python cannot read it."""
    verdict = Verdict("raised", "import", 1, 0, "syntax error: invalid syntax", "bold.py:1", "")
    found = finding_of(verdict, source_of({"bold.py": f"{line}\n".encode()}), Player)
    assert found.remedy == remedy


@pytest.mark.parametrize(
    ("wrong", "message", "remedy"),
    [
        ("return minimum", "NameError: name 'minimum' is not defined", "minimun on line 4"),
        ("return self.limt", "AttributeError: 'Bold' object has no attribute 'limt'", "limit on"),
        ("return wager", "NameError: name 'wager' is not defined", "check the spelling of wager"),
        ("return Hnd", "NameError: name 'Hnd' is not defined", "check the spelling of Hnd"),
    ],
)
def test_a_name_of_the_file_that_is_spelt_in_two_ways_is_shown_with_its_line(
    wrong: str, message: str, remedy: str
) -> None:
    """The misspelling may be where it is defined, so both places are named."""
    text = (
        "from tourney import Player\n\nclass Bold(Player):\n    def bet(self, bankroll, minimun):\n"
        f"        self.limit = 3\n        {wrong}\n"
    )
    verdict = Verdict("raised", "bet", 1, 0, message, "bold.py:6", "")
    source = source_of({"bold.py": text.encode()})
    assert remedy in finding_of(verdict, source, Player).remedy


CAUSES: Mapping[str, tuple[str, bool]] = MappingProxyType(
    {
        "import os, random": ("use self.random, which", False),
        "np.random.seed(42)": ("by np.random.default_rng(self.random.getrandbits(64))", True),
        "from numpy.random import default_rng": ("np.random.default_rng(self.random.", True),
        "from numpy import array, random": ("np.random.default_rng(self.random.", True),
        "import secrets": ("use self.random, which", True),
        "import time": ("not by the clock", True),
        "np.random.default_rng(self.random.getrandbits(64))": ("store state in self only", True),
        "": ("store state in self only", True),
    }
)


@pytest.mark.parametrize("line", CAUSES)
def test_the_source_of_chance_decides_the_remedy(line: str) -> None:
    """With its line; the random numbers of Python are a fault, as before."""
    remedy, is_warning = CAUSES[line]
    found = repeat_finding("…", source_of({"bold.py": f"\n{line}\n".encode()}), is_shared=True)
    assert remedy in found.remedy
    assert found.is_warning is is_warning
    has_cause = not remedy.startswith("store")
    assert found.place == ("bold.py:2" if has_cause else "bold.py")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("X = 3\nwhile True:\n    pass\n", "bold.py:2"),
        ("def game(): ...\n\n\ngame()\n", "bold.py:4"),
        ("TABLE = sum(range(10**9))\n", "bold.py:1"),
        ("A = sum([])\nB = sum([])\n", "bold.py"),
    ],
)
def test_a_file_that_is_never_loaded_gets_the_line_of_its_only_work(text: str, place: str) -> None:
    """Of several, no one can tell which is slow."""
    ended = Verdict("cpu", "import", 1, 0, "import: too much", place="", traceback="")
    trial: Trial = lambda _: ended  # noqa: E731 - as short as that
    fault = construction_cost.fault_of(trial, ANY, source_of({"bold.py": text.encode()}))
    assert fault
    assert fault.place == place
    assert fault.remedy.endswith('below `if __name__ == "__main__":`')


WEAK = """\
class Bold(Player):
    def draw(self, dealer, player):
        return {call}(dealer)

    def weak({parameters}):
        return dealer.value < 7
"""


@pytest.mark.parametrize(
    ("call", "parameters", "message", "remedy"),
    [
        (
            "weak",
            "self, dealer",
            "NameError: name 'weak' is not defined",
            "write self.weak, as it is a method",
        ),
        (
            "self.weak",
            "dealer",
            "TypeError: Bold.weak() takes 1 positional argument but 2 were given",
            "write self as the first parameter of weak",
        ),
    ],
)
def test_a_forgotten_self_of_an_own_method_is_named(
    call: str, parameters: str, message: str, remedy: str
) -> None:
    """In the call, and in its parameters."""
    text = WEAK.format(call=call, parameters=parameters)
    assert finding(message, text, "draw").remedy == remedy
