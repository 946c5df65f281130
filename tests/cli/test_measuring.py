"""`ev`: what a strategy is worth, for people and as JSON."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

Cli = Callable[..., Any]

GAME = "ve280,shuffle=uniform,decks=1,payout=exact,reshuffle=every-round"
FEW = ("--game", GAME, "--rounds", 500, "--seed", 1, "--workers", 1)


def test_the_json_has_these_keys(cli: Cli) -> None:
    """Other programs read them."""
    ran = cli("ev", "simple", *FEW, "--json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert list(found) == [
        "mean",
        "standard_error",
        "sd",
        "rounds",
        "seconds",
        "rounds_per_second",
        "engine",
    ]
    assert found["rounds"] == 500
    assert found["engine"] in {"reference", "compiled"}  # as other tests have left this process
    assert found["standard_error"] == pytest.approx(found["sd"] / 500**0.5)
    assert found["rounds_per_second"] == pytest.approx(500 / found["seconds"])


def test_people_read_two_lines(cli: Cli) -> None:
    """What was found, and what it took."""
    ran = cli("ev", "simple", *FEW)
    assert (ran.status, ran.err) == (0, "")
    first, second = ran.lines
    assert re.fullmatch(
        r"mean result per round [+-]\d\.\d{6} minimums, standard error \d\.\d{6}, SD \d\.\d{5}",
        first,
    )
    assert re.fullmatch(
        r"500 rounds in \d+\.\d s: [\d,]+ a second, engine (reference|compiled)", second
    )


def test_a_seed_makes_it_reproducible_and_workers_do_not_matter(cli: Cli) -> None:
    """The same seed, the same rounds; without one, other rounds each time."""
    many = ("--game", GAME, "--rounds", "500", "--json")
    alone, among, unseeded, again = (
        json.loads(cli("ev", "simple", *many, *more).out)["mean"]
        for more in (
            ("--seed", 1, "--workers", 1),
            ("--seed", 1, "--workers", 2),
            ("--workers", 1),
            ("--workers", 1),
        )
    )
    assert alone == among
    assert unseeded != again


@pytest.mark.parametrize(("text", "rounds"), [("2e2", 200), ("1_00", 100), ("50.0", 50), ("7", 7)])
def test_rounds_may_be_written_as_large_numbers_are(cli: Cli, text: str, rounds: int) -> None:
    """2e6 is a whole number, too."""
    ran = cli("ev", "simple", "--game", GAME, "--rounds", text, "--workers", 1, "--json")
    assert json.loads(ran.out)["rounds"] == rounds


@pytest.mark.parametrize(
    "text", ["0", "-5", "x", "1.5", "nan", "inf", "1e400", "1e16", "", "9" * 5000]
)
def test_rounds_must_be_a_number_one_can_wait_for(cli: Cli, text: str) -> None:
    """Anything else is wrong usage, and long values are not repeated in full."""
    ran = cli("ev", "simple", "--game", GAME, "--rounds", text, "--workers", 1)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith(
        f"expected a whole number from 1 to 1e15, such as 2e6; got {text[:40]!r}\n"
    )


def test_the_minimum_is_the_unit(cli: Cli) -> None:
    """Simple bets the minimum whatever it is, so the mean in minimums stays."""
    means = {
        json.loads(cli("ev", "simple", *FEW, "--minimum", minimum, "--json").out)["mean"]
        for minimum in (10, 50)
    }
    assert len(means) == 1


def test_the_minimum_of_the_game_holds_if_it_has_one(cli: Cli) -> None:
    """EECS 280 fixes 5, at which 3:2 rounds down, so naturals are worth less than at 10."""
    game = ("--game", "eecs280,shuffle=uniform", "--rounds", 500, "--seed", 1, "--workers", 1)
    five, ten = (
        json.loads(cli("ev", "simple", *game, *more, "--json").out)["mean"]
        for more in ((), ("--minimum", 10))
    )
    assert five < ten


def test_every_fault_of_a_game_is_told(cli: Cli) -> None:
    """All at once, each with the setting."""
    ran = cli("ev", "simple", "--game", "ve280,decks=99,spades=1,shuffle=x", "--workers", 1)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "--game: decks: expected a whole number from 1 to 20 or infinite, got 99\n"
        "--game: spades: expected decks, shuffle, reshuffle, reshuffle_percent, wager, dealing, "
        "dealer_shows, hole_card, dealer_natural, insurance, natural, payout or 10 others; "
        "got 'spades' (did you mean 'split_aces'?)\n"
        "--game: shuffle: expected uniform or riffle, got 'x'\n"
    )


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("", "--game: preset: expected "),
        ("poker", "--game: preset: expected "),
        ("ve280,decks", "--game: expected setting=value, such as shuffle=uniform; got 'decks'"),
        ("ve280,decks=2", "--game: shuffle: expected 'uniform' for decks: 2, got 'riffle'"),
    ],
)
def test_a_game_that_cannot_be_played_is_wrong_usage(cli: Cli, game: str, said: str) -> None:
    """The message names the option."""
    ran = cli("ev", "simple", "--game", game, "--workers", 1)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)


def test_an_unknown_strategy_is_wrong_usage(cli: Cli) -> None:
    """With what was probably meant."""
    ran = cli("ev", "cuonting", *FEW)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("(did you mean 'counting'?)\n")
