"""Lines between players, and to the world outside: attacks of the corpus that tell something.

Each is measured by sending random bits and counting how many arrive. Where a line is closed, those
who use it have verdicts, or nobody hears anything.
"""

import ctypes
import json
import math
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tests.sandbox.attacks.asking import CORPUS, questions
from tests.sandbox.cpp.written import one
from tests.support.cpp_build import build
from tourney.game.asking.exchange import SeatRequest
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import BANKROLLS, Call
from tourney.sandbox.budgets import Budget
from tourney.sandbox.fork_servers import FORK_SERVERS
from tourney.sandbox.host_process import Setup, at_game, preload
from tourney.sandbox.kernel import system_call
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.syscalls import X86_64
from tourney.sandbox.wire import Submitted

PATIENT = Budget(loading=60.0, base=600.0, stall=600.0)
AHEAD_SECONDS = 0.3
"""From when players are made until they begin, all at once."""
FUTEX_SLOT, CONTENTION_SLOT = 0.004, 0.02
NIBBLE = 4
"""Bits that one host tells by its end, or by what it has used up."""
MOST_PAGES = 64
"""Bits that pages of one file tell at once."""
WAIT = 0


class Came(NamedTuple):
    """What came through a line."""

    told: str  # bits
    heard: str  # as they were told; empty if nothing was
    seconds: float
    causes: tuple[str, ...]  # of the verdicts of those who played

    @property
    def right(self) -> int:
        """Count the bits that arrived as they were sent."""
        return sum(map(str.__eq__, self.told, self.heard))

    @property
    def bits_a_second(self) -> float:
        """Say how much is known afterwards that was not before, by the share of wrong bits."""
        if not self.heard:
            return 0.0
        right = self.right / len(self.heard)
        unknown = -sum(share * math.log2(share) for share in (right, 1 - right) if share)
        return len(self.heard) * (1 - unknown) / self.seconds


Measure = Callable[[str], tuple[str, tuple[str, ...]]]
"""Sends bits; gives those that came, and the causes of verdicts."""


def at_once(*players: tuple[str, Mapping[str, Any]]) -> tuple[list[str], tuple[str, ...]]:
    """Ask attackers for a wager, all at the same time.

    Args:
        players: Their names, and the options of each.
    Returns: What each printed, and the causes of their verdicts.
    """
    asked = questions(Call.WAGER, 1, [0])
    causes: list[str] = []
    with ExitStack() as stack:
        pools = []
        for name, options in players:
            source = (CORPUS / f"{name}.attack").read_bytes()
            submitted = Submitted(f"{name}.py", source, options=json.dumps(options))
            pool = stack.enter_context(SandboxedPool(BLACKJACK, submitted, None, PATIENT))
            causes += [
                each.verdict.cause for each in pool.sit([SeatRequest(1, bytes(8))]) if each.verdict
            ]
            pools.append(pool)
        askings = [pool.asking(asked) for pool in pools if not causes]
        for asking in askings:
            asking.send()
        for asking in askings:
            asking.wait()
        for asking in askings:
            causes += [verdict.cause for verdict in asking.answers().faults.values()]
    return [pool.printed for pool in pools], tuple(causes)


def _together(name: str, slot: float, told: str) -> tuple[str, tuple[str, ...]]:
    """Play a pair in step with the machine's clock; give what the second one printed."""
    step = {"begins": time.monotonic() + AHEAD_SECONDS, "slot": slot}
    (_, printed), causes = at_once(
        (f"{name}_tells", {"message": told, **step}), (f"{name}_hears", {"bits": len(told), **step})
    )
    return printed, causes


def _futex(told: str) -> tuple[str, tuple[str, ...]]:
    return _together("futex", FUTEX_SLOT, told)


def _contention(told: str) -> tuple[str, tuple[str, ...]]:
    printed, causes = _together("contention", CONTENTION_SLOT, told)
    counts = [int(count) for count in printed.split()]
    return "".join(str(int(count < median(counts))) for count in counts), causes


def _numbers(name: str) -> Measure:
    """Tell by processes that are there or not, outside; one looks for them, inside."""

    def measure(told: str) -> tuple[str, tuple[str, ...]]:
        sleeper = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
        with ExitStack() as stack:
            numbers = []
            for bit in told:
                process = stack.enter_context(subprocess.Popen(sleeper))
                stack.callback(process.kill)
                numbers.append(process.pid)
                if bit == "0":
                    process.kill()
                    process.wait()
            (printed,), causes = at_once((name, {"numbers": numbers}))
            return printed, causes

    return measure


def _last_words(told: str) -> tuple[str, tuple[str, ...]]:
    """Tell by the word at which the kernel wakes somebody outside, when a host ends."""
    heard, causes = "", ()
    base, words = _words(1 << NIBBLE)
    for at in range(0, len(told), NIBBLE):
        word = words[int(told[at : at + NIBBLE], 2)]
        woken: list[int] = []
        waiting = [
            threading.Thread(target=_wait_at, args=(base + each, place, woken))
            for place, each in enumerate(words)
        ]
        for thread in waiting:
            thread.start()
        _, causes = at_once(("wake_at_the_end", {"head": _head(), "word": word}))
        for thread in waiting:
            thread.join()
        if woken:
            heard += f"{woken[0]:0{NIBBLE}b}"
    return heard, causes


def _words(count: int) -> tuple[int, list[int]]:
    """Find words of the C library that hold 0: where it lies, and how far each is from there."""
    base = ctypes.cast(ctypes.CDLL(None).qsort, ctypes.c_void_p).value or 0
    base &= ~0xFFF
    near = (ctypes.c_uint32 * (1 << 16)).from_address(base)
    return base, [4 * place for place, value in enumerate(near) if value == 0][:count]


def _head() -> int:
    """Give how far from a thread's beginning the C library keeps its list of locks."""
    library, head, size = ctypes.CDLL(None), ctypes.c_uint64(), ctypes.c_uint64()
    library.pthread_self.restype = ctypes.c_uint64
    addresses = map(ctypes.addressof, (head, size))
    system_call(X86_64.numbers["get_robust_list"], 0, *addresses)
    return int(head.value - library.pthread_self())


def _wait_at(address: int, place: int, woken: list[int]) -> None:
    """Note a word at which somebody is woken within a second."""
    span = (ctypes.c_int64 * 2)(1, 0)
    try:
        system_call(X86_64.numbers["futex"], address, WAIT, 0, ctypes.addressof(span))
    except OSError:
        return  # nobody woke it
    woken.append(place)


def _file_numbers(told: str) -> tuple[str, tuple[str, ...]]:
    """Tell by how far the number of the next host's output has moved on, on one processor."""
    step, heard, causes = 1024, "", ()
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        before = _number()[0]
        for at in range(0, len(told), NIBBLE):
            _, causes = at_once(
                ("shared_memory_counts", {"steps": 1 + int(told[at : at + NIBBLE], 2)})
            )
            after, found = _number()
            causes += found
            if after:
                heard += f"{max((after // step - before // step - 1), 0) % 16:0{NIBBLE}b}"
            before = after
    finally:
        os.sched_setaffinity(0, allowed)
    return heard, causes


def _number() -> tuple[int, tuple[str, ...]]:
    """Have a host say the number of the file that it prints to; 0 if it cannot."""
    (printed,), causes = at_once(("number_of_output", {}))
    return int(printed.split()[0]) if printed else 0, causes


def _pages(told: str) -> tuple[str, tuple[str, ...]]:
    """Tell by pages of NumPy that are put out of memory, if its files are the referee's own."""
    base = _largest_file(FORK_SERVERS.of(preload(at_game(Setup(), BLACKJACK))).number)
    heard, causes = "", tuple[str, ...]()
    for at in range(0, len(told), MOST_PAGES):
        part = told[at : at + MOST_PAGES]
        hears = "pages_missed", {"bits": len(part), "base": base}
        at_once(hears)  # so that all are in memory
        _, found = at_once(("pages_put_out", {"message": part, "base": base}))
        (printed,), more = at_once(hears)
        heard, causes = heard + printed, causes + found + more
    return heard, causes


def _largest_file(process: int) -> int:
    """Give where the largest part of a file of NumPy lies that is only read, page by page."""
    sizes = {}
    for line in Path(f"/proc/{process}/maps").read_text("utf-8").splitlines():
        if "numpy" in line and " r--p " in line:
            first, last = (int(each, 16) for each in line.split()[0].split("-"))
            sizes[last - first] = first
    return sizes[max(sizes)]


PROCESSOR = (
    'static unsigned here() { unsigned found; asm volatile("lsl %1, %0" : "=r"(found) : "r"(0x7b));'
    " return found & 0xfff; }"
)
"""Reads the number of the processor in C++, without a call."""
BUSY = "for (volatile long i = 0; i < 10000000l * (bankroll - 1000); i = i + 1) { } return minimum;"
MOVES = """unsigned last = here(), moves = 0;
for (long i = 0; i < 300000; i++) { unsigned now = here(); moves += now != last; last = now; }
return minimum + (moves < 900 ? moves : 900);"""


def _processor(told: str) -> tuple[str, tuple[str, ...]]:
    """Tell in C++ by computing or not; hear by how often the processor is another one."""
    programs = [build((("player.cpp", one(bet, top=PROCESSOR)),)).program for bet in (BUSY, MOVES)]
    moves: list[int] = []
    with ExitStack() as stack:
        pools = [
            stack.enter_context(
                SandboxedPool(BLACKJACK, Submitted("player.cpp", b"", program=each), None, PATIENT)
            )
            for each in programs
        ]
        for pool in pools:
            assert not [
                each.verdict for each in pool.sit([SeatRequest(1, bytes(8))]) if each.verdict
            ]
        for round_, bit in enumerate(told, 1):
            asked = questions(Call.WAGER, round_, [0])
            asked.table[:, BANKROLLS] += int(bit)
            askings = [pool.asking(asked) for pool in pools]
            for asking in askings:
                asking.send()
            for asking in askings:
                asking.wait()
            _, heard = [asking.answers() for asking in askings]
            assert not heard.faults
            moves += heard.answers.tolist()
    return "".join(str(int(count > median(moves))) for count in moves), ()


LINES: dict[str, tuple[Measure, int]] = {
    "futex on a shared word": (_futex, 32),
    "futex by a thread's number": (_numbers("futex_of_thread"), 16),
    "others' clocks": (_numbers("clock_of_others"), 16),
    "others' clocks, by their resolution": (_numbers("resolution_of_others"), 16),
    "others' processors": (_numbers("affinity_of_others"), 16),
    "a list of locks, at the end": (_last_words, 8),
    "numbers of files": (_file_numbers, 16),
    "pages put out": (_pages, 64),
    "contention": (_contention, 64),
    "the processor's number, in C++": (_processor, 32),
}
"""How each is measured, and how many bits a short test sends."""
OPEN = ("contention", "the processor's number, in C++")


def measured(name: str, bits: int = 0) -> Came:
    """Send random bits by a line.

    Args:
        name: Of the line.
        bits: How many; 0 for as many as a short test sends.
    """
    measure, few = LINES[name]
    told = "".join(random.choices("01", k=bits or few))
    at_once(("number_of_output", {}))  # so that what players are forked from is there
    began = time.perf_counter()
    heard, causes = measure(told)
    return Came(told, heard, time.perf_counter() - began, causes)


def main(words: Sequence[str]) -> None:
    """Measure what the command line names, as the user that it names, and tell each in JSON."""
    order = json.loads(words[0])
    if order["user"] != os.getuid():
        os.setgroups([])
        os.setresgid(order["user"], order["user"], order["user"])
        os.setresuid(order["user"], order["user"], order["user"])
    for name, bits in order["lines"].items():
        came = measured(name, bits)
        facts = {**came._asdict(), "right": came.right, "rate": came.bits_a_second}
        sys.stdout.write(f"{json.dumps({'line': name, **facts})}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
