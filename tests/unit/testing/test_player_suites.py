"""Every game has a suite for its players, found through the game, and a wrong one is told."""

from typing import Any

import pytest

import tourney
import tourney.testing
from tourney.game import Game
from tourney.game.conformance import TurnConformance
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level, probe
from tourney.strategies.simple import Simple
from tourney.strategies.thrifty import Thrifty
from tourney.testing import GameConformance

GAMES = sorted({each.rules.game for each in load_plugins().games.values()}, key=str)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_game_has_a_suite_that_authors_can_import(game: Game[Any, Any, Any]) -> None:
    """For the contract of its players, from the public page."""
    suite = game.conformance()
    assert suite.contract is game.contract()
    assert getattr(tourney.testing, suite.__name__) is suite


@pytest.mark.prove
@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_game_passes_the_check_of_games(game: Game[Any, Any, Any]) -> None:
    """By the first of its rules; of a game without turns confined play alone is looked at."""
    presets = load_plugins().games
    name = next(name for name, each in presets.items() if each.rules.game == game)
    checked = tourney.check_game(name)
    assert checked.passed, checked
    assert repr(checked) == f"{name}: passed"


class TestAnyGame(GameConformance):
    competitor = Thrifty
    rounds = 20


def test_a_game_without_turns_has_another_suite() -> None:
    """Which is named to whoever inherits the general one."""
    made: type[Any] = type("TestIt", (GameConformance,), {"competitor": Simple})
    with pytest.raises(
        AssertionError, match=r"GameConformance does not cover .* inherit PlayerConformance"
    ):
        made().test_it_answers_legally()


def test_a_card_that_is_not_held_is_found() -> None:
    """The suite of turns sees what a table would see."""
    kind = type("Stubborn", (Thrifty,), {"play": lambda _, view: view.history})
    made: type[Any] = type("TestIt", (TurnConformance,), {"competitor": kind})
    made.tables = tourney.testing.StraightsPlayerConformance.tables
    with pytest.raises(AssertionError, match=r"play, .*: expected to play one of .*, got \(\)"):
        made().test_it_answers_legally()
