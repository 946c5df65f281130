"""The configurations to start from: each is read, played at tiny size, and explained."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tourney import BatchPlayer, ChartPlayer, play_tournament
from tourney.config.model import TournamentConfig
from tourney.config.tournament import load, loads
from tourney.formats.designs import tables_each
from tourney.planning.event_plan import plan_tournament
from tourney.planning.trial_rates import rates_of_trial
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.standings.standing import FINISH
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import enter

from .console import ROOT, blocks

CONFIGS = sorted((ROOT / "configs").glob("*.yaml"))


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Load what is installed."""
    return load_plugins()


def made_tiny(config: TournamentConfig) -> tuple[TournamentConfig, int | None, int | None]:
    """Make a tournament tiny, and say how many tables everybody has and their rounds, if fixed.

    One whose format gives places stays whole.
    """
    options: Any = config.format.options
    if options.measure(config.game.rules) is FINISH:
        return config, None, None
    if config.game.rules.most_points:
        tables, rounds = tables_each(len(config.entrants)), None
        few = {"games": 1} if config.format.kind == "match" else {"rounds": 2}
        options = replace(options, tables=tables, **few)
    else:
        tables, rounds = 2, 8
        looks = (1,) if options.looks else None  # too early to tell anybody apart
        options = replace(options, tables=2, rounds=4, block_rounds=2, looks=looks)
    return replace(config, format=replace(config.format, options=options)), tables, rounds


@pytest.mark.parametrize("path", CONFIGS, ids=[path.stem for path in CONFIGS])
def test_a_configuration_can_be_played(path: Path, registry: Registry, tmp_path: Path) -> None:
    """Four rounds at two tables, and nobody is at fault; whole, where the format gives places."""
    config = load(path, catalog_of(registry))
    tiny, tables, rounds = made_tiny(config)
    result = play_tournament(tiny, store=tmp_path / "tourney.db", plugins=registry)
    assert sorted(result.ranking) == sorted(entrant.name for entrant in config.entrants)
    if tables is None:
        assert all(row.place and row.finish and not row.verdict for row in result.standings)
        return
    for row in result.standings:
        assert (row.tables, row.rounds, row.verdict) == (tables, rounds or row.rounds, None)


@pytest.mark.parametrize("path", CONFIGS, ids=[path.stem for path in CONFIGS])
def test_a_configuration_can_be_planned(path: Path, registry: Registry) -> None:
    """One trial, then two rehearsals on each of three floors."""
    tiny, _, _ = made_tiny(load(path, catalog_of(registry)))
    tournament = enter(tiny, registry)
    rates = rates_of_trial(tournament, times=1)
    assert rates.trials == 1
    assert all(0 <= out <= 1 for out in rates.out)
    plan = plan_tournament(tournament, rates, 2)
    assert plan.seconds.mean > 0
    assert plan.blocks.mean >= len(plan.waves) >= 1
    assert 0 < plan.waves[0].players <= len(tiny.entrants)


@pytest.mark.parametrize("path", CONFIGS, ids=[path.stem for path in CONFIGS])
def test_a_configuration_says_what_it_shows(path: Path) -> None:
    """A comment at the top is the first thing a reader sees; the README lists every file."""
    assert path.read_text(encoding="utf-8").startswith("# Shows ")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"(configs/{path.name})" in readme


def test_every_bundled_strategy_plays_in_the_class(registry: Registry) -> None:
    """The largest configuration leaves nobody out."""
    config = load(ROOT / "configs" / "class.yaml", catalog_of(registry))
    bundled = {
        name
        for name, strategy in registry.strategies.items()
        if (strategy.distribution, strategy.game) == ("tourney", config.game.rules.game.name)
        # Charts want other games, and the batch-wise Counting plays as Counting does.
        and not issubclass(strategy.make, (ChartPlayer, BatchPlayer))
    }
    assert {entrant.strategy for entrant in config.entrants} == bundled


def test_the_example_of_the_reference_can_be_read(registry: Registry) -> None:
    """What the page about configurations begins with is one."""
    page = (ROOT / "docs" / "reference" / "configuration.md").read_text(encoding="utf-8")
    example = next(block["body"] for block in blocks(page) if block["kind"] == "yaml")
    assert loads(example, catalog_of(registry)).entrants[1].name == "Ramp 1-12"
