"""`ev`: what a strategy is worth, for people and as JSON."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]

GAME = "ve280,shuffle=uniform,decks=1,payout=exact,reshuffle=every-round"
FEW = ("--game", GAME, "--rounds", 500, "--seed", 1, "--workers", 1)
CHARTS = Path(__file__).parents[3] / "configs" / "charts"


def test_the_json_has_these_keys(cli: Cli) -> None:
    """Other programs read them."""
    ran = cli("ev", "simple", *FEW, "--json")
    assert (ran.status, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert list(found) == [
        *("strategy", "game", "minimum"),
        *("mean", "half_width", "raw_mean", "raw_standard_error", "sd", "adjusted"),
        *("rounds", "seconds", "rounds_per_second", "engine"),
    ]
    assert found["half_width"] is None  # of too few rounds
    assert found["rounds"] == 500
    assert found["engine"] in {"reference", "compiled"}  # as other tests have left this process
    assert found["raw_standard_error"] == pytest.approx(found["sd"] / 500**0.5)
    assert found["rounds_per_second"] == pytest.approx(500 / found["seconds"])


def test_people_read_two_lines(cli: Cli) -> None:
    """What was found, and what it took."""
    ran = cli("ev", "simple", *FEW)
    assert (ran.status, ran.err) == (0, "")
    first, second = ran.lines
    assert re.fullmatch(
        r"mean result per round [+-]\d\.\d{6} minimums of 10, "
        r"standard error \d\.\d{6}, SD \d\.\d{5}",
        first,
    )
    assert re.fullmatch(
        r"500 rounds in \d+\.\d s: [\d,]+ a second, engine (reference|compiled)", second
    )


def test_a_seed_makes_it_reproducible_and_workers_do_not_matter(cli: Cli) -> None:
    """The same seed, the same rounds; without one, other rounds each time."""
    many = ("--game", GAME, "--rounds", "500", "--json")
    alone, among, unseeded, again = (
        _results(cli("ev", "simple", *many, *more).out)
        for more in (
            ("--seed", 1, "--workers", 1),
            ("--seed", 1, "--workers", 2),
            ("--workers", 1),
            ("--workers", 1),
        )
    )
    assert alone == among
    assert unseeded != again


def _results(text: str) -> list[float]:
    """Give what depends on the rounds; means alone are equal by chance now and then."""
    told = json.loads(text)
    return [told[name] for name in ("mean", "sd", "adjusted")]


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
        "game: decks: expected a whole number from 1 to 20 or infinite, got 99\n"
        "game: spades: unknown setting 'spades'; choose decks, shuffle, reshuffle, "
        "reshuffle_percent, wager, dealing, dealer_shows, hole_card, dealer_natural, insurance "
        "or 12 others (`tourney schema` shows all) (did you mean 'split_aces'?)\n"
        "game: shuffle: expected uniform or riffle, got 'x'\n"
    )


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("", "game: preset: expected "),
        ("poker", "game: preset: expected "),
        ("ve280,decks", "game: expected setting=value, such as shuffle=uniform; got 'decks'"),
        ("ve280,decks=2", "game: shuffle: riffle is for one deck, and decks is 2; use uniform"),
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
    assert ran.err.startswith("there is no strategy 'cuonting' (did you mean 'counting'?); choose ")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("counter,spread=x",), "counter: spread: expected a whole number, got text 'x'"),
        (
            ("counter,spread=-1",),
            "counter: spread: expected a whole number of at least 1, got -1",
        ),
        (
            ("counter,sprad=3",),
            "counter: sprad: unknown setting 'sprad'; choose spread or decks "
            "(did you mean 'spread'?)",
        ),
        (
            ("simple", "--vary", "spread=1,2"),
            "simple: spread: unknown setting 'spread'; remove it",
        ),
        (
            ("counter", "--vary", "spread=4,0"),
            "counter: spread: expected a whole number of at least 1, got 0",
        ),
    ],
)
def test_options_that_a_strategy_does_not_take_are_wrong_usage(
    cli: Cli, asked: tuple[str, ...], said: str
) -> None:
    """Told as of a configuration, before anything is played."""
    ran = cli("ev", *asked, *FEW)
    assert (ran.status, ran.out, ran.err) == (2, "", f"{said}\n")


def test_a_chart_has_no_options(cli: Cli) -> None:
    """Which is said of the chart, not of the class that plays it."""
    ran = cli("ev", CHARTS / "optimal.txt,x=1", "--game", "easybj")
    told = "optimal: a chart takes no options; remove x\n"
    assert (ran.status, ran.out, ran.err) == (2, "", told)


def test_two_are_compared_only_with_options_that_they_take(cli: Cli) -> None:
    """Each is told apart by its name."""
    ran = cli("compare", "counter", "counter,spread=x", "--game", GAME)
    told = "counter,spread=x: spread: expected a whole number, got text 'x'\n"
    assert (ran.status, ran.out, ran.err) == (2, "", told)


MINE = """\
from tourney import Player


class Mine(Player):
    def __init__(self, limit=16):
        self.limit = limit

    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < self.limit
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Give a competitor of one's own, with an option."""
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


@pytest.mark.prove
def test_a_file_with_options_is_measured_confined(cli: Cli, mine: Path) -> None:
    """As a strategy that is installed, and trusted only if one says so."""
    few = ("--game", GAME, "--rounds", 4000, "--seed", 2, "--workers", 1, "--json")
    confined = json.loads(cli("ev", f"{mine},limit=14", *few).out)
    trusted = json.loads(cli("ev", f"{mine},limit=14", *few, "--no-sandbox").out)
    other = json.loads(cli("ev", mine, *few).out)
    assert confined["strategy"] == "mine.py,limit=14"
    assert confined["mean"] == trusted["mean"] != other["mean"]


@pytest.mark.prove
def test_options_and_games_are_varied_by_the_same_shoes(cli: Cli) -> None:
    """Each choice has a row, and is what it is alone."""
    few = ("--rounds", 4000, "--seed", 2, "--workers", 1)
    two = ("--game", "six-decks-s17", "--game", "six-decks-h17")
    ran = cli("ev", "counter", "--vary", "spread=1,8", "--vary", "decks=6", *two, *few, "--json")
    found = json.loads(ran.out)
    assert [(each["strategy"], each["game"]) for each in found] == [
        (f"counter,spread={spread},decks=6", game)
        for game in ("six-decks-s17", "six-decks-h17")
        for spread in (1, 8)
    ]
    alone = cli("ev", "counter,spread=8,decks=6", "--game", "six-decks-h17", *few, "--json")
    assert json.loads(alone.out)["adjusted"] == found[3]["adjusted"]
    table = cli("ev", "counter", "--vary", "spread=1,8", *two, *few, "--bankroll", 1000)
    assert table.lines[0].split() == [
        *("Strategy", "Game", "Mean", "95", "%", "SD", "In", "100", "rounds", "Ruin", "SCORE")
    ]
    assert len(table.lines) == 2 + 4


def test_it_plays_until_it_is_exact_enough(cli: Cli) -> None:
    """And says so where it was not."""
    plays = ("--game", "ve280,shuffle=uniform", "--seed", 2, "--workers", 1)
    ran = cli("ev", "simple", *plays, "--precision", 0.0005, "--json")
    assert json.loads(ran.out)["half_width"] <= 0.0005
    ran = cli("ev", "simple", *plays, "--precision", 0.00001, "--rounds", 5000, "--json")
    assert ran.err.endswith("5,000 rounds were too few for --precision 1e-05\n")
    assert json.loads(ran.out)["rounds"] == 5000


def test_a_bankroll_is_told_what_to_expect(cli: Cli) -> None:
    """Who loses in the long run, loses all of it."""
    plays = ("--seed", 2, "--workers", 1, "--rounds", 200_000, "--bankroll", 10_000)
    ran = cli("ev", "counter,spread=12", "--game", "six-decks-s17", *plays)
    wins, loses, kelly, figures = ran.lines[2:6]
    assert re.fullmatch(r"wins \+\d+\.\d\d chips in 100 rounds, \+\d+\.\d\d an hour", wins)
    assert re.match(r"loses the bankroll some day with \d+\.\d%; these wagers", loses)
    assert re.fullmatch(
        r"Kelly fraction: a minimum is 0\.\d{5}% of the bankroll, exactly 0\.\d{5}%", kelly
    )
    assert re.fullmatch(r"N0 [\d,]+ rounds, SCORE \d+\.\d\d, DI \d+\.\d\d", figures)
    ran = cli("ev", "simple", "--game", "ve280,shuffle=uniform", *plays)
    assert "loses any bankroll some day" in ran.lines
    ran = cli("ev", "simple", "--game", "ve280,shuffle=uniform", *plays, "--json")
    assert json.loads(ran.out)["risk"]["n0"] is None


def test_what_comes_of_each_true_count_is_told(cli: Cli) -> None:
    """Below what is told without it, as a table; of several, one each; and as JSON."""
    plays = ("--seed", 2, "--workers", 1, "--rounds", 3_000)
    two = ("--game", "ve280", "--game", "six-decks-s17")
    ran = cli("ev", "counting", *two[:2], *plays, "--by-count")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[3] == "by the true count of its own tags, of 3,000 rounds:"
    assert re.split(r"  +", ran.lines[4].strip()) == [
        *("True count", "Rounds", "Share", "Wager", "Win rate", "95 %")
    ]
    rounds = [int(re.split(r"  +", line)[1].replace(",", "")) for line in ran.lines[6:]]
    assert sum(rounds) == 3_000
    said = cli("ev", "simple", *two, *plays, "--count-system", "1 1 1 1 1 0 0 0 -1 -1").lines
    heads = [line for line in said if "by the true count" in line]
    assert heads == [
        "simple at ve280, by the true count of 1 1 1 1 1 0 0 0 -1 -1 tags, of 3,000 rounds:",
        "simple at six-decks-s17, by the true count of 1 1 1 1 1 0 0 0 -1 -1 tags, "
        "of 3,000 rounds, without the luck of the cards:",
    ]
    told = json.loads(cli("ev", "simple", *two[:2], *plays, "--by-count", "--json").out)
    assert told["by_count"]["tags"] == "hi-lo"
    assert list(told["by_count"]["counts"][0]) == [
        *("count", "rounds", "wager", "rate", "half_width")
    ]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            ("counter", "--count-system", "x"),
            "tags: 'x' is not a count; use hi-lo or the points of ten cards",
        ),
        (("counter,spread",), "expected option=value, such as spread=4; got 'spread'"),
        (("counter,=4",), "expected option=value, such as spread=4; got '=4'"),
        (("counter", "--vary", "spread"), "--vary: expected OPTION=A,B,..., such as spread=2,4,8"),
        (("counter", "--vary", "spread="), "--vary: expected OPTION=A,B,..., such as"),
        (("counter", "--precision", "0"), "'--precision': "),
    ],
)
def test_what_cannot_be_measured_is_wrong_usage(
    cli: Cli, typed: tuple[str, ...], said: str
) -> None:
    """In a line that says what was expected."""
    ran = cli("ev", *typed, "--game", "six-decks-s17", "--rounds", 100)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err
