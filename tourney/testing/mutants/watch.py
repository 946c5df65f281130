"""Watches tests on their trial: one process at a time, and a clock for every test.

A test that gives no answer in time, or takes its process down, is the answer itself; another
process goes on after it. What a process may do beside that depends on whether it is shut in, see
`confined`; one that is not is started here.
"""

import json
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, Queue
from threading import Thread

from tourney.jail.levels import Level
from tourney.jail.process import place_of
from tourney.testing.mutants.confined import confined_trial
from tourney.testing.mutants.trial import Answer, FileOfTests, Trial

START_SECONDS = 30.0
"""What a process may take to start; a busy machine needs some of it."""

PROGRAM = ("-P", "-m", "tourney.testing.mutants.trial")  # -P: no file beside the tests is a module


def watch_tests(
    file: FileOfTests, trials: Iterable[Trial], seconds: float, level: Level
) -> Iterator[Answer]:
    """Run tests on implementations, each at most so long.

    Args:
        file: Whose tests they are.
        trials: What to try; those of an implementation next to each other.
        seconds: What a test may take, and the loading of the file.
        level: How well the process is shut in.
    Returns: An answer for every trial in their order; if the file cannot be loaded with an
        implementation, instead of all those of the implementation one without a test.
    """
    rest = deque(trials)
    while rest:
        if level is Level.UNSAFE:
            with _start(file, rest) as answer:
                yield from _answers(answer, rest, seconds, START_SECONDS)
        else:
            with confined_trial(file, tuple(rest), level) as answer:
                yield from _answers(answer, rest, seconds)


@contextmanager
def _start(
    file: FileOfTests, trials: Iterable[Trial]
) -> Iterator[Callable[[Trial, float], Answer | str]]:
    """Start a process with all rights and hand it its request; see `confined_trial`."""
    with subprocess.Popen(  # noqa: S603 - this interpreter and a module of our own
        [sys.executable, *PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        env={**os.environ, "PYTHONHASHSEED": "0"},  # sets have the same order every time
        start_new_session=True,
    ) as process:
        assert process.stdin
        request = {
            "game": place_of(file.game),
            "parent": os.getpid(),
            "source": file.source,
            "filename": file.name,
            "trials": list(trials),
        }
        try:
            with suppress(BrokenPipeError), process.stdin:
                json.dump(request, process.stdin)
            yield partial(_next_answer, _lines(process))
        finally:
            _kill(process)


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill a process with those it has started, which would keep its output open."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _answers(
    ask: Callable[[Trial, float], Answer | str],
    rest: deque[Trial],
    seconds: float,
    start_seconds: float = 0.0,
) -> Iterator[Answer]:
    """Give what a process answers, until it is done or fails, and take that off the rest."""
    loaded, patience = "", start_seconds + seconds
    while rest:
        name, test = rest[0]
        due = (name, test if loaded == name else "")
        answer, fails = ask(due, patience), False
        if isinstance(answer, str):
            answer, fails = Answer(*due, answer), True
        if answer.test:
            rest.popleft()
        elif answer.error:
            while rest and rest[0][0] == name:
                rest.popleft()
        loaded, patience = name, seconds
        if answer.test or answer.error:
            yield answer
        if fails:
            return


def _next_answer(lines: "Queue[str]", due: Trial, patience: float) -> Answer | str:
    """Wait for the answer that is due.

    Returns: The answer, or in words why there is none.
    """
    try:
        line = lines.get(timeout=patience)
    except Empty:
        return f"no answer within {patience:g} s"
    try:
        answer = Answer(**json.loads(line))
    except (ValueError, TypeError):
        return "the end of its process"
    return answer if (answer.implementation, answer.test) == due else "an answer out of turn"


def _lines(process: subprocess.Popen[str]) -> "Queue[str]":
    """Read a process's output aside, for no system can wait for a line and for a clock alike."""
    lines: Queue[str] = Queue()

    def read() -> None:
        assert process.stdout
        with suppress(ValueError):  # closed, or no text
            for line in process.stdout:
                lines.put(line)
        lines.put("")  # the end

    Thread(target=read, daemon=True).start()
    return lines
