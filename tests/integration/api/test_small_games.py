"""Equilibria of small games, and the distance of players to them, against published figures."""

import gc
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tourney
from tourney import TourneyError
from tourney.errors import CompetitorFailedError, PluginError, RulesError
from tourney.game.rounds import RoundTable
from tourney.research.equilibrium import chances_of, equilibrium_of, exploited_by
from tourney.research.game_tree import is_listable, tree_of

EXAMPLES = Path(__file__).parents[3] / "examples"
UNIFORM = {"kuhn": 0.916666666666667, "leduc": 4.747222222222222}
"""NashConv of a player that takes each legal action with the same chance; from OpenSpiel."""
VALUES = {"kuhn": -1 / 18, "leduc": -0.085606424078}
"""Of the first seat; Kuhn 1950, and OpenSpiel for Leduc."""


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mapping[str, Any]]:
    """Import the examples of games, and forget them afterwards."""
    found = {}
    for game in UNIFORM:
        monkeypatch.syspath_prepend(EXAMPLES / f"{game}-poker")
        found[game] = import_module(f"{game}_poker")
    yield found
    for game in UNIFORM:
        del sys.modules[f"{game}_poker"]
    found.clear()
    gc.collect()


def rules_of(games: Mapping[str, Any], game: str) -> Any:
    """Return the rules of an example."""
    return games[game].tourney_games()[game]


@pytest.mark.parametrize("game", UNIFORM)
def test_figures_are_those_that_were_published(games: Mapping[str, Any], game: str) -> None:
    """The value of the game, an equilibrium without a gain, and the distance of uniform play."""
    tree = tree_of(rules_of(games, game))
    solved = equilibrium_of(tree)
    assert solved.values == pytest.approx([VALUES[game], -VALUES[game]], abs=1e-9)
    values, best = exploited_by(tree, solved.chances)
    assert values == pytest.approx(solved.values)
    assert sum(best) - sum(values) == pytest.approx(0, abs=1e-7)
    uniform = [np.full(len(each.legal), 1 / len(each.legal)) for each in tree.situations]
    values, best = exploited_by(tree, uniform)
    assert sum(best) - sum(values) == pytest.approx(UNIFORM[game], abs=1e-9)


def test_best_responses_are_those_of_a_slow_search(games: Mapping[str, Any]) -> None:
    """Which tries every pure strategy of Kuhn poker against mixed ones, in fractions."""
    kuhn = games["kuhn"]
    tree = tree_of(rules_of(games, "kuhn"))
    for low in (Fraction(1, 2), Fraction(1, 5), Fraction(0)):
        bets = {
            (each.view.rank, each.view.moves): low * int(each.view.rank) / 13
            for each in tree.situations
        }
        mixed = [
            np.array([1 - float(bets[each.view.rank, each.view.moves]), 0])
            for each in tree.situations
        ]
        for row in mixed:
            row[1] = 1 - row[0]
        _, best = exploited_by(tree, mixed)
        for seat in (0, 1):
            assert best[seat] == pytest.approx(float(searched(kuhn, seat, bets)))


def searched(kuhn: Any, seat: int, bets: Mapping[Any, Fraction]) -> Fraction:
    """Return the most that any pure strategy of a seat wins from the mixed one in the other."""
    views = [view for view in bets if len(view[1]) % 2 == seat]
    best = Fraction(-10)
    for moves in product(kuhn.Move, repeat=len(views)):
        plan = dict(zip(views, moves, strict=True))
        deals = list(permutations(kuhn.RANKS, 2))
        total = sum(followed(kuhn, deal, seat, plan, bets) for deal in deals)
        best = max(best, Fraction(total) / len(deals))
    return best


def followed(
    kuhn: Any,
    deal: Any,
    seat: int,
    plan: Mapping[Any, Any],
    bets: Mapping[Any, Fraction],
    *moves: Any,
) -> Fraction:
    """Return the mean result of a seat from a point of a round on."""
    state = kuhn.Round(deal)
    for move in moves:
        state.apply_action(move)
    if state.to_act is None:
        return Fraction(state.results()[seat])
    view = (deal[state.to_act], moves)
    if state.to_act == seat:
        return followed(kuhn, deal, seat, plan, bets, *moves, plan[view])
    return sum(
        (chance * followed(kuhn, deal, seat, plan, bets, *moves, move))
        for move, chance in ((kuhn.BET, bets[view]), (kuhn.CHECK, 1 - bets[view]))
    )


def test_a_player_is_asked_or_states_its_chances(games: Mapping[str, Any]) -> None:
    """One answer is enough without luck; with luck there are many; stated chances are exact."""
    kuhn = games["kuhn"]
    tree = tree_of(rules_of(games, "kuhn"))

    class Bold(kuhn.KuhnPlayer):  # type: ignore[misc,name-defined]  # imported by its path
        """Always bets."""

        def act(self, view: Any) -> Any:
            """Bet."""
            return kuhn.BET

    class Coin(Bold):
        """Tosses a coin."""

        def act(self, view: Any) -> Any:
            """Toss."""
            return self.random.choice(list(kuhn.Move))

    class Stated(Coin):
        """States it."""

        def chances(self, view: Any) -> Any:
            """State the chances."""
            return {kuhn.BET: 0.5, kuhn.CHECK: 0.5}

    found, samples = chances_of(tree, Bold)
    assert samples == 0
    assert all(list(row) == [0, 1] for row in found)
    tossed, samples = chances_of(tree, Coin)
    assert samples == 1000
    assert all(abs(row[0] - 0.5) < 0.06 for row in tossed)
    stated, samples = chances_of(tree, Stated)
    values, best = exploited_by(tree, stated)
    assert (sum(best) - sum(values), samples) == (pytest.approx(UNIFORM["kuhn"]), 0)


def test_wrong_players_are_reported(games: Mapping[str, Any]) -> None:
    """With the situation, the expected answer and the answer."""
    kuhn = games["kuhn"]
    tree = tree_of(rules_of(games, "kuhn"))

    class Wrong(kuhn.KuhnPlayer):  # type: ignore[misc,name-defined]  # imported by its path
        """Answers with a word."""

        def act(self, view: Any) -> Any:
            """Answer wrongly."""
            return "bet"

    class Unsure(Wrong):
        """States chances that are none."""

        def chances(self, view: Any) -> Any:
            """State too little."""
            return {kuhn.BET: 0.5}

    with pytest.raises(CompetitorFailedError, match=r"Wrong: .* expected one of .*, got 'bet'"):
        chances_of(tree, Wrong)
    with pytest.raises(CompetitorFailedError, match=r"Unsure.chances: .* add up to 1"):
        chances_of(tree, Unsure)


def test_games_that_are_too_large_or_of_another_kind_are_rejected(
    games: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the size that was found and the limit, or with the reason."""
    leduc = rules_of(games, "leduc")
    with pytest.raises(RulesError, match=r"leduc: more than 5,000 ways .*, and the limit is 5,000"):
        tree_of(leduc, most=5_000)
    monkeypatch.setattr(games["leduc"].LeducTable, "pack", None)
    with pytest.raises(RulesError, match=r"leduc: about .* ways to play a round, and the limit is"):
        tree_of(leduc, most=1_000)
    assert not is_listable(tourney.load_rules("ve280"))
    with pytest.raises(RulesError, match="only for games whose table is a RoundTable"):
        tourney.equilibrium("ve280")
    with pytest.raises(RulesError, match=r"straights: about \d+e\+\d+ ways to play a round"):
        tourney.equilibrium("straights")
    with pytest.raises(RulesError, match="seats: expected from 2 to 2, got 3"):
        tree_of(leduc, seats=3)


def test_a_round_that_differs_is_noticed(games: Mapping[str, Any]) -> None:
    """Its game, and the command that shows the cause."""
    leduc, dealt = games["leduc"], []

    class Moody(leduc.LeducTable):  # type: ignore[misc,name-defined]  # imported by its path
        """Burns another card in every second round."""

        def open(self, bankrolls: Any, cards: Any) -> Any:
            dealt.append(0)
            if len(dealt) % 2:
                next(cards)
            return super().open(bankrolls, cards)

    class Game(leduc.Leduc):  # type: ignore[misc,name-defined]  # imported by its path
        """Leduc at such a table."""

        def table(self, block: Any, accounts: Any, watcher: Any = None) -> RoundTable[Any, Any]:
            return Moody(self, block, accounts, watcher)

    class Rules(leduc.LeducRules):  # type: ignore[misc,name-defined]  # imported by its path
        """Its rules."""

        game = Game()

    with pytest.raises(TourneyError, match="leduc: a round differs when it is played again"):
        tree_of(Rules())


def test_a_file_runs_only_if_it_is_trusted(tmp_path: Path) -> None:
    """Because no sandbox can be asked in every situation."""
    file = tmp_path / "mine.py"
    file.write_text("raise SystemExit\n")
    with pytest.raises(PluginError, match="would run in this process"):
        tourney.exploitability(file, "straights")


def test_luck_beside_the_cards_cannot_be_listed(games: Mapping[str, Any]) -> None:
    """Its outcomes are not known, so an equilibrium of the rest would be wrong."""
    leduc = games["leduc"]

    class Dicey(leduc.LeducTable):  # type: ignore[misc,name-defined]  # imported by its path
        """Throws a die before each round."""

        def open(self, bankrolls: Any, cards: Any) -> Any:
            self.luck.randrange(6)
            return super().open(bankrolls, cards)

    class Game(leduc.Leduc):  # type: ignore[misc,name-defined]  # imported by its path
        """Leduc at such a table."""

        def table(self, block: Any, accounts: Any, watcher: Any = None) -> RoundTable[Any, Any]:
            return Dicey(self, block, accounts, watcher)

    class Rules(leduc.LeducRules):  # type: ignore[misc,name-defined]  # imported by its path
        """Its rules."""

        game = Game()

    with pytest.raises(TourneyError, match=r"draws random numbers with self\.luck"):
        tree_of(Rules())
