"""The check of a competitor: what it finds, and what it lets pass."""

import re
import sys
import time

import pytest

from tourney.checks import construction_cost, pools
from tourney.checks.check import check_source
from tourney.checks.construction_cost import Trial
from tourney.checks.pools import Demands, checking
from tourney.checks.report import CheckReport
from tourney.checks.source import source_of
from tourney.checks.trial_rounds import known_beside
from tourney.game.ledger import Verdict
from tourney.game.rules import Rules
from tourney.games.blackjack.check import matches
from tourney.games.blackjack.rules import PRESETS
from tourney.games.straights.rules import StraightsRules
from tourney.plugins.loading import load_plugins
from tourney.sandbox.budgets import Budget
from tourney.sandbox.levels import Level, probe

pytestmark = pytest.mark.skipif(
    probe() is Level.UNSAFE, reason="this machine cannot confine players"
)

PLAYER = """\
{top}
from tourney import Player


class Bold(Player):
    def bet(self, bankroll, minimum):
        {bet}

    def draw(self, dealer, player):
        {draw}
"""


def player(
    bet: str = "return minimum", draw: str = "return player.total < 16", top: str = ""
) -> str:
    """Write a competitor; `bet` stands on line 7, `draw` on line 10."""
    return PLAYER.format(bet=bet, draw=draw, top=top)


def check(text: str, game: str = "ve280", level: Level | None = None) -> CheckReport:
    """Check a file, as well confined as can be."""
    source, rules = source_of({"bold.py": text.encode()}), PRESETS[game]
    return check_source(source, rules, known_beside(rules, load_plugins()), level or probe())


@pytest.fixture(autouse=True)
def _few_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a match of a tenth of the length."""
    monkeypatch.setattr(matches, "TABLES", 20)


def test_a_good_player_passes_and_is_measured() -> None:
    """Nothing is found, and everything is told."""
    report = check(player())
    assert (report.passed, report.findings) == (True, ())
    assert [each.what for each in report.measured] == [
        "Sandbox",
        "Loading",
        "Situations",
        "Start-up",
        "Cost",
        "Differs from simple",
        "Differs from counting",
        "Repeatable",
        "Compared with simple",
        "Cost of decisions",
    ]
    assert report.score is not None
    costs = [each.cost_per_100 for each in report.mistakes]
    assert len(costs) == 10
    assert costs == sorted(costs, reverse=True)
    assert all(each.answer != each.best for each in report.mistakes)


def test_a_report_can_be_kept() -> None:
    """And read again, with all that was measured."""
    report = check(player(top="import os"))
    assert CheckReport.from_data(report.to_data()) == report


@pytest.mark.parametrize(
    ("text", "place", "message", "remedy"),
    [
        (player(top="import socket"), "bold.py:1", "'socket'", "write it without that module"),
        ("def f(:\n", "bold.py:1", "syntax error: invalid syntax", "correct this line"),
        (
            "def f():\nx = 1\n",
            "bold.py:2",
            "syntax error: expected an indented",
            "indent this line",
        ),
        (
            player(draw="return player.totl < 17"),
            "bold.py:10",
            "a hand has no 'totl'",
            "write total instead of totl",
        ),
        (
            player(top="import sys", draw="sys.exit(1)"),
            "bold.py:10",
            "SystemExit: 1",
            "a player must return an answer",
        ),
        (
            player().replace("from tourney import Player", ""),
            "bold.py",
            "NameError: name 'Player' is not defined",
            "add: from tourney import Player",
        ),
        (
            player(draw="return math.inf > 3"),
            "bold.py:10",
            "NameError: name 'math' is not defined",
            "add: import math",
        ),
        (
            player(draw="return totl < 17"),
            "bold.py:10",
            "NameError: name 'totl' is not defined",
            "check the spelling of totl, or define it before this line",
        ),
        ("TOTAL = 3\n", "bold.py", "expected one player in the file, got none", "write `class"),
        (
            PLAYER.partition("    def draw")[0].format(top="", bet="return minimum"),
            "bold.py:5",
            "Bold: expected a class that answers draw, got one without",
            "define draw in Bold",
        ),
        (
            f"{PLAYER.partition('    def draw')[0].format(top='', bet='return minimum')}"
            "class Bolder(Bold):\n    pass\n",
            "bold.py:9",
            "Bolder: expected a class that answers draw, got one without",
            "define draw in Bolder",
        ),
        (
            "from tourney import Player\n\n\nclass Bold:\n    draw = print\n",
            "bold.py:4",
            "Bold: expected a player, got a class that is no Player",
            "write `class Bold(Player):`, after `from tourney import Player`",
        ),
        (
            "class Player:\n    pass\n\n\nclass Bold(Player):\n    pass\n",
            "bold.py:5",
            "Bold: expected a player, got a class that is no Player",
            "write `class Bold(Player):`, after `from tourney import Player`",
        ),
        (
            player("return 2 * minimum"),
            "bold.py:6",
            "exactly 5 here; you bet 10",
            "wager whole chips",
        ),
        (
            player(draw="return 1 / 0"),
            "bold.py:10",
            "ZeroDivisionError",
            "check that the divisor is not 0",
        ),
        (
            player(draw="return self.draw(dealer, player)"),
            "bold.py:10",
            "Recursion",
            "endless recursion",
        ),
        (player(draw="return 1"), "bold.py:9", "expected True or False", "True to hit"),
        (player(draw="return 2"), "bold.py:9", "got 2, an int: wrap it in bool", "True to hit"),
        (player(draw="return open('/etc/passwd')"), "bold.py:10", "Permission", "only compute"),
        (player("return int(input())"), "bold.py:7", "EOFError", "do not use input()"),
        (
            player().replace("bet(self, ", "bet("),
            "bold.py:6",
            "takes 2 positional arguments but 3 were given",
            "write self as the first parameter of bet",
        ),
        (
            player().replace("    def bet", "    def __init__(self, target): ...\n\n    def bet"),
            "bold.py:6",
            "missing 1 required positional argument: 'target'",
            "give 'target' a default",
        ),
        (
            player().replace("bankroll, minimum", "bankroll"),
            "bold.py:6",
            "takes 2 positional arguments but 3 were given",
            "write `def bet(self, bankroll, minimum):`",
        ),
        (
            player().replace("dealer, player", "dealer, player, hand"),
            "bold.py:9",
            "missing 1 required positional argument: 'hand'",
            "write `def draw(self, dealer, player):`",
        ),
        (
            player(draw="return self.bet(5)"),
            "bold.py:10",
            "missing 1 required positional argument: 'minimum'",
            "fix that line",
        ),
        (player("import os; os.fork()", top="import posix as os"), "bold.py", "", ""),
    ],
    ids=[
        "import",
        "syntax",
        "indent",
        "misspelt",
        "exit",
        "no import",
        "no module",
        "no name",
        "nobody",
        "abstract",
        "abstract heir",
        "no player",
        "own player",
        "wager",
        "raises",
        "recursion",
        "answer",
        "number",
        "file",
        "asks",
        "self",
        "made",
        "fewer",
        "more",
        "own call",
        "module",
    ],
)
def test_a_fault_is_told_with_its_place_and_a_remedy(
    text: str, place: str, message: str, remedy: str
) -> None:
    """What, where, and how to mend it."""
    report = check(text)
    assert not report.passed
    finding = report.findings[0]
    assert finding.place.startswith(place)
    assert message in finding.message
    assert remedy in finding.remedy
    assert not finding.is_warning


def test_a_fault_is_told_once_with_the_situation() -> None:
    """However many situations show it."""
    report = check(
        player(draw="return player.soft and player.total == 18 or 0 < 1 / (player.total != 18)")
    )
    (finding,) = report.findings
    assert finding.message.startswith("with a ")


@pytest.mark.parametrize("method", ["bet", "draw"])
def test_a_method_that_has_to_be_awaited_is_told_with_its_line(method: str) -> None:
    """And nothing is said that differs from run to run, or that the author has not printed."""
    text = player().replace(f"def {method}", f"async def {method}")
    report = check(text)
    (finding,) = report.findings
    assert finding.place == f"bold.py:{text[: text.index('async')].count(chr(10)) + 1}"
    assert finding.message.endswith("a coroutine: write def, without async")
    assert "remove `async`" in finding.remedy
    assert "Printed" not in [each.what for each in report.measured]


def test_a_method_that_is_awaited_by_nobody_is_told_as_well() -> None:
    """Its answer counts for nothing, so a table goes on; but it has never watched a card."""
    text = player() + "\n    async def expose(self, card):\n        self.last = card\n"
    report = check(text)
    assert [(each.place, each.is_warning) for each in report.findings] == [("bold.py:12", True)]
    assert "expose is an async method, so calling it runs no code" in report.findings[0].message
    assert "remove `async`" in report.findings[0].remedy


def test_a_method_that_is_not_called_is_named() -> None:
    """In place of where it lies in memory, and of a type that nobody can wrap."""
    (finding,) = check(player("return self.bet")).findings
    assert "you bet the method bet itself: call it, with parentheses" in finding.message
    assert "wrap it" not in finding.message


def test_where_an_answer_lies_in_memory_is_not_told() -> None:
    """It differs from run to run."""
    (finding,) = check(player("return [self]")).findings
    assert "you bet [<competitor.Bold object>], a list" in finding.message


def test_all_that_can_be_found_is_told_at_once() -> None:
    """Imports that it cannot have, wagers and hands, in this order; each with its remedy."""
    top = "import socket\nfrom math import (\n    sqrt, nothing)\nimport requests as web"
    text = player("return self.sum(minimum)", "return 1", top)
    text += (
        "\n    def sum(self, minimum):\n        web.get('x'); socket.x\n        return minimum\n"
    )
    report = check(text)
    assert not report.passed
    assert [each.place for each in report.findings] == [f"bold.py:{n}" for n in (1, 2, 4, 12)]
    report = check(text.replace("web.get('x'); socket.x\n        return", "return 2 *"))
    assert [each.place for each in report.findings] == [f"bold.py:{n}" for n in (1, 2, 4, 9, 12)]
    assert all(each.remedy for each in report.findings)
    assert "with a hard 5 against a 2" in report.findings[-1].message


def test_lines_of_an_import_are_those_that_python_counts() -> None:
    """A form feed, or a separator in a text, begins none."""
    top = 'X = "\u2028"\n\x0cimport socket'
    found = check(player("return 0", "return True", top)).findings
    places = [each.place for each in found if not each.is_warning]
    assert places == ["bold.py:2", "bold.py:7"]


def test_a_hand_is_asked_about_although_no_wager_is_right() -> None:
    """Not what follows from that: who counts wagers to divide by them has none of them."""
    ahead = "return 0"
    places = [each.place for each in check(player(ahead, "return None")).findings]
    assert places == ["bold.py:6", "bold.py:9"]
    for draw in (
        "return 1 / self.wagers",
        "return self.last.value > 3",
        "return self.unset",
        "return self.words + 1 > 3",
    ):
        text = player(ahead, draw, "") + "\n    wagers = 0\n    last = None\n    words = ''\n"
        assert [each.place for each in check(text).findings] == ["bold.py:6"]


def test_who_ends_its_process_is_told_so() -> None:
    """Nobody knows at which situation."""
    (finding,) = check(
        player("raise_(); return minimum", top="from os import abort as raise_")
    ).findings
    assert not finding.message.startswith("with ")


@pytest.mark.parametrize(
    ("top", "passes", "remedy"),
    [("import random", False, "use self.random"), ("", True, "store state in self only")],
    ids=["random", "class"],
)
def test_who_depends_on_other_tables_is_told_so(top: str, passes: bool, remedy: str) -> None:
    """Luck that all tables share is refused; what a class keeps is warned of."""
    luck = "random.randrange(3)" if top else "len(self.seen) % 3"
    draw = f"self.seen.append(1); return player.total < 14 + {luck}"
    report = check(player(draw=draw, top=top).replace("Player):", "Player):\n    seen = []\n"))
    assert report.passed is passes
    assert remedy in report.findings[0].remedy


@pytest.mark.parametrize("is_python", [True, False])
def test_who_asks_for_the_time_does_not_play_the_same_again(is_python: bool) -> None:
    """By Python's clock at other tables only; past it not even in the same order."""
    clock = "time.perf_counter_ns() // 100" if is_python else "int(os.times().elapsed * 100)"
    draw = f"return player.total < 13 + {clock} % 4"
    report = check(player(draw=draw, top="import os, time"))
    # A busy machine may make it look slow besides.
    (finding,) = (each for each in report.findings if "CPU time" not in each.message)
    assert report.passed is is_python
    assert ("in another order" if is_python else "played again") in finding.message
    assert ("store state in self only" if is_python else "not by the clock") in finding.remedy


def test_luck_of_its_own_is_no_fault() -> None:
    """It is the same whenever a block is played again."""
    report = check(player("return self.random.randint(minimum, min(bankroll, self.table.maximum))"))
    assert report.passed
    # A busy machine may make even this look slow.
    assert not [each for each in report.findings if "CPU time" not in each.message]


def test_a_copy_of_simple_is_warned_of() -> None:
    """With the number of decisions compared."""
    draw = (
        "return (player.total < 18 or player.total == 18 and dealer.value not in {2, 7, 8})"
        " if player.soft else player.total < 12 or (dealer.value not in {4, 5, 6}"
        " if player.total == 12 else player.total < 17 and dealer.value > 6)"
    )
    report = check(player(draw=draw))
    (finding,) = report.findings
    assert (report.passed, finding.is_warning) == (True, True)
    assert re.fullmatch(r"this player made the same 2,\d+ decisions as simple", finding.message)


def test_a_slow_machine_finds_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers at once is not slow on a processor that takes four times as long either."""
    clock = time.clock_gettime

    def slower(number: int) -> float:
        return clock(number) * (4 if number < 0 else 1)  # negative are those of processes

    monkeypatch.setattr(time, "clock_gettime", slower)
    # Other programs on the same core may slow it down further, but not every time.
    reports = (check(player()) for _ in range(4))
    report = next((each for each in reports if each.findings == ()), None)
    assert report is not None
    told = {each.what: each.told for each in report.measured}
    assert told["Repeatable"].startswith("20 tables")


def test_who_is_slow_is_warned() -> None:
    """Before a tournament ends it."""
    report = check(player(draw="sum(range(50_000)); return player.total < 16"))
    assert any(
        "more than half" in each.message or "CPU time" in each.message for each in report.findings
    )


def test_an_author_may_check_unconfined_and_the_report_says_so() -> None:
    """Where nothing can be confined."""
    report = check(player(), level=Level.UNSAFE)
    assert report.passed
    assert "with all your rights" in report.measured[0].told


def test_a_game_with_more_moves_is_checked_with_all_of_them() -> None:
    """Who doubles whatever is legal is told of the first hand where it is not."""
    text = (
        "from tourney import Action, ActPlayer\n\n\nclass Bold(ActPlayer):\n"
        "    def act(self, dealer, player, legal):\n        return Action.DOUBLE\n"
    )
    report = check(text, "six-decks-h17")
    assert report.findings[0].place == "bold.py:5"
    assert "legal" in report.findings[0].remedy


def test_what_a_player_prints_is_shown_to_its_author() -> None:
    """The first line of it."""
    report = check(player(top="print('loaded')\nprint('well')"))
    told = {each.what: each.told for each in report.measured}
    assert told["Printed"] == "loaded (and 1 more line)"


PROJECT = '[project]\nname = "bold"\n[project.entry-points.tourney]\nbold = "bold"\n'
PACKAGE = {"pyproject.toml": PROJECT.encode(), "bold.py": player().encode()}
STRAIGHTS = """\
from tourney import StraightsPlayer


class Last(StraightsPlayer):
    def play(self, view):
        return CARD
"""
LAST = "(view.legal_plays or view.hand)[-1]"


def check_straights(card: str, text: str = STRAIGHTS) -> CheckReport:
    """Check a player of Straights."""
    source = source_of({"last.py": text.replace("CARD", card).encode()})
    return check_source(source, StraightsRules(), {}, probe())


def test_a_player_of_straights_is_checked_by_whole_rounds() -> None:
    """Legal cards, the same again, and how many points it saves."""
    report = check_straights(LAST)
    assert (report.passed, report.findings) == (True, ())
    assert [each.what for each in report.measured] == [
        "Sandbox",
        "Loading",
        "Rounds",
        "Start-up",
        "Cost",
        "Repeatable",
        "Compared with others",
    ]


@pytest.mark.parametrize(
    ("card", "place", "message"),
    [("view.hand[0]", "last.py:5", "play: expected to "), ("1 / 0", "last.py:6", "ZeroDivision")],
)
def test_a_wrong_card_is_told_with_its_place(card: str, place: str, message: str) -> None:
    """Of the first table that shows it."""
    report = check_straights(card)
    assert not report.passed
    assert report.findings[0].place == place
    assert message in report.findings[0].message


def test_all_that_is_wrong_with_a_player_of_straights_is_told_at_once() -> None:
    """Imports and several lines."""
    card = "1 / 0 if view.seat else web"
    text = STRAIGHTS.replace("from", "import web, os.path\nimport socket\nfrom", 1)
    assert [each.place for each in check_straights(card, text).findings] == [
        "last.py:1",
        "last.py:2",
        "last.py:8",
    ]
    several = "(1 / 0 if len(view.hand) > 9 else\n            None.x)"
    places = {each.place for each in check_straights(several).findings}
    assert places == {"last.py:6"}


def test_the_parameters_of_any_games_method_are_told() -> None:
    """Those that its contract says."""
    (finding,) = check_straights("None", STRAIGHTS.replace("self, view", "self")).findings
    assert (finding.place, finding.remedy) == ("last.py:5", "write `def play(self, view):`")


NOTHING_LEGAL = "no card may be played if view.must_discard: then return a card of view.hand"
NO_ORDER = "cards have no order: sort or choose with a key, as in key=view.points_of"
NO_NUMBER = "a card is not a number: use view.points_of(card) or card.rank"
LEGAL = "return a Card from view.legal_plays"


@pytest.mark.parametrize(
    ("card", "remedy"),
    [
        ("view.legal_plays[0]", NOTHING_LEGAL),
        ("self.random.choice(view.legal_plays)", NOTHING_LEGAL),
        ("min(view.legal_plays, key=view.points_of)", NOTHING_LEGAL),
        ("sorted(view.hand)[0]", NO_ORDER),
        ("min(view.hand)", NO_ORDER),
        ("next(card for card in view.hand if card > 5)", NO_NUMBER),
        ("0", LEGAL),
        ("next(card for card in view.hand if card not in view.legal_plays)", LEGAL),
        (
            "view.legal_plays[0] if view.legal_plays else 0",
            "no card may be played here: return a Card from view.hand",
        ),
    ],
)
def test_a_newcomer_to_straights_gets_a_fix(card: str, remedy: str) -> None:
    """The fix names the attributes of the view that the player needs."""
    (finding,) = check_straights(card).findings
    assert finding.remedy == remedy


@pytest.mark.parametrize(
    ("draw", "remedy"),
    [
        *(
            (f"return {test}", "a hand is not a number: compare player.total")
            for test in ("player > 16", "16 <= player", "player + 1 < 17", "int(player) < 16")
        ),
        ("return dealer >= 7", "a card is not a number: compare its value, as in dealer.value"),
        ("return max(player) > 16", "its cards are in player.cards"),
    ],
)
def test_a_hand_taken_for_a_number_gets_a_fix(draw: str, remedy: str) -> None:
    """The fix names the number that the player needs."""
    (finding,) = check(player(draw=draw)).findings
    assert finding.remedy == remedy


@pytest.mark.parametrize(
    ("test", "message", "remedy"),
    [
        (
            "player == 16",
            "player is a Hand, which never equals a number",
            "a hand is not a number: compare player.total",
        ),
        (
            "7 != dealer",
            "dealer is a Card, which never equals a number",
            "a card is not a number: compare its value, as in dealer.value",
        ),
        (
            'dealer.rank in ("A", "K")',
            "dealer.rank never equals 'A'",
            "write, after `from tourney import Rank`: Rank.ACE, or another of its members",
        ),
        (
            "dealer.value == 1",
            "dealer.value never equals 1",
            "write a number: an ace has the value 11, and a court card has 10",
        ),
    ],
)
def test_a_comparison_that_is_never_true_is_a_warning(test: str, message: str, remedy: str) -> None:
    """Python raises no exception for it."""
    report = check(player(draw=f"return {test} or player.total < 16"))
    (finding,) = report.findings
    assert (finding.message, finding.remedy, finding.place) == (message, remedy, "bold.py:10")
    assert report.passed


def test_an_enumeration_of_the_file_is_never_the_rank_of_a_card() -> None:
    """As in a program that was written for other cards; its values are numbers."""
    enum = "from enum import Enum\n\n\nclass Rank(Enum):\n    ACE = 11\n\n\n"
    unequal = enum + player(draw="return dealer.rank == Rank.ACE or player.total < 16")
    (finding,) = check(unequal).findings
    assert finding.message == "dealer.rank never equals Rank.ACE"
    equal = "return dealer.value == Rank.ACE.value or dealer.value in (1, 10) or player.total < 16"
    assert not check(enum + player(draw=equal)).findings


def test_a_hand_that_became_a_number_may_be_compared() -> None:
    """The parameter has another value there."""
    assert not check(player(draw="player = player.total; return player == 16")).findings


@pytest.mark.parametrize(
    ("module", "near"), [("tourny", "tourney"), ("Numpy", "numpy"), ("maths", "math")]
)
@pytest.mark.parametrize("rest", ["", "\n\n\nclass A(X):\n    pass\n"])
def test_a_misspelled_module_is_one_fault_with_its_fix(module: str, near: str, rest: str) -> None:
    """A class that is missing because of the import is no second fault."""
    (finding,) = check(f"from {module} import X{rest}").findings
    assert f"'{module}': not in the sandbox; did you mean {near}?" in finding.message
    assert (finding.place, finding.remedy) == ("bold.py:1", f"write {near} instead of {module}")


@pytest.mark.parametrize("module", ["scipy", "datetime", "socket"])
def test_a_forbidden_module_is_no_misspelling(module: str) -> None:
    """The message lists the modules that players can use."""
    finding = check(player(top=f"import {module}")).findings[0]
    assert "players can rely on tourney, " in finding.message
    assert finding.remedy == "write it without that module"


@pytest.mark.parametrize(
    ("line", "message", "remedy"),
    [
        ("from tourney import Playr", "'Playr' from 'tourney'", "write Player instead of Playr"),
        ("from math import sqrtt", "'sqrtt' from 'math'", "write sqrt instead of sqrtt"),
        ("from tourney import Dealer", "'Dealer' from 'tourney'", "check the spelling"),
    ],
)
def test_a_missing_name_is_an_import_error(line: str, message: str, remedy: str) -> None:
    """As in Python, but without the path of this machine."""
    finding = check(player(top=line)).findings[0]
    assert finding.message.endswith(f"ImportError: cannot import name {message}")
    assert finding.remedy.startswith(remedy)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("", "found one player"),
        ("class B(Bold): pass", "found one player, B (Bold is its base)"),
        (
            "class B(Bold): pass\nclass C(B): pass",
            "found one player, C (Bold and B are its bases)",
        ),
        ("class B(Bold): pass\ncompetitor = Bold", "found one player, Bold"),
    ],
)
def test_the_class_that_plays_is_named(more: str, words: str) -> None:
    """A file may have several classes of players."""
    report = check(f"{player()}\n{more}\n")
    assert words in [each.told for each in report.measured]


def test_an_endless_loop_is_suspected() -> None:
    """Its line is not known from outside the process."""
    (finding,) = check(player(draw="\n        while True: pass")).findings
    assert "; it may have an endless loop (round 1)" in finding.message


def test_a_player_of_blackjack_does_not_play_straights() -> None:
    """It is told so."""
    source = source_of({"bold.py": player().encode()})
    report = check_source(source, StraightsRules(), {}, probe())
    assert "Bold is not a player of Straights" in report.findings[0].message


def test_luck_shared_by_tables_of_straights_is_a_fault() -> None:
    """Their order must not matter."""
    report = check_straights(f"__import__('random').choice({LAST[:-4]})")
    assert not report.passed
    assert "use self.random" in report.findings[0].remedy


@pytest.mark.parametrize("level", [probe(), Level.UNSAFE])
def test_a_package_is_checked_like_a_file(level: Level) -> None:
    """Nothing of it runs in this process, and faults have their file and line."""
    bundled = {"simple": load_plugins().player("simple", "blackjack")}
    report = check_source(source_of(PACKAGE), PRESETS["ve280"], bundled, level)
    assert report.passed, report.findings
    assert report.score is not None
    assert "bold" not in sys.modules
    broken = source_of(PACKAGE | {"bold.py": b"import nothing_of_that_name"})
    report = check_source(broken, PRESETS["ve280"], bundled, level)
    assert not report.passed
    assert report.findings[0].place == "bold.py:1"


@pytest.mark.parametrize("top", ["# coding: unicode_escape", "#!python\n# -*- coding: utf_7 -*-"])
def test_a_file_that_names_another_alphabet_is_warned_of(top: str) -> None:
    """Somebody who reads it could be shown something else than what runs."""
    report = check(player(top=top))
    assert report.passed
    assert [each.is_warning for each in report.findings] == [True]
    place = f"bold.py:{top.count(chr(10)) + 1}"
    assert str(report.findings[0]).startswith(f"{place}: this comment declares the encoding")


@pytest.mark.parametrize(
    "top", ["# coding: utf-8", "# -*- coding: UTF8 -*-", "\n\n# coding: utf-7"]
)
def test_a_file_may_say_what_it_is(top: str) -> None:
    """And a remark further down is none about the file."""
    assert check(player(top=top)).findings == ()


def test_what_runs_is_what_is_read() -> None:
    """Whatever alphabet a file names: a line hidden in a remark stays a remark."""
    hidden = "# coding: unicode_escape\n# a remark \\x0araise SystemExit"
    assert check(player(top=hidden)).passed


def test_a_player_of_straights_is_recognised_at_blackjack() -> None:
    """The fault is the game it is checked for, not a method it lacks."""
    report = check(STRAIGHTS.replace("CARD", LAST))
    (finding,) = report.findings
    assert str(finding) == (
        "bold.py: expected a player of blackjack, got Last, of straights; "
        "if it plays Straights, check it with --game straights"
    )


SLOW = "def __init__(self):\n        self.sum = sum(range(1_000_000))\n\n    "
TIGHT = Demands(tables=100, budget=Budget(loading=0.5, stall=2.0), name="Cup")
"""A hundred constructors like that take three times as much, and one a tenth."""


def slow(text: str, first: str = "def ") -> str:
    """Have a player work something out whenever it is made."""
    return text.replace(first, SLOW + first, 1)


def findings(text: str, demands: Demands, rules: Rules) -> CheckReport:
    """Check a file for a tournament."""
    source = source_of({"bold.py": text.encode()})
    return check_source(source, rules, known_beside(rules, load_plugins()), probe(), demands)


@pytest.mark.parametrize(
    ("text", "rules", "place"),
    [
        (slow(player()), PRESETS["ve280"], "bold.py:6"),
        (slow(STRAIGHTS.replace("CARD", LAST)), StraightsRules(), "bold.py:5"),
    ],
    ids=["blackjack", "straights"],
)
def test_a_slow_constructor_is_a_fault_where_a_tournament_would_end_it(
    text: str, rules: Rules, place: str
) -> None:
    """With its line, what it costs for each table, for how many it does, and the true remedy."""
    report = findings(text, TIGHT, rules)
    (finding,) = (each for each in report.findings if not each.is_warning)
    assert not report.passed
    assert finding.place == place
    assert "to sit down at 100 tables together of Cup, got " in finding.message
    assert re.search(r"\d ms for each, enough for \d+ tables", finding.message)
    assert "when the file is loaded" in finding.remedy


def test_what_is_worked_out_once_costs_a_tournament_nothing() -> None:
    """The remedy holds: the same work above the class, or kept, seats everybody."""
    once = player(top="TOTAL = sum(range(1_000_000))")
    kept = slow(player(top="from functools import cache")).replace(
        "self.sum = sum(range(1_000_000))", "self.sum = cache(sum)(range(1_000_000))"
    )
    kept = kept.replace("cache(sum)", "total").replace(
        "class Bold", "total = cache(sum)\n\n\nclass Bold"
    )
    for text in (once, kept):
        report = findings(text, TIGHT, PRESETS["ve280"])
        assert report.passed, report.findings
        assert not [each for each in report.findings if "constructor" in each.message]


def clocked(first: float, each: float, error: float, most: float) -> Trial:
    """Seat players by a clock that says too much of every number of them but one."""

    def seat(count: int) -> float | Verdict:
        seconds = first + each * (count - 1)
        if seconds > most:
            return Verdict("cpu", "import", 1, 0, "import: too much", place="", traceback="")
        return seconds + (error if count > 1 else 0)

    return seat


@pytest.mark.parametrize("each", [0.0, 1e-5, 3e-4])
def test_nobody_is_refused_for_what_a_clock_errs(each: float) -> None:
    """A hundredth of a second in two players would be a minute in ten thousand."""
    demands = Demands(tables=10_000, name="Cup")
    source = source_of({"bold.py": player().encode()})
    most = demands.budget.loading + demands.budget.decision * demands.tables
    trial = clocked(first=0.5, each=each, error=0.01, most=most)
    assert construction_cost.fault_of(trial, demands, source) is None
    for count in (2, 80, 400):
        seconds = trial(count)
        assert seconds
        cost = construction_cost.cost_of(trial, count, seconds, demands)
        assert cost
        assert all(
            each.is_warning for each in construction_cost.cost_findings(cost, demands, source)
        )


def test_who_takes_too_much_is_refused_whatever_a_clock_errs() -> None:
    """By the number of tables at which the referee would end it."""
    demands = Demands(tables=10_000, name="Cup")
    source = source_of({"bold.py": slow(player()).encode()})
    trial = clocked(first=0.5, each=0.002, error=0.01, most=demands.budget.loading)
    fault = construction_cost.fault_of(trial, demands, source)
    assert fault
    assert (fault.is_warning, fault.place) == (False, "bold.py:6")


def test_a_slow_constructor_is_warned_of_without_a_tournament() -> None:
    """Nobody knows then how many tables there will be; the line says for how many it does."""
    report = findings(
        slow(player()).replace("1_000_000", "200_000"), Demands(tables=10_000), PRESETS["ve280"]
    )
    (finding,) = report.findings
    assert (report.passed, finding.is_warning) == (True, True)
    assert finding.message.startswith("constructor: expected at most 4.0 s of CPU time")
    told = {each.what: each.told for each in report.measured}
    assert "for 10,000 tables together, of 4.0 s allowed" in told["Start-up"]


def test_a_slow_constructor_in_cpp_gets_no_advice_for_python() -> None:
    """There, global variables are made for every table, too."""
    source = source_of({"player.cpp": b"Player *get_Simple();\n"})
    trial = clocked(first=0.1, each=0.2, error=0, most=9)
    fault = construction_cost.why_not_seated(trial, Demands(tables=1_000), source, 235)
    assert fault.remedy == source.language.remedies["constructor"]


@pytest.mark.parametrize(("tables", "seconds"), [(10_000, 12.0), (1_000, 12.0), (100, 30.0)])
def test_a_check_allows_what_it_says_for_its_own_tables(tables: int, seconds: float) -> None:
    """As much as a tournament of a few hundred tables: what a larger one refuses, it weighs."""
    demands = Demands(tables=tables)
    assert checking(demands).budget.loading == pytest.approx(seconds)
    source = source_of({"bold.py": player().encode()})
    trial = clocked(first=0.1, each=0.2, error=0, most=seconds)
    said = construction_cost.why_not_seated(trial, demands, source, 235).message
    assert f"making 235 players takes more than {seconds:.1f} s of CPU time" in said
    assert "200 ms for each, enough for " in said


@pytest.mark.parametrize(
    ("text", "said", "remedy"),
    [
        (
            player(top="sum(range(10**8))"),
            "import: loading the file takes more than 500 ms",
            "write the results",
        ),
        (
            slow(player()).replace("1_000_000", "10**8"),
            "constructor: loading the file and making a player or two takes more than 500 ms",
            "above the class",
        ),
    ],
    ids=["reading", "making"],
)
def test_who_never_sits_down_is_told_whether_the_file_or_the_constructor_is_slow(
    text: str, said: str, remedy: str
) -> None:
    """They are mended in different places."""
    (finding,) = findings(text, TIGHT, PRESETS["ve280"]).findings
    assert finding.message.startswith(said)
    assert remedy in finding.remedy


FORBIDDEN = "forbidden system call "
COMPUTE = "only compute: no files, no network, no processes, no threads"


@pytest.mark.parametrize("where", ["import", "constructor", "bet"])
@pytest.mark.parametrize(
    ("does", "said", "remedy"),
    [
        ("os.fork()", FORBIDDEN, COMPUTE),
        ("_thread.start_new_thread(print, ())", FORBIDDEN, COMPUTE),
        ("_socket.socket()", FORBIDDEN, COMPUTE),
        ("open('x', 'w')", FORBIDDEN, COMPUTE),
        ("os.posix_spawn('/bin/true', ['x'], {})", FORBIDDEN, COMPUTE),
        ("os._exit(3)", "its process ended: exit status 3", "do not"),
    ],
)
def test_what_ends_a_process_is_named_wherever_it_is_done(
    does: str, said: str, remedy: str, where: str
) -> None:
    """While the file is read, as a player is made, and as it is asked: never as slow computing."""
    named = "import os, _socket, _thread\n"
    if where == "constructor":
        text = player(top=named).replace(
            "    def bet", f"    def __init__(self):\n        {does}\n\n    def bet"
        )
    elif where == "bet":
        text = player(bet=f"{does}; return minimum", top=named)
    else:
        text = player(top=f"{named}{does}")
    report = check(text)
    assert not report.passed
    finding = report.findings[0]
    assert finding.message.startswith(f"{where}: ")
    assert said in finding.message
    assert finding.remedy.startswith(remedy)
    assert finding.place.startswith("bold.py")


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("os.system('ls')", "it tried to start a program, a process or a thread (forbidden "),
        ("open('x', 'w')", "it tried to write a file (forbidden "),
        ("os.kill(1, 9)", "it tried to end or signal a process (forbidden "),
    ],
)
def test_a_forbidden_call_is_described_in_plain_words(does: str, words: str) -> None:
    """The number of the system call follows in brackets."""
    report = check(player(bet=f"{does}; return minimum", top="import os"))
    assert report.findings[0].message.startswith(f"bet: {words}")


def test_hidden_characters_are_warned_of_with_line_and_column() -> None:
    """They show a line in another order than it runs, or are not shown."""
    report = check(player(top="access = 'user\u202e \u2066'  # \u200b"))
    assert report.passed
    hidden = [each for each in report.findings if each.message.startswith("hidden character")]
    assert [(each.place, each.is_warning) for each in hidden] == [("bold.py:1", True)] * 3
    assert "U+202E RIGHT-TO-LEFT OVERRIDE at line 1, column 15" in hidden[0].message
    assert hidden[0].remedy.endswith(r"\u202e")
    assert "\u202e" not in "".join(map(str, report.findings))


def test_a_source_that_fails_is_warned_of_its_hidden_characters_as_well() -> None:
    """A lie may be the reason why nobody sees the fault."""
    report = check(player(bet="return 1.5  # \u2067"))
    assert not report.passed
    assert any("U+2067" in each.message for each in report.findings)


def test_a_misspelt_method_is_warned_of() -> None:
    """Python takes it for a method like any other, and nobody calls it."""
    text = player() + "\n    def exposed(self, card):\n        self.seen = card\n"
    report = check(text)
    (finding,) = report.findings
    assert report.passed
    assert str(finding) == (
        "bold.py:12: exposed is not a method of Player, so it is never called; "
        "if you mean expose, write: def expose(…)"
    )
    report = check_straights(LAST + "\n\n    def Play(self, view):\n        return view.hand[0]")
    assert not report.findings  # a helper beside the method that it resembles


def test_a_method_in_capitals_is_named_by_the_finding_on_the_missing_one() -> None:
    """One finding says what is missing, and which line to correct."""
    (finding,) = check(player().replace("def bet", "def Bet")).findings
    assert str(finding) == (
        "bold.py:5: Bold: expected a class that answers bet, got one without; "
        "line 6 defines Bet: if you mean bet, write: def bet(…)"
    )


def test_one_of_two_missing_methods_may_be_misspelt() -> None:
    """The other one is still to be written."""
    text = "from tourney import Player\n\n\nclass Bold(Player):\n    def drow(self, a, b): pass\n"
    (finding,) = check(text).findings
    assert finding.remedy == (
        "define bet and draw in Bold; line 5 defines drow: if you mean draw, write: def draw(…)"
    )


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (
            "from tourney.strategies.counting import Counting\n\n\nclass Bold(Counting):\n"
            "    def draw(self, dealer, player):\n        return player.total < 15\n",
            PRESETS["ve280"],
        ),
        (
            "from tourney.strategies.basic import *\n\n\nclass Bold(BasicSixDecksH17):\n    pass\n",
            PRESETS["six-decks-h17"],
        ),
        (
            "from tourney.strategies import salvager\n\n\n"
            "class Bold(salvager.Salvager):\n    pass\n",
            StraightsRules(),
        ),
    ],
    ids=["counting", "a chart", "straights"],
)
def test_a_player_may_build_on_a_bundled_strategy(text: str, rules: Rules) -> None:
    """They are read where players are confined, with their charts; only its own class competes."""
    report = findings(text, Demands(), rules)
    assert report.passed, report.findings


@pytest.mark.parametrize("game", ["ve280", "straights"])
def test_a_player_may_import_all_names(game: str) -> None:
    """In a sandbox, those for players; the modules of the others are not there."""
    text = player() if game == "ve280" else STRAIGHTS.replace("CARD", LAST)
    rules: Rules = PRESETS["ve280"] if game == "ve280" else StraightsRules()
    lines = [each for each in text.splitlines() if not each.startswith(("import", "from"))]
    report = findings("\n".join(["from tourney import *", *lines]), Demands(), rules)
    assert report.passed, report.findings


@pytest.mark.parametrize("entry", ["bold", "bold:Bold"])
def test_a_package_may_offer_its_player_on_its_front_page(entry: str) -> None:
    """As installed packages do."""
    project = f'[project]\nname = "bold"\n[project.entry-points.tourney]\nbold = "{entry}"\n'
    files = {
        "bold/__init__.py": "from .play import Bold\n",
        "bold/play.py": player(),
        "pyproject.toml": project,
    }
    source = source_of({name: text.encode() for name, text in files.items()})
    rules = PRESETS["ve280"]
    report = check_source(source, rules, known_beside(rules, load_plugins()), probe())
    assert report.passed, report.findings


def test_without_a_tournament_no_greatest_wager_is_assumed() -> None:
    """Who bets twice the minimum plays by the documents, which know no limit."""
    text = player("return min(2 * minimum, bankroll)")
    assert check(text).passed
    limited = findings(text, Demands(maximum=9), PRESETS["ve280"])
    (finding,) = limited.findings
    assert "at a table whose limit is the minimum" in finding.message


def test_where_there_are_no_processes_ones_own_file_is_checked_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on macOS and Windows, once its author has said that it is trusted."""
    apart = check(player(), level=Level.UNSAFE)
    monkeypatch.setattr(pools, "HAS_PROCESSES", False)
    here = check(player(), level=Level.UNSAFE)
    assert (here.passed, here.score) == (True, apart.score)
    assert [each.what for each in here.measured] == [each.what for each in apart.measured]
    source = source_of({"last.py": STRAIGHTS.replace("CARD", LAST).encode()})
    assert check_source(source, StraightsRules(), {}, Level.UNSAFE).passed
    broken = check(player(top="1 / 0"), level=Level.UNSAFE)
    assert not broken.passed
    assert "expected Python that runs, got ZeroDivisionError" in broken.findings[0].message
