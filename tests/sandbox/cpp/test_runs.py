"""Programs in tournaments: digests of their Python twins, on any workers and after a kill.

And a class in both languages, of which some are hostile.
"""

import inspect
import shutil
import sys
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from tests.resilience.crashes.desk import Desk
from tests.sandbox.cpp import twins
from tests.sandbox.cpp.written import COUNTING, one
from tests.sandbox.tournaments.classroom import CORPUS, CUP, HOSTILE, by_itself, student
from tests.support.proving import with_more
from tourney import play_tournament
from tourney.sandbox.levels import Level, probe
from tourney.standings.standing import Standing
from tourney.store.store import Store
from tourney.tournament.tournament import TournamentResult

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)

TWINS: dict[str, tuple[dict[str, str], Any]] = {
    "simple": ({"player.cpp": twins.SIMPLE}, None),
    "counting": ({"player.cpp": COUNTING}, None),
    "heap": ({"player.cpp": twins.HEAP}, twins.Heap),
    "statics": ({"player.cpp": twins.STATICS}, twins.Statics),
    "dice": ({"player.cpp": twins.DICE}, twins.Dice),
    "exceptions": ({"player.cpp": twins.EXCEPTIONS}, twins.Exceptions),
    "streams": ({"player.cpp": twins.STREAMS}, twins.Streams),
    "several": (twins.SEVERAL, twins.Several),
}
INSTALLED = {"simple", "counting"}
"""Twins that the platform has, and plays by machine code."""
IN_PYTHON = "from tourney import Action, Card, Hand, Player, Rank\n\n\n"
ROUNDS = 100
OFTEN = with_more([10], [2_000])
"""Tables: a thousand hands of each, and 200,000 to prove it."""


def twins_in(folder: Path, language: str, tables: int) -> str:
    """Write all twins in one language, and give their tournament."""
    folder.mkdir(exist_ok=True)
    lines = [CUP.format(tables=tables, rounds=ROUNDS)]
    for name, (files, twin) in TWINS.items():
        if language == "file" and name in INSTALLED:
            lines.append(f"  - strategy: {name}\n")
        elif language == "file":
            (folder / f"{name}.py").write_text(IN_PYTHON + inspect.getsource(twin))
            lines.append(f"  - file: {name}.py\n")
        else:
            (folder / name).mkdir()
            for file, text in files.items():
                (folder / name / file).write_text(text)
            lines.append(f"  - cpp: {name}\n")
    (folder / "cup.yaml").write_text("".join(lines))
    return "".join(lines)


def digest_in(store: Path) -> bytes:
    """Give the digest of the only run of a store."""
    with Store.open(store, create=False) as kept:
        return kept.run_digest(1)


@pytest.fixture(scope="module")
def of_python(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], bytes]:
    """Give the digest of the twins in Python, at so many tables."""

    @cache
    def play(tables: int) -> bytes:
        folder = tmp_path_factory.mktemp("python")
        twins_in(folder, "file", tables)
        play_tournament(folder / "cup.yaml", store=folder / "cup.db", workers=2)
        return digest_in(folder / "cup.db")

    return play


@pytest.mark.parametrize("tables", OFTEN)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_has_the_digest_of_its_twins(
    tmp_path: Path, of_python: Callable[[int], bytes], workers: int, tables: int
) -> None:
    """Eight competitors of different style."""
    twins_in(tmp_path / "cpp", "cpp", tables)
    config = tmp_path / "cpp" / "cup.yaml"
    result = play_tournament(config, store=tmp_path / "cup.db", workers=workers)
    assert not any(row.faults for row in result.standings)
    assert digest_in(tmp_path / "cup.db") == of_python(tables)


@pytest.mark.prove
@pytest.mark.parametrize("tables", OFTEN)
def test_a_run_that_is_killed_has_it_too(
    tmp_path: Path, of_python: Callable[[int], bytes], tables: int
) -> None:
    """Killed after its first batch, and resumed by two workers."""
    folder = tmp_path / "desk"
    desk = Desk(folder)
    desk.config.write_text(twins_in(folder, "cpp", tables))
    try:
        program, store = (sys.executable, "-m", "tourney"), ("--store", str(desk.store))
        command = desk.start_program(*program, "run", str(desk.config), *store, "--workers", "1")
        desk.wait_for_batches(1)
        command.kill()
        last = desk.start_program(*program, "resume", *store, "--workers", "2").end()
        assert last.status == 0, last.errors
        assert digest_in(desk.store) == of_python(tables)
    finally:
        desk.clean_up()


BETS = (
    "return minimum;",
    "static int n = 0; n++; return bankroll > minimum + 9 ? minimum + n % 7 : minimum;",
    "return bankroll > minimum + 29 ? minimum + rand() % 30 : minimum;",
    "std::vector<int> v(3, 1); return bankroll > 99 ? minimum + int(v.size()) : minimum;",
    "std::string s = std::to_string(bankroll); return minimum + (s.size() > 2) * (s[0] - 48);",
    "int unset; std::cout << &unset; return minimum;",
)
"""What honest students do, some of it unwise."""
IN_CPP = {
    "socket": one("socket(2, 1, 0); return minimum;", top="#include <sys/socket.h>"),
    "fork": one("fork(); return minimum;", top="#include <unistd.h>"),
    "nice": one("nice(5); return minimum;", top="#include <unistd.h>"),
    "pointer": one("return *(volatile int *)0;"),
    "abort": one("assert(bankroll == 1); return minimum;"),
    "exit": one("exit(0);"),
    "huge": one("return 1000000000;"),
    "negative": one("return -5;"),
    "lies": one('write(4, "lies", 4); return minimum;', top="#include <unistd.h>"),
    "answers": one("char b[64] = {}; write(4, b, 64); return minimum;", top="#include <unistd.h>"),
    "closes": one("close(4); return minimum;", top="#include <unistd.h>"),
    "reads": one("char b[9]; read(3, b, 9); return minimum;", top="#include <unistd.h>"),
    "kills": one("kill(1, 9); return minimum;", top="#include <signal.h>"),
    "deep": one(
        "return deep(bankroll);",
        more="    int deep(int n) { volatile int a[999]; a[0] = n; return deep(n + 1) + a[0]; }",
    ),
    "memory": one("for (;;) new char[1 << 20]();"),
    "throws": one('throw std::runtime_error("no");'),
    "thread": one("syscall(56, 0x100, 0, 0, 0, 0); return minimum;", top="#include <unistd.h>"),
    "maps": one("mmap(0, 4096, 7, 34, -1, 0); return minimum;", top="#include <sys/mman.h>"),
    "ptrace": one("ptrace(PTRACE_TRACEME); return minimum;", top="#include <sys/ptrace.h>"),
    "loops": one("for (;;) { }"),
}
"""Attackers, and programs that end badly; what takes time comes last."""


def class_of(folder: Path, students: int, hostile: int) -> Path:
    """Write a class: so many honest ones in each language, and so many who are hostile."""
    folder.mkdir()
    lines = [CUP.format(tables=6, rounds=20)]

    def enter(name: str, text: bytes) -> None:
        (folder / name).write_bytes(text)
        lines.append(f"  - {'cpp' if name.endswith('.cpp') else 'file'}: {name}\n")

    for number in range(students):
        enter(f"student{number:03}.py", student(number))
        bet = BETS[number % len(BETS)]
        enter(f"studentc{number:03}.cpp", one(bet, top=f"const int MINE = {number};").encode())
    for name in HOSTILE[:hostile]:
        enter(f"{name}.py", (CORPUS / f"{name}.attack").read_bytes())
    for name in list(IN_CPP)[:hostile]:
        enter(f"hostile_{name}.cpp", IN_CPP[name].encode())
    path = folder / "class.yaml"
    path.write_text("".join(lines))
    return path


def honest(result: TournamentResult) -> list[Standing]:
    """Give the rows of the students."""
    rows = [by_itself(row) for row in result.standings if row.name.startswith("student")]
    return sorted(rows, key=attrgetter("name"))


@pytest.mark.parametrize(("students", "hostile"), with_more([(6, 8)], [(30, 20)]))
def test_a_mixed_class_plays_as_if_the_hostile_were_not_there(
    tmp_path: Path, students: int, hostile: int
) -> None:
    """Bit by bit, on 1 and 2 workers; and every attacker has its verdict."""
    alone = honest(play_tournament(class_of(tmp_path / "a", students, 0), store=tmp_path / "a.db"))
    assert len(alone) == 2 * students
    assert not any(row.faults for row in alone)
    config = class_of(tmp_path / "b", students, hostile)
    for workers in (1, 2):
        result = play_tournament(config, store=tmp_path / f"{workers}.db", workers=workers)
        assert honest(result) == alone
        missed = [
            row.name
            for row in result.standings
            if not row.name.startswith("student") and not row.verdict
        ]
        assert not missed
