"""What a researcher asks in a line of Python gives what the commands print."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tourney
from tests.integration.cli.conftest import Cli
from tourney import Card, Hand, Player, TourneyError
from tourney.errors import ConfigError, PluginError
from tourney.games.blackjack.exact.finite.solution import FiniteValue
from tourney.games.blackjack.exact.infinite import Solution
from tourney.notebook import plots
from tourney.strategies.counting import Counting

GAME = "ve280,shuffle=uniform"


class Fifteen(Player):
    """Stands for a class of a notebook's cell."""

    def __init__(self, below: int = 15) -> None:
        self.below = below

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Draw to 15."""
        return player.total < self.below


def test_a_figure_is_that_of_the_command(cli: Cli) -> None:
    """Name, options and seed alike; all but the time it took."""
    found = tourney.ev("counter,spread=4", GAME, rounds=4_000, seed=1, bankroll=1_000)
    words = ("counter,spread=4", "--game", GAME, "--rounds", "4000", "--seed", "1")
    told = json.loads(cli("ev", *words, "--bankroll", "1000", "--json").out)
    times = {"seconds", "rounds_per_second"}
    mine = {name: value for name, value in found.to_data().items() if name not in times}
    assert mine == {name: value for name, value in told.items() if name not in times}
    assert found.mean == found.found.mean
    assert repr(found).startswith("counter,spread=4 at ve280,shuffle=uniform: ")
    assert "<th>Risk of ruin</th>" in found._repr_html_() or found.risk is None
    again = tourney.ev("counter", GAME, options={"spread": 4}, rounds=4_000, seed=1)
    assert again.mean == found.mean


def test_a_class_plays_as_it_is(tmp_path: Path) -> None:
    """The same as its file, and as an installed one under its name."""
    file = tmp_path / "fifteen.py"
    file.write_text(
        "from tourney import Player\n\nclass Fifteen(Player):\n"
        "    def bet(self, bankroll, minimum):\n        return minimum\n\n"
        "    def draw(self, dealer, player):\n        return player.total < 15\n"
    )
    mine = tourney.ev(Fifteen, GAME, rounds=2_000, seed=3)
    filed = tourney.ev(file, GAME, rounds=2_000, seed=3, trust_submissions=True)
    assert mine.mean == filed.mean
    assert repr(mine).startswith("Fifteen at ")
    other = tourney.ev(Fifteen, GAME, options={"below": 17}, rounds=2_000, seed=3)
    assert other.mean != mine.mean
    assert repr(other).startswith("Fifteen,below=17 at ")
    known = tourney.ev(Counting, GAME, rounds=2_000, seed=3)
    assert known.mean == tourney.ev("counting", GAME, rounds=2_000, seed=3).mean


def test_two_are_told_apart(cli: Cli) -> None:
    """By as few tables as the command needs."""
    found = tourney.compare("mimic", "simple", GAME, rounds=200, tables=200, seed=2)
    assert found.last.relation == "separated"
    assert found.difference > (found.half_width or 0) > 0
    assert repr(found).startswith("simple is better than mimic at ve280,shuffle=uniform: +0.")
    words = (
        "mimic",
        "simple",
        "--game",
        GAME,
        "--table-rounds",
        "200",
        "--max-tables",
        "200",
        "--seed",
        "2",
    )
    last = found.last
    assert last.low is not None
    assert last.high is not None
    assert 0 < last.low < last.difference < last.high, "the interval fits the relation"
    spread = f"{found.difference:+.5f} (95 %: {last.low:+.5f} to {last.high:+.5f})"
    found_words = f"{found.other} is better than {found.one} at {found.game}: {spread}"
    assert repr(found) == f"{found_words} minimums of 10 a round"
    assert cli("compare", *words).out.startswith(repr(found))
    assert tourney.compare(Fifteen, "simple", rounds=50, tables=50, seed=2).one == "Fifteen"


def test_best_play_is_a_chart_that_can_be_entered(cli: Cli, tmp_path: Path) -> None:
    """With its exact value."""
    best = tourney.solve("easybj")
    best.write(tmp_path / "best.txt")
    assert best.text == cli("solve", "easybj").out
    assert float(best.mean) == pytest.approx(
        json.loads(cli("ev", "best.txt", "--game", "easybj", "--exact", "--json").out)["mean"]
    )
    assert "<pre>" in best._repr_html_()
    for place in (tmp_path, tmp_path / "no" / "best.txt"):
        with pytest.raises(TourneyError, match="cannot be written"):
            best.write(place)


def test_a_data_frame_holds_several() -> None:
    """A row for each; what is not installed is said by Python."""
    pandas = pytest.importorskip("pandas")
    rows = [tourney.ev(name, GAME, rounds=1_000, seed=1) for name in ("simple", "mimic")]
    frame = pandas.concat([each.to_pandas() for each in rows], ignore_index=True)
    assert list(frame["strategy"]) == ["simple", "mimic"]
    assert list(frame["mean"]) == [each.mean for each in rows]


def test_results_are_arrow_tables() -> None:
    """Of one row, with the figures that the result has."""
    found = tourney.ev("simple", GAME, rounds=1_000, seed=1, bankroll=1_000)
    [row] = found.to_arrow().to_pylist()
    assert (row["strategy"], row["mean"]) == ("simple", found.mean)
    assert row["half_width"] == found.half_width
    assert row["raw_mean"] == found.raw_mean != found.mean
    assert row["raw_standard_error"] == found.raw_standard_error
    data = found.to_data()
    assert all(data[name] == row[name] for name in ("mean", "raw_mean", "raw_standard_error"))
    assert found.risk is not None
    assert row["per_100"] == found.risk.per_100
    [swept] = tourney.sweep("simple", GAME, rounds=1_000, seed=1).rows()
    assert (swept["mean"], swept["half_width"]) == (found.mean, found.half_width)
    compared = tourney.compare("mimic", "simple", GAME, rounds=50, tables=50, seed=2)
    assert compared.to_arrow().to_pylist() == [compared.to_data()]


def test_what_is_not_installed_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what installs it."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    found = tourney.ev("simple", GAME, rounds=1_000, seed=1)
    with pytest.raises(
        TourneyError, match=r"pandas is not installed; run: pip install 'tourney-cards\[notebook\]'"
    ):
        found.to_pandas()


def test_mistakes_are_told_in_a_line() -> None:
    """As on the command line."""
    for ask, error, said in (
        (lambda: tourney.ev("simpel", GAME), PluginError, "simpel"),
        (lambda: tourney.ev("simple", "ve281"), ConfigError, "ve281"),
        (
            lambda: tourney.ev(Fifteen, GAME, workers=2),
            PluginError,
            "workers cannot load a class",
        ),
        (
            lambda: tourney.ev(Fifteen, GAME, options={"under": 17}),
            ConfigError,
            r"Fifteen: under: unknown setting 'under'; choose below",
        ),
        (
            lambda: tourney.ev(Fifteen, GAME, options={"below": 17, "under": [1, None]}),
            ConfigError,
            r"Fifteen: under: unknown setting 'under'; choose below",
        ),
        (lambda: tourney.ev(Player, GAME), PluginError, "Player itself cannot play"),
        (lambda: tourney.ev("simple", "straights"), TourneyError, "cannot play straights alone"),
        (lambda: tourney.solve("ve280"), TourneyError, "needs uniform shuffles, not riffle"),
        (
            lambda: tourney.solve("easybj", by="card"),
            TourneyError,
            "by: expected totals, two-cards or cards.* got 'card'",
        ),
    ):
        with pytest.raises(error, match=said):
            ask()


def test_a_sweep_is_what_each_is_worth_at_the_same_shoes() -> None:
    """As a data frame, and as a line for each game with its intervals."""
    games = [GAME, f"{GAME},decks=2"]
    found = tourney.sweep(["simple", "counting"], games, rounds=2_000, seed=4)
    assert [(each.strategy, each.game) for each in found.each] == [
        (name, game) for game in games for name in ("simple", "counting")
    ]
    assert found.each[3].mean == tourney.ev("counting", games[1], rounds=2_000, seed=4).mean
    assert list(found.to_pandas()["game"]) == [games[0]] * 2 + [games[1]] * 2
    (axes,) = found.plot().axes
    assert [each.get_text() for each in axes.get_xticklabels()] == ["simple", "counting"]
    drawn = [line.lines[0].get_ydata() for line in axes.containers]
    assert [list(line) for line in drawn] == [
        [each.mean for each in found.each[:2]],
        [each.mean for each in found.each[2:]],
    ]
    assert [each.get_text() for each in axes.get_legend().get_texts()] == games
    drawn_anew = tourney.sweep(["simple"], rounds=200)
    assert drawn_anew.each[0].found.rounds == 200


def test_a_sweep_takes_one_or_several_of_each() -> None:
    """Also what can be gone through only once; there has to be something."""
    games, how = [GAME, f"{GAME},decks=2"], {"rounds": 200, "seed": 4}
    names = ("simple", "counting")
    found = tourney.sweep((each for each in names), iter(games), **how)
    assert [(each.strategy, each.game) for each in found.each] == [
        (name, game) for game in games for name in names
    ]
    for one, name in (("simple", "simple"), (Fifteen, "Fifteen"), (Fifteen(16), "Fifteen")):
        assert [each.strategy for each in tourney.sweep(one, GAME, **how).each] == [name]
    rules = tourney.load_rules(GAME)
    assert [each.game for each in tourney.sweep("simple", rules, **how).each] == [GAME]
    with pytest.raises(TourneyError, match=r"none\.py does not exist"):
        tourney.sweep(Path("none.py"), GAME, **how)
    for nothing, what in (([], "strategies"), (iter(()), "strategies")):
        with pytest.raises(TourneyError, match=f"{what}: name at least one"):
            tourney.sweep(nothing, GAME, **how)
    with pytest.raises(TourneyError, match="games: name at least one"):
        tourney.sweep("simple", [], **how)


def test_equal_names_are_numbered() -> None:
    """Players of one class in a sweep; two of a comparison only if their options are equal, too."""
    found = tourney.sweep([Fifteen(12), Fifteen(15), Fifteen(17)], [GAME] * 2, rounds=200, seed=4)
    assert [each.strategy for each in found.each] == ["Fifteen", "Fifteen (2)", "Fifteen (3)"] * 2
    few = {"rounds": 20, "tables": 4, "seed": 2}
    spreads = [f"counter,spread={spread}" for spread in (4, 12)]
    compared = tourney.compare(*spreads, "six-decks-s17", **few)
    assert repr(compared).startswith(" and ".join(reversed(spreads)))
    assert [compared.to_data()[name] for name in ("one", "other")] == spreads
    alike = tourney.compare("counter,spread=4", "counter,spread=4", "six-decks-s17", **few)
    assert (alike.one, alike.other) == (
        "counter,spread=4 (first)",
        "counter,spread=4 (second)",
    )


def test_a_chart_is_drawn_cell_by_cell() -> None:
    """With the letters of its text, and a key to those that it has."""
    solved = tourney.solve("csc24400,decks=infinite")
    figure = solved.plot()
    (axes,) = figure.axes
    cells = [cell for line in solved.text.splitlines()[1:] for cell in line.split()[1:]]
    assert [each.get_text() for each in axes.texts] == cells
    assert len(axes.patches) == len(cells)
    (key,) = figure.legends
    told = {each.get_text()[0] for each in key.get_texts()}
    assert told == {cell[0] for cell in cells}
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_what_a_chart_does_not_say_is_said_beside_it() -> None:
    """The value is that of chart and notes, so that of the chart stands there, too."""
    plain = tourney.solve("csc24400,decks=infinite")
    assert repr(plain) == f"best play at {plain.game}: {plain.mean:+.6f} minimums of 1 a round"
    assert plain.chart_mean == plain.mean
    chart: Any = plain.best
    finite = Solution(chart.chart, FiniteValue(0.02), FiniteValue(0.01), ("2 10 against 4: H",))
    closer = replace(plain, best=finite, by="two-cards")
    told = (
        f"best play at {plain.game} by two-cards: +0.020000 minimums of 1 a round; "
        "+0.010000 by the chart alone, without 1 note"
    )
    assert repr(closer) == told
    assert closer._repr_html_().startswith(f"<p>{told}</p>")
    assert closer.notes[0] in closer._repr_html_()
    assert closer.plot().axes[0].get_title() == told.replace("; ", ";\n")


def test_a_board_is_drawn_with_its_intervals(tmp_path: Path) -> None:
    """The first place on top, with the ranks that it may have."""
    config = {
        "name": "Cup",
        "seed": 3,
        "game": {"preset": "ve280"},
        "bankroll": 1000,
        "minimum": 5,
        "format": {"kind": "duplicate", "tables": 8, "rounds": 20},
        "entrants": [{"strategy": "simple"}, {"strategy": "never-bust"}],
    }
    (tmp_path / "cup.yaml").write_text(json.dumps(config), encoding="utf-8")
    result = tourney.play_tournament(tmp_path / "cup.yaml", store=tmp_path / "cup.db")
    (axes,) = result.plot().axes
    labels = [each.get_text() for each in axes.get_yticklabels()]
    assert [label.split()[0] for label in labels] == list(result.ranking)
    assert axes.yaxis_inverted()
    places = [line.lines[0].get_xdata()[0] for line in axes.containers]
    assert places == [float(row.mean) for row in result.standings]


def test_without_matplotlib_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line."""
    solved = tourney.solve("csc24400,decks=infinite")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    plots._picture.cache_clear()
    with pytest.raises(
        TourneyError, match=r"matplotlib is not installed; run: .* 'tourney-cards\[notebook\]'"
    ):
        solved.plot()


def test_a_script_may_have_a_module_called_strategies_beside_it(tmp_path: Path) -> None:
    """The bundled strategies are found all the same."""
    (tmp_path / "strategies.py").write_text("MINE = 1\n")
    script = tmp_path / "nb.py"
    script.write_text(
        "import strategies\nimport tourney\n"
        "found = tourney.ev('simple', rounds=100, seed=1)\n"
        "print(strategies.MINE, found.strategy)\n"
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 simple\n", "")
