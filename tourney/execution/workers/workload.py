"""What workers are going to play, so that they can get ready for it before the first batch.

Machine code takes a second to load and, once after an installation, up to a minute to compile.
Where that pays it is done before the work is divided: in one place, for all workers.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Timer

from tourney.errors import EngineError
from tourney.execution.background_compile import is_there
from tourney.execution.compiled_blocks import why_not_compiled
from tourney.execution.engine_selection import why_not_in_lockstep
from tourney.execution.warm_up import usual_block
from tourney.execution.workers.task import EntrantSpec, declared
from tourney.game.accelerators import LONG_ROUNDS, ROUNDS_WORTH_LOADING
from tourney.game.rules import Rules

UNCOMPILED_ROUNDS = 50_000
"""Of all seats together: some ten seconds for kernels as Python; to compile them takes longer."""
LONG_SECONDS = 3.0
"""Loading machine code is over by then, unless the machine is busy; compiling it is not."""

LOADING = "loading machine code, which after an installation is compiled first: maybe a minute"

Tell = Callable[[str], object]
"""Shows people what they wait for."""


@dataclass(frozen=True, slots=True)
class Workload:
    """What is left to be played, as far as that is known beforehand."""

    rules: Rules
    batches: int
    rounds: int  # of every seat, at most

    def is_long(self, entrants: int) -> bool:
        """Say whether an entrant, one of so many, plays enough for the ways that begin slowly."""
        return self.rounds >= LONG_ROUNDS * max(1, entrants)

    def is_worth_warming(self, entrants: Iterable[EntrantSpec], engine: str, workers: int) -> bool:
        """Say whether to load machine code at once.

        Args:
            entrants: Who plays.
            engine: The engine to use.
            workers: Processes that play; each would begin with the reference engine.
        """
        # The confined are asked in lockstep, which needs machine code whatever they play by.
        needing = any(spec.promises or spec.confinement for spec in entrants)
        if engine == "reference" or not needing:
            return False
        return engine == "compiled" or self.rounds >= ROUNDS_WORTH_LOADING * workers

    def is_over_sooner_uncompiled(self, entrants: Iterable[EntrantSpec], engine: str) -> bool:
        """Say whether kernels would play it before they are compiled, which they have to be first.

        Args:
            entrants: Who plays; without the confined, the reference engine does not wait either.
            engine: The engine to use.
        """
        game = self.rules.game
        needing = any(spec.confinement for spec in entrants) and game.lockstep()
        is_short = engine == "auto" and self.rounds <= UNCOMPILED_ROUNDS
        return bool(needing) and is_short and not is_there(game)


def check_playable(entrants: Iterable[EntrantSpec], rules: Rules, engine: str) -> None:
    """Refuse an engine that was asked for by name and cannot play somebody, before play.

    Args:
        entrants: Who plays.
        rules: Of the game.
        engine: The engine to use; `auto` and `reference` play everybody.
    Raises: EngineError, with every entrant that it cannot play, and why.
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
        raise EngineError("\n".join((*reasons, "auto plays everybody, each as fast as it goes")))


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
