"""Bounds of a table's result: true for the worst and the best that players can do."""

from dataclasses import replace
from pathlib import Path

import pytest

from tourney import play_tournament
from tourney.formats import Duplicate, Independent, Knockout, Match
from tourney.game.rules import Rules
from tourney.games.blackjack.rules import CSC24400, EASYBJ, EUROPEAN, VE280
from tourney.games.straights.rules import StraightsRules
from tourney.standings.bounded_differences import Bounds

STRAIGHTS = StraightsRules()


@pytest.mark.parametrize(
    ("rules", "minimum", "bounds"),
    [
        (STRAIGHTS, 0, (0, 154)),
        (CSC24400, 1, (-1, 1)),
        (CSC24400, 5, (-5, 5)),
        (replace(CSC24400, natural="3:2"), 2, (-2, 3)),
        (EASYBJ, 2, (-16, 16)),  # four hands, all doubled
        (replace(EUROPEAN, wager="minimum"), 10, (-85, 80)),  # and the insurance is lost
        (VE280, 5, None),
    ],
)
def test_a_round_has_bounds_where_no_wager_is_chosen(
    rules: Rules, minimum: int, bounds: tuple[int, int] | None
) -> None:
    """In the unit of the rules."""
    assert rules.game.round_bounds(rules, minimum) == bounds


def test_a_table_has_the_bounds_of_its_rounds() -> None:
    """Points a round, or the profit in chips a round."""
    assert Duplicate(tables=4, rounds=10).table_bounds(STRAIGHTS, 0, 0) == Bounds(0, 154)
    fixed = Independent(tables=4, rounds=10, on_fault="keep")
    assert fixed.table_bounds(CSC24400, 100, 1) == Bounds(-1, 1)
    half_chips = replace(CSC24400, insurance="offered")
    assert fixed.table_bounds(half_chips, 200, 4) == Bounds(-3, 2)


def test_a_table_cannot_lose_more_than_the_bankroll() -> None:
    """Nor less, where a fault loses it."""
    lost = Duplicate(tables=4, rounds=10, on_fault="zero")
    stands = Duplicate(tables=4, rounds=10, on_fault="keep")
    assert lost.table_bounds(CSC24400, 5, 1) == stands.table_bounds(CSC24400, 5, 1)
    assert stands.table_bounds(CSC24400, 5, 1) == Bounds(-0.5, 1)
    assert lost.table_bounds(CSC24400, 50, 1) == Bounds(-5, 1)
    assert stands.table_bounds(CSC24400, 50, 1) == Bounds(-1, 1)


def test_places_of_games_have_bounds() -> None:
    """From the first to the last at the table."""
    assert Match(tables=3).table_bounds(STRAIGHTS, 0, 0) == Bounds(1, 4)


@pytest.mark.parametrize(
    "options", [Duplicate(tables=4, rounds=1, bounds="ignore"), Match(tables=3, bounds="ignore")]
)
def test_an_organiser_may_do_without(options: Duplicate | Match) -> None:
    """For fewer tables, and results without rare losses."""
    assert options.table_bounds(STRAIGHTS, 0, 0) is None


def test_nothing_is_declared_where_the_format_gives_the_places() -> None:
    """Or where players choose their wagers."""
    assert Knockout(rounds=10).table_bounds(STRAIGHTS, 0, 0) is None
    assert Duplicate(tables=4, rounds=10).table_bounds(VE280, 1000, 5) is None


BUST = """\
from tourney import Player


class Bust(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return True
"""
CRASH = BUST.replace("return True", "raise ValueError")


@pytest.mark.parametrize("bankroll", [3, 1000])
def test_the_worst_players_stay_within_the_bounds(tmp_path: Path, bankroll: int) -> None:
    """One that always busts, and one that always fails: a board refuses results beyond them."""
    for name, code in (("bust", BUST), ("crash", CRASH)):
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    config = tmp_path / "cup.yaml"
    config.write_text(
        "name: Cup\nseed: 1\nluck_adjustment: false\ngame: csc24400\n"
        f"bankroll: {bankroll}\nformat: {{kind: duplicate, tables: 12, rounds: 8}}\n"
        "entrants: [{file: bust.py}, {file: crash.py}, {strategy: mimic}]\n",
        encoding="utf-8",
    )
    rows = play_tournament(config, store=tmp_path / "cup.db", trust_submissions=True).standings
    assert all(row.least_difference is not None for row in rows)
    assert {row.name: row.faults for row in rows}["crash"] == 12
