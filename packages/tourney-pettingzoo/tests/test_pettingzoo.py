"""The classic games of PettingZoo play as games of tourney."""

from pathlib import Path

import pytest

pytest.importorskip("pygame", reason="pettingzoo[classic] has no wheel for this Python")
pytest.importorskip("rlcard", reason="pettingzoo[classic] has no wheel for this Python")

from tourney_pettingzoo.library import GAMES
from tourney_pettingzoo.plugin import tourney_games
from tourney_pettingzoo.round import Match

import tourney
from tourney.game.cards.generator import Luck

CLUB = """
name: Club of {game}
seed: 5
game: pettingzoo-{game}
bankroll: 500
format: {{kind: roundrobin, rounds: 4, times: 2}}
entrants:
  - {{strategy: pettingzoo-random, as: Ada}}
  - {{strategy: pettingzoo-first, as: Emmy}}
"""


def begun(game: str, round_number: int = 1) -> Match:
    """Begin a match with the luck of a round."""
    luck = Luck(bytes(16))
    luck.begin(round_number)
    return Match(tourney_games()[f"pettingzoo-{game}"], luck)


@pytest.mark.parametrize("game", ["hanabi", "leduc-holdem", "rock-paper-scissors", "tic-tac-toe"])
def test_it_passes_the_check_of_games(game: str) -> None:
    """The game repeats everywhere, and its turns can be sent into a sandbox."""
    checked = tourney.check_game(f"pettingzoo-{game}", trust_submissions=True)
    assert checked.passed, checked


@pytest.mark.parametrize("game", GAMES)
def test_every_game_begins_and_names_its_actions(game: str) -> None:
    """Each action has a name of its own, and the view is text."""
    match = begun(game)
    assert match.to_act is not None
    view = match.observation(match.to_act)
    names = [str(each) for each in view.legal]
    assert len(set(names)) == len(names) > 0
    assert view.legal == match.legal_actions()
    assert str(view)


def test_the_luck_of_the_table_deals() -> None:
    """The same round deals the same cards, and other rounds deal others."""
    seen = [str(begun("leduc-holdem", number).observation(0)) for number in (1, *range(1, 12))]
    assert seen[0] == seen[1]
    assert len(set(seen)) > 1


def test_simultaneous_choices_stay_hidden() -> None:
    """The second seat sees the same, whatever the first one chose."""
    seen = []
    for choice in (0, 1):
        match = begun("rock-paper-scissors")
        match.apply_action(match.legal_actions()[choice])
        seen.append(match.observation(1))
    assert seen[0] == seen[1]


def test_a_tournament_is_played_shown_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run, a replay with named moves, and its verification."""
    from tourney.cli import main

    config, store = tmp_path / "club.yaml", tmp_path / "club.db"
    config.write_text(CLUB.format(game="tic-tac-toe"))
    assert main(["run", str(config), "--store", str(store)]) == 0
    assert main(["replay", "--store", str(store), "--entrant", "Emmy", "--table", "1"]) == 0
    assert main(["verify", "--full", "--store", str(store)]) == 0
    told = capsys.readouterr().out
    assert "column 1, row 1" in told
    assert "replayed batches give the stored digests" in told
