"""What is said below a board, in every place that shows it: the terminal, the page and its data."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import told_of, write_told

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CUP = """\
name: Cup
seed: 3
game: GAME
bankroll: BANKROLL
minimum: 5
format: {kind: KIND, tables: 3, rounds: 20}
entrants: [{strategy: simple}, {strategy: counting}, {strategy: mimic}]
"""
TOO_FEW = "3 tables are too few to separate any of these entrants; it takes at least 8"
SHARED = "all entrants play the same shoes"
OWN = "no entrant plays the shoes of another one"


def cup(*, game: str = "ve280", bankroll: int = 200, kind: str = "duplicate") -> str:
    """Give a configuration."""
    return CUP.replace("GAME", game).replace("BANKROLL", str(bankroll)).replace("KIND", kind)


@pytest.mark.parametrize(
    ("how", "reason", "shoes"),
    [
        ({}, "shuffle: riffle does not make every order", SHARED),
        ({"kind": "independent"}, "shuffle: riffle does not make every order", OWN),
        (
            {"game": "{preset: ve280, shuffle: uniform}", "bankroll": 10**9},
            "its sum might overflow with a bankroll of 1,000,000,000 chips",
            SHARED,
        ),
    ],
)
def test_a_board_with_luck_in_it_says_why_and_whether_shoes_were_shared(
    cli: Cli, write: Write, how: dict[str, Any], reason: str, shoes: str
) -> None:
    """When it is played, when it is shown again, and on the page with its data."""
    write("cup.yaml", cup(**how))
    for ran in (cli("run", "cup.yaml", "--workers", 1), cli("leaderboard")):
        lines = ran.err.splitlines()
        (luck,) = [line for line in lines if line.startswith("results are not adjusted for luck: ")]
        assert reason in luck
        assert next(line for line in lines if line.startswith((SHARED, OWN))).startswith(shoes)
    assert cli("publish", "--output", "site", "--show-tables", 0, "--samples", 0).status == 0
    data = told_of("site")
    assert data["run"]["shares_shoes"] == (shoes == SHARED)
    told = [each["text"] for each in data["notes"]]
    assert told[0] == luck
    assert told[-1] == TOO_FEW
    page = Path("site/index.html").read_text(encoding="utf-8")
    assert all(text in page for text in (reason, shoes, TOO_FEW))
    assert cli("verify", "--site", "site").status == 0


def test_a_board_without_luck_has_no_such_note(cli: Cli, write: Write) -> None:
    """Nothing was left out."""
    write("cup.yaml", cup(game="{preset: ve280, shuffle: uniform}"))
    assert "adjusted for luck" not in cli("run", "cup.yaml", "--workers", 1).err


def test_a_dry_run_says_how_many_tables_it_takes(cli: Cli, write: Write) -> None:
    """Before anything is played in vain."""
    write("cup.yaml", cup())
    assert TOO_FEW in cli("run", "cup.yaml", "--workers", 1, "--dry-run").lines
    write("cup.yaml", cup().replace("tables: 3", "tables: 8"))
    assert "too few to separate" not in cli("run", "cup.yaml", "--workers", 1, "--dry-run").out


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda data: data["notes"].pop(), "data.json: notes: they differ from those of the board"),
        (
            lambda data: data["run"].update(why_luck_stays=""),
            "data.json: notes: they differ from those of the board",
        ),
        (
            lambda data: data["entrants"][0]["results"].update(squares=[-1, 0, 0]),
            "expected sums of squares from 0",
        ),
    ],
)
def test_notes_that_were_changed_are_found(
    cli: Cli, write: Write, change: Callable[[Any], object], found: str
) -> None:
    """They follow from the board, as everything does."""
    write("cup.yaml", cup())
    assert cli("run", "cup.yaml", "--workers", 1).status == 0
    assert cli("publish", "--output", "site", "--show-tables", 1, "--samples", 0).status == 0
    data = told_of("site")
    change(data)
    write_told("site", data)
    ran = cli("verify", "--site", "site")
    assert ran.status == 1
    assert found in ran.out + ran.err


def test_squares_of_published_hands_are_dealt_again(cli: Cli, write: Write) -> None:
    """Nobody's risk can be made smaller than the hands say."""
    write("cup.yaml", cup())
    assert cli("run", "cup.yaml", "--workers", 1).status == 0
    assert cli("publish", "--output", "site", "--show-tables", 1, "--samples", 0).status == 0
    data = told_of("site")
    squares = data["entrants"][0]["results"]["squares"]
    squares[:] = [each - 25 for each in squares]
    write_told("site", data)
    ran = cli("verify", "--site", "site")
    assert "squares: the hands give" in ran.out + ran.err


def test_with_the_first_only_nothing_is_said_of_others(cli: Cli, write: Write) -> None:
    """Notes about the board stay, and those about rows that are shown."""
    write("cup.yaml", cup())
    assert cli("run", "cup.yaml", "--workers", 1).status == 0
    assert (
        cli("publish", "--output", "site", "--show-tables", 0, "--samples", 0, "--top", 1).status
        == 0
    )
    data = told_of("site")
    assert {each["entrant"] for each in data["notes"]} <= {0, 1}
    assert data["notes"][-1]["text"] == TOO_FEW


def test_the_run_is_named_unless_there_is_only_one(cli: Cli, write: Write) -> None:
    """Where a command reads the latest, it is clear which one that is."""
    write("cup.yaml", cup())
    cli("run", "cup.yaml", "--workers", 1)
    assert "run 1" not in cli("leaderboard").err
    cli("run", "cup.yaml", "--workers", 1, "--seed", 4)
    for words in ((), ("Cup",)):
        assert cli("leaderboard", *words).err.startswith("run 2, Cup: the latest of 2 runs\n")
    assert "the latest of" not in cli("leaderboard", 1).err


def test_students_see_no_rehearsal_by_mistake(cli: Cli, write: Write) -> None:
    """A rehearsal after the run that counts must be named, where students see the result."""
    path = write("cup.yaml", cup().replace("seed: 3\n", ""))
    cli("run", path, "--workers", 1)
    cli("run", path, "--workers", 1, "--seed", 4)
    few = ("--output", "site", "--show-tables", 0, "--samples", 0)
    refused = cli("publish", *few)
    assert refused.status == 2
    assert refused.err == (
        "run 2, Cup, is a rehearsal (its seed is known), and run 1 of this name is not: name the "
        "run that counts, as in `tourney publish 1`\n"
    )
    assert not Path("site").exists()
    assert cli("leaderboard").err.startswith("run 2, Cup, a rehearsal: the latest of 2 runs\n")
    for run in (1, 2):
        assert cli("publish", run, *few).status == 0
        assert told_of("site")["run"]["rehearsal"] == (run == 2)
