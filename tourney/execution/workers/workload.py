"""The amount of play ahead, and its division into tasks.

Machine code takes a second to load and, once after an installation, up to a minute to compile.
If that pays, it is done once for all workers, before the work is divided.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer

from tourney.errors import EngineError
from tourney.execution.background_compile import is_there
from tourney.execution.engine_selection import why_not_compiled, why_not_in_lockstep
from tourney.execution.warm_up import usual_block
from tourney.execution.workers.task import EntrantSpec, declared
from tourney.game.accelerators import LONG_ROUNDS, ROUNDS_WORTH_LOADING
from tourney.game.rules import Rules

UNCOMPILED_ROUNDS = 50_000
"""Rounds of all seats that uncompiled kernels play in about ten seconds, less than compiling."""
ROUNDS_WORTH_WAITING = 150_000
"""Rounds that the reference engine plays in half a minute; compiling takes as long."""
LONG_SECONDS = 3.0
"""Seconds after which loading is over, unless the machine is busy or the code is compiled."""

LOADING = (
    "loading machine code; after an installation it is compiled first, which takes a minute, or "
    "several on a busy machine"
)

Tell = Callable[[str], object]
"""Shows a message to people who wait."""


@dataclass(frozen=True, slots=True)
class Workload:
    """The expected amount of play that is left."""

    rules: Rules
    batches: int
    rounds: int  # of all seats, at most
    waits: bool = False  # whether play waits for machine code that is not compiled yet

    def is_long(self, entrants: int) -> bool:
        """Return whether an entrant plays enough for the parts that start slowly."""
        return self.rounds >= LONG_ROUNDS * max(1, entrants)

    def is_worth_warming(self, entrants: Iterable[EntrantSpec], engine: str, workers: int) -> bool:
        """Return whether to load machine code before the first batch.

        Args:
            entrants: The entrants.
            engine: The engine to use.
            workers: Number of processes; each would start with the reference engine.
        """
        # Sandboxed players are asked in lockstep, which always needs machine code.
        needing = any(spec.promises or spec.confinement for spec in entrants)
        if engine == "reference" or not needing:
            return False
        return engine == "compiled" or self.rounds >= ROUNDS_WORTH_LOADING * workers

    def is_over_sooner_uncompiled(self, entrants: Iterable[EntrantSpec], engine: str) -> bool:
        """Return whether uncompiled kernels would finish before compiled ones were ready.

        Args:
            entrants: The entrants; without sandboxed ones, the reference engine plays meanwhile.
            engine: The engine to use.
        """
        game = self.rules.game
        needing = any(spec.confinement for spec in entrants) and game.lockstep()
        is_short = engine == "auto" and self.rounds <= UNCOMPILED_ROUNDS
        return bool(needing) and is_short and not is_there(game)


def check_playable(entrants: Iterable[EntrantSpec], rules: Rules, engine: str) -> None:
    """Make sure, before play, that a requested engine can play all entrants.

    Args:
        entrants: The entrants.
        rules: The rules of the game.
        engine: The engine to use; `auto` and `reference` play every entrant.
    Raises: EngineError, with every entrant that it cannot play, and the cause.
    """
    block = usual_block(rules)
    if engine == "lockstep" and (reason := why_not_in_lockstep(block)):
        raise EngineError(f"engine lockstep: {reason}; leave the choice to auto")
    if engine != "compiled":
        return
    reasons = []
    for spec in entrants:
        seats = [declared(spec, rules)] * len(block.seats)
        if reason := why_not_compiled(block, seats):
            reasons.append(f"{spec.name}: engine compiled: {reason.removeprefix('seat 1: ')}")
    if reasons:
        raise EngineError("\n".join((*reasons, "use auto, which plays every entrant")))


@contextmanager
def told_if_long(tell: Tell | None) -> Iterator[None]:
    """Show a message if the body takes so long that code may be compiling."""
    if tell is None:
        yield
        return
    timer = Timer(LONG_SECONDS, tell, (LOADING,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


TASK_SECONDS = 1.0
"""Seconds of work in a task: sending it should cost little, and losing it, too."""
TASKS_TO_THE_END = 3
"""Tasks that every worker should still get, so that none waits long at the end."""


class TaskSize:
    """Chooses the number of batches in a task: about one second's, judged by earlier ones."""

    def __init__(self, workers: int, left: int | None) -> None:
        """Begin with a single batch, because the cost is not known yet.

        Args:
            workers: Number of workers.
            left: Number of batches to play, if known.
        """
        self._workers = workers
        self._left = left
        self._most = 1
        self._batch_seconds: float | None = None

    def share_among(self, workers: int) -> None:
        """Change the number of workers, which may join and leave."""
        self._workers = max(1, workers)

    def next(self) -> int:
        """Return the number of batches of the next task."""
        size = self._most
        if self._batch_seconds:
            size = min(size, int(TASK_SECONDS / self._batch_seconds))
        if self._left is not None:
            size = min(size, self._left // (self._workers * TASKS_TO_THE_END))
        return max(1, size)

    def drawn(self, batches: int) -> None:
        """Count batches that were sent to a worker."""
        if self._left is not None:
            self._left = max(0, self._left - batches)

    def learn(self, batches: int, seconds: float) -> None:
        """Update the estimate with the time of a task.

        Args:
            batches: Number of its batches.
            seconds: Time of all of them together.
        """
        # The first batches are slow, because strategies are loaded, and batches of some entrants
        # may be slower than others, so the size grows step by step.
        mean = seconds / batches
        before = mean if self._batch_seconds is None else self._batch_seconds
        self._batch_seconds = (before + mean) / 2
        self._most = max(self._most, 2 * batches)
