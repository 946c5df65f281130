"""Every recorded case of the course drivers, byte for byte, through the real command line.

In this process, but for one case of each driver: a process of its own takes long to start.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tourney.cli import main

HERE = Path(__file__).parent
SYSTEMS = {"ve280": "ve280", "eecs280_w08": "eecs280"}
CASES = sorted(path for system in SYSTEMS for path in (HERE / system).glob("*.cmd"))


FIRST = [next(case for case in CASES if case.parent.name == system) for system in SYSTEMS]


def command(case: Path) -> list[str]:
    """Give the command that the case was recorded by."""
    arguments = case.read_text(encoding="utf-8").split()[1:]
    return ["play", SYSTEMS[case.parent.name], *arguments]


def name_of(case: Path) -> str:
    """Name a case."""
    return f"{case.parent.name}-{case.stem}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_driver_prints_what_was_recorded(
    case: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The arguments of the original, the output of the original."""
    monkeypatch.chdir(case.parent)
    status = main(command(case))
    assert (*capfdbinary.readouterr(), status) == (case.with_suffix(".out").read_bytes(), b"", 0)


@pytest.mark.parametrize("case", FIRST, ids=name_of)
def test_a_process_of_its_own_prints_the_same(case: Path) -> None:
    """And ends well."""
    done = subprocess.run(
        [sys.executable, "-m", "tourney", *command(case)],
        cwd=case.parent,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == case.with_suffix(".out").read_bytes()
    assert (done.stderr, done.returncode) == (b"", 0)


def test_all_recorded_cases_are_here() -> None:
    """An empty folder would pass the test above."""
    assert len(CASES) == 26
