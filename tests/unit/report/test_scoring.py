"""Rules from what is published of them: every game comes back as it was."""

import dataclasses

import pytest

from tourney.errors import TourneyError
from tourney.plugins.loading import load_plugins
from tourney.report.publish.scoring_rules import rules_again, scoring_again, settings_told
from tourney.report.site.model import RunData
from tourney.standings.bounded_differences import Bounds
from tourney.standings.standing import PLACE

GAMES = load_plugins().games


def told(game: str, **changes: object) -> RunData:
    """Tell a run of a game."""
    known: dict[str, object] = {
        "name": "Cup",
        "game": game,
        "rules": settings_told(GAMES[game].rules) if game in GAMES else {},
        "format": "duplicate",
        "tables": "tables",
        "status": "finished",
        "created": "2026-01-01T00:00:00+00:00",
        "finished": None,
        "rehearsal": False,
        "commitment": "c0ffee",
        "secret": None,
        "salt": None,
        "confinement": "",
        "versions": {},
        "bankroll": 100,
        "minimum": 5,
        "unit": GAMES[game].rules.unit if game in GAMES else 1,
        "scheduled_rounds": 10,
        "measure": "bankroll",
        "measure_title": "Mean final bankroll",
        "is_low_best": False,
        "fault": "stands",
    }
    return RunData.model_validate(known | changes)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_preset_come_back(game: str) -> None:
    """Words, numbers, and settings that are none."""
    assert rules_again(told(game), load_plugins()) == GAMES[game].rules


def test_changed_settings_come_back_too() -> None:
    """Not only what a preset has."""
    rules = dataclasses.replace(GAMES["ve280"].rules, decks="infinite", shuffle="uniform")
    run = told("ve280", rules=settings_told(rules))
    assert rules_again(run, load_plugins()) == rules


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (told("bridge"), "game: 'bridge' is not installed here"),
        (told("ve280", rules={"decks": "40"}), "rules: the settings do not fit ve280"),
        (told("ve280", rules={"jokers": "2"}), "rules: the settings are not those of ve280"),
    ],
    ids=["game", "value", "setting"],
)
def test_what_is_not_known_here_is_refused(run: RunData, words: str) -> None:
    """Instead of counting by other rules."""
    with pytest.raises(TourneyError, match=words):
        rules_again(run, load_plugins())


def test_chips_are_counted_in_the_unit_of_the_rules() -> None:
    """A bankroll of 100 chips is 200 halves."""
    run = told("european", unit=2)
    scoring = scoring_again(run, rules_again(run, load_plugins()))
    assert (scoring.bankroll, scoring.minimum) == (200, 10)


def test_bounds_of_results_are_published() -> None:
    """So that ranks are counted again with the same test; null without any."""
    rules = GAMES["ve280"].rules
    assert scoring_again(told("ve280", bounds=(-1.0, 1.5)), rules).bounds == Bounds(-1, 1.5)
    assert scoring_again(told("ve280"), rules).bounds is None


def test_a_measure_is_found_by_its_name() -> None:
    """And refused if there is none."""
    rules = GAMES["straights"].rules
    run = told("straights", measure="place", measure_title=PLACE.title, is_low_best=True)
    assert scoring_again(run, rules).measure is PLACE
    with pytest.raises(TourneyError, match="run: title or order differs from those of place"):
        scoring_again(told("straights", measure="place"), rules)
    with pytest.raises(TourneyError, match=r"run.measure: expected one of bankroll, .*got 'luck'"):
        scoring_again(told("straights", measure="luck"), rules)
