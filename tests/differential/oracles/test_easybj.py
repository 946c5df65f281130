"""Easy Blackjack against a naive one, byte for byte."""

import io
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.game.answers import read_letter
from tourney.games.blackjack.declaration import BOTH_CARDS, ROWS
from tourney.games.blackjack.programs.easybj import Streams, run
from tourney.games.blackjack.programs.easybj.program import FAILED, OK

sys.path.insert(0, str(Path(__file__).parent))

from naive_easybj import NaiveAbort, NaiveProgram

WIZARD = Path(__file__).parents[2] / "golden" / "easybj" / "data" / "wizard.txt"
CELLS = ("H", "S", "Dh", "Ds", "P", "Ph", "Rh", "Rs", "D", "R", "Rp", "Dp", "Prh", "Rdps")
ALIKE = b"AAATTTKQJ2233445566778899"  # pairs and aces, which are where the rules are
ANSWERS = ("s", "h", "d", "p", "r", "S", "Hit", "double", "PAIR", "r!", "", "x", " h", "q", "é")
LUCK = st.integers(0, 2**32)


def a_shoe(random: Random, size: int) -> bytes:
    """Draw a file: cards, often the same ones again, and bytes that are none."""
    ranks = random.choice([b"A23456789TJQK", ALIKE, bytes(random.choices(ALIKE, k=2))])
    noise = random.choice([b"", b" \n", bytes(range(256))])
    some = [random.choice(noise if noise and random.random() < 0.2 else ranks) for _ in range(size)]
    return bytes(some)


def a_chart(random: Random) -> str:
    """Draw a table of any cells, with more splits than anybody would make."""
    weights = [random.random() ** 2 for _ in CELLS]
    lines = [" ".join(BOTH_CARDS)]
    lines += [" ".join((row, *random.choices(CELLS, weights, k=len(BOTH_CARDS)))) for row in ROWS]
    return "\n".join(lines) + "\n"


def ours(content: bytes, *arguments: str, lines: list[str], chart: str = "") -> tuple[int, str]:
    """Give the status and the output of the program."""
    typed = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
    said: list[str] = []
    with TemporaryDirectory() as folder:
        shoe, table = Path(folder) / "shoe", Path(folder) / "chart"
        shoe.write_bytes(content)
        table.write_text(chart, encoding="utf-8")
        words = [str(table) if word == "CHART" else word for word in arguments]
        streams = Streams(lambda: read_letter(typed), said.append, lambda _: None)
        status = run(["-f", str(shoe), *words], streams)
    return status, "".join(said)


def theirs(program: NaiveProgram) -> tuple[int, str]:
    """Give the status and the output of the naive program."""
    try:
        return OK, program.run()
    except NaiveAbort:
        return FAILED, program.output


@given(luck=LUCK, size=st.integers(0, 400), hands=st.integers(1, 60), silent=st.booleans())
def test_charts_play_what_a_naive_program_plays(
    luck: int, size: int, hands: int, silent: bool
) -> None:
    """Any file, any table, any number of hands; a file that ends too early ends both."""
    random = Random(luck)
    content, chart = a_shoe(random, size), a_chart(random)
    told = ("-s",) * silent + ("-a", "CHART", str(hands))
    naive = NaiveProgram(content, chart=chart, hands=hands, silent=silent)
    assert ours(content, *told, lines=[], chart=chart) == theirs(naive)


@given(luck=LUCK, size=st.integers(0, 400), answers=st.integers(0, 150))
def test_a_person_is_shown_what_a_naive_program_shows(luck: int, size: int, answers: int) -> None:
    """Any file, and any answers until the input ends."""
    random = Random(luck)
    content = a_shoe(random, size)
    lines = random.choices(ANSWERS, [3] * 6 + [1] * (len(ANSWERS) - 6), k=answers)
    naive = NaiveProgram(content, lines=lines)
    assert ours(content, lines=lines) == theirs(naive)


@pytest.mark.parametrize("luck", range(3))
def test_long_plays_agree_on_every_hand(luck: int) -> None:
    """Thousands of games, by the document's table and by one that nobody would play by."""
    random = Random(luck)
    content = bytes(random.choices(b"A23456789TJQK", k=20_000))
    wizard = WIZARD.read_text(encoding="utf-8")
    for chart in (wizard, a_chart(random)):
        naive = NaiveProgram(content, chart=chart, hands=10**6)
        assert ours(content, "-a", "CHART", "1000000", lines=[], chart=chart) == theirs(naive)
        assert naive.output.count("Result: ") > 1000
