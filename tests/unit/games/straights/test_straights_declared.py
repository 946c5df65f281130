"""Players of Straights that say what cards are worth."""

import subprocess
import sys
from random import Random

import pytest

from tourney import Card, PreferencePlayer, StraightsPlayer, StraightsView, WeighsPlays
from tourney.game.players import Undeclared
from tourney.games.straights.declared_players import straights_declaration_of
from tourney.games.straights.suits import BY_SHORT_NAME, POINTS
from tourney.strategies.bookkeeper import Bookkeeper
from tourney.strategies.surveyor import Surveyor
from tourney.strategies.thrifty import Thrifty


class HandsOn(StraightsPlayer):
    """Decides by itself."""

    def play(self, view: StraightsView) -> Card:
        """Take the first."""
        return view.hand[0]


class Second(Thrifty):
    """Plays by the card, but discards by the view."""

    def choose_discard(self, view: StraightsView) -> Card:
        """Lose the last."""
        return view.hand[-1]


class Fickle(PreferencePlayer):
    """Rolls dice of its own."""

    def __init__(self) -> None:
        self._dice = Random(1)

    def play_worth(self, card: Card) -> float:
        """Roll."""
        return self._dice.random()


class Lucky(PreferencePlayer):
    """Rolls the dice of the table."""

    def play_worth(self, card: Card) -> float:
        """Roll."""
        return self.random.random()


class Endless(PreferencePlayer):
    """Wants a card above everything."""

    def discard_worth(self, card: Card) -> float:
        """Name no number."""
        return float("inf")


def test_worths_are_written_down_by_code() -> None:
    """Plays and discards of all 52 cards."""
    found = straights_declaration_of(Thrifty())
    assert not isinstance(found, Undeclared)
    assert found.play == tuple(map(float, POINTS))
    assert found.discard == tuple(-float(each) for each in POINTS)
    assert (found.play_weights, found.discard_weights) == (None, None)


def test_what_waits_is_declared_too() -> None:
    """A seven begins a suit; a queen of its own that waits is worth 1.7 times her points."""
    found = straights_declaration_of(Surveyor())
    assert not isinstance(found, Undeclared)
    assert found.play_weights
    assert found.discard_weights
    queen, seven = BY_SHORT_NAME["QH"].code, BY_SHORT_NAME["7H"].code
    assert (found.play[seven], found.play[queen]) == (3.8, 0)
    assert found.play_weights.own[queen] == 1.7 * 12
    assert found.play_weights.strangers[queen] == -0.5
    assert found.play_weights.reach[queen] == 0.87
    assert found.discard_weights.waiting[queen] == -6
    assert found.discard_weights.chance[queen] == 0.8


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (HandsOn, "HandsOn is not a PreferencePlayer, so only its code can decide"),
        (Second, "Second overrides choose_discard(), which only Python can call"),
        (Bookkeeper, "Bookkeeper overrides choose_play(), which only Python can call"),
        (
            Fickle,
            "Fickle values a card differently at two calls; a worth must depend on the card alone",
        ),
        (Lucky, "Lucky fails to value a card: AttributeError: self.random is"),
        (Endless, "discard_worth(Two of Spades): expected a finite number, got inf"),
    ],
)
def test_what_cannot_be_declared_has_a_reason(kind: type[StraightsPlayer], reason: str) -> None:
    """A sentence that names the player."""
    found = straights_declaration_of(kind())
    assert isinstance(found, Undeclared)
    assert reason in found.reason


def test_a_player_that_is_given_another_play_is_not_declared() -> None:
    """Whatever its class says."""
    player = Thrifty()
    player.play = lambda view: view.hand[0]  # type: ignore[method-assign]  # on purpose
    assert straights_declaration_of(player) == Undeclared(
        "Thrifty overrides play(), which only Python can call"
    )


def test_worths_are_asked_once() -> None:
    """At the first choice; a constructor of the author's need not know of it."""
    asked: list[Card] = []

    class Counted(WeighsPlays):
        def __init__(self) -> None:
            self.name = "counted"

        def own_worth(self, card: Card) -> float:
            asked.append(card)
            return 1

    player = Counted()
    assert not asked
    assert player.declared() is player.declared()
    assert len(asked) == 52


def test_a_declared_player_loads_no_arrays() -> None:
    """Its process is as small as any other player's."""
    program = (
        "import sys\n"
        "from tourney import PreferencePlayer, WeighsDiscards, WeighsPlays\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
