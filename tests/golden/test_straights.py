"""Every recorded game of Straights, byte for byte, through the real command line."""

import subprocess
import sys
from pathlib import Path

import pytest

CASES = sorted((Path(__file__).parent / "straights").glob("*.cmd"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_the_program_prints_what_was_recorded(case: Path) -> None:
    """The arguments and the input of the original, the output of the original."""
    arguments = case.read_text(encoding="utf-8").split()[1:]
    done = subprocess.run(
        [sys.executable, "-m", "tourney", "play", "straights", *arguments],
        input=case.with_suffix(".in").read_bytes(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == case.with_suffix(".out").read_bytes()
    assert (done.stderr, done.returncode) == (b"", 0)


def test_all_recorded_cases_are_here() -> None:
    """An empty folder would pass the test above."""
    assert len(CASES) == 8
