"""What a hostile process reports is a line of its own files, or of none."""

import random

import pytest

from tests.support.proving import with_more
from tests.unit.game.asking.test_printable import HOSTILE, is_fit
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.straights.game import STRAIGHTS
from tourney.sandbox.memory_modules import ModuleText, write_parts
from tourney.sandbox.verdict_texts import calls_of, files_of, place_in, texts_of
from tourney.sandbox.wire import CAUSES, Faulted, Submitted

FILES = {"a.py": 3, "deep/b.py": 12}
PLACES = {f"{name}:{line}" for name, most in FILES.items() for line in range(1, most + 1)}
"""Every line of every file: slowly, but surely, all that a place may be."""


@pytest.mark.parametrize("times", with_more([5_000], [300_000]))
def test_a_place_is_a_line_of_the_submission_or_empty(times: int) -> None:
    """Of places with a change here and there, and of noise."""
    luck = random.Random(3)
    odd = ("9" * 40, "-1", "+1", " ", "x.py", "\u0661")
    pieces = (*HOSTILE, *FILES, *odd, ":", "1", "0", "12", "13")
    kept = 0
    for _ in range(times):
        place = "".join(luck.choices(pieces, k=luck.randrange(6)))
        if luck.random() < 0.3:
            place = luck.choice(sorted(PLACES)) + luck.choice(("", "", "\n", "\u202e", "0"))
        assert place_in(place, FILES) == (place if place in PLACES else "")
        kept += place in PLACES
        assert is_fit(place_in(place, None))
    assert kept > times // 20


@pytest.mark.parametrize("times", with_more([1_000], [50_000]))
def test_all_texts_of_a_fault_may_be_shown(times: int) -> None:
    """Whatever bytes came, as the reader of frames gives them."""
    luck = random.Random(4)

    def text() -> str:
        return "".join(luck.choices((*HOSTILE, "x", "/usr/lib"), k=luck.randrange(30)))

    for _ in range(times):
        fault = Faulted(0, 1, 0, CAUSES[0], "bet", text(), text(), text())
        message, place, traceback = texts_of(fault, fault.place, FILES)
        assert is_fit(message)
        assert is_fit(place)
        assert is_fit(traceback, keep="\n")


def test_a_long_text_of_a_fault_is_cut() -> None:
    """After its characters were escaped."""
    fault = Faulted(0, 1, 0, CAUSES[0], "bet", "\u202e" * 50_000, "", "\u202e" * 50_000)
    message, _, traceback = texts_of(fault, "", FILES)
    assert max(len(message), len(traceback)) <= 20_000


def test_the_files_of_a_submission_are_known_with_their_lines() -> None:
    """Of a file, of a package, and of a program whose files were built."""
    assert files_of(Submitted("a.py", b"x\ny\n")) == {"a.py": 3}
    package = write_parts(
        [ModuleText("b", "b/__init__.py", "x"), ModuleText("", "b/odds.txt", "1\n2")]
    )
    assert files_of(Submitted("b", package, entry="b")) == {"b/__init__.py": 1, "b/odds.txt": 2}
    built = Submitted("player.cpp", b"", program=b"\x7fELF", files=(("player.cpp", 9),))
    assert files_of(built) == {"player.cpp": 9}
    assert files_of(Submitted("program", b"", program=b"\x7fELF")) is None


def test_calls_are_the_methods_of_the_contract() -> None:
    """And that which stands for a whole batch."""
    assert calls_of(BLACKJACK) == {"bet", "draw", "act", "expose", "shuffled", "decide"}
    assert calls_of(STRAIGHTS) == {"play", "decide"}
