"""What every configuration comes to, digest by digest: no change of the code may change it.

The published data of three, of a game each, is kept in the same way, but for its times.

`configurations.json` keeps, for each configuration and engine, one digest over those of all
batches: of a tiny tournament, which is played here, and of the whole one, which takes minutes:
`python tests/golden/test_digests.py` plays all of them and names what differs; with `--record`
it writes the file anew, and with `--record --sites` only the digests of the published data.
A digest changes only where a rule was found broken, and the commit says
which.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import text_of, told_of
from tourney import play_tournament
from tourney.cli import main as main_of_tourney
from tourney.config.model import TournamentConfig
from tourney.config.tournament import load
from tourney.formats.designs import tables_each
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.standings.standing import FINISH
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of

ROOT = Path(__file__).parents[2]
CONFIGS = sorted((ROOT / "configs").glob("*.yaml"))
RECORDED = Path(__file__).parent / "digests" / "configurations.json"
ENGINES = ("auto", "reference")
PUBLISHED = {"quickstart": 4, "knockout": 20, "straights": 4}
"""Configurations, with the tables and rounds that are played of each."""

FEWER = re.compile(r"\b((?:tables|rounds): )[\d_]+")
TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00|\d+ (?:s|min|h)\b")
VERSIONS = re.compile(r'"versions":\{[^}]*\}')
AS_WRITTEN = '"versions":{"python":"3.11.7","tourney":"0.1.0","numpy":"2.4.6"}'
SEED = 1980  # of configurations without one


@pytest.fixture(scope="module")
def registry() -> Registry:
    """Load what is installed."""
    return load_plugins()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", CONFIGS, ids=[path.stem for path in CONFIGS])
def test_a_configuration_comes_to_what_it_came_to(
    path: Path, engine: str, registry: Registry, tmp_path: Path
) -> None:
    """Every batch of a tiny tournament has the digest it had when the file was written."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    config = made_tiny(load(path, catalog_of(registry)))
    found = digest_of(config, engine, registry, tmp_path / "tourney.db")
    assert found == recorded["tiny"][path.stem]


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_data_is_what_it_was(name: str, registry: Registry, tmp_path: Path) -> None:
    """All numbers, hands and words of a tiny tournament's site."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert site_digest_of(name, registry, tmp_path) == recorded["sites"][name]


def site_digest_of(name: str, registry: Registry, folder: Path) -> str:
    """Play a tiny tournament, publish it and give the digest of its data.

    Without times, and with the versions that it was recorded with.
    """
    store = folder / "tourney.db"
    config = folder / f"{name}.yaml"
    whole = (ROOT / "configs" / config.name).read_text(encoding="utf-8")
    config.write_text(FEWER.sub(lambda found: f"{found[1]}{PUBLISHED[name]}", whole))
    play_tournament(config, store=store, seed=SEED, plugins=registry)
    assert (
        main_of_tourney(["publish", "--store", str(store), "--output", str(folder / "site")]) == 0
    )
    data = text_of(told_of(folder / "site"))
    data = VERSIONS.sub(AS_WRITTEN, TIMES.sub("TIME", data))
    return blake2b(data.encode(), digest_size=16).hexdigest()


def made_tiny(config: TournamentConfig) -> TournamentConfig:
    """Leave a few tables and rounds; whole, where the format gives places."""
    options: Any = config.format.options
    if options.measure(config.game.rules) is FINISH:
        return config
    few: dict[str, Any] = {"tables": 2, "rounds": 4, "block_rounds": 2}
    if config.game.rules.most_points:
        few = {"games": 1} if config.format.kind == "match" else {"rounds": 2}
        few["tables"] = tables_each(len(config.entrants))
    elif options.looks:
        few["looks"] = (1,)  # too early to tell anybody apart
    return replace(config, format=replace(config.format, options=replace(options, **few)))


def digest_of(config: TournamentConfig, engine: str, registry: Registry, store: Path) -> str:
    """Play a tournament and give one digest of its batches, in their order."""
    result = play_tournament(config, store=store, engine=engine, seed=SEED, plugins=registry)
    with Store.open(store) as kept:
        digests = kept.batch_digests(result.run.number)
    return blake2b(
        b"".join(digests[number] for number in sorted(digests)), digest_size=16
    ).hexdigest()


def every_digest(
    registry: Registry, *, sites_only: bool = False
) -> Iterator[tuple[str, str, str, str]]:
    """Give size, configuration, engine and digest, one by one, as they have been played."""
    for path in () if sites_only else CONFIGS:
        config = load(path, catalog_of(registry))
        for size, sized in (("tiny", made_tiny(config)), ("whole", config)):
            for engine in ENGINES:
                with tempfile.TemporaryDirectory() as folder:
                    digest = digest_of(sized, engine, registry, Path(folder) / "tourney.db")
                yield size, path.stem, engine, digest
    for name in PUBLISHED:
        with tempfile.TemporaryDirectory() as folder:
            yield "sites", name, "auto", site_digest_of(name, registry, Path(folder))


def main(*, records: bool, sites_only: bool = False) -> int:
    """Play everything; give 1 if a digest differs from the recorded one or between engines."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    found: dict[str, dict[str, str]] = {"tiny": {}, "whole": {}, "sites": {}}
    if sites_only:
        found |= {size: recorded[size] for size in ("tiny", "whole")}
    differing = 0
    for size, name, engine, digest in every_digest(load_plugins(), sites_only=sites_only):
        wanted = found[size].get(name, digest) if records else recorded[size].get(name)
        found[size].setdefault(name, digest)
        differing += digest != wanted
        remark = "" if digest == wanted else f", expected {wanted}"
        sys.stdout.write(f"{size:5} {name:22} {engine:9} {digest}{remark}\n")
    if records and not differing:
        RECORDED.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main(records="--record" in sys.argv[1:], sites_only="--sites" in sys.argv[1:]))
