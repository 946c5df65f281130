"""The contract of Straights: one question, luck of one's own, and nothing heavy to load."""

import subprocess
import sys
from random import Random

import pytest

from tourney import Card, StraightsPlayer, StraightsView
from tourney.game.players import give_luck


class Lucky(StraightsPlayer):
    """Chooses by chance."""

    def play(self, view: StraightsView) -> Card:
        """Play or discard any card."""
        return self.random.choice(view.legal_plays or view.hand)


def test_a_player_must_answer_play() -> None:
    """There is nothing else to answer."""
    with pytest.raises(TypeError, match=r"abstract method '?play'?"):
        StraightsPlayer()  # type: ignore[abstract]  # on purpose


def test_luck_is_given_at_the_table() -> None:
    """It follows from its seed."""
    player = Lucky()
    give_luck(player, 7)
    assert player.random.random() == Random(7).random()


def test_missing_luck_is_explained() -> None:
    """A constructor that reaches for it is told when it comes."""
    with pytest.raises(
        AttributeError,
        match=r"^self\.random is not set before the player sits down, so the constructor "
        r"cannot use it; in your own tests, set player\.random = random\.Random\(1\)$",
    ):
        _ = Lucky().random


def test_other_missing_names_are_plain_mistakes() -> None:
    """Among them `table`: all there is to see is in the view."""
    with pytest.raises(AttributeError, match="'Lucky' object has no attribute 'table'"):
        _ = Lucky().table  # type: ignore[attr-defined]  # on purpose


def test_the_contract_loads_no_library() -> None:
    """What a competitor imports is the standard library and the contract."""
    program = (
        "import sys\n"
        "from tourney import Card, Rank, StraightsPlayer, StraightsView, Suit\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"annotated_types", "numpy", "pydantic", "click", "yaml", "pluggy"}
