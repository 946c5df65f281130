"""`ev --exact` and `solve`: charts and strategies that are worked out, for people and as JSON."""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tourney.games.blackjack.players import read_chart

Cli = Callable[..., Any]

ROOT = Path(__file__).parents[3]
CHART = ROOT / "strategies/charts/easybj.txt"
EXACT = "122122578999773548184284992192/1192533292512492016559195008117"
BY_CARDS = ("--information", "cards")


@pytest.mark.parametrize("competitor", [CHART, "easybj-chart"])
def test_people_read_the_value_and_the_fraction(cli: Cli, competitor: object) -> None:
    """Of a chart's file, or of a strategy that has one."""
    ran = cli("ev", competitor, "--game", "easybj", "--exact")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines == [
        "mean result per round +0.102406012282038 minimums of 1, SD 1.273799388702113",
        f"exactly {EXACT}",
    ]


def test_programs_read_the_same(cli: Cli) -> None:
    """With the fraction as text, which loses no digit."""
    ran = cli("ev", CHART, "--game", "easybj", "--exact", "--json")
    found = json.loads(ran.out)
    assert list(found) == ["minimum", "mean", "sd", "exact"]
    assert found["exact"] == EXACT
    assert found["mean"] == float(Fraction(EXACT))


def test_a_chart_can_be_measured_too(cli: Cli) -> None:
    """The file plays like the strategy of the same chart."""
    few = ("--game", "easybj", "--rounds", 300, "--seed", 1, "--workers", 1, "--json")
    by_file, by_name = (
        json.loads(cli("ev", competitor, *few).out)["mean"]
        for competitor in (CHART, "easybj-chart")
    )
    assert by_file == by_name


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("ev", "simple", "--game", "ve280", "--exact"),
            "shuffle: an exact value needs uniform",
        ),
        (("ev", "counting", "--game", "ve280,decks=infinite,shuffle=uniform", "--exact"), "shoe"),
        (("ev", "none.txt", "--game", "easybj", "--exact"), "none.txt: cannot read the chart"),
        (("ev", "nobody", "--game", "easybj", "--exact"), "nobody"),
        (("solve", "ve280"), "shuffle: a best chart needs uniform shuffles, not riffle"),
        (("solve", "easybj", "--against", "simple"), "simple plays without a chart"),
    ],
)
def test_what_cannot_be_worked_out_is_said_with_status_2(
    cli: Cli, arguments: tuple[str, ...], words: str
) -> None:
    """No traceback, and nothing on standard output."""
    ran = cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.prove
def test_a_bankroll_is_told_exactly_too(cli: Cli) -> None:
    """By all results of a round; where these are not worked out, a line says so."""
    plays = ("--exact", "--bankroll", 1000)
    ran = cli("ev", CHART, "--game", "easybj", *plays)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[2].startswith("wins +10.24 chips in 100 rounds")
    risk = json.loads(cli("ev", CHART, "--game", "easybj", *plays, "--json").out)["risk"]
    mean, variance = float(Fraction(EXACT)), 1.273799388702113**2
    assert risk["kelly_fraction"] == pytest.approx(mean / variance)
    assert mean / (variance + mean**2) < risk["kelly_exact"] < 1.05 * mean / variance
    ran = cli("ev", "basic-six-decks-h17", "--game", "six-decks-h17", *plays)
    assert ran.status == 0
    assert ran.err == (
        "--bankroll: the SD of this game cannot be calculated; measure without --exact\n"
    )
    ran = cli("ev", CHART, "--game", "easybj", "--exact", "--by-count")
    assert (ran.status, ran.out) == (2, "")
    assert "--by-count has no effect with --exact; leave out one of them" in ran.err


@pytest.mark.prove
def test_a_real_shoe_is_worked_out_from_a_full_one(cli: Cli) -> None:
    """Which is said; there is no fraction, and the best chart is worth what `solve` says."""
    game = ("--game", "six-decks-h17")
    ran = cli("ev", "basic-six-decks-h17", *game, "--exact")
    assert (ran.status, ran.err) == (0, "")
    said = re.fullmatch(
        r"mean result per round (-0\.\d{12}) minimums of 10, with a full shoe in every round\n",
        ran.out,
    )
    assert said
    solved = cli("solve", "six-decks-h17", "--against", "basic-six-decks-h17").err
    assert float(said[1]) <= float(solved.split()[4])
    found = json.loads(cli("ev", "basic-six-decks-h17", *game, "--exact", "--json").out)
    mean = pytest.approx(float(said[1]), abs=1e-12)
    assert found == {"minimum": 10, "mean": mean, "sd": None, "exact": None}


def test_a_solved_game_is_a_chart_and_what_is_said_about_it(cli: Cli) -> None:
    """Standard output is a chart file; value and differences go beside it."""
    ran = cli("solve", "easybj", "--no-surrender", "--against", CHART)
    assert ran.status == 0
    assert read_chart(ran.out, "out").shows_both
    value, exactly, less, *cells = ran.err.splitlines()
    assert value.startswith("mean result per round +0.102601549624151 minimums of 1, ")
    assert exactly == "exactly 122355763790172953313934224021/1192533292512492016559195008117"
    assert less.endswith("easybj.txt: 25 other cells, 0.000195537342113 less")
    assert cells[0] == "10 against AA: H, best is Dh"
    assert len(cells) == 25


def test_a_best_chart_is_worth_what_ev_says_of_it(cli: Cli, tmp_path: Path) -> None:
    """At the same wager, which both name: of an odd one the half chip of a natural is lost."""
    game, best = "ve280,shuffle=uniform", tmp_path / "best.txt"
    for minimum, words in ((10, ()), (5, ("--minimum", "5"))):
        solved = cli("solve", game, *words)
        best.write_text(solved.out, encoding="utf-8")
        assert f" minimums of {minimum}, with a full shoe in every round" in solved.err
        assert solved.err == cli("ev", best, "--game", game, "--exact", *words).out
    assert json.loads(cli("solve", game, "--minimum", "5", "--json").out)["minimum"] == 5
    ran = cli("solve", game, "--deviations", "3", "--minimum", "5")
    assert ran.status == 2
    assert "--minimum applies only to charts, not to --deviations" in ran.err


def test_a_real_shoe_is_solved_by_totals_or_by_cards(cli: Cli) -> None:
    """The chart is the same; what is played otherwise, and for how much more, is said beside it."""
    by_totals, by_cards = (cli("solve", "ve280,shuffle=uniform", *more) for more in ((), BY_CARDS))
    assert (by_totals.status, by_cards.status) == (0, 0)
    assert by_totals.out == by_cards.out
    assert not read_chart(by_totals.out, "out").shows_both
    (value,) = by_totals.err.splitlines()
    more, *otherwise = by_cards.err.splitlines()
    assert value.startswith("mean result per round -0.0")
    assert float(more.split()[4]) > float(value.split()[4])
    assert "2 10 against 4: H" in otherwise


def test_the_count_system_of_deviations_may_be_named(cli: Cli) -> None:
    """`hi-lo` stands for its points, as it does for `ev`."""
    asked = ("solve", "csc24400", "--deviations", "3", "--count-system")
    named, listed = cli(*asked, "hi-lo"), cli(*asked, "1 1 1 1 1 0 0 0 -1 -1")
    assert (named.status, named.out) == (0, listed.out)
    wrong = cli(*asked, "low")
    assert wrong.status == 2
    assert "expected hi-lo or whole numbers" in wrong.err
