"""What was learned comes back as a competitor that plays just so."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.proving import with_more
from tourney import Player, TourneyError, chart_player, read_chart
from tourney.checks.starter_files import starting_files
from tourney.cli import main
from tourney.environments import (
    BlackjackEnv,
    BlackjackVectorEnv,
    chart_places,
    chart_shape,
    save_network,
    save_table,
    tournament_shoes,
)
from tourney.errors import PluginError, SubmissionError
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.seats import play_block
from tourney.games.blackjack.exact.evaluation import best_play, exact_value
from tourney.games.blackjack.players.chart import Chart
from tourney.games.blackjack.rules import EASYBJ, PRESETS
from tourney.games.straights.rules import StraightsRules
from tourney.strategies.charted import EasyBJChart

ROOT = Path(__file__).parents[3]
SEED, MINIMUM, CHIPS, ROUNDS = 9, 10, 2_000, 30


def blocks(preset: str, tables: int) -> list[Block]:
    """Draw up the tables of a tournament."""
    rules = PRESETS[preset]
    unit = rules.unit
    limits = (CHIPS * unit, MINIMUM * unit, 10**9 * unit)
    field = Field(1, rules, *limits, Secret.from_seed(SEED))
    keys = [BlockKey(0, 0, table, 0, 1) for table in range(tables)]
    return [field.block(key, ((0, CHIPS * unit),), ROUNDS) for key in keys]


def bankrolls(preset: str, tables: int, kind: type[Player]) -> list[float]:
    """Give what a class ends with at a tournament's tables."""
    unit = PRESETS[preset].unit
    results = [play_block(each, lambda _: kind()) for each in blocks(preset, tables)]
    assert [result.seats[0].verdict for result in results] == [None] * tables
    return [result.seats[0].final / unit for result in results]


def in_environment(preset: str, tables: int, choose: Any) -> list[float]:
    """Give what a policy ends with at the same tables.

    Args:
        preset: The game.
        tables: How many.
        choose: Gives what each choice is worth, of the environment and its observations.
    """
    env = BlackjackVectorEnv(tables, preset, bankroll=CHIPS, minimum=MINIMUM, rounds=ROUNDS)
    observations, info = env.reset(options={"shoe_keys": tournament_shoes(SEED, tables)})
    final = np.full(tables, -1.0)
    while (final < 0).any():
        worth = np.where(info["action_mask"], choose(env, observations), -np.inf)
        observations, _, terminated, truncated, info = env.step(worth.argmax(axis=1))
        new = (terminated | truncated) & (final < 0)
        final[new] = info["bankroll"][new]
    return final.tolist()


@pytest.mark.parametrize("preset", ["easybj", "six-decks-h17", "ve280"])
def test_a_table_plays_as_its_chart(preset: str, tmp_path: Path) -> None:
    """A chart that is made of a table ends with the chips that the table ends with."""
    env = BlackjackEnv(preset)
    values = np.random.default_rng(4).normal(size=chart_shape(env))
    values[:, :, env.moves.index(2)] += 1  # to stand is not the worst of habits
    values[-1, :, :] = np.array([1] + [0] * (len(env.moves) - 1))  # charts stand on 21
    if "insure" in map(str, env.moves):
        values[:, :, -2:] = 0, 1
    save_table(tmp_path / "learned.npz", env, values)
    (text,) = starting_files("learned", env.rules, tmp_path / "learned.npz").values()

    def choose(env: BlackjackVectorEnv, observations: Any) -> Any:
        wagers = np.zeros((len(observations), len(env.wagers)))
        wagers[:, 0] = 1
        return np.hstack([values[chart_places(env, observations)], wagers])

    chart = chart_player(text, "learned.txt")
    assert bankrolls(preset, 12, chart) == in_environment(preset, 12, choose)


def test_a_chart_comes_back_from_its_table(tmp_path: Path) -> None:
    """A table that prefers moves as a chart does is that chart, but for what is never reached."""
    env, chart = BlackjackEnv("easybj"), EasyBJChart.chart
    values = np.full(chart_shape(env), np.nan)
    for row, cells in enumerate(chart.cells):
        for column, cell in enumerate(cells):
            for place, move in enumerate(cell):
                values[row, column, env.moves.index(move)] = -place
    save_table(tmp_path / "learned.npz", env, values)
    files = starting_files("learned", EASYBJ, tmp_path / "learned.npz")
    (name,) = files
    assert name == "learned.txt"
    read = read_chart(files[name], name)
    value, other = (exact_value(EASYBJ, each, "chart").mean for each in (read, chart))
    assert value == other


def test_a_network_plays_as_its_class(tmp_path: Path) -> None:
    """A class that is made of a network ends with the chips that the network ends with."""
    preset = "six-decks-h17"
    env, rng = BlackjackEnv(preset), np.random.default_rng(3)
    features = [name for name in env.features if name not in {"hands", "stake"}]
    sizes = (len(features), 16, len(env.choices))
    layers = [
        (rng.normal(size=size).astype("<f4") / 4, rng.normal(size=size[1]).astype("<f4"))
        for size in pairwise(sizes)
    ]
    save_network(tmp_path / "learned.npz", env, layers, features)
    files = starting_files("deep", env.rules, tmp_path / "learned.npz")
    assert list(files) == ["deep.py", "test_deep.py"]
    module: dict[str, Any] = {}
    exec(compile(files["deep.py"], "deep.py", "exec"), module)  # noqa: S102 - our own

    def choose(env: BlackjackVectorEnv, observations: Any) -> Any:
        places = [env.features.index(name) for name in features]
        felt = observations[:, places].astype(float)
        (one, bias), (other, last) = layers
        return np.maximum(felt @ one.astype(float) + bias, 0) @ other.astype(float) + last

    found = in_environment(preset, 12, choose)
    assert bankrolls(preset, 12, module["Deep"]) == found
    assert len(set(found)) > 5


@pytest.mark.prove
@pytest.mark.parametrize(("rounds", "least"), with_more([("3e5", 0.5)], [("2e7", 0.95)]))
def test_the_tutorial_learns(rounds: str, least: float, tmp_path: Path) -> None:
    """Its program closes most of the gap from never to bust to the best chart."""
    page = (ROOT / "docs/tutorial/train-a-policy.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"(?ms)^```python train.py\n(.*?)^```$", page)
    page = " ".join(page.split())
    (tmp_path / "train.py").write_text(program, encoding="utf-8")
    subprocess.run([sys.executable, "train.py", rounds], cwd=tmp_path, check=True)
    (text,) = starting_files("learned", EASYBJ, tmp_path / "learned.npz").values()
    worst = read_chart((ROOT / "strategies/charts/never_bust.txt").read_text(encoding="utf-8"), "")
    learned, never_bust = map(value_of, (read_chart(text, ""), worst))
    best = best_play(EASYBJ, 1)
    assert best
    closed = (learned - never_bust) / (best - never_bust)
    assert closed >= least
    if rounds == "2e7":
        assert f"gets to {learned:+.4f}, which closes {closed:.0%} of that gap" in page
    assert f"loses {-never_bust:.4f} per round, and the best chart wins {best:.4f}" in page


def value_of(chart: Chart) -> float:
    """Give what a round is worth at Easy Blackjack."""
    return float(exact_value(EASYBJ, chart, "chart").mean)


def arrays(**changes: Any) -> dict[str, Any]:
    """Give a network's arrays."""
    good = {
        "features": ["total", "soft"],
        "choices": ["stand", "hit", "1"],
        "weights0": np.zeros((2, 3)),
        "biases0": np.zeros(3),
    }
    return good | changes


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"other": [1]}, "a table needs the arrays moves and values, .* the file contains other"),
        ({"moves": ["stand", "fold"], "values": [1]}, "moves: fold; possible are hit, "),
        ({"moves": ["stand"], "values": [1.0]}, r"this game needs shape \(35, 10, 1\)"),
        (arrays(features=["total", "hands"]), "a player cannot know the features hands; train"),
        (arrays(choices=["stand", "leave", "1"]), "unknown moves: leave; possible are "),
        (arrays(biases0=np.zeros(2)), r"weights0 has shape .*the layer needs shapes \(2, n\)"),
        (arrays(choices=["stand", "hit", "double", "1"]), "has 3 outputs for 4 choices"),
        (arrays(biases0=np.full(3, np.nan)), "is not a finite number"),
    ],
)
def test_what_is_no_policy_is_refused(policy: Any, message: str, tmp_path: Path) -> None:
    """It is said what was expected and what came."""
    np.savez(tmp_path / "learned.npz", **policy)
    with pytest.raises(SubmissionError, match=message):
        starting_files("learned", PRESETS["ve280"], tmp_path / "learned.npz")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        (b"", "not a file of arrays"),
        (b"total 12 hit\n", "not a file of arrays"),
        (b"PK\x03\x04 and no more", "not a file of arrays"),
    ],
)
def test_a_file_without_arrays_is_refused(
    content: bytes | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is one line, without a traceback."""
    path = tmp_path / "learned.npz"
    if content is not None:
        path.write_bytes(content)
    assert main(["new", "competitor", "learned", "--model", str(path)]) == 2
    said = capsys.readouterr().err
    assert f"{path}: " in said
    assert message in said
    assert "Traceback" not in said


def test_a_game_without_policies_says_so(tmp_path: Path) -> None:
    """Straights knows no such files."""
    np.savez(tmp_path / "learned.npz", values=[1.0])
    with pytest.raises(
        PluginError, match="game straights cannot make a player from a learned policy"
    ):
        starting_files("learned", StraightsRules(), tmp_path / "learned.npz")


def test_a_table_of_another_shape_is_refused(tmp_path: Path) -> None:
    """A mistake is told when it is saved, not when it is read."""
    with pytest.raises(TourneyError, match=r"values: expected an array of shape \(36, 23, 5\)"):
        save_table(tmp_path / "learned.npz", BlackjackEnv("easybj"), np.zeros((35, 23, 5)))
