"""`play straights`: its argument and its statuses, mostly in processes of their own."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

PROGRAM = [sys.executable, "-m", "tourney", "play", "straights"]


def run(*arguments: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the program with what is typed."""
    return subprocess.run(
        [*PROGRAM, *arguments], input=typed, capture_output=True, timeout=60, check=False
    )


@pytest.fixture(scope="module")
def game() -> bytes:
    """Give what the program prints for seed 44 where four computers play."""
    return run("44", typed=b"c\nc\nc\nc\n").stdout


@pytest.mark.parametrize("seed", ["x", "4.5", "", " 4", "1_0", "\u0663", "1e3", "9" * 5000])
def test_a_wrong_seed_is_answered_with_the_usage(cli: Callable[..., Any], seed: str) -> None:
    """Status 2, and what was expected."""
    done = cli("play", "straights", seed)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("Usage: tourney play straights")
    assert "expected a whole number from 0 to 18446744073709551615, such as 44" in done.err


def test_a_second_argument_is_too_many() -> None:
    """Status 2, too."""
    assert run("1", "2").returncode == 2


def test_the_clock_gives_a_seed_where_there_is_none() -> None:
    """A game is played to its end."""
    done = run(typed=b"c\nc\nc\nc\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b" wins!\n")


@pytest.mark.parametrize("same", ["44", "0044", "2147483691"])
def test_the_same_seed_is_the_same_game(same: str, game: bytes) -> None:
    """However it is written; the generator knows no more than 2**31 - 2 of them."""
    assert game.endswith(b" wins!\n")
    assert run(same, typed=b"c\nc\nc\nc\n").stdout == game


@pytest.mark.parametrize(
    "typed",
    [b"", b"h", b"\x00\xff\xfe\r\n", b"h\r\nh\r\nh\r\nh\r\n\xff\xff play\r\n", b"h" * 100_000],
    ids=["nothing", "no line end", "bytes", "bytes in a round", "a long line"],
)
def test_any_input_ends_cleanly(typed: bytes) -> None:
    """Status 0, nothing on standard error."""
    done = run("44", typed=typed)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b">")


def test_without_any_input_the_game_ends() -> None:
    """As where standard input is closed."""
    done = subprocess.run(
        ["sh", "-c", '"$@" <&-', "sh", *PROGRAM, "44"],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
