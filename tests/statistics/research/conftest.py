"""The documents' strategies as entrants, and the rules with natural payouts paid whole."""

from collections.abc import Callable
from functools import cache

import pytest

from tests.support.proving import with_more
from tourney.config.games import load_game
from tourney.execution.workers.task import EntrantSpec
from tourney.games.blackjack.rules import BlackjackRules
from tourney.plugins.loading import load_plugins
from tourney.research.simulated_ev import entered_alone
from tourney.tournament.catalog import catalog_of
from tourney.tournament.entrant_specs import entrant_as_typed

MakeEntrant = Callable[[str], EntrantSpec]


@pytest.fixture(scope="session")
def entrant() -> MakeEntrant:
    """Give what makes an entrant of a bundled strategy's name."""
    registry = load_plugins()
    game = load_game("ve280", catalog_of(registry))
    return cache(lambda name: entered_alone(game, entrant_as_typed(name), registry))


@pytest.fixture
def fresh_deck() -> BlackjackRules:
    """Give the documents' game with a fresh deck for every hand."""
    return BlackjackRules(reshuffle="every-round")


@pytest.fixture
def one_deck() -> BlackjackRules:
    """Give the documents' game: one deck, shuffled when fewer than 20 cards are left."""
    return BlackjackRules(reshuffle=20)


@pytest.fixture(params=with_more([1], [10]), ids=["few", "many"])
def times(request: pytest.FixtureRequest) -> int:
    """Give how many times as many hands are played as show the figures; the bounds go with it."""
    found: int = request.param
    return found
