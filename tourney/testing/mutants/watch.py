"""Watches tests on their trial: one process at a time, and a clock for every test.

A test that gives no answer in time, or takes its process down, is the answer itself; another
process goes on after it. What a process may do beside that depends on whether it is shut in, see
`sandboxed_trial`; one that is not is started here.
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
"""What a process may take to start; a busy machine needs some of it."""

PROGRAM = ("-P", "-m", "tourney.testing.mutants.trial")  # -P: no file beside the tests is a module


def watch_tests(
    file: FileOfTests, trials: Iterable[Trial], seconds: float, level: Level
) -> Generator[Answer, None, None]:
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
            bufsize=0,  # a line that is kept here would not be waited for
            env={**os.environ, "PYTHONHASHSEED": "0"},  # sets have the same order every time
            start_new_session=True,
        )
    with process:
        try:
            assert process.stdout
            yield partial(_next_answer, process.stdout)
        finally:
            # With those it has started, which would keep its output open.
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


def _next_answer(lines: IO[bytes], due: Trial, patience: float) -> Answer | str:
    """Wait for the answer that is due.

    Returns: The answer, or in words why there is none.
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
