"""A TLS cluster with two workers, an organiser's desk beside it, and the run nobody interrupts."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tourney import play_tournament
from tourney.store.store import Store

from .rig import CONFIG, SLOW, Desk, Rig


@pytest.fixture(scope="session")
def credentials(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Give temporary credentials as files, by the options of Dask's commands."""
    from distributed import Security

    folder = tmp_path_factory.mktemp("credentials")
    security, paths = Security.temporary(), {}
    for name, text in (
        ("--tls-ca-file", security.tls_ca_file),
        ("--tls-cert", security.tls_worker_cert),
        ("--tls-key", security.tls_worker_key),
    ):
        paths[name] = folder / f"{name.removeprefix('--tls-')}.pem"
        paths[name].touch(mode=0o600)
        paths[name].write_text(text, encoding="utf-8")
    return paths


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory, credentials: dict[str, Path]) -> Iterator[Rig]:
    """Give a scheduler that wants certificates, with two workers."""
    made = Rig(tmp_path_factory.mktemp("rig"), credentials)
    try:
        made.hire(2)
        yield made
    finally:
        made.close()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Give an organiser's desk."""
    return Desk(tmp_path)


@pytest.fixture
def sure_desk(desk: Desk, credentials: dict[str, Path]) -> Desk:
    """Give a desk at which Dask knows the credentials."""
    names = {"--tls-ca-file": "CA_FILE", "--tls-cert": "CLIENT__CERT", "--tls-key": "CLIENT__KEY"}
    for option, path in credentials.items():
        desk.environment[f"DASK_DISTRIBUTED__COMM__TLS__{names[option]}"] = str(path)
    return desk


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Give the digest of the run that one process plays."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "cup.yaml").write_text(CONFIG, encoding="utf-8")
    (folder / "slow.py").write_text(SLOW.replace("0.1", "0"), encoding="utf-8")
    play_tournament(folder / "cup.yaml", store=folder / "tourney.db", trust_submissions=True)
    with Store.open(folder / "tourney.db", create=False) as store:
        return store.run_digest(1)


@pytest.fixture
def slurm(desk: Desk) -> Path:
    """Put a Slurm on the path that starts its jobs here and now; give its journal."""
    programs = desk.folder / "programs"
    programs.mkdir()
    journal = desk.folder / "journal.txt"
    # A job is a session of its own, which scancel ends.
    (programs / "sbatch").write_text(
        f"#!/bin/sh\ncp \"$1\" '{desk.folder}/job.sh'\n"
        f"setsid sh '{desk.folder}/job.sh' >'{desk.folder}/job.log' 2>&1 </dev/null &\n"
        f'echo "sbatch $!" >>\'{journal}\'\necho "Submitted batch job $!"\n',
        encoding="utf-8",
    )
    (programs / "scancel").write_text(
        f'#!/bin/sh\necho "scancel $1" >>\'{journal}\'\nkill -TERM -- "-$1"\n', encoding="utf-8"
    )
    for program in programs.iterdir():
        program.chmod(0o755)
    desk.environment["PATH"] = f"{programs}{os.pathsep}{desk.environment['PATH']}"
    return journal
