"""What tries tests in a confined process, where pools of players sit otherwise.

A fork server of hosts calls `trial_pool`, and so imports all that tests may import; a host is
given a file of tests once it is shut in. It is asked for one answer after the other, and says no
more than what was raised and in which line. Leaves out who asks; see `sandboxed_trial`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from tourney.game import Game
from tourney.game.asking.exchange import SeatReply
from tourney.game.asking.printable_text import printable
from tourney.game.mutants import Mutants
from tourney.sandbox.wire import Faulted
from tourney.testing.mutants.trial import LONGEST_ERROR, NOTHING_EXCHANGED, exchange, try_tests

ALSO = ("pytest", "unittest")
"""What tests may import besides what players may, where it is installed."""


class TrialPool:
    """Gives the answers of a trial, one each time it is asked."""

    def __init__(self, mutants: Mutants, make_request: Callable[[], Any]) -> None:
        """Take a request: the arguments of `try_tests`; nothing of the file is run yet."""
        self._answers = try_tests(mutants, **make_request())

    def sit(self, seat_requests: Sequence[Any]) -> list[SeatReply]:
        """Seat nobody, for nobody plays here."""
        return [SeatReply(acts=False, watches=False) for _ in seat_requests]

    def read(self, body: bytes) -> bytes:
        """Take a question, which has no words."""
        return body

    def decide(self, question: bytes) -> tuple[list[int], dict[int, Faulted]]:
        """Run the next test, or load the file for the next implementation."""
        del question
        answer = next(self._answers)
        if not answer.error:
            return [0], {}
        words = printable(" ".join(answer.error.split()), most=LONGEST_ERROR)
        return [0], {0: Faulted(0, answer.line, 0, "raised", "test", words, "", "")}


def trial_pool(game: type[Game[Any, Any, Any]]) -> Callable[[Callable[[], Any]], TrialPool]:
    """Import what tests may import, as long as there are files to import it from.

    Args:
        game: Whose mutants are tried.
    Returns: What makes a pool, of what makes a request.
    """
    for name in (*ALSO, *_bundled()):
        with suppress(ImportError):  # then nobody can import it in here
            import_module(name)
    mutants = game().mutants()
    assert mutants, "whose tests are tried is known to have some"
    exchange(mutants, NOTHING_EXCHANGED)  # which puts modules where there are none
    return partial(TrialPool, mutants)


def _bundled() -> Iterator[str]:
    """Name the modules of the bundled strategies, if they are installed."""
    with suppress(ImportError):
        package = import_module("tourney.strategies")
        yield from (each.name for each in iter_modules(package.__path__, "tourney.strategies."))
