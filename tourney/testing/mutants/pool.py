"""Tries tests in a sandboxed process, in place of a pool of players.

A fork server of hosts calls `trial_pool`, and so imports all modules that tests may import; a host
receives a file of tests inside its sandbox. It answers one question after the other with the
exception and its line. `sandboxed_trial` asks the questions.
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
"""Modules that tests may import in addition to those of players, if installed."""


class TrialPool:
    """Gives the answers of a trial, one for each question."""

    def __init__(self, mutants: Mutants, make_request: Callable[[], Any]) -> None:
        """Take a request: the arguments of `try_tests`; nothing of the file runs yet."""
        self._answers = try_tests(mutants, **make_request())

    def sit(self, seat_requests: Sequence[Any]) -> list[SeatReply]:
        """Seat no player."""
        return [SeatReply(acts=False, watches=False) for _ in seat_requests]

    def read(self, body: bytes) -> bytes:
        """Ignore the text of a question."""
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
    """Import the modules that tests may import, before file access ends.

    Args:
        game: The game with the mutants.
    Returns: A function that makes a pool from a function that makes a request.
    """
    for name in (*ALSO, *_bundled()):
        with suppress(ImportError):  # then no test can import it
            import_module(name)
    mutants = game().mutants()
    assert mutants, "whose tests are tried is known to have some"
    exchange(mutants, NOTHING_EXCHANGED)  # adds modules where they are missing
    return partial(TrialPool, mutants)


def _bundled() -> Iterator[str]:
    """Name the modules of the bundled strategies, if they are installed."""
    with suppress(ImportError):
        package = import_module("tourney.strategies")
        yield from (each.name for each in iter_modules(package.__path__, "tourney.strategies."))
