"""A run on a cluster comes to what one process gives, whoever is killed on the way."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.store.store import Store

from .rig import BATCHES, Desk, Rig, company

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
WORKER_LOST = "a worker that had the batch was lost; the batch was played again"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process groups")

KILLER = """\
import os

from tourney import Player


class Killer(Player):
    def bet(self, bankroll, minimum):
        os._exit(0)

    def draw(self, dealer, player):
        return False
"""


def test_a_run_on_a_cluster_comes_to_the_same(sure_desk: Desk, rig: Rig, whole: bytes) -> None:
    """Every batch is stored once, and nothing that Dask says reaches the organiser."""
    last = sure_desk.run("--cluster", rig.address)
    assert last.status == 0, last.errors
    assert rig.address.startswith("tls://")
    # Without the progress lines, which only a slow machine writes.
    lines = [each for each in last.errors.splitlines() if not each.endswith(" batches played")]
    run, hidden, aim, shown, floor, confinement = lines
    assert run.startswith("run 1 in tourney.db: ")
    assert hidden.startswith("Columns not shown: ")
    assert aim.startswith("benchmark: ")
    assert "a loss that happens at" in shown
    assert floor.startswith("on the floor: ")
    assert confinement.startswith("sandbox unsafe: ")
    assert sure_desk.digest() == whole


@pytest.mark.prove
def test_a_worker_that_is_killed_changes_nothing(sure_desk: Desk, rig: Rig, whole: bytes) -> None:
    """What it had is played by the other, and has a remark."""
    command = sure_desk.start("run", "cup.yaml", "--cluster", rig.address)
    sure_desk.wait_for_batches(5, command)
    rig.workers[0].send_signal(signal.SIGKILL)
    assert sure_desk.stored() < BATCHES
    last = command.end()
    rig.hire(2)
    assert last.status == 0, last.errors
    assert sure_desk.digest() == whole
    with Store.open(sure_desk.folder / "tourney.db") as store:
        assert {each.message for each in store.remarks(1)} == {WORKER_LOST}


@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_who_has_no_certificate_is_refused(scheme: str, desk: Desk, rig: Rig) -> None:
    """Neither in the clear nor with TLS does anything come of it."""
    address = rig.address.replace("tls", scheme)
    last = desk.run("--cluster", address)
    expected = {"tcp": "no Dask scheduler answers (", "tls": "Dask's configuration has no"}
    assert last.status in {1, 2}
    assert expected[scheme] in last.errors
    assert desk.stored() == 0


@pytest.mark.prove
def test_a_lost_scheduler_ends_a_run_that_can_go_on(desk: Desk, whole: bytes) -> None:
    """It says how, and the batches that were played are there."""
    rig = Rig(desk.folder)
    try:
        rig.hire(2)
        command = desk.start("run", "cup.yaml", "--cluster", rig.address)
        desk.wait_for_batches(5, command)
        rig.scheduler.kill()
        last = command.end()
    finally:
        rig.close()
    assert last.status == 1
    _, remedy, message = last.errors.strip().splitlines()
    assert message.startswith(f"{rig.address}: the connection to the scheduler was lost")
    resume = "tourney resume 1 --store tourney.db --no-sandbox"
    assert remedy == f"to resume: {resume} --cluster {rig.address}"
    assert 5 <= desk.stored() < BATCHES
    assert desk.start("resume", "--workers", "1").end().status == 0
    assert desk.digest() == whole


@pytest.mark.prove
@pytest.mark.parametrize(
    "number",
    with_more([signal.SIGINT], [signal.SIGTERM, signal.SIGHUP]),
)
def test_a_signal_ends_a_local_cluster(desk: Desk, number: signal.Signals) -> None:
    """Nobody is left behind, nobody says a word, and the run can go on."""
    command = desk.start("run", "cup.yaml", "--cluster", "local", "--workers", "2")
    desk.wait_for_batches(3, command)
    command.interrupt(number)
    last = command.end()
    assert last.status == 128 + number
    assert not company(command.number)
    _, kept, remedy = last.errors.strip().splitlines()
    assert kept == "interrupted; every finished batch is kept"
    assert remedy.endswith(" --cluster local")
    assert desk.stored() < BATCHES


@pytest.mark.prove
def test_only_who_kills_its_workers_is_blamed(desk: Desk) -> None:
    """The batches of all others are played first."""
    (desk.folder / "killer.py").write_text(KILLER, encoding="utf-8")
    text = (desk.folder / "cup.yaml").read_text(encoding="utf-8").replace("tables: 12", "tables: 1")
    (desk.folder / "cup.yaml").write_text(f"{text}  - file: killer.py\n", encoding="utf-8")
    last = desk.run("--cluster", "local", "--workers", "2")
    assert last.status == 1
    assert last.errors.strip().splitlines()[-1] == (
        "batch 3: several workers died while they played it alone; its entrants are killer: start "
        "a new run without the one that ends its process"
    )
    assert desk.stored() == 3


def write_jobs(desk: Desk) -> None:
    """Write down a job of two workers."""
    (desk.folder / "jobs.yaml").write_text(
        "jobs: 1\ncores: 2\nmemory: 1 GiB\nqueue: short\nscheduler-options: {host: 127.0.0.1}\n",
        encoding="utf-8",
    )


@pytest.mark.prove
def test_jobs_of_slurm_play_and_are_ended(desk: Desk, slurm: Path, whole: bytes) -> None:
    """A job holds two workers, its certificates are gone with it, and scancel has been called."""
    pytest.importorskip("dask_jobqueue", reason="the extra `cluster` is not installed")
    write_jobs(desk)
    last = desk.run("--cluster", "slurm:jobs.yaml")
    assert last.status == 0, last.errors + (desk.folder / "job.log").read_text()
    assert desk.digest() == whole
    script = (desk.folder / "job.sh").read_text(encoding="utf-8")
    assert "#SBATCH -p short" in script
    assert "tls://127.0.0.1" in script
    assert "--nthreads 1" in script
    (submitted, cancelled) = slurm.read_text(encoding="utf-8").splitlines()
    assert cancelled.split()[1] == submitted.split()[1]
    assert not list(desk.folder.glob(".tourney-cluster-*"))


@pytest.mark.prove
def test_a_job_that_ends_is_handed_in_again(desk: Desk, slurm: Path, whole: bytes) -> None:
    """Slurm ends jobs when their time is up, whatever they do."""
    pytest.importorskip("dask_jobqueue", reason="the extra `cluster` is not installed")
    write_jobs(desk)
    desk.environment["DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT"] = "1s"
    command = desk.start("run", "cup.yaml", "--cluster", "slurm:jobs.yaml")
    desk.wait_for_batches(5, command)
    os.killpg(int(slurm.read_text(encoding="utf-8").split()[1]), signal.SIGKILL)
    last = command.end()
    assert last.status == 0, last.errors
    assert desk.digest() == whole
    assert slurm.read_text(encoding="utf-8").count("sbatch") == 2


@pytest.mark.prove
def test_a_slurm_that_takes_no_job_is_said_so(desk: Desk) -> None:
    """Such as where there is none."""
    pytest.importorskip("dask_jobqueue", reason="the extra `cluster` is not installed")
    write_jobs(desk)
    desk.environment["PATH"] = str(desk.folder)
    last = desk.run("--cluster", "slurm:jobs.yaml")
    assert last.status == 1
    assert "slurm: sbatch rejected the job: " in last.errors
    assert "No such file or directory: 'sbatch'" in last.errors
