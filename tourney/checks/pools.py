"""The process of a checked competitor, its limits, and the demands of a tournament."""

import sys
from collections.abc import Sequence
from time import process_time
from typing import Any, NamedTuple, Self

import numpy as np

from tourney.checks.source import Source
from tourney.competitors.languages import GIVEN
from tourney.errors import TourneyError
from tourney.game import Game
from tourney.game.asking.exchange import AskedHere, Decided, SeatReply, SeatRequest
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.ledger import Verdict
from tourney.sandbox.budgets import Budget
from tourney.sandbox.host_process import Setup
from tourney.sandbox.levels import Level, setup_for
from tourney.sandbox.lockdown import Limits
from tourney.sandbox.referee import SandboxedPool

HAS_PROCESSES = sys.platform == "linux"
"""Whether this system supports separate processes for players, sandboxed or not."""


class TrustedPool:
    """Players of a file that you trust, or of a class of this program, in this process.

    Args:
        game: The game.
        source: The file, which runs with all permissions of this process.
    """

    def __init__(self, game: Game[Any, Any, Any], source: Source) -> None:
        self._codec, self._make_pool, self._source = game.codec(), game.pool(), source
        self._pool: Any = None
        self.cpu_seconds = self.loading_seconds = 0.0
        self.warning = self.printed = ""
        self.ended: tuple[str, str] | None = None

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(self, *error: object) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Load the file and make players; seats are numbered in order, from 0."""
        began = process_time()
        try:
            make = self._source.language.load(self._source.name, self._source.files)
        except TourneyError as error:
            return [_unseated(f"import: {error}", each.first_round) for each in seat_requests]
        self._pool = self._make_pool(make)
        seatings: list[SeatReply] = self._pool.sit(seat_requests)
        self.loading_seconds = process_time() - began
        return seatings

    def decide(self, questions: Any) -> Decided:
        """Ask players whose seats have not failed, each at most once."""
        asked = self._pool.read(self._codec.write(questions))
        began = process_time()
        answers, faults = self._pool.decide(asked)
        self.cpu_seconds += process_time() - began
        return Decided(np.array(answers, np.int64), faults)

    def asking(self, questions: Any) -> AskedHere:
        """Prepare to ask players."""
        return AskedHere(lambda: self.decide(questions))


def _unseated(message: str, round_: int) -> SeatReply:
    verdict = Verdict("raised", "import", round_, 0, message, place="", traceback="")
    return SeatReply(acts=False, watches=False, verdict=verdict)


BUDGET = Budget(stall=2.0)
"""The budget of a tournament with a shorter wait, because an author waits for the result."""
MOST_TABLES = 250
"""Most players that a check seats together."""


class Demands(NamedTuple):
    """Demands of a tournament on a checked player; the default is no particular tournament.

    Without a greatest wager there is no limit, as in a tournament that sets no limit.
    """

    minimum: int = 0  # least wager in chips; 0 if it is up to the rules
    maximum: int = HOUSE_LIMIT  # greatest wager in chips
    tables: int = 1_000  # tables of an entrant in a batch: 100,000 rounds, 100 at each
    budget: Budget = BUDGET  # of its process
    memory: int = Limits().memory  # bytes, of that process
    name: str = ""  # of the tournament; may be empty
    refuses_warnings: bool = False  # whether a compiler's warning is a fault

    def __str__(self) -> str:
        """Summarise the demands on play, for reports.

        >>> str(Demands(minimum=5, maximum=50)).partition(", ")[0]
        'wagers from 5 to 50; at most 100 µs a decision on average'
        """
        # No tables, because their number depends on the field, and no compiler warnings.
        limit = f" to {self.maximum:,}" if self.maximum < HOUSE_LIMIT else ""
        budget, memory = self.budget, self.memory / (1 << 20)
        wagers = f"wagers from {self.minimum:,}{limit}; " if self.minimum or limit else ""
        return (
            f"{wagers}at most {1e6 * budget.decision:g} µs a decision on average, "
            f"{budget.loading:g} s to load, {budget.base:g} s in addition, {memory:g} MiB of memory"
        )


ANY = Demands()


def pool_for(
    source: Source, game: Game[Any, Any, Any], level: Level, demands: Demands = ANY
) -> SandboxedPool | TrustedPool:
    """Return a pool whose players sit in a separate process, if the system supports it.

    Args:
        source: A source in any language.
        game: The game that it plays.
        level: Level of its sandbox.
        demands: Limits of the process.
    """
    is_here = source.kind == GIVEN  # no other process has the class
    if is_here or (level is Level.UNSAFE and not HAS_PROCESSES):
        return TrustedPool(game, source)
    setup = setup_for(level, Setup(limits=Limits(demands.memory)))
    return SandboxedPool(game, source.sandboxed(), setup, demands.budget)


def checking(demands: Demands) -> Demands:
    """Return the demands of a check, which seats some hundred players together.

    They allow more time for loading: a player that is too slow for a large tournament then gets a
    finding with its cost, instead of a killed process.
    """
    budget, times = demands.budget, ANY.tables / min(demands.tables, MOST_TABLES)
    return demands._replace(budget=budget._replace(loading=times * budget.loading))
