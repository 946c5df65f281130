"""A trial of tests in a sandboxed process, which can only compute and answer.

`pool` is the code in the process, and `tourney.sandbox` holds the process.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from tourney.errors import ConfinementError
from tourney.game.asking.exchange import SeatRequest
from tourney.game.asking.printable_text import printable
from tourney.sandbox.budgets import Budget, Share
from tourney.sandbox.exchange import Sent, load, wait_until_held
from tourney.sandbox.host_process import HostEndedError, HostProcess, Setup, place_of, roots_of
from tourney.sandbox.levels import Level, setup_for
from tourney.sandbox.wire import BATCH_CALL, Kind, Opening, ProtocolError
from tourney.testing.mutants.trial import LONGEST_ERROR, Answer, FileOfTests, Trial

POOL = "tourney.testing.mutants.pool:trial_pool"
NOBODY = b"def tourney_strategies():\n    return {'request': dict}\n"
"""Takes the place of a competitor's file. The trial comes as its options, as data, so a process
receives all it needs before code of the tests runs.
"""

CALLS = ("test", BATCH_CALL)
"""Calls in which faults may occur."""
NOT_IN_TIME = ("cpu", "stalled")


@contextmanager
def confined_trial(
    file: FileOfTests, trials: Sequence[Trial], level: Level
) -> Iterator[Callable[[Trial, float], Answer | str]]:
    """Start a sandboxed process with a file of tests.

    Args:
        file: The file of tests.
        trials: The trials.
        level: Level of the sandbox.
    Returns: A function that waits a number of seconds of CPU time for the answer of a trial, and
        returns the answer, or the reason for its absence.
    Raises: ConfinementError, if the sandbox does not start.
    """
    setup = Setup(f"{POOL}({place_of(file.game)})", roots=(*roots_of(file.game), *_roots()))
    host = HostProcess(setup_for(level, setup))
    numbers = count(1)

    def answer(due: Trial, patience: float) -> Answer | str:
        try:
            asked = (Kind.ASK, next(numbers), b"")
            sent = Sent(host, asked, 1, Share(patience), Budget(stall=patience), calls=CALLS)
            _, faults = sent.read(sent.wait())
        except HostEndedError as ended:
            return _words(ended, patience)
        # The question identifies the answer: a process cannot answer for others.
        if not faults:
            return Answer(*due)
        words = printable(faults[0].message, most=LONGEST_ERROR)
        return Answer(*due, words, faults[0].round)

    try:
        _hand_over(host, {"source": file.source, "filename": file.name, "trials": trials})
        yield answer
    finally:
        host.end()  # drops its output


def _hand_over(host: HostProcess, request: dict[str, object]) -> None:
    opening = Opening("request", NOBODY, "", [SeatRequest(1, b"")], json.dumps(request))
    try:
        wait_until_held(host)
        _, faults = load(host, opening, Budget())
    except (HostEndedError, ProtocolError) as error:
        raise ConfinementError(
            f"the process for tests could not enter its sandbox: {error}"
        ) from error
    if faults:
        raise ConfinementError(
            f"the process for tests rejected the file: {printable(faults[0].message)}"
        )


def _words(ended: HostEndedError, patience: float) -> str:
    """Explain a missing answer."""
    if ended.cause in NOT_IN_TIME:
        return f"no answer within {patience:g} s"
    if ended.cause == "died":
        return "the end of its process"
    return str(ended).partition(", got ")[2] or str(ended)


def _roots() -> Iterator[str]:
    """Yield the folder of pytest, if it is installed; tests may use it."""
    if (found := find_spec("pytest")) and found.origin:
        yield str(Path(found.origin).parents[1])
