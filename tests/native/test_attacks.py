"""Programs that try to get out, or to lie: each has its verdict, from before its first line on."""

import os
import shutil

import pytest

from tests.attacks.asking import QUICK, SEAT_REQUESTS, SEATS, questions
from tests.native.written import one, play
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import BANKROLLS, Call
from tourney.jail import referee
from tourney.jail.filters import NATIVE, PROGRAM, Then, instructions
from tourney.jail.frames import Submitted
from tourney.jail.jail import LAYERS, Limits
from tourney.jail.levels import Level, probe
from tourney.jail.native.building import build
from tourney.jail.process import Setup
from tourney.jail.referee import JailedPool
from tourney.jail.syscalls import AARCH64, X86_64

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++") or os.uname().machine != "x86_64",
    reason="nothing can be compiled or confined here",
)

HEADERS = "\n".join(
    f"#include <{name}>"
    for name in (
        *("unistd.h", "fcntl.h", "signal.h", "sys/socket.h", "sys/mman.h", "sys/syscall.h"),
        *("sys/wait.h", "sys/ptrace.h", "sys/prctl.h", "sys/resource.h", "cstring", "thread"),
    )
)
BEFORE_MAIN = "struct A {{ A() {{ {act} }} }}; static A a;"
EARLIEST = (
    'static void early() {{ {act} }} __attribute__((section(".preinit_array"), used))'
    " static void (*first)() = early;"
)
RAW = (
    'long r; asm volatile("syscall" : "=a"(r) : "a"(41l), "D"(2l), "S"(0l), "d"(0l)'
    ' : "rcx", "r11", "memory");'
)
IFUNC = (
    'extern "C" {{ static int real() {{ return 1; }} '
    "static void *choose() {{ {act} return (void *)real; }} "
    'int chosen() __attribute__((ifunc("choose"))); }} '
    "__attribute__((used)) static int (*keep)() = chosen;"
)

CALLS = [
    ("socket(2, 1, 0);", "socket"),
    ("fork();", "clone"),
    ("vfork();", "vfork"),
    ('execl("/bin/true", "true", (char *)0);', "execve"),
    ("kill(1, 9);", "kill"),
    ("syscall(234, 1, 1, 9);", "tgkill"),
    ("mmap(0, 4096, 7, 0x22, -1, 0);", "mmap"),
    ("static char page[8192]; mprotect((void *)((long)page & -4096), 4096, 7);", "mprotect"),
    ("mmap(0, 4096, 3, 0x21, -1, 0);", "mmap"),
    ("ptrace(PTRACE_TRACEME, 0, 0, 0);", "ptrace"),
    ("prctl(PR_SET_TSC, 1, 0, 0, 0);", "prctl"),
    ("prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);", "prctl"),
    ("syscall(425, 1, 0);", "io_uring_setup"),
    ("syscall(319, 0, 0);", "memfd_create"),
    ('syscall(322, 3, "", 0, 0, 0x1000);', "execveat"),
    ("syscall(SYS_clone3, 0, 0);", "clone3"),
    ("syscall(SYS_arch_prctl, 0x1001, 0);", "arch_prctl"),
    ("syscall(310, 1, 0, 0, 0, 0, 0);", "process_vm_readv"),
    ("syscall(272, 0x10000000);", "unshare"),
    ("syscall(250, 0, 0);", "keyctl"),
    ("dup2(4, 1);", "dup2"),
    ("syscall(44, 4, 0, 0, 0, 0, 0);", "sendto"),
    ("close(3); syscall(288, 0, 0, 0, 0);", "accept4"),
    ("sigset_t s; sigemptyset(&s); syscall(128, &s, 0, 0, 8);", "rt_sigtimedwait"),
    ("syscall(321, 0, 0, 0);", "bpf"),
    ("syscall(229 - 3, 1);", "timer_delete"),
    ("pause();", "pause"),
    ("syscall(35, 0, 0);", "nanosleep"),
    ("std::thread t([] {}); t.join();", "clone"),
]
"""What is called, and as what the kernel reports it."""

OTHERS = [
    ("char junk[4096] = {1, 2}; write(4, junk, sizeof junk);", {"protocol"}),
    ("unsigned h[8] = {0x59544F54, 5, 1, 16, 9, 0, 0, 0}; write(4, h, sizeof h);", {"protocol"}),
    ("close(4);", {"protocol", "died"}),
    ("close(3);", {"protocol", "died"}),
    ("_exit(0);", {"died"}),
    ('asm volatile("ud2");', {"died"}),
    ('asm volatile("int $0x80" : : "a"(1));', {"syscall"}),
    ("syscall(0x40000000 | 39);", {"syscall", "died"}),
    ("raise(9);", {"syscall"}),
    ("signal(SIGALRM, SIG_IGN); alarm(1);", {"syscall"}),
    ('unsigned lo, hi; asm volatile("rdtscp" : "=a"(lo), "=d"(hi) : : "rcx");', {"died"}),
    ("signal(SIGSEGV, SIG_IGN); *(volatile int *)0 = 1;", {"died"}),
    ("signal(SIGFPE, SIG_DFL); volatile int z = 0; z = 7 / z;", {"died"}),
]
"""What is done, and which verdicts it may get."""


@pytest.fixture(scope="module")
def attacker() -> bytes:
    """Build one program with all attacks: the bankroll says which."""
    acts = [act for act, _ in (*CALLS, *OTHERS)]
    cases = "\n".join(f"case {at}: {{ {act} }} break;" for at, act in enumerate(acts))
    text = one(f"switch (bankroll - 1000) {{\n{cases}\n}} return minimum;", top=HEADERS)
    return build((("player.cpp", text),)).program


def attack(program: bytes, number: int) -> JailedPool:
    """Ask three seats for a wager, with the bankroll that chooses an attack; twice."""
    with JailedPool(BLACKJACK, Submitted("player.cpp", b"", program=program), None, QUICK) as pool:
        pool.sit(SEAT_REQUESTS)
        for round_ in (1, 2):
            asked = questions(Call.WAGER, round_, [0, 1, 2])
            asked.table[:, BANKROLLS] += number
            pool.decide(asked)
    return pool


@pytest.mark.parametrize("number", range(len(CALLS)), ids=[call for _, call in CALLS])
def test_a_call_that_is_not_listed_is_named(attacker: bytes, number: int) -> None:
    """And ends the process."""
    pool = attack(attacker, number)
    assert pool.ended
    cause, message = pool.ended
    assert cause == "syscall"
    assert f", {CALLS[number][1]}" in message


@pytest.mark.parametrize("number", range(len(OTHERS)))
def test_lies_and_ends_have_their_verdicts(attacker: bytes, number: int) -> None:
    """Each ends the process, and nothing it said is believed."""
    pool = attack(attacker, len(CALLS) + number)
    assert pool.ended
    assert pool.ended[0] in OTHERS[number][1]


@pytest.mark.parametrize(
    ("act", "call"), [("socket(2, 1, 0);", "socket"), ("fork();", "clone")], ids=["socket", "fork"]
)
def test_a_constructor_is_shut_in_too(act: str, call: str) -> None:
    """It runs before anybody is asked."""
    came = play(one(top=f"{HEADERS}\n{BEFORE_MAIN.format(act=act)}"))
    assert [verdict.cause for verdict in came.verdicts] == ["syscall"] * SEATS
    assert f", {call}" in came.verdicts[0].message


@pytest.mark.parametrize("hook", [EARLIEST, IFUNC], ids=["preinit", "ifunc"])
def test_nothing_runs_before_it_is_shut_in(hook: str) -> None:
    """Not even what comes before the C library."""
    came = play(one(top=f"{HEADERS}\n{hook.format(act=RAW)}"))
    assert [verdict.cause for verdict in came.verdicts] == ["syscall"] * SEATS
    assert "system call 41, socket(0x2" in came.verdicts[0].message


REFUSED = (
    'open("/etc/passwd", 0) != -1',
    'access("/", 0) != -1',
    "getpid() || getuid() || getppid()",
    'syscall(322, 6, "", 0, 0, 0x1000) != -1',
    "getrlimit(RLIMIT_AS, &l) != -1",
    'fopen("/tmp/left-by-a-program", "w")',
)


def test_what_is_refused_does_no_harm() -> None:
    """There is no file, no program to begin again, and no number that tells processes apart."""
    tried = " ".join(f"if ({each}) return {at};" for at, each in enumerate(REFUSED[:-1], 100))
    came = play(one(f"rlimit l; {tried} return minimum;", top=HEADERS))
    assert came.answers == (10,) * SEATS
    came = play(one(f"return {REFUSED[-1]} ? 100 : minimum;", top=HEADERS))
    assert {verdict.cause for verdict in came.verdicts} == {"syscall"}


def test_the_programs_own_functions_may_replace_the_librarys() -> None:
    """To its own harm alone: the answers that it sends are still checked."""
    top = 'extern "C" ssize_t read(int, void *, size_t) { return -1; }'
    came = play(one(top=f"{HEADERS}\n{top}"))
    assert {verdict.cause for verdict in came.verdicts} == {"protocol"}


@pytest.mark.parametrize("missing", LAYERS)
def test_layers_back_each_other(missing: str) -> None:
    """With any one of them off, nobody writes a file."""
    layers = tuple(layer for layer in LAYERS if layer != missing)
    act = 'if (open("/tmp/left-by-a-program", O_CREAT | O_WRONLY, 0600) != -1) return 3;'
    came = play(one(act + " return minimum;", top=HEADERS), Setup(limits=Limits(layers=layers)))
    assert not os.path.exists("/tmp/left-by-a-program")  # noqa: PTH110, S108 - where it would be
    assert came.verdicts == () or came.verdicts[0].cause == "syscall"


@pytest.mark.parametrize("machine", [X86_64, AARCH64], ids=lambda each: each.name)
def test_the_filter_of_programs_is_not_too_long(machine: object) -> None:
    """Of what the kernel takes; and the only program that it runs is the one it was given."""
    assert len(instructions(machine, Then.REPORT, NATIVE)) < 4096  # type: ignore[arg-type]  # a machine
    assert NATIVE.checks["execveat"][0].values == (PROGRAM,)


def test_lies_about_lines_do_not_keep_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look takes a process, so only the first few are looked up."""
    looked: list[str] = []
    monkeypatch.setattr(referee, "MOST_PLACES", 1)
    monkeypatch.setattr(referee, "place_in", lambda _, addresses: looked.append(addresses) or "a:1")
    came = play(one("if (rand() % 2) throw 3; throw minimum + 0.5;"))
    assert len(looked) == 1
    assert {verdict.place for verdict in came.verdicts} == {"a:1", ""}
