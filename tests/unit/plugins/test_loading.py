"""Plugins: each is loaded by itself, and one with a fault is in quarantine as a whole."""

from __future__ import annotations

import sys
from dataclasses import FrozenInstanceError
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING

import pytest

from tourney.competitors.sources import Family
from tourney.errors import DISTRIBUTION, PluginError
from tourney.games.blackjack.rules import PRESETS
from tourney.games.straights.rules import PRESETS as STRAIGHTS
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Plugin

if TYPE_CHECKING:
    from tests.unit.plugins.conftest import Shelf

BUILTIN = EntryPoint("builtin", "tourney.competitors.builtin_plugin", "tourney")


def quarantined(plugin: Plugin, reason: str, place: str, remedy: str) -> None:
    """Expect a plugin in quarantine, with a part of its reason and of its remedy."""
    assert plugin.status == "quarantined"
    assert reason in plugin.reason
    assert plugin.place == place
    assert remedy in plugin.remedy
    assert "\n" not in plugin.fault


def line_of(text: str, part: str) -> int:
    """Give the line that a part of a text stands on."""
    return text[: text.index(part)].count("\n") + 1


def test_a_strategy_is_registered_with_its_summary_and_distribution(shelf: Shelf) -> None:
    """An installed module offers a strategy under the name it chooses."""
    shelf.install("tourney-bold", shelf.player + shelf.offer, version="2.1")
    registry = shelf.load()
    bold = registry.strategy("bold")
    assert (bold.name, bold.make.__name__, bold.summary) == ("bold", "Bold", "Bets half.")
    assert (bold.distribution, bold.version) == ("tourney-bold", "2.1")
    assert registry.plugins == (bold.plugin,)
    assert (bold.plugin.status, bold.plugin.strategies) == ("loaded", ("bold",))
    assert bold.plugin.origin == "tourney_bold of tourney-bold 2.1"
    assert bold.plugin.fault == ""


def test_what_a_plugin_prints_is_no_part_of_a_commands_answer(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output may be JSON that another program reads."""
    shelf.install("tourney-bold", "print('imported')\n" + shelf.player + shelf.offer)
    assert "bold" in shelf.load().strategies
    assert capsys.readouterr() == ("", "imported\n")


def test_what_is_installed_is_found_by_its_metadata(shelf: Shelf) -> None:
    """Without further word every distribution on the path is looked through."""
    shelf.install("tourney-bold", shelf.player + shelf.offer)
    assert "bold" in load_plugins().strategies


def test_the_platforms_games_come_through_the_same_hooks() -> None:
    """The course systems are a plugin like any other."""
    registry = load_plugins(entry_points=[BUILTIN])
    presets = {**PRESETS, **STRAIGHTS}
    assert {name: game.rules for name, game in registry.games.items()} == presets
    assert registry.plugins[0].games == tuple(presets)


def test_every_kind_of_thing_can_be_provided(shelf: Shelf) -> None:
    """One plugin may answer all hooks."""
    shelf.install(
        "club",
        shelf.player
        + shelf.offer
        + """
from dataclasses import dataclass
from tourney.games.blackjack.rules import BlackjackRules

from tourney.formats import Duplicate
from tourney.standings.columns import Column

@dataclass(frozen=True, kw_only=True)
class Sprint(Duplicate):
    '''Run.'''
    summary = "run"
    tables: int = 8

@hookimpl
def tourney_games():
    return {"our-club": BlackjackRules(decks=6)}

@hookimpl
def tourney_formats():
    return {"sprint": Sprint}

@hookimpl
def tourney_columns():
    return [Column("luck", "Luck (95\u202f%)", lambda row: 0)]
""",
    )
    registry = shelf.load()
    plugin = registry.plugins[0]
    assert plugin.reason == ""
    provided = (plugin.strategies, plugin.games, plugin.formats, plugin.columns)
    assert provided == (("bold",), ("our-club",), ("sprint",), ("luck",))
    assert registry.game("our-club").rules.decks == 6  # type: ignore[attr-defined]  # blackjack's
    assert (registry.format("sprint").make.__name__, registry.format("sprint").summary) == (
        "Sprint",
        "run",
    )
    assert registry.column("luck").title == "Luck (95\u202f%)"


def test_hooks_may_be_methods_of_an_object(shelf: Shelf) -> None:
    """An entry point may name an object in a module, and class and static methods count."""
    shelf.write(
        "club_module.py",
        shelf.player
        + """
class Club:
    @hookimpl
    def tourney_strategies(self, unused=1):
        return {"bold": Bold}

    @staticmethod
    @hookimpl
    def tourney_games():
        from tourney.games.blackjack.rules import BlackjackRules
        return {"club": BlackjackRules()}

club = Club()
""",
    )
    shelf.register("club", "[tourney]\nclub = club_module:club\n")
    registry = shelf.load()
    assert registry.plugins[0].fault == ""
    assert (tuple(registry.strategies), tuple(registry.games)) == (("bold",), ("club",))


def test_a_hook_may_stand_under_another_name(shelf: Shelf) -> None:
    """Two functions answer one hook if they say so; their answers add up."""
    more = "@hookimpl(specname='tourney_strategies')\ndef more():\n    return {'bolder': Bold}\n"
    shelf.install("bold", shelf.player + shelf.offer + more)
    assert set(shelf.load().strategies) == {"bold", "bolder"}


def test_an_optional_hook_of_a_later_version_is_no_fault(shelf: Shelf) -> None:
    """A plugin may answer hooks that this version does not ask."""
    later = "@hookimpl(optionalhook=True)\ndef tourney_publishers():\n    return {}\n"
    shelf.install("bold", shelf.player + shelf.offer + later)
    assert shelf.only().status == "loaded"


def test_order_is_the_platform_then_distributions_then_entry_points(shelf: Shelf) -> None:
    """The order depends on names, not on where things were found."""
    for distribution in ("Zebra", DISTRIBUTION, "b_b", "A.A"):
        plain = distribution.replace(".", "_").replace("-cards", "").lower()
        shelf.write(f"{plain}_two.py", shelf.player + shelf.offer.replace('"bold"', f'"{plain}2"'))
        shelf.install(
            distribution,
            shelf.player + shelf.offer.replace('"bold"', f'"{plain}1"'),
            f"{plain}-z",
            f"{plain}_one",
        )
        text = f"[tourney]\n{plain}-z = {plain}_one\n{plain}-a = {plain}_two\n"
        shelf.installed.pop()
        shelf.register(distribution, text)
    entry_points = shelf.entry_points()
    for points in (entry_points, entry_points[::-1]):
        registry = load_plugins(entry_points=points)
        assert list(registry.strategies) == [
            *("tourney2", "tourney1", "a_a2", "a_a1", "b_b2", "b_b1", "zebra2", "zebra1")
        ]


@pytest.mark.parametrize(
    ("text", "reason", "line", "remedy"),
    [
        ("x = 1\ny = x / 0\n", "imported: ZeroDivisionError: division by zero", 2, "mend the line"),
        ("def f(:\n", "imported: SyntaxError: invalid syntax", 1, "mend the line"),
        ("import sys\n\nsys.exit(3)\n", "imported: SystemExit: 3", 3, "mend the line"),
        ("import no_such_thing\n", "No module named 'no_such_thing'", 1, "install no_such_thing"),
        (
            "import json\njson.loads('{')\n",
            "imported: json.decoder.JSONDecodeError",
            2,
            "mend the line",
        ),
        ("exec('1 +')\n", "imported: SyntaxError", 1, "mend the line"),
    ],
)
def test_a_module_that_fails_is_in_quarantine(
    shelf: Shelf, text: str, reason: str, line: int, remedy: str
) -> None:
    """The author's own line is named, whoever's code raised below it."""
    shelf.install("broken", text)
    shelf.install("bold", shelf.player + shelf.offer)
    bold, broken = shelf.load().plugins
    assert bold.status == "loaded"
    quarantined(broken, reason, f"broken_module.py:{line}", remedy)
    assert "'broken_module' cannot be imported" in broken.reason


def test_the_place_is_in_the_modules_the_plugin_brought_along(shelf: Shelf) -> None:
    """A second module of the same distribution is the author's too, a library is not."""
    shelf.write("library.py", "def answer():\n    raise RuntimeError('no\\nluck')\n")
    shelf.write("helper.py", "import library\n\n\nlibrary.answer()\n")
    shelf.install("broken", "import helper\n")
    shelf.write("broken-1.0.dist-info/RECORD", "broken_module.py,,\nhelper.py,,\n")
    quarantined(shelf.only(), "imported: RuntimeError: no luck", "helper.py:4", "mend the line")


def test_what_is_installed_meanwhile_counts(shelf: Shelf) -> None:
    """Lists of files are read once, until something is put into a folder of the path."""
    family = Family(["nobody_has"])
    assert not family.has("helper")
    shelf.write("both-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: both\nVersion: 1.0\n")
    shelf.write("both-1.0.dist-info/RECORD", "nobody_has.py,,\nhelper.py,,\n")
    assert family.has("helper")


def test_a_module_that_is_not_there_is_said_to_be_missing(shelf: Shelf) -> None:
    """What is missing is the plugin itself, so it is to be installed again."""
    shelf.register("gone", "[tourney]\ngone = gone_module.inner\n")
    quarantined(shelf.only(), "No module named 'gone_module'", "", "install the plugin again")


def test_an_attribute_that_is_not_there_is_named(shelf: Shelf) -> None:
    """An entry point may name an object, which must be there."""
    shelf.write("bold_module.py", shelf.player + shelf.offer)
    shelf.register("bold", "[tourney]\nbold = bold_module:bald\n")
    quarantined(shelf.only(), "has no attribute 'bald'", "", "mend")


@pytest.mark.parametrize("value", ["bold player", "bold_module:", "../bold.py", ""])
def test_an_entry_point_must_name_a_module(value: str) -> None:
    """A path is no module."""
    point = EntryPoint("bold", value, "tourney")
    (plugin,) = load_plugins(entry_points=[point]).plugins
    quarantined(plugin, " is not an entry point such as 'bold_player'", "", "name of a module")


def test_an_entry_point_that_names_the_class_is_told_to_name_the_module(shelf: Shelf) -> None:
    """The likeliest mistake gets its own words."""
    shelf.write("bold_module.py", shelf.player)
    shelf.register("bold", "[tourney]\nbold = bold_module:Bold\n")
    line = line_of(shelf.player, "class Bold")
    remedy = 'let tourney_strategies() in it return {"NAME": Bold}'
    quarantined(shelf.only(), "names the class Bold", f"bold_module.py:{line}", remedy)


@pytest.mark.parametrize(
    ("hook", "reason", "remedy"),
    [
        (
            "@hookimpl\ndef tourney_strategy(): return {}",
            "'tourney_strategy' is not a hook",
            "strategies'?",
        ),
        (
            "@hookimpl\ndef torney_games(): return {}",
            "'torney_games' is not a hook",
            "'tourney_games'?",
        ),
        (
            "def tourney_formatz(): return {}",
            "'tourney_formatz' is not a hook",
            "'tourney_formats'?",
        ),
        ("def tourney_games(): return {}", "the marker @hookimpl is missing", "add @hookimpl"),
        ("@hookimpl\ndef tourney_games(config): return {}", "argument 'config'", "tourney_games()"),
        ("@hookimpl\ndef tourney_games(self): return {}", "argument 'self'", "tourney_games()"),
        ("@hookimpl\ndef tourney_games(a, *, b): return {}", "arguments 'a' and 'b'", "write: def"),
        (
            "@hookimpl(wrapper=True)\ndef tourney_games(): yield",
            "hooks cannot be wrappers",
            "wrapper=True",
        ),
        (
            "@hookimpl(specname='tourney_x')\ndef games(): return {}",
            "'tourney_x' is not a hook",
            "rename",
        ),
    ],
)
def test_a_misspelt_hook_is_in_quarantine(
    shelf: Shelf, hook: str, reason: str, remedy: str
) -> None:
    """Nothing of the plugin is registered, not even what was spelt well."""
    text = shelf.player + shelf.offer + "\n" + hook + "\n"
    shelf.install("bold", text)
    registry = shelf.load()
    place = f"bold_module.py:{line_of(text, hook)}"
    quarantined(registry.plugins[0], reason, place, remedy)
    assert registry.strategies == {}


def test_a_hook_must_be_a_function(shelf: Shelf) -> None:
    """The mapping itself is no answer."""
    shelf.install("bold", shelf.player + "tourney_strategies = {'bold': Bold}\n")
    quarantined(shelf.only(), "tourney_strategies: expected a function, got {", "", "def tourney_")


def test_a_plugin_without_hooks_is_in_quarantine(shelf: Shelf) -> None:
    """An entry point that registers nothing is a mistake."""
    shelf.install("bold", shelf.player)
    quarantined(shelf.only(), "the plugin answers no hook", "", "tourney_strategies() under")


def test_a_function_that_may_be_meant_as_a_hook_is_named(shelf: Shelf) -> None:
    """A name without the prefix is found by its likeness."""
    text = shelf.player + "def tourny_strategies():\n    return {}\n"
    shelf.install("bold", text)
    place = f"bold_module.py:{line_of(text, 'def tourny')}"
    quarantined(shelf.only(), "'tourny_strategies'", place, "did you mean 'tourney_strategies'?")


STRATEGIES = "@hookimpl\ndef tourney_strategies():\n    return "
NO_DRAW = "class Half(Player):\n    def bet(self, bankroll, minimum): return minimum\n"
ALIEN = "class Alien:\n    pass\nPlayer.register(Alien)\n"


@pytest.mark.parametrize(
    ("text", "reason", "at", "remedy"),
    [
        (
            f"{STRATEGIES}None",
            "expected a mapping from names to strategies, got None",
            "@",
            "return",
        ),
        (f"{STRATEGIES}[Bold]", "got [<class 'bold_module.Bold'>], a list", "@", "return"),
        (f"{STRATEGIES}{{}}", "its hooks provide nothing", "", "return at least one"),
        (
            f"{STRATEGIES}1 / 0",
            "failed: ZeroDivisionError: division by zero",
            "    return 1",
            "mend",
        ),
        (f"{STRATEGIES}exec('raise SystemExit')", "failed: SystemExit", "    return exec", "mend"),
        (f"{STRATEGIES}{{'': Bold}}", "'' is not a name", "@", "another name"),
        (f"{STRATEGIES}{{'-x': Bold}}", "'-x' is not a name", "@", "another name"),
        (f"{STRATEGIES}{{'a b': Bold}}", "'a b' is not a name", "@", "another name"),
        (f"{STRATEGIES}{{'bold\\n': Bold}}", r"'bold\n' is not a name", "@", "another name"),
        (f"{STRATEGIES}{{'é': Bold}}", "'é' is not a name", "@", "another name"),
        (f"{STRATEGIES}{{'x' * 61: Bold}}", "this one has 61", "@", "shorter name"),
        (f"{STRATEGIES}{{7: Bold}}", "got 7, an int", "@", "in quotes"),
        (f"{STRATEGIES}{{'b': Bold()}}", "strategy 'b': expected a subclass", "@", "class, Bold"),
        (f"{STRATEGIES}{{'b': int}}", "int is not a subclass of", "@", ""),
        (
            f"{NO_DRAW}{STRATEGIES}{{'b': Half}}",
            "strategy 'b' lacks draw (a player needs bet and draw)",
            "class Half",
            "define draw",
        ),
        (
            f"{ALIEN}{STRATEGIES}{{'b': Alien}}",
            "Alien is not a subclass of",
            "class Alien",
            "Alien(Player)",
        ),
        (f"{STRATEGIES}{{'b': Player}}", "Player itself cannot play", "@", "write a subclass"),
        (
            f"{STRATEGIES}{{'b': Bold, 'B': Bold}}",
            "this plugin already provides 'b'",
            "@",
            "rename",
        ),
    ],
)
def test_a_strategy_that_cannot_play_is_in_quarantine(
    shelf: Shelf, text: str, reason: str, at: str, remedy: str
) -> None:
    """Whatever a hook answers is checked before anything is registered."""
    text = f"{shelf.player}\n{text}\n"
    shelf.install("bold", text)
    registry = shelf.load()
    plugin = registry.plugins[0]
    place = f"bold_module.py:{line_of(text, at)}" if at else ""
    quarantined(plugin, reason, place, remedy)
    assert registry.strategies == {}


GAMES = "@hookimpl\ndef tourney_games():\n    return "
FORMATS = "@hookimpl\ndef tourney_formats():\n    return "
COLUMNS = "@hookimpl\ndef tourney_columns():\n    return "
LOOSE = """
class Loose:
    game, unit, seats, deals_fresh = "loose", 1, range(1, 2), True
    minimum = most_points = limit = may_play = decisions = None
"""
WHIST = """
from dataclasses import dataclass
from typing import Any, ClassVar
from tourney.game import Game
from tourney.game.players import BasePlayer

class WhistPlayer(BasePlayer, game="whist"):
    pass

class Whist(Game):
    name, version = NAME, VERSION

    def contract(self):
        return CONTRACT

    def table(self, block, accounts, watcher=None):
        raise NotImplementedError

@dataclass(frozen=True)
class WhistRules:
    game: ClassVar[Any] = GAME
    unit, seats, deals_fresh = 1, range(4, 5), True
    minimum = most_points = limit = may_play = decisions = None

@hookimpl
def tourney_games():
    return {"whist": WhistRules()}
"""
CARDS = """
from dataclasses import dataclass
from typing import Any
from tourney.games.blackjack.rules import BlackjackRules

@dataclass(frozen=True, kw_only=True)
"""
INSIDE = f"""
def made():
{CARDS.replace(chr(10), chr(10) + "    ")}class Odd(BlackjackRules):
        pass

    return Odd()
"""
ODD = f"{GAMES}{{'g': Odd(rank=lambda card: card)}}"
SENDABLE = "workers cannot receive the rules: "
BLACKJACK = (
    f"from tourney.games.blackjack.rules import BlackjackRules\n{GAMES}{{'g': BlackjackRules"
)
NAMED = "from tourney.standings.columns import Column\n"
FORMAT = """
from dataclasses import dataclass
from tourney.formats import Duplicate, Format

@dataclass(frozen=True)
class Ladders(Format):
    rungs: int = 8
"""
SPRINT = """
from dataclasses import dataclass
from tourney.formats import Duplicate

@dataclass(frozen=True, kw_only=True)
class Sprint(Duplicate):
    tables: int = 8
    """
A_FORMAT = "expected a frozen dataclass that inherits tourney.formats.Format, got"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{GAMES}{{'g': 3}}", "3, an int, lacks game, unit, deals_fresh, seats, may_play"),
        (f"{LOOSE}{GAMES}{{'g': Loose}}", "expected rules, got the class Loose"),
        (f"{LOOSE}{GAMES}{{'g': Loose()}}", "Loose is not a frozen dataclass"),
        (
            f"{INSIDE}{GAMES}{{'g': made()}}",
            "the class of the rules must be at the top of a module",
        ),
        (f"{CARDS}class Odd(BlackjackRules):\n    rank: Any = len\n{ODD}", SENDABLE),
        (f"{BLACKJACK}(decks='six')}}", "1 to 20 or infinite, got 'six'"),
        (f"{BLACKJACK}(decks=2.5)}}", "1 to 20 or infinite, got 2.5"),
        (f"{BLACKJACK}(decks=1000)}}", "'g': decks: expected a whole number from 1 to 20"),
        (f"{BLACKJACK}(soft_17='maybe')}}", "soft_17: expected stand or hit, got 'maybe'"),
        (f"{FORMATS}{{'f': 3}}", f"{A_FORMAT} 3, an int"),
        (f"{LOOSE}{FORMATS}{{'f': Loose}}", "Loose does not inherit tourney.formats.Format"),
        (f"{FORMAT}{FORMATS}{{'f': Ladders}}", "Ladders lacks check, measure, schedule, "),
        (f"{SPRINT}\n{FORMATS}{{'f': Sprint(rounds=1)}}", f"{A_FORMAT} Sprint("),
        (f"{SPRINT}shares_shoe = 1\n{FORMATS}{{'f': Sprint}}", "(did you mean 'shares_shoes'?)"),
        (f"{SPRINT}margins: int = 1\n{FORMATS}{{'f': Sprint}}", "(did you mean 'margin'?)"),
        (
            f"{SPRINT}both = True\n{FORMATS}{{'f': Sprint}}",
            "the option both = True has no annotation",
        ),
        (f"{SPRINT}summary = 3\n{FORMATS}{{'f': Sprint}}", "expected a summary of one line, got 3"),
        (
            f"{SPRINT}pass\nclass Few(Sprint):\n    rounds: int = 7\n{FORMATS}{{'f': Few}}",
            "Few is not a frozen dataclass",
        ),
        (
            f"{SPRINT}scheduled_rounds: int\n{FORMATS}{{'f': Sprint}}",
            "scheduled_rounds has no default",
        ),
        (f"{COLUMNS}'luck'", "expected a list of columns, got 'luck', a str"),
        (f"{COLUMNS}[3]", "column 1: expected a Column, got 3, an int"),
        (f"{NAMED}{COLUMNS}[Column('a', ' ', len)]", "expected a title of one line, got ' '"),
        (f"{NAMED}{COLUMNS}[Column('', 'A', len)]", "column: '' is not a name of 1 to 60"),
        (f"{NAMED}{COLUMNS}[Column('a', 'A', len)] * 2", "this plugin already provides 'a'"),
        (
            f"{NAMED}{COLUMNS}[Column('a', 'A', len, measures=('bankrol',))]",
            "unknown measure 'bankrol', a str (did you mean 'bankroll'?); the measures are "
            "bankroll, points, place and finish",
        ),
        (
            f"{NAMED}{COLUMNS}[Column('a', 'A', lambda row: row.handel / 2)]",
            "column 'a': rows have no field handel (did you mean 'handle'?)",
        ),
    ],
)
def test_games_formats_and_columns_are_checked_too(shelf: Shelf, text: str, reason: str) -> None:
    """Every kind of thing has its contract."""
    shelf.install("club", shelf.player + shelf.offer + text + "\n")
    registry = shelf.load()
    assert reason in registry.plugins[0].reason
    assert registry.plugins[0].place.startswith("club_module.py:")
    assert registry.strategies == registry.games == registry.formats == registry.columns == {}


@pytest.mark.parametrize("more", ["", "@dataclass(frozen=True, kw_only=True)\n"])
def test_a_format_without_options_of_its_own_is_loaded(shelf: Shelf, more: str) -> None:
    """It differs from its parent in a summary or a method."""
    few = f"{SPRINT}pass\n{more}class Few(Sprint):\n    summary = 'few'\n{FORMATS}{{'f': Few}}\n"
    shelf.install("club", shelf.player + shelf.offer + few)
    registry = shelf.load()
    assert registry.plugins[0].reason == ""
    assert list(registry.formats) == ["f"]


@pytest.mark.parametrize(
    ("name", "version", "contract", "game", "reason"),
    [
        ("'whist'", "1", "WhistPlayer", "'whist'", "expected rules whose `game` is a tourney.game"),
        ("'whist'", "1", "WhistPlayer", "Whist", "got the class Whist"),
        ("'long whist'", "1", "WhistPlayer", "Whist()", "'long whist' is not a name"),
        ("'whist'", "'1'", "WhistPlayer", "Whist()", "expected a game with a version from 1, got"),
        (
            "'whist'",
            "1",
            "Bold",
            "Whist()",
            "the class Bold is not a contract for players of whist",
        ),
        ("'blackjack'", "1", "Player", "Whist()", "another game already has the name 'blackjack'"),
    ],
)
def test_a_game_says_who_plays_it_and_by_which_version(
    shelf: Shelf, name: str, version: str, contract: str, game: str, reason: str
) -> None:
    """What the platform asks of it before anybody plays, and a name of its own."""
    text = WHIST.replace("NAME", name).replace("VERSION", version).replace("CONTRACT", contract)
    shelf.install("whist", shelf.player + text.replace("GAME", game))
    plugin = load_plugins(entry_points=[BUILTIN, *shelf.entry_points()]).plugins[-1]
    assert reason in plugin.reason
    assert plugin.place.startswith("whist_module.py:")


@pytest.mark.parametrize("name", ["bold", "BOLD"])
def test_a_name_that_is_taken_sends_the_second_into_quarantine(shelf: Shelf, name: str) -> None:
    """The first keeps its name; names differ in more than case."""
    shelf.install("aaa", shelf.player + shelf.offer)
    shelf.install("bbb", shelf.player + shelf.offer.replace('"bold"', f'"other": Bold, "{name}"'))
    registry = shelf.load()
    assert [plugin.status for plugin in registry.plugins] == ["loaded", "quarantined"]
    assert "aaa of aaa 1.0 already provides 'bold'" in registry.plugins[1].reason
    assert registry.plugins[1].strategies == ("other", name)
    assert list(registry.strategies) == ["bold"]


def test_a_quarantined_plugin_holds_no_names(shelf: Shelf) -> None:
    """A name is free for the next if the first to claim it is in quarantine."""
    shelf.install(
        "aaa", shelf.player + shelf.offer.replace('"bold": Bold', '"bold": Bold, "": Bold')
    )
    shelf.install("bbb", shelf.player + shelf.offer)
    assert shelf.load().strategy("bold").distribution == "bbb"


def test_one_entry_point_name_is_for_one_distribution(shelf: Shelf) -> None:
    """The second plugin of a name would hide behind the first."""
    shelf.install("aaa", shelf.player + shelf.offer, "same")
    shelf.install("bbb", shelf.player + shelf.offer.replace('"bold"', '"other"'), "same")
    _, second = shelf.load().plugins
    quarantined(second, "'same', is already used by same of aaa 1.0", "", "uninstall one")


def test_entry_points_that_cannot_be_read_hide_no_others(shelf: Shelf) -> None:
    """A damaged distribution is reported, and everybody else's plugins load."""
    shelf.register("damaged", "[tourney]\nno equals sign\n")
    shelf.register("stranger", "[console_scripts]\nno equals sign\n")
    shelf.install("bold", shelf.player + shelf.offer)
    registry = load_plugins()
    assert "bold" in registry.strategies
    (damaged,) = (plugin for plugin in registry.plugins if plugin.distribution == "damaged")
    quarantined(damaged, "its entry points cannot be read", "entry_points.txt", "again")
    assert "stranger" not in {plugin.distribution for plugin in registry.plugins}


def test_strict_names_everything_in_quarantine(shelf: Shelf) -> None:
    """An organiser may want to know before the tournament begins."""
    shelf.install("one", "x = 1 / 0\n")
    shelf.install("two", shelf.player)
    shelf.install("bold", shelf.player + shelf.offer)
    with pytest.raises(PluginError) as caught:
        load_plugins(strict=True, entry_points=shelf.entry_points())
    first, one, two = str(caught.value).splitlines()
    assert first == "2 plugins are in quarantine:"
    assert one.startswith("one of one 1.0: one_module.py:1: 'one_module' cannot be imported")
    assert two.startswith("two of two 1.0: the plugin answers no hook")


def test_strict_is_content_when_all_is_well(shelf: Shelf) -> None:
    """Nothing in quarantine, nothing raised."""
    shelf.install("bold", shelf.player + shelf.offer)
    assert load_plugins(strict=True, entry_points=shelf.entry_points()).quarantined == ()


def test_an_interrupt_is_no_fault_of_a_plugin(shelf: Shelf) -> None:
    """Whoever presses Ctrl-C wants the program to end."""
    shelf.install("slow", "raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        shelf.load()


def test_a_looked_up_name_that_is_not_there_gets_a_suggestion(shelf: Shelf) -> None:
    """A slip of the pen is recognised."""
    shelf.install("bold", shelf.player + shelf.offer)
    registry = shelf.load()
    with pytest.raises(
        PluginError, match=r"there is no strategy 'Bodl' \(did you mean 'bold'\?\); choose 'bold'"
    ):
        registry.strategy("Bodl")
    with pytest.raises(
        PluginError, match="there is no game 've280'; install a plugin that provides one"
    ):
        registry.game("ve280")


@pytest.mark.parametrize("name", ["bold", "quick"])
def test_a_looked_up_name_in_quarantine_gets_the_reason(shelf: Shelf, name: str) -> None:
    """The name of an entry point counts, and those the plugin told before its fault."""
    offer = shelf.offer.replace('"bold": Bold', '"bold": Bold, "x y": Bold')
    shelf.install("bold", shelf.player + offer, entry_point="quick")
    registry = shelf.load()
    with pytest.raises(PluginError, match=f"strategy '{name}' is in quarantine: "):
        registry.strategy(name)
    assert "'x y' is not a name" in registry.resting[name]


def test_a_registry_does_not_change(shelf: Shelf) -> None:
    """What was registered stays as it was."""
    shelf.install("bold", shelf.player + shelf.offer)
    registry = shelf.load()
    with pytest.raises(TypeError):
        registry.strategies["x"] = registry.strategy("bold")  # type: ignore[index]  # on purpose
    with pytest.raises(FrozenInstanceError):
        registry.plugins = ()  # type: ignore[misc]  # on purpose


def test_loading_twice_gives_the_same(shelf: Shelf) -> None:
    """Nothing is kept between two loads."""
    shelf.install("bold", shelf.player + shelf.offer)
    assert shelf.load() == shelf.load()


def test_control_characters_of_a_message_are_escaped(shelf: Shelf) -> None:
    """A plugin cannot write over the terminal of the organiser."""
    shelf.install("broken", "raise RuntimeError('\\x1b[2J' + 'x' * 5000)\n")
    reason = shelf.only().reason
    assert r"\x1b[2J" in reason
    assert reason.isprintable()
    assert len(reason) < 500


def test_the_example_of_the_hook_page_works(shelf: Shelf) -> None:
    """What plugin authors read first is true."""
    from tourney.plugins import hook_spec

    text = str(hook_spec.__doc__)
    start = text.index("    from tourney import Card")
    code = text[start : text.index("A plugin answers at least")]
    shelf.install("bold", code)
    assert shelf.load().strategy("bold").summary == "Bets half of its bankroll."


def test_the_marker_is_a_public_name() -> None:
    """A competitor needs no other module than `tourney`."""
    import tourney
    from tourney.plugins.hook_spec import hookimpl

    assert tourney.hookimpl is hookimpl
    assert "tourney.plugins.hook_spec" in sys.modules
