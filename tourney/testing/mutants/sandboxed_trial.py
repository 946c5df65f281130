"""A trial of tests in a process that can do nothing but compute and answer.

Leaves out what happens in there, see `pool`, and what holds the process, see `tourney.sandbox`.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path

from tourney.errors import ConfinementError
from tourney.game.asking.printable_text import printable
from tourney.game.asking.seat_request import SeatRequest
from tourney.sandbox.budgets import Budget
from tourney.sandbox.exchange import Sent, load, wait_until_held
from tourney.sandbox.host_process import HostEndedError, HostProcess, Setup, place_of, roots_of
from tourney.sandbox.levels import Level, setup_for
from tourney.sandbox.wire import BATCH_CALL, Kind, Opening, ProtocolError
from tourney.testing.mutants.trial import LONGEST_ERROR, Answer, FileOfTests, Trial

POOL = "tourney.testing.mutants.pool:trial_pool"
NOBODY = b"def tourney_strategies():\n    return {'request': dict}\n"
"""Stands where a competitor's file does. What is to be tried comes as its options, as data: so a
process is told all that it needs before anything of the file of tests is run."""

CALLS = ("test", BATCH_CALL)
"""What a fault may be a fault of."""
NOT_IN_TIME = ("cpu", "stalled")


@contextmanager
def confined_trial(
    file: FileOfTests, trials: Sequence[Trial], level: Level
) -> Iterator[Callable[[Trial, float], Answer | str]]:
    """Start a process that is shut in, and hand it a file of tests.

    Args:
        file: Whose tests they are.
        trials: What to try.
        level: How well it is shut in.
    Returns: What waits for the answer that is due, for so many seconds of computing; it gives the
        answer, or in words why there is none.
    Raises: ConfinementError, if there is no process that is shut in.
    """
    setup = Setup(f"{POOL}({place_of(file.game)})", roots=(*roots_of(file.game), *_roots()))
    host = HostProcess(setup_for(level, setup))
    numbers = count(1)

    def answer(due: Trial, patience: float) -> Answer | str:
        try:
            asked = (Kind.ASK, next(numbers), b"")
            sent = Sent(host, asked, 1, patience, Budget(stall=patience), calls=CALLS)
            _, faults = sent.read(sent.wait())
        except HostEndedError as ended:
            return _words(ended, patience)
        # Which answer it is goes by the question: a process says nothing of others.
        if not faults:
            return Answer(*due)
        words = printable(faults[0].message, most=LONGEST_ERROR)
        return Answer(*due, words, faults[0].round)

    try:
        _hand_over(host, {"source": file.source, "filename": file.name, "trials": trials})
        yield answer
    finally:
        host.end()  # what it printed is dropped


def _hand_over(host: HostProcess, request: dict[str, object]) -> None:
    opening = Opening("request", NOBODY, "", [SeatRequest(1, b"")], json.dumps(request))
    try:
        wait_until_held(host)
        _, faults = load(host, opening, Budget())
    except (HostEndedError, ProtocolError) as error:
        raise ConfinementError(
            f"a process for tests: expected it to shut itself in, got {error}"
        ) from error
    if faults:
        raise ConfinementError(
            f"a process for tests: expected it to take a file, got {printable(faults[0].message)}"
        )


def _words(ended: HostEndedError, patience: float) -> str:
    """Say why there is no answer."""
    if ended.cause in NOT_IN_TIME:
        return f"no answer within {patience:g} s"
    if ended.cause == "died":
        return "the end of its process"
    return str(ended).partition(", got ")[2] or str(ended)


def _roots() -> Iterator[str]:
    """Give the folder that pytest lies in, if it is installed; tests may use it."""
    if (found := find_spec("pytest")) and found.origin:
        yield str(Path(found.origin).parents[1])
