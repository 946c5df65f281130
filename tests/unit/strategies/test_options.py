"""Options are refused when the player is made, and plugins offer every competitor."""

from importlib import import_module
from typing import Any

import pytest

from tourney import Player
from tourney.strategies.chaser import Chaser
from tourney.strategies.composition import Composition
from tourney.strategies.counter import Counter
from tourney.strategies.edge import Edge
from tourney.strategies.kelly import Kelly
from tourney.strategies.progression import Progression
from tourney.strategies.ramp import Ramp
from tourney.strategies.survivor import Survivor

NAMES = {
    "simple": "simple",
    "counting": "counting",
    "never_bust": "never-bust",
    "mimic": "mimic",
    "progression": "progression",
    "sharp": "sharp",
    "ramp": "ramp",
    "composition": "composition",
    "edge": "edge",
    "kelly": "kelly",
    "survivor": "survivor",
    "chaser": "chaser",
    "counter": "counter",
}


@pytest.mark.parametrize(
    ("competitor", "option", "least"),
    [
        (Progression, "most", 1),
        (Ramp, "spread", 1),
        (Ramp, "decks", 1),
        (Composition, "decks", 1),
        (Counter, "spread", 1),
        (Counter, "decks", 1),
        (Edge, "spread", 1),
        (Edge, "decks", 1),
        (Kelly, "percent", 1),
        (Kelly, "decks", 1),
        (Survivor, "reserve", 0),
        (Survivor, "spread", 1),
        (Chaser, "rounds", 1),
    ],
)
@pytest.mark.parametrize("kind", ["too small", "text", "truth"])
def test_a_bad_option_is_refused_with_its_name(
    competitor: type[Any], option: str, least: int, kind: str
) -> None:
    """The message names the option, what was expected and what came."""
    value = {"too small": least - 1, "text": "8", "truth": True}[kind]
    expected = f"^{option}: expected a whole number of at least {least}, got {value!r}$"
    with pytest.raises(ValueError, match=expected):
        competitor(**{option: value})


@pytest.mark.parametrize(("module", "name"), NAMES.items())
def test_every_file_offers_its_competitor(module: str, name: str) -> None:
    """A file's hook gives one class, with a sentence that describes it."""
    offered = import_module(f"tourney.strategies.{module}").tourney_strategies()
    ((given, kind),) = offered.items()
    assert given == name
    assert issubclass(kind, Player)
    assert kind.__doc__
