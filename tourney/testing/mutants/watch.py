"""Watches trials of tests: one process at a time, with a time limit for every test.

A test without an answer in time, or one that ends its process, gets that as its answer; another
process continues after it. `sandboxed_trial` starts sandboxed processes, and this module the
others.
"""

import json
import os
import select
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from tempfile import TemporaryFile
from typing import IO

from tourney.sandbox.host_process import place_of
from tourney.sandbox.levels import Level
from tourney.testing.mutants.sandboxed_trial import confined_trial
from tourney.testing.mutants.trial import Answer, FileOfTests, Trial

START_SECONDS = 30.0
"""Time limit for the start of a process, with a margin for a busy machine."""

PROGRAM = ("-P", "-m", "tourney.testing.mutants.trial")  # -P: imports no file next to the tests


def watch_tests(
    file: FileOfTests, trials: Iterable[Trial], seconds: float, level: Level
) -> Generator[Answer, None, None]:
    """Run tests on implementations with a time limit.

    Args:
        file: The file of tests.
        trials: The trials, sorted by implementation.
        seconds: Time limit of a test, and of loading the file.
        level: Level of the sandbox.
    Returns: An answer for every trial in order; if the file does not load with an implementation,
        a single answer without a test for that implementation.
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
    """Start a process without a sandbox and send its request; see `confined_trial`."""
    request = {
        "game": place_of(file.game),
        "parent": os.getpid(),
        "source": file.source,
        "filename": file.name,
        "trials": list(trials),
    }
    with TemporaryFile("w+", encoding="utf-8") as asked:
        json.dump(request, asked)
        asked.seek(0)
        process = subprocess.Popen(  # noqa: S603 - this interpreter and a module of our own
            [sys.executable, *PROGRAM],
            stdin=asked,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,  # select() does not see buffered lines
            env={**os.environ, "PYTHONHASHSEED": "0"},  # fixes the order of sets
            start_new_session=True,
        )
    with process:
        try:
            assert process.stdout
            yield partial(_next_answer, process.stdout)
        finally:
            # With its child processes, which would keep its output open.

            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


def _answers(
    ask: Callable[[Trial, float], Answer | str],
    rest: deque[Trial],
    seconds: float,
    start_seconds: float = 0.0,
) -> Iterator[Answer]:
    """Yield the answers of a process until it is done or fails, and remove their trials from the
    rest.
    """
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


def _next_answer(lines: IO[bytes], due: Trial, patience: float) -> Answer | str:
    """Wait for the next answer.

    Returns: The answer, or the reason for its absence.
    """
    polled = select.poll()
    polled.register(lines, select.POLLIN)
    if not polled.poll(1000 * patience):
        return f"no answer within {patience:g} s"
    try:
        answer = Answer(**json.loads(lines.readline()))
    except (ValueError, TypeError):
        return "the end of its process"
    return answer if (answer.implementation, answer.test) == due else "an answer out of turn"
