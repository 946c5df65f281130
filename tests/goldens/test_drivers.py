"""Every recorded case of the course drivers, byte for byte, through the real command line."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SYSTEMS = {"ve280": "ve280", "eecs280_w08": "eecs280"}
CASES = sorted(path for system in SYSTEMS for path in (HERE / system).glob("*.cmd"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_driver_prints_what_was_recorded(case: Path) -> None:
    """The arguments of the original, the output of the original."""
    arguments = case.read_text(encoding="utf-8").split()[1:]
    done = subprocess.run(
        [sys.executable, "-m", "tourney", "play", SYSTEMS[case.parent.name], *arguments],
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
