"""The kits in C and Rust: they play by the page, and whoever changes them into liars is caught."""

import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sandbox.attacks.asking import QUICK, SEAT_REQUESTS, SEATS, questions
from tests.sandbox.cpp.test_twins import PATIENT, blocks, never
from tourney.cli import main
from tourney.competitors.programs import Program
from tourney.errors import PluginError, SubmissionError
from tourney.game import Game
from tourney.game.asking.exchange import Decided
from tourney.game.codec import Column, write_columns
from tourney.game.lineup import Lineup
from tourney.game.players import Undeclared
from tourney.games.blackjack.asking.questions_codec import QuestionsCodec
from tourney.games.blackjack.engines.lockstep_play import play_lockstep
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import LAYOUT, SHUFFLED, Call, Questions
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.native.elf import Elf
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import (
    HEADER,
    Kind,
    Opening,
    Submitted,
    frame,
    read_answers,
    write_opening,
)
from tourney.strategies.simple import Simple
from tourney.tournament.loading import enter

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or os.uname().machine != "x86_64",
    reason="programs cannot be confined here",
)

KITS = Path(__file__).parents[3] / "examples" / "protocol"
MOST_LINES = 150
COMPILERS = {
    "simple.c": ("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-static"),
    "simple.rs": (
        *("rustc", "--edition", "2021", "-O", "-Dwarnings"),
        *("-C", "target-feature=+crt-static", "-C", "relocation-model=static"),
    ),
}
Built = Callable[..., bytes]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Give what compiles a kit, with some of its text changed."""
    folder = tmp_path_factory.mktemp("kits")

    def build(kit: str, old: str = "", new: str = "") -> bytes:
        compiler, *flags = COMPILERS[kit]
        # Of rustup there is a rustc for everybody, but a toolchain in the home of who installed it.
        asked = [compiler, "--version"]
        if not shutil.which(compiler) or subprocess.run(asked, check=False).returncode:
            pytest.skip(f"there is no {compiler} here")
        text = (KITS / kit).read_text(encoding="utf-8")
        assert text.count(old) == 1 or not old, f"expected {old!r} once in {kit}"
        (folder / kit).write_text(text.replace(old, new) if old else text, encoding="utf-8")
        subprocess.run([compiler, *flags, "-o", "program", kit], cwd=folder, check=True)
        return (folder / "program").read_bytes()

    return build


def pool_of(program: bytes, game: Game[Any, Any, Any] = BLACKJACK, **other: Any) -> SandboxedPool:
    """Give a pool of the program."""
    return SandboxedPool(game, Submitted("simple", b"", program=program), None, **other)


@pytest.mark.parametrize("kit", COMPILERS)
def test_a_kit_plays_like_its_twin_in_python(built: Built, kit: str) -> None:
    """Digests of every table, over 20,000 hands."""
    program, drawn = built(kit), blocks(200)
    here = play_lockstep(drawn, Lineup(lambda _: Simple(), lambda *_: Undeclared("asked"))).results
    confined = Lineup(never, never, confined=lambda _: pool_of(program, budget=PATIENT))
    there = play_lockstep(drawn, confined).results
    assert [each.digest for each in there] == [each.digest for each in here]


@pytest.mark.parametrize("kit", COMPILERS)
def test_a_kit_is_short(kit: str) -> None:
    """To be read in one go."""
    assert len((KITS / kit).read_text(encoding="utf-8").splitlines()) <= MOST_LINES


class Later(QuestionsCodec):
    """Questions as they may be some day: with columns in between that nobody knows."""

    layout = (Column("weather", "q", 3), *LAYOUT[:-1], Column("colour", "B", 1), LAYOUT[-1])

    def write(self, questions: Questions) -> bytes:
        """Write a batch."""
        count = len(questions.seats)
        known = {each.name: np.ravel(getattr(questions, each.name)) for each in LAYOUT}
        known["cards"] = np.concatenate((questions.cards, questions.exposed))
        known |= {"weather": np.full(3 * count, -1), "colour": np.full(count, 7, np.uint8)}
        return write_columns(self.layout, count, [known[each.name] for each in self.layout])


class LaterBlackjack(type(BLACKJACK)):  # type: ignore[misc]  # whatever its class is called
    """Blackjack, asked in that way."""

    def codec(self) -> QuestionsCodec:
        """Give it."""
        return Later()


@pytest.mark.parametrize("kit", COMPILERS)
def test_new_columns_break_no_program(built: Built, kit: str) -> None:
    """Which reads those that it knows by their names."""
    program = built(kit)
    for call in (Call.WAGER, Call.DRAW):
        asked = questions(call, 1, [0, 2])
        with pool_of(program) as today, pool_of(program, LaterBlackjack()) as some_day:
            today.sit(SEAT_REQUESTS)
            some_day.sit(SEAT_REQUESTS)
            expected, found = today.decide(asked), some_day.decide(asked)
        assert not found.faults
        assert found.answers.tolist() == expected.answers.tolist()


def rounds_of(program: bytes) -> tuple[SandboxedPool, Decided]:
    """Ask three seats for a wager in three rounds; give the last answers."""
    with pool_of(program, budget=QUICK) as pool:
        pool.sit(SEAT_REQUESTS)
        for round_ in (1, 2, 3):
            decided = pool.decide(questions(Call.WAGER, round_, [0, 1, 2]))
    return pool, decided


ANSWERS = "    answer(ANSWER, number, answers, count);"
SECOND = "bytes before it was asked|bytes follow the frame|got frame"
"""An answer too many is found when it comes: with the first, or before or after another question.
One that comes just after its question was sent is like others, and the next is one too many."""
LIES = [
    (
        "late, under the number of the question before",
        ANSWERS,
        "answer(ANSWER, number - (number > 1), answers, count);",
        ("protocol", "expected frame 2, got frame 1"),
    ),
    (
        "never, and waits for the next question",
        ANSWERS,
        "if (number < 2) answer(ANSWER, number, answers, count);",
        ("stalled", "it slept for"),
    ),
    (
        "never, and computes on",
        ANSWERS,
        "while (number > 1) { }\n" + ANSWERS,
        ("cpu", "it computed for"),
    ),
    ("twice", ANSWERS, f"{ANSWERS} {ANSWERS}", ("protocol", SECOND)),
    (
        "before it is asked",
        ANSWERS,
        f"{ANSWERS} answer(ANSWER, number + 1, answers, count);",
        ("protocol", SECOND),
    ),
    (
        "for a table that is over",
        ANSWERS,
        "answer(ANSWER, number, answers, count + (number > 1));",
        ("protocol", "expected 3 answers, got 4"),
    ),
    (
        "for fewer tables",
        ANSWERS,
        "answer(ANSWER, number, answers, count - (number > 1));",
        ("protocol", "expected 3 answers, got 2 and 0 faults"),
    ),
    (
        "with less than the minimum",
        "return table[MINIMUM];",
        "return table[MINIMUM] - 1;",
        ("protocol", "legal"),
    ),
    ("in another version", "VERSION = 1", "VERSION = 2", ("died", "does not know this version")),
    (
        "never, and gives up",
        ANSWERS,
        "if (number > 1) __builtin_trap();\n" + ANSWERS,
        ("died", "SIGILL"),
    ),
    (
        "never, and aborts",
        ANSWERS,
        "if (number > 1) { extern void abort(void); abort(); }\n" + ANSWERS,
        ("died", "it ended itself with SIGABRT"),
    ),
]


def test_who_wants_what_there_is_not_is_told_what_there_is(built: Built) -> None:
    """At the first answer of all."""
    loaded = "answer(LOADED, header[2], answers, seats);"
    wants_too_much = built("simple.c", loaded, f"answers[0] = 7; {loaded}")
    with pool_of(wants_too_much, budget=QUICK) as pool:
        pool.sit(SEAT_REQUESTS)
    assert pool.ended == ("protocol", "expected requests of seats from 0 to 3, got 7, 0, 0")


@pytest.mark.parametrize(
    ("old", "new", "verdict"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES]
)
def test_who_answers_amiss_has_a_verdict(
    built: Built, old: str, new: str, verdict: tuple[str, str]
) -> None:
    """On every seat of the program; and nothing it says afterwards is heard."""
    pool, decided = rounds_of(built("simple.c", old, new))
    assert pool.ended
    assert pool.ended[0] == verdict[0], pool.ended
    assert any(each in pool.ended[1] for each in verdict[1].split("|")), pool.ended
    assert [each.cause for each in decided.faults.values()] == [verdict[0]] * SEATS
    assert decided.answers.tolist() == [-1] * SEATS


CUP = """
name: cup
seed: 7
game: {preset: ve280}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 20}
entrants:
  - {program: simple, as: Ada}
  - {strategy: simple, as: Bob}
"""


def test_a_program_is_entered_by_its_path(
    built: Built,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It plays shut in, the store keeps it, and it plays again without its file."""
    monkeypatch.chdir(tmp_path)
    Path("cup.yaml").write_text(CUP, encoding="utf-8")
    Path("simple").write_bytes(built("simple.c"))
    assert main(["run", "cup.yaml", "--workers", "1", "--format", "csv"]) == 0
    shown = capsys.readouterr()
    assert "sandbox full: the code of 1 entrant ran in sandboxed processes" in shown.err
    Path("simple").unlink()
    assert main(["verify", "--full", "--workers", "1"]) == 0
    capsys.readouterr()
    assert main(["run", "cup.yaml"]) != 0
    assert "'simple' does not exist" in capsys.readouterr().err


def test_a_program_is_not_played_with_all_rights(
    built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody could read what it does."""
    monkeypatch.chdir(tmp_path)
    Path("cup.yaml").write_text(CUP, encoding="utf-8")
    Path("simple").write_bytes(built("simple.c"))
    with pytest.raises(PluginError, match="leave out --no-sandbox"):
        enter(Path("cup.yaml"), load_plugins(), trusts_files=True)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"#!/bin/sh\n", "(an ELF file), got something else"),
        (b"\x7fELF\x02\x01\x01", "got the beginning of one"),
        (b"\x7fELF\x02\x01\x01" + bytes(8 << 20), "at most 8 MiB"),
        (Path(sys.executable).resolve().read_bytes()[:4096], "link it with -static"),
    ],
    ids=["script", "short", "long", "dynamic"],
)
def test_what_is_no_static_program_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    """With the remedy, before anything runs."""
    (tmp_path / "simple").write_bytes(data)
    with pytest.raises(SubmissionError, match=re.escape(said)):
        Program().read_path(tmp_path / "simple")


def test_a_program_with_memory_to_write_and_execute_is_refused(
    built: Built, tmp_path: Path
) -> None:
    """As no filter would see what the kernel maps for it."""
    data = bytearray(built("simple.c"))
    for at, segment in enumerate(Elf(bytes(data)).segments):
        struct.pack_into("<I", data, 64 + 56 * at + 4, segment.flags | 2)
    (tmp_path / "simple").write_bytes(data)
    with pytest.raises(SubmissionError, match="memory that is both written and executed"):
        Program().read_path(tmp_path / "simple")


@pytest.mark.parametrize("text", ["é", "====", "AAAA", ""])
def test_a_store_with_no_program_is_damaged(text: str) -> None:
    """It says so before it is played."""
    assert Program().fault_of((("simple", text),))
    assert not Program().recognises(["simple"])


def recorded_frames() -> bytes:
    """Write OPEN and a question of each kind, for two seats, with a shuffle among the cards."""
    pool = SandboxedPool(BLACKJACK, Submitted("simple", b"", program=b""))
    opening = Opening("simple", b"", "", SEAT_REQUESTS[:2], lines=pool._lines)
    written = [frame(Kind.OPEN, 0, write_opening(opening))]
    for number, call in enumerate((Call.WAGER, Call.DRAW, Call.ACT, Call.LOOK), 1):
        asked = questions(call, 1, [1, 0])
        if call == Call.DRAW:
            exposed = np.array([5, 40, SHUFFLED, 12], np.uint8)
            asked = asked._replace(exposed=exposed, exposed_stops=np.array([3, 4]))
        written.append(frame(Kind.ASK, number, QuestionsCodec().write(asked)))
    return b"".join(written)


def test_a_program_is_tried_by_hand(built: Built, tmp_path: Path) -> None:
    """On the frames that are kept beside the kits, which are those of today."""
    kept = KITS / "frames.bin"
    assert kept.read_bytes() == recorded_frames()
    (tmp_path / "simple").write_bytes(built("simple.c"))
    (tmp_path / "simple").chmod(0o700)
    by_hand = f"./simple 3< '{kept}' 4> answers.bin"
    subprocess.run(["sh", "-c", by_hand], cwd=tmp_path, check=True)
    answered, answers = (tmp_path / "answers.bin").read_bytes(), []
    while answered:
        size = HEADER.unpack_from(answered)[3]
        body, answered = answered[HEADER.size :][:size], answered[HEADER.size + size :]
        answers.append(read_answers(body, 2, ("decide", "bet", "draw", "act"))[0].tolist())
    assert answers[:3] == [[0, 0], [10, 10], [1, 1]]  # 5 and a jack against a nine: 15, and draws
