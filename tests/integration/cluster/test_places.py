"""What names a cluster, and what is refused before anything is done for a run."""

import re
from pathlib import Path

import pytest

from tourney import cli
from tourney.errors import TourneyError
from tourney.execution.workers.cluster import Cluster
from tourney.execution.workers.cluster import scheduler_address as module


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("local", "local"),
        ("slurm:jobs.yaml", "slurm"),
        ("tls://node.example:8786", "tls"),
        ("tcp://127.0.0.1:8786", "tcp"),
        ("tcp://localhost:8786", "tcp"),
        ("tcp://[::1]:8786", "tcp"),
    ],
)
def test_places_are_of_four_kinds(name: str, kind: str) -> None:
    """Unencrypted ones only where nobody else listens."""
    assert Cluster(name).kind == kind


@pytest.mark.parametrize(
    "name", ["", "cloud", "slurm:", "tls://", "tls://node", "tcp://127.0.0.1:x", "http://node:80"]
)
def test_what_is_no_place_is_refused(name: str) -> None:
    """The message lists those there are."""
    with pytest.raises(TourneyError, match=rf"^--cluster: expected local, .* got '{name}'$"):
        Cluster(name)


def test_shoes_travel_in_the_clear_only_if_asked_to() -> None:
    """Another machine needs TLS or a word of the organiser."""
    with pytest.raises(
        TourneyError, match=r"the connection to tcp://.* is not encrypted: .* Use tls://"
    ):
        Cluster("tcp://node.example:8786")
    insecure = Cluster("tcp://node.example:8786", is_insecure=True)
    assert insecure.options == ("--cluster", "tcp://node.example:8786", "--insecure-cluster")


def test_a_missing_extra_is_named_before_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With the command that installs it; no store is made."""
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["run", "cup.yaml", "--cluster", "local"]) == 2
    assert capsys.readouterr().err == (
        "--cluster: distributed, cryptography not installed; run: pip install "
        "'tourney-cards[cluster]'\n"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (
            "slurm:jobs.yaml",
            "jobs.yaml is not a file; name a YAML file of dask-jobqueue's settings",
        ),
        (
            "tls://127.0.0.1:1",
            "--cluster: Dask's configuration has no ca_file and no client_cert",
        ),
    ],
)
def test_a_cluster_without_its_settings_leaves_no_run_behind(
    place: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is refused before a store is made."""
    pytest.importorskip("dask_jobqueue", reason="the extra `cluster` is not installed")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["run", "cup.yaml", "--cluster", place]) == 2
    assert capsys.readouterr().err.startswith(message)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cores: 2", "jobs: expected a whole number from 1, got None"),
        ("jobs: 0\ncores: 2", "jobs: expected a whole number from 1, got 0"),
        ("jobs: 1", "cores: expected a whole number from 1, got None"),
        (
            "jobs: 1\ncores: 4\nprocesses: 2",
            "processes is 2, but must be 4, one for each of the cores",
        ),
        ("jobs: 1\ncores: 4\nsecurity: false", "tourney sets security itself; leave it out"),
        ("- jobs", " cannot be read as YAML: "),
        ("jobs: [", " cannot be read as YAML: "),
        ("", "has no settings; write some, such as `cores: 4`"),
    ],
)
def test_settings_of_jobs_are_checked(text: str, message: str, tmp_path: Path) -> None:
    """Each fault names the file and what is expected."""
    pytest.importorskip("dask_jobqueue", reason="the extra `cluster` is not installed")
    from tourney.execution.workers.cluster.slurm import read_settings

    file = tmp_path / "jobs.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TourneyError, match=f"^{re.escape(str(file))}.*{re.escape(message)}"):
        read_settings(file)


def test_a_worker_of_slurm_has_one_thread(tmp_path: Path) -> None:
    """As many processes as cores, in names as YAML has them or as Python does."""
    pytest.importorskip("dask_jobqueue", reason="the extra `cluster` is not installed")
    from tourney.execution.workers.cluster.slurm import read_settings

    file = tmp_path / "jobs.yaml"
    file.write_text("jobs: 3\ncores: 8\njob-script-prologue: [module load x]\n", encoding="utf-8")
    settings = read_settings(file)
    assert (settings["jobs"], settings["cores"], settings["processes"]) == (3, 8, 8)
    assert settings["job_script_prologue"] == ["module load x"]
