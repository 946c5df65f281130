"""The CSC 24400 program against a naive one, byte for byte."""

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.game.answers import read_line
from tourney.games.blackjack.programs.csc24400 import TEXT, TRANSCRIPT, Dialogue, Reading, play

sys.path.insert(0, str(Path(__file__).parent))

from naive_csc24400 import NaiveProgram, NaiveRand

CASES = Path(__file__).parents[2] / "golden" / "csc24400"
LONGS = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 99)
WRONG = ("", "maybe", "yess", "hs", "y n", "0", "21", "-1", "2.5", "5 decks", "\x00", "é")
DECKS = st.sampled_from(["1", "2", "3", "6", "20"]) | st.integers(1, 20).map(str)
ANSWERS = st.sampled_from(
    ["y", "Y", "yes", "YES", " y ", "h", "H", "Hit", "s", "S", "stand"] * 3
    + ["y", "h", "s", "s"] * 6
    + ["n", "No", *WRONG]
)


def shown(seed: int, lines: list[str], reading: Reading) -> str:
    """Give what the program prints, without its header and its footer."""
    typed = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
    said: list[str] = []
    play(seed, Dialogue(lambda: read_line(typed), said.append), reading)
    text = "".join(said)
    return text[text.index("Seed value") : text.rindex(" hands\n") + len(" hands\n")]


@given(
    seed=LONGS,
    wrong=st.lists(st.sampled_from(WRONG), max_size=3),
    decks=DECKS,
    answers=st.lists(ANSWERS, max_size=120),
    follows_text=st.booleans(),
)
def test_the_program_prints_what_a_naive_one_prints(
    seed: int, wrong: list[str], decks: str, answers: list[str], follows_text: bool
) -> None:
    """Any seed, any number of decks, any answers, and either reading of the document."""
    lines = [*wrong, decks, *answers]
    naive = NaiveProgram(seed, lines, follows_text=follows_text).run()
    assert shown(seed, lines, TEXT if follows_text else TRANSCRIPT) == naive.output


@pytest.mark.parametrize("decks", [1, 3, 4, 20])
def test_long_sittings_agree_over_many_shuffles(decks: int) -> None:
    """Hundreds of hands: one deck is shuffled before each, twenty at thirty percent."""
    lines = [str(decks), *("y", "h", "s", "s", "y", "s") * 400, "n"]
    naive = NaiveProgram(24400, lines).run()
    assert sum(bool(hand["reshuffled"]) for hand in naive.hands) >= 2
    assert len(naive.hands) > 500
    assert shown(24400, lines, TRANSCRIPT) == naive.output


@pytest.mark.parametrize("path", sorted(CASES.glob("*.hands.jsonl")), ids=lambda path: path.name)
def test_the_naive_program_plays_the_recorded_hands(path: Path) -> None:
    """So that it is a judge to go by."""
    case = path.name.removesuffix(".hands.jsonl")
    seed = int((CASES / f"{case}.cmd").read_text(encoding="utf-8").split()[-1])
    lines = (CASES / f"{case}.in").read_text(encoding="utf-8").splitlines()
    naive = NaiveProgram(seed, lines).run()
    recorded = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert naive.hands == recorded[:-1]
    assert naive.output == (CASES / f"{case}.out").read_text(encoding="utf-8")


def test_the_naive_numbers_are_the_c_librarys() -> None:
    """The first ones of seed 1 are well known; seed 0 gives the same."""
    one, zero = NaiveRand(1), NaiveRand(0)
    numbers = [one.next() for _ in range(3)]
    assert numbers == [1804289383, 846930886, 1681692777] == [zero.next() for _ in range(3)]
