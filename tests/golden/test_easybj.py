"""Every recorded case of Easy Blackjack, byte for byte, through the real command line."""

import shlex
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from tourney.games.blackjack.programs.easybj import InfiniteShoe
from tourney.games.blackjack.programs.easybj.shoes import card_letter

HERE = Path(__file__).parent
CASES = sorted((HERE / "easybj").glob("*.cmd"))
WIZARD = "data/wizard.txt"


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """Give a folder with the files that the cases read."""
    shutil.copytree(HERE / "easybj" / "data", tmp_path / "data")
    return tmp_path


def play(pool: Path, *arguments: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the program as a student would."""
    return subprocess.run(
        [sys.executable, "-m", "tourney", "play", "easybj", *arguments],
        cwd=pool,
        input=typed,
        capture_output=True,
        timeout=60,
        check=False,
    )


def recorded(case: Path, suffix: str) -> bytes:
    """Give what the original wrote; it wrote nothing where there is no file."""
    path = case.with_suffix(suffix)
    return path.read_bytes() if path.exists() else b""


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_the_program_prints_what_was_recorded(case: Path, pool: Path) -> None:
    """Both outputs and the status of the original, for its arguments and its input."""
    arguments = shlex.split(case.read_text(encoding="utf-8"))[1:]
    done = play(pool, *arguments, typed=recorded(case, ".in"))
    assert done.stdout == recorded(case, ".out")
    assert done.stderr == recorded(case, ".err")
    assert done.returncode == int(recorded(case, ".rc"))


def test_all_recorded_cases_are_here() -> None:
    """An empty folder would pass the test above."""
    assert len(CASES) == 29


def test_a_recording_is_the_original_s(pool: Path) -> None:
    """The cards dealt and 26 more, as the case that replays them has them."""
    play(pool, "-i", "7", "-r", "record.txt", "-a", WIZARD, "12")
    assert (pool / "record.txt").read_bytes() == (pool / "data/recorded_7.txt").read_bytes()


@pytest.mark.parametrize(
    "line", (HERE / "rng/easybj_cards.txt").read_text(encoding="utf-8").splitlines()
)
def test_the_infinite_shoe_deals_the_original_s_cards(line: str) -> None:
    """The C library's numbers for four seeds, 120 cards each."""
    seed, cards = line.split(": ")
    dealt = islice(InfiniteShoe(int(seed)), len(cards))
    assert "".join(map(card_letter, dealt)) == cards


def test_ten_thousand_hands_end_where_they_were_checked(pool: Path) -> None:
    """A figure of independent programs for the document's table."""
    done = play(pool, "-s", "-i", "4", "-a", WIZARD, "10000")
    assert done.stdout.decode() == (
        "Hands Played: 10000\nFinal Balance: +$1103.00\nPlayer Advantage: 11.03%\n"
    )


def test_the_document_s_two_million_hands() -> None:
    """Silent, by the chart that it prints, and fast enough to be waited for."""
    chart = Path(__file__).parent / "easybj" / "data" / "wizard.txt"
    command = [sys.executable, "-m", "tourney", "play", "easybj", "-s", "-i", "0"]
    # The same as its first thousands, one by one; see `tests/differential/engines/test_endless.py`.
    played = subprocess.run(
        [*command, "-a", str(chart), "2000000"], capture_output=True, timeout=120, check=False
    )
    assert (played.returncode, played.stderr) == (0, b"")
    assert played.stdout == (
        b"Hands Played: 2000000\nFinal Balance: +$200494.50\nPlayer Advantage: 10.02%\n"
    )
