"""Costly decisions of a stored entrant: by the command, with a hand that can be replayed."""

import json
from pathlib import Path

import pytest

import tourney
from tests.integration.cli.conftest import Cli
from tourney import TourneyError


def test_the_costliest_decisions_of_an_entrant_are_listed(cli: Cli, small: Path) -> None:
    """Each with the better answer, and the example shows it."""
    assert cli("run", small, "--workers", 1).status == 0
    ran = cli("mistakes", "--entrant", "mimic", "--top", 3)
    assert ran.status == 0
    assert ran.lines[0].startswith("mimic: decisions cost ")
    assert len(ran.lines) == 6
    found = json.loads(cli("mistakes", "--entrant", "mimic", "--top", 1, "--json").out)
    assert (found["name"], found["rounds"], len(found["listed"])) == ("mimic", 480, 1)
    (worst,) = found["listed"]
    _, _, table, number = worst["example"]
    shown = cli("replay", "--entrant", "mimic", "--table", table, "--range", f"{number}-{number}")
    assert shown.status == 0
    assert worst["answer"] == "hit"
    assert worst["best"] == "stand"
    words = ["Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
    cards = [line.split()[2] for line in shown.lines if line.startswith("Player dealt ")]
    values = [words.index(card) + 1 if card in words else 10 for card in cards]
    kind, total = worst["situation"].split()[:2]
    assert kind == "hard"
    assert int(total) in [sum(values[:count]) for count in range(2, len(values) + 1)]


def test_an_unknown_entrant_and_a_game_without_values_are_refused(cli: Cli, small: Path) -> None:
    """With the entrants there are, and what to use instead."""
    assert cli("run", small, "--workers", 1).status == 0
    ran = cli("mistakes", "--entrant", "mimik")
    assert ran.status == 2
    assert "mimic" in ran.err
    with pytest.raises(TourneyError, match="alone"):
        tourney.mistakes("pathfinder", "straights")


def test_a_table_of_mistakes_has_a_row_of_each() -> None:
    """With the place of its example; it reads as a text and as HTML."""
    found = tourney.mistakes("mimic", "ve280,shuffle=uniform", rounds=500, seed=1, top=2)
    rows = found.rows()
    assert len(rows) == 2
    assert {"situation", "answer", "best", "times", "cost", "cost_per_100", "table", "round"} < {
        *rows[0]
    }
    assert str(rows[0]["situation"]) in repr(found)
    assert "<table" in found._repr_html_()
