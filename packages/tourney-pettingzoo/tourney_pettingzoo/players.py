"""Two players of all classic games of PettingZoo, to start with."""

from collections.abc import Mapping

from tourney import hookimpl
from tourney.game.adapters import FirstAction, RandomAction
from tourney_pettingzoo.plugin import PettingZooPlayer


class First(FirstAction, PettingZooPlayer):
    """Takes the first legal action."""


class Random(RandomAction, PettingZooPlayer):
    """Takes a random legal action."""


@hookimpl
def tourney_strategies() -> Mapping[str, type[PettingZooPlayer]]:
    """Offer both."""
    return {"pettingzoo-first": First, "pettingzoo-random": Random}
