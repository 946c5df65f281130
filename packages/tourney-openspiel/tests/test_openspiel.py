"""The games of OpenSpiel play as games of tourney."""

import os
import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel has no wheel for this Python")

from tourney_openspiel import library  # noqa: E402
from tourney_openspiel.plugin import OpenSpielRules, tourney_games  # noqa: E402
from tourney_openspiel.round import Match  # noqa: E402

import tourney  # noqa: E402 - only where OpenSpiel is installed
from tests.docs.console import ROOT, Session  # noqa: E402 - as above
from tourney.game.adapters import Action  # noqa: E402
from tourney.game.cards.generator import Luck  # noqa: E402

CHECKED = (
    "bargaining",
    "blotto",
    "catch",
    "chess",
    "coin-game",
    "connect-four",
    "coordinated-mp",
    "dark-hex",
    "dots-and-boxes",
    "einstein-wurfelt-nicht",
    "euchre",
    "first-sealed-auction",
    "goofspiel",
    "hanabi",
    "kuhn-poker",
    "leduc-poker",
    "lewis-signaling",
    "liars-dice",
    "matching-pennies-3p",
    "matrix-bos",
    "matrix-pd",
    "matrix-rps",
    "matrix-sh",
    "nim",
    "oshi-zumo",
    "phantom-ttt",
    "sheriff",
    "tic-tac-toe",
    "tiny-bridge-2p",
    "tiny-hanabi",
    "trade-comm",
    "universal-poker",
)
"""Games whose rounds are short enough to check each of them."""

CLUB = """
name: Club of {game}
seed: 5
game: openspiel-{game}
bankroll: 2000
format: {{kind: roundrobin, rounds: 6, times: 2}}
entrants:
  - {{strategy: openspiel-random, as: Ada}}
  - {{strategy: openspiel-first, as: Emmy}}
  - {{strategy: openspiel-random, as: Carl}}
"""


def begun(name: str, players: int = 0, **settings: Any) -> Match:
    """Begin a match with known luck."""
    rules = OpenSpielRules(name=name, **settings)
    luck = Luck(bytes(16))
    return Match(library.game(name, rules.parameters, players), rules, luck)


@pytest.mark.parametrize("name", CHECKED)
def test_it_passes_the_check_of_games(name: str) -> None:
    """The game repeats everywhere, and its turns can be sent into a sandbox."""
    checked = tourney.check_game(f"openspiel-{name}", trust_submissions=True)
    assert checked.passed, checked


def test_the_page_about_these_games_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files and commands do what a reader expects, one after another."""
    program = tmp_path / "bin/tourney"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tourney "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    page = (ROOT / "docs/how-to/add-games-from-elsewhere.md").read_text(encoding="utf-8")
    session = Session(tmp_path / "work", tmp_path / "site")
    outputs = {}
    for command, output in session.read(re.sub(r"(?m)^\$ pip install .*\n", "", page)):
        assert session.status == 0, f"{command.text}\n{output}"
        outputs[command.text.split()[1]] = output
    assert {*outputs} == {"list", "check", "compare", "season"}
    assert "openspiel-connect-four" in outputs["list"]
    assert "middle.py at openspiel-connect-four: passed" in outputs["check"]
    assert "openspiel-random" in outputs["compare"]
    assert "Week 3" in (tmp_path / "work/pages/index.html").read_text(encoding="utf-8")


def test_a_game_is_left_out_only_for_a_reason() -> None:
    """Every registered game is offered, or has a reason why it cannot be."""
    offered = {rules.name for rules in tourney_games().values()}
    for kind in pyspiel.registered_games():
        assert (kind.short_name in offered) != bool(library.why_unsuited(kind)), kind.short_name
    assert len(offered) >= 90


def test_a_game_loads_for_all_its_numbers_of_seats() -> None:
    """A range of seats promises no table that OpenSpiel cannot set up."""
    for name in library.short_names():
        for count in OpenSpielRules(name=name).seats:
            assert library.game(name, "", count).num_players() == count, name


@pytest.mark.parametrize(
    ("name", "players"), [("skat", 3), ("tiny_bridge_2p", 2), ("yacht", 1), ("yacht", 3)]
)
def test_results_are_whole_parts_of_a_chip(name: str, players: int) -> None:
    """The package knows the fractions of a game, so that no organiser must find them out."""
    dice, luck = Random(1), Luck(bytes(16))
    rules = OpenSpielRules(name=name, unit=library.parts(name))
    for number in range(60):
        luck.begin(number)
        match = Match(library.game(name, "", players), rules, luck)
        while match.to_act is not None:
            match.apply_action(dice.choice(match.legal_actions()))
        assert len(match.results()) == players


def test_parameters_fix_the_number_of_seats() -> None:
    """`players=3` among the parameters leaves tables of three."""
    assert OpenSpielRules(parameters="players=3").seats == range(3, 4)
    assert OpenSpielRules().seats == range(2, 8)


def test_actions_have_the_names_of_the_game() -> None:
    """Replays show moves, not numbers."""
    match = begun("tic_tac_toe")
    assert [str(each) for each in match.legal_actions()][:2] == ["x(0,0)", "x(0,1)"]


def test_simultaneous_moves_stay_hidden_until_all_have_moved() -> None:
    """The second seat sees the same, whatever the first one chose."""
    seen = []
    for choice in (0, 2):
        match = begun("matrix_rps")
        assert match.to_act == 0
        match.apply_action(match.legal_actions()[choice])
        assert match.to_act == 1
        seen.append(match.observation(1))
    assert seen[0] == seen[1]
    match.apply_action(match.legal_actions()[0])
    assert match.to_act is None
    assert match.results() == (-1, 1)  # scissors against rock


def test_chance_comes_from_the_luck_of_the_table() -> None:
    """The same luck deals the same cards, and rounds deal different ones."""
    luck, rules = Luck(bytes(16)), OpenSpielRules()
    dealt = []
    for number in (*range(1, 60), 1):
        luck.begin(number)
        match = Match(library.game("kuhn_poker", "", 2), rules, luck)
        dealt.append(match.observation(0).shown + match.observation(1).shown)
    assert dealt[0] == dealt[-1]
    assert len(set(dealt)) == 6  # all deals of two of three cards


def test_results_that_are_not_whole_parts_are_refused() -> None:
    """Nothing is rounded away: the message names the setting that mends it."""
    with pytest.raises(tourney.TourneyError, match="set unit"):
        OpenSpielRules().chips([0.5, -0.5])
    assert OpenSpielRules(unit=60).chips([1 / 3, -1 / 3]) == (20, -20)


def test_numbers_for_networks_are_given_on_request() -> None:
    """A view has OpenSpiel's tensor with `tensor: true` only."""
    assert begun("tic_tac_toe").observation(0).numbers == ()
    assert len(begun("tic_tac_toe", tensor=True).observation(0).numbers) == 27


def test_a_player_may_answer_with_a_number() -> None:
    """An action and its number are the same answer; others are refused."""
    from tourney.game.turns import Turn

    match = begun("tic_tac_toe")
    legal = match.legal_actions()
    turn = Turn(0, 1, "act", match.observation(0), legal)
    game = OpenSpielRules().game
    assert game.accept(4, turn) == game.accept(legal[4], turn) == Action(4, "x(1,1)")
    assert game.accept(9, turn) is None
    assert game.accept(bool(1), turn) is None


@pytest.mark.parametrize("name", ["kuhn-poker", "connect-four", "goofspiel"])
def test_a_tournament_is_played_shown_and_verified(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cards, boards and simultaneous moves: a run, its board, a replay and its verification."""
    from tourney.cli import main

    config, store = tmp_path / "club.yaml", tmp_path / "club.db"
    config.write_text(CLUB.format(game=name))
    assert main(["run", str(config), "--store", str(store)]) == 0
    assert main(["replay", "--store", str(store), "--entrant", "Emmy", "--table", "1"]) == 0
    assert main(["verify", "--full", "--store", str(store)]) == 0
    told = capsys.readouterr()
    assert "Match 1: " in told.out
    assert "referees" in told.err
    assert "replayed batches give the stored digests" in told.out


def test_a_comparison_at_three_seats_gives_the_exact_difference() -> None:
    """The mean of all seatings is that of the whole tree, worked out without a table."""
    found = tourney.compare(
        "openspiel-first",
        "openspiel-random",
        "openspiel-kuhn-poker,parameters=players=3",
        tables=60,
        seed=1,
        workers=2,
    )
    exact = _exact_difference(pyspiel.load_game("kuhn_poker(players=3)"))
    assert exact == pytest.approx(found.difference, abs=0.06)


def _exact_difference(game: Any) -> float:
    """Return what a seat that plays at random wins above one that takes the first action."""
    total = 0.0
    for one in range(3):
        for is_random in (True, False):
            dice = [(seat == one) is is_random for seat in range(3)]
            result = _expected(game.new_initial_state(), dice)
            total += sum(won if each else -won for won, each in zip(result, dice, strict=True))
    return total / 9  # seats of each in the six seatings


def _expected(state: Any, plays_at_random: list[bool]) -> list[float]:
    if state.is_terminal():
        return list(state.returns())
    legal = state.legal_actions()
    if state.is_chance_node():
        weights = dict(state.chance_outcomes())
    elif plays_at_random[state.current_player()]:
        weights = dict.fromkeys(legal, 1 / len(legal))
    else:
        weights = {legal[0]: 1.0}
    parts = [
        (weight, _expected(state.child(each), plays_at_random)) for each, weight in weights.items()
    ]
    return [sum(weight * part[seat] for weight, part in parts) for seat in range(3)]
