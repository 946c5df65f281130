"""What workers are going to play, so that they can get ready for it before the first batch.

Machine code takes a second to load and, once after an installation, up to a minute to compile.
Where that pays it is done before the work is divided: in one place, for all workers.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer

from tourney.engine import ROUNDS_WORTH_LOADING
from tourney.games import Rules
from tourney.players import AnyPlayer, ChartPlayer, PreferencePlayer
from tourney.workers.task import EntrantSpec

LONG_SECONDS = 3.0
"""Loading machine code is over by then, unless the machine is busy; compiling it is not."""

LOADING = "loading machine code, which after an installation is compiled first: maybe a minute"

Tell = Callable[[str], object]
"""Shows people what they wait for."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is left to be played, as far as that is known beforehand."""

    rules: Rules
    batches: int
    rounds: int  # of every seat, at most

    def is_worth_warming(self, entrants: Iterable[EntrantSpec], engine: str, workers: int) -> bool:
        """Say whether to load machine code at once.

        Args:
            entrants: Who plays.
            engine: The engine to use.
            workers: Processes that play; each would begin with the reference engine.
        """
        if engine == "reference" or not any(spec.promises for spec in entrants):
            return False
        return engine == "compiled" or self.rounds >= ROUNDS_WORTH_LOADING * workers


def makes_promises(made: type[AnyPlayer]) -> bool:
    """Say whether players of a class might be played by machine code, without making one."""
    if issubclass(made, (ChartPlayer, PreferencePlayer)):
        return True
    methods = (getattr(made, name, None) for name in ("draw", "act"))
    return any(hasattr(method, "promise") for method in methods)


@contextmanager
def told_if_long(tell: Tell | None) -> Iterator[None]:
    """Tell people what they wait for, if it takes so long that code may be compiling."""
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
