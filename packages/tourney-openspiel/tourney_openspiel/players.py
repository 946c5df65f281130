"""Two players of all games of OpenSpiel, to start with."""

from collections.abc import Mapping

from tourney import hookimpl
from tourney.game.adapters import FirstAction, RandomAction
from tourney_openspiel.plugin import OpenSpielPlayer


class First(FirstAction, OpenSpielPlayer):
    """Takes the first legal action."""


class Random(RandomAction, OpenSpielPlayer):
    """Takes a random legal action."""


@hookimpl
def tourney_strategies() -> Mapping[str, type[OpenSpielPlayer]]:
    """Offer both."""
    return {"openspiel-first": First, "openspiel-random": Random}
