"""Workers of a cluster keep the contract of all workers, and refuse what would not be the same."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from tourney.competitors.sources import digest_of
from tourney.errors import EngineError, PluginError, WorkerError
from tourney.execution.workers.cluster import Cluster
from tourney.execution.workers.pool import InlineWorkers, Workers
from tourney.execution.workers.task import EntrantSpec
from tourney.execution.workers.worker_choice import make_workers
from tourney.formats.field import Field
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.rules import BlackjackRules
from tourney.sandbox.levels import Level, probe

from .rig import SLOW, Rig

dask = pytest.importorskip("dask", reason="the extra `cluster` is not installed")
pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process groups")

QUICK = SLOW.replace("time.sleep(0.1)", "print('ready')")


@pytest.fixture
def quick() -> EntrantSpec:
    """Give an entrant that says when it is ready."""
    sources = (("q.py", QUICK),)
    return EntrantSpec("Quick", "file", "q.py", sources, (), digest_of(sources, ()))


@pytest.fixture
def batches() -> tuple[Batch, ...]:
    """Give a hundred batches of one block."""
    field = Field(1, BlackjackRules(), 10_000, 5, 500, Secret.from_seed(3))
    keys = [BlockKey(0, 0, table, 0, 1) for table in range(100)]
    return tuple(
        Batch(0, number, (field.block(key, ((0, field.bankroll),), 10),))
        for number, key in enumerate(keys)
    )


@pytest.fixture
def place(rig: Rig, credentials: dict[str, Path]) -> Iterator[Cluster]:
    """Give the cluster, with its credentials in Dask's configuration."""
    tls = {
        "distributed.comm.tls.ca-file": str(credentials["--tls-ca-file"]),
        "distributed.comm.tls.client.cert": str(credentials["--tls-cert"]),
        "distributed.comm.tls.client.key": str(credentials["--tls-key"]),
    }
    with dask.config.set(tls):
        yield Cluster(rig.address)


def joined(place: Cluster, spec: EntrantSpec, engine: str = "auto") -> Workers:
    """Join a cluster, two batches a task."""
    return make_workers(1, {0: spec}, engine, 2, place)


def test_waves_are_played_one_after_another(
    place: Cluster, quick: EntrantSpec, batches: tuple[Batch, ...]
) -> None:
    """Every batch once, with the results of this process; an empty wave ends at once."""
    here = {one.number: one.results for one in InlineWorkers({0: quick}, "auto").play(batches[:9])}
    with joined(place, quick) as crew:
        first = [(one.number, one.results) for one in crew.play(batches[:7])]
        assert list(crew.play(())) == []
        second = [(one.number, one.results) for one in crew.play(batches[7:9])]
    assert sorted(number for number, _ in first) == list(range(7))
    assert dict(first) | dict(second) == here


def test_batches_are_drawn_when_there_is_somebody_to_play_them(
    place: Cluster, quick: EntrantSpec, batches: tuple[Batch, ...]
) -> None:
    """Three tasks a thread are outstanding, and no more; whoever stops early leaves nothing."""
    drawn: list[int] = []

    def source() -> Iterator[Batch]:
        for batch in batches:
            drawn.append(batch.number)
            yield batch

    with joined(place, quick) as crew:
        playing = crew.play(source())
        assert drawn == []
        assert len(list(islice(playing, 4))) == 4
        assert len(drawn) <= 4 + 2 * 3 * 2 + 2


def test_an_error_of_the_platform_comes_out_as_it_is(
    place: Cluster, quick: EntrantSpec, batches: tuple[Batch, ...]
) -> None:
    """Whoever runs the tournament sees the same message wherever it was raised."""
    with (
        joined(place, quick, "steam") as crew,
        pytest.raises(EngineError, match=r"^engine: expected .* got 'steam'$"),
    ):
        list(crew.play(batches))


def test_a_node_with_another_source_is_refused(
    place: Cluster, quick: EntrantSpec, batches: tuple[Batch, ...]
) -> None:
    """The message names the entrant and the ways out."""
    changed = replace(quick, digest=b"\x00" * 16)
    message = (
        r"^entrant Quick: its source .* is not the one that the run began with \(000000000000\); .*"
    )
    with joined(place, changed) as crew, pytest.raises(PluginError, match=message):
        list(crew.play(batches))


def test_other_versions_are_refused_before_play(
    place: Cluster, quick: EntrantSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list says who has what."""
    from distributed import Client, Security

    from tourney.execution.workers.cluster import connection

    with Client(place.place, security=Security(require_encryption=True)) as client:
        client.wait_for_workers(2)
    ours = (("python", "3.99"), *connection.own_versions()[1:])
    monkeypatch.setattr(connection, "own_versions", lambda: ours)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    with pytest.raises(WorkerError) as caught:
        joined(place, quick)
    first, *others, remedy = str(caught.value).splitlines()
    assert first == "cluster: some versions are not those of this machine:"
    assert len(others) == 3
    assert others[0] == f"  scheduler: python: {version} instead of 3.99"
    assert others[1].startswith("  tls://127.0.0.1:")
    assert remedy.startswith("install the same versions on all nodes")


def test_a_worker_that_joins_late_with_other_versions_is_refused(
    place: Cluster, quick: EntrantSpec, batches: tuple[Batch, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every task knows the versions it wants."""
    from tourney.execution.workers.cluster import dask_workers as module

    wanted = (("numpy", "0.1"),)
    with joined(place, quick) as crew, monkeypatch.context() as changed:
        changed.setattr(module, "own_versions", lambda: wanted)
        with pytest.raises(WorkerError, match=r"numpy: \d.* instead of 0\.1"):
            list(crew.play(batches))


def test_a_cluster_without_workers_ends_the_run(
    tmp_path: Path, quick: EntrantSpec, batches: tuple[Batch, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while, in which some may come."""
    from tourney.execution.workers.cluster import dask_workers as module

    monkeypatch.setitem(module.SECONDS_WITHOUT_WORKERS, "tcp", 1)
    rig = Rig(tmp_path)
    try:
        with (
            joined(Cluster(rig.address), quick) as crew,
            pytest.raises(WorkerError, match=r"no workers for 1 seconds; start"),
        ):
            list(crew.play(batches))
    finally:
        rig.close()


def test_nobody_at_an_address_is_said_so(
    quick: EntrantSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names it."""
    from tourney.execution.workers.cluster import connection

    monkeypatch.setattr(connection, "SECONDS_TO_CONNECT", 1)
    with pytest.raises(WorkerError, match=r"^tcp://127\.0\.0\.1:9: no Dask scheduler answers \("):
        joined(Cluster("tcp://127.0.0.1:9"), quick)


WEAK = """\
from tourney.sandbox.levels import Level
from tourney.execution.workers.cluster import remote_task

remote_task.probe = lambda: Level.REDUCED
"""


@pytest.mark.prove
@pytest.mark.skipif(probe() is not Level.FULL, reason="this machine cannot confine players fully")
def test_confined_players_are_confined_there_as_well_as_here(
    place: Cluster, quick: EntrantSpec, batches: tuple[Batch, ...]
) -> None:
    """With the results of this process, as a worker tries what its own machine can do."""
    confined = replace(quick, confinement=Level.FULL, game=BlackjackRules.game)
    here = [one.results for one in InlineWorkers({0: quick}, "auto").play(batches[:2])]
    with joined(place, confined) as crew:
        there = sorted((one.number, one.results) for one in crew.play(batches[:2]))
    assert [results for _, results in there] == here


@pytest.mark.prove
def test_a_worker_that_confines_less_well_refuses(
    tmp_path: Path, quick: EntrantSpec, batches: tuple[Batch, ...]
) -> None:
    """It names itself, both levels and what to do; whoever is not confined it plays."""
    (tmp_path / "weak.py").write_text(WEAK, encoding="utf-8")
    rig = Rig(tmp_path)
    message = (
        r"this worker has sandbox level reduced, but the run began at level full; remove the "
        r"worker from the cluster"
    )
    try:
        rig.hire(1, "--preload", "weak.py")
        with joined(Cluster(rig.address), quick) as crew:
            assert len(list(crew.play(batches[:2]))) == 2
        confined = replace(quick, confinement=Level.FULL, game=BlackjackRules.game)
        with (
            joined(Cluster(rig.address), confined) as crew,
            pytest.raises(WorkerError, match=message),
        ):
            list(crew.play(batches[:2]))
    finally:
        rig.close()
