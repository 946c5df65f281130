"""`list` and `schema`: what is installed, in tables for people and in JSON for editors."""

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import pytest

from tourney import Player
from tourney.cli import list as listing
from tourney.cli.commands import command_names, tourney
from tourney.errors import DISTRIBUTION
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Plugin, Registry, Strategy

Cli = Callable[..., Any]

GAMES = """\
Preset         Game       Rules that differ from the game's defaults
-------------  ---------  --------------------------------------------------------------------------
ve280          blackjack  shuffle: riffle
eecs280        blackjack  shuffle: riffle, minimum: 5
easybj         blackjack  decks: infinite, reshuffle: every-round, wager: minimum, dealing:
                          dealer-both, dealer_shows: both, dealer_natural: wins-at-once, payout:
                          exact, soft_17: hit, stands_on_21: true, double: first-two, split:
                          by-value, surrender: first, minimum: 1
csc24400       blackjack  decks: 6, reshuffle: 52, reshuffle_percent: 30, wager: minimum, dealing:
                          dealer-first, hole_card: always, dealer_natural: wins-at-once, natural:
                          1:1, minimum: 1
single-deck    blackjack  reshuffle: 26, dealer_natural: wins-at-once, insurance: offered, payout:
                          exact, soft_17: hit, stands_on_21: true, double: first-two,
                          double_after_split: false, split: by-value
double-deck    blackjack  decks: 2, reshuffle: 34, dealer_natural: wins-at-once, insurance: offered,
                          payout: exact, soft_17: hit, stands_on_21: true, double: first-two, split:
                          by-value
six-decks-h17  blackjack  decks: 6, reshuffle: 78, dealer_natural: wins-at-once, insurance: offered,
                          payout: exact, soft_17: hit, stands_on_21: true, double: first-two, split:
                          by-value, surrender: first
six-decks-s17  blackjack  decks: 6, reshuffle: 78, dealer_natural: wins-at-once, insurance: offered,
                          payout: exact, stands_on_21: true, double: first-two, split: by-value,
                          surrender: first
european       blackjack  decks: 6, reshuffle: 78, hole_card: none, dealer_natural: beats-all,
                          insurance: offered, payout: exact, stands_on_21: true, double: first-two,
                          split: by-value
straights      straights  by default
"""

FORMATS = """\
Format                 Options                   Description
---------------------  ------------------------  ---------------------------------------------------
duplicate              tables, rounds,           all play the same cards, alone or in every seat of
                       block_rounds,             a deal
                       batch_tables, on_fault,
                       margin, stop, looks,
                       bounds
independent            tables, rounds,           every entrant plays alone at its own tables
                       block_rounds,
                       batch_tables, on_fault,
                       margin, stop, looks,
                       bounds
match                  tables, games, rounds,    four or two at a table play whole games to places
                       batch_tables, on_fault,
                       stop, looks, bounds
knockout               seats, rounds, advance,   heats at one table; the best of each advance until
                       wildcards, reentries,     one is left
                       times, batch_tables,
                       on_fault
elimination-blackjack  seats, rounds, advance,   a knockout in which the lowest stack goes out after
                       wildcards, reentries,     given rounds
                       times, batch_tables,
                       on_fault, out_after,
                       secret_rounds
multi-table            seats, block_rounds,      many tables that become fewer, until one is left
                       level_rounds,
                       level_minutes, minimums,
                       rise_percent,
                       late_levels, rebuys,
                       rebuy_levels, addon,
                       addon_level,
                       final_rounds,
                       most_blocks,
                       batch_tables, on_fault
roundrobin             rounds, seats, seatings,  all entrants meet each other in matches, head to
                       stop, batch_tables,       head or in fours
                       on_fault, times
gauntlet               rounds, seats, seatings,  one or several entrants meet all the others in
                       stop, batch_tables,       matches
                       on_fault, against, times
swiss                  rounds, seats, seatings,  waves of matches in which those with equal scores
                       stop, batch_tables,       meet
                       on_fault, waves,
                       tiebreak
ladder                 rounds, seats, seatings,  neighbours in the ranking meet where their order is
                       stop, batch_tables,       least certain
                       on_fault, waves, tables
"""

HELP = """\
Usage: tourney [OPTIONS] COMMAND [ARGS]...

  Run tournaments of card-game strategies.

  A tournament is one YAML file: `tourney new tournament` writes one, and
  `tourney run tournament.yaml` plays it.

Options:
  --version   Show version, commit and state of the machine code, and exit.
  -h, --help  Show this message and exit.

Tournaments:
  demo         Play an example tournament and print its leaderboard.
  run          Run a tournament and print its leaderboard.
  resume       Resume a run that was interrupted.
  extend       Add tables or entrants to a finished run.
  plan         Estimate the time, tables and dealers of an event.
  leaderboard  Print the leaderboard of a run.
  exclude      Take an entrant off the board of a finished run.
  runs         List the runs, show one, or delete one.
  verdicts     Show which competitors broke their contract.
  replay       Show hands of an entrant, card by card.
  verify       Check the stored results of a run, and play it again.
  mistakes     List the decisions of an entrant that cost most.
  export       Write every hand and every decision of a run as data.
  watch        Follow a run on its floor, or replay a finished one.
  floor        Report how tables and dealers were used in a run.

Publishing:
  publish  Write the leaderboard of a run as static pages.
  season   Print the table of a season, and publish its runs.
  commit   Commit to a run without playing it, and write an anchor.

Competitors:
  new      Write files to start from.
  check    Check a competitor before it is submitted.
  list     List what is installed.
  ev       Measure a strategy in the long run.
  compare  Find out whether B is better than A.
  solve    Find the best chart for a game, and its exact value.
  mutants  Run your tests on buggy Decks, Hands and Players.
  play     Play one of the original course programs.

Courses:
  class        Set up a class from a gradebook export.
  submit       Submit a competitor.
  submissions  List the submissions.
  grades       Fill a gradebook column with marks.
  feedback     Write a feedback page for every student.

Servers and editors:
  schema  Print the JSON Schema of configurations, for editors.
  serve   Serve a portal for a course.
"""


@pytest.mark.parametrize(
    ("what", "headers"),
    [
        ("strategies", ["Strategy", "Game", "Options", "From", "Description"]),
        ("games", ["Preset", "Game", "Rules that differ from the game's defaults"]),
        ("formats", ["Format", "Options", "Description"]),
        ("plugins", ["Plugin", "From", "Status", "Provides, or why not"]),
    ],
)
def test_lists_have_headers_and_fit_a_terminal(cli: Cli, what: str, headers: list[str]) -> None:
    """A hundred characters are enough for every line."""
    ran = cli("list", what)
    assert (ran.status, ran.err) == (0, "")
    assert [part.strip() for part in ran.lines[0].split("  ") if part.strip()] == headers
    assert max(map(len, ran.lines)) <= listing.WIDTH


def test_games_are_shown_with_their_rules(cli: Cli) -> None:
    """The course systems, as far as they differ from what a game does by default."""
    assert cli("list", "games").out == GAMES


def test_formats_are_shown_with_their_options(cli: Cli) -> None:
    """The formats of the platform."""
    assert cli("list", "formats").out == FORMATS


def test_strategies_are_shown_with_options_origin_and_idea(cli: Cli) -> None:
    """Each strategy begins one line; long ideas go on below."""
    lines = cli("list", "strategies").lines
    chaser = next(line for line in lines if line.startswith("chaser "))
    assert re.fullmatch(r"chaser +blackjack +rounds=5 +tourney  Plays like Sharp, .*", chaser)
    names = [line.split()[0] for line in lines[2:] if not line.startswith(" ")]
    assert names == list(load_plugins().strategies)


def test_the_default_competitor_is_marked(cli: Cli) -> None:
    """The word `competitor` on the course drivers' command lines stands for it."""
    words = " ".join(cli("list", "strategies").out.split())
    assert words.count("The default competitor.") == 1
    edge = words[words.index(" edge ") : words.index(" finisher ")]
    assert edge.endswith("The default competitor.")


def test_plugins_are_shown_with_what_they_provide(cli: Cli) -> None:
    """The platform's own are registered like anybody else's."""
    lines = cli("list", "plugins").lines
    rows = [re.split(r"  +", line) for line in lines]
    (builtin,) = (row for row in rows if row[:3] == ["builtin", "tourney", "loaded"])
    assert builtin[3].startswith("ve280, eecs280, easybj, csc24400, ")
    assert ["simple", "tourney", "loaded", "simple"] in rows


class Choosy(Player):
    """Takes options of every kind."""

    def __init__(self, spread, *more, depth=3, **others) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN002, ANN003 - as students write
        self.spread = spread

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Any, player: Any) -> bool:
        """Stand."""
        return False


@pytest.mark.parametrize("what", ["strategies", "games", "formats", "strategies --engines"])
def test_an_empty_list_points_to_the_plugins(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """With every plugin in quarantine there is nothing to list, and the reasons are elsewhere."""
    ill = Plugin(
        entry_point="ill", value="ill", distribution="tourney-ill", version="1.0",
        status="quarantined", reason="expected more",
    )  # fmt: skip
    monkeypatch.setattr(listing, "load_plugins", lambda *, strict: Registry(plugins=(ill,)))
    ran = cli("list", *what.split())
    assert ran.status == 0
    assert ran.err == (
        f"no {what.partition(' ')[0]}: all plugins that provide some are in quarantine; "
        "`tourney list plugins` shows the reasons\n"
    )


@pytest.fixture
def odd_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a plugin with an odd strategy and one in quarantine be all that is installed."""
    plugin = Plugin(
        entry_point="odd", value="odd", distribution="", version="", strategies=("choosy",)
    )
    ill = Plugin(
        entry_point="ill",
        value="ill",
        distribution="tourney-ill",
        version="1.0",
        status="quarantined",
        reason="expected a module that can be imported, got " + "nothing of use " * 9,
        place="ill.py:7",
        remedy="mend it",
    )
    registry = Registry(
        strategies={"choosy": Strategy("choosy", Choosy, "Takes options.", plugin)},
        plugins=(plugin, ill),
    )
    monkeypatch.setattr(listing, "load_plugins", lambda *, strict: registry)


@pytest.mark.usefixtures("odd_plugins")
def test_an_option_without_a_default_is_shown_by_its_name(cli: Cli) -> None:
    """What Python calls empty is nothing a reader should meet."""
    assert (
        cli("list", "strategies").lines[2]
        == "choosy      blackjack  spread, depth=3          Takes options."
    )


@pytest.mark.usefixtures("odd_plugins")
def test_a_plugin_in_quarantine_is_shown_with_the_reason(cli: Cli) -> None:
    """The reason is wrapped, so that the table keeps its shape."""
    ran = cli("list", "plugins")
    assert max(map(len, ran.lines)) <= listing.WIDTH
    words = " ".join(ran.out.split())
    assert "ill tourney-ill 1.0 quarantined ill.py:7: expected a module" in words
    assert words.endswith("mend it")


def test_the_schema_is_json_and_knows_every_strategy(cli: Cli) -> None:
    """Editors complete names from it."""
    ran = cli("schema")
    assert (ran.status, ran.err) == (0, "")
    text = json.dumps(json.loads(ran.out))
    assert all(json.dumps(name) in text for name in load_plugins().strategies)


def test_help_shows_every_command(cli: Cli) -> None:
    """In the order in which one meets them."""
    ran = cli("--help")
    assert (ran.status, ran.out, ran.err) == (0, HELP, "")


@pytest.mark.parametrize("command", [*command_names(), "play ve280", "play eecs280"])
def test_every_command_and_every_option_has_help(cli: Cli, command: str) -> None:
    """The first line is a sentence that is not cut off in the list of commands."""
    ran = cli(*command.split(), "-h")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: tourney {command}")
    found = find(command)
    options = [each for each in found.params if isinstance(each, click.Option)]
    assert [each.name for each in options if not each.help] == []
    assert not found.get_short_help_str(60).endswith("...")
    assert max(map(len, ran.lines)) <= 80


def find(command: str) -> click.Command:
    """Find a command by its words."""
    found: click.Command = tourney
    for word in command.split():
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), word)
        assert inner
        found = inner
    return found


def test_the_version_is_told_with_the_state_of_the_machine_code(cli: Cli) -> None:
    """As a report of a fault needs it; after a tag the version names the commit."""
    first, code, others = cli("--version").lines
    assert first == f"tourney, version {version(DISTRIBUTION)}"
    assert re.fullmatch(r"machine code: blackjack [0-9a-f]{16}, straights [0-9a-f]{16}", code)
    assert others.startswith(f"with Python {platform.python_version()}, numba ")


@pytest.mark.parametrize("arguments", [(), ("play",)], ids=["tourney", "play"])
def test_without_a_command_help_is_shown_as_wrong_usage(
    cli: Cli, arguments: tuple[str, ...]
) -> None:
    """Nothing was done, so nothing goes to standard output."""
    ran = cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("Usage: tourney")


@pytest.mark.parametrize(
    ("typed", "meant"), [("tourney lead", "leaderboard"), ("tourney run --work", "--workers")]
)
def test_a_shell_completes_commands_and_options(typed: str, meant: str) -> None:
    """By what the script of `_TOURNEY_COMPLETE=bash_source` asks for at every tab."""
    asked = {
        "_TOURNEY_COMPLETE": "bash_complete",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
    }
    told = subprocess.run(
        [Path(sys.executable).with_name("tourney")],
        env={**os.environ, **asked}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout == f"plain,{meant}\n"
