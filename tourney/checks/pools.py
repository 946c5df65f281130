"""The process in which a competitor is checked, its limits, and the demands of a tournament."""

import sys
from collections.abc import Sequence
from time import process_time
from typing import Any, NamedTuple, Self

import numpy as np

from tourney.checks.source import Source
from tourney.errors import TourneyError
from tourney.game import Game
from tourney.game.asking.exchange import AskedHere, Decided, SeatReply
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.ledger import Verdict
from tourney.sandbox.budgets import Budget
from tourney.sandbox.host_process import Setup
from tourney.sandbox.levels import Level, setup_for
from tourney.sandbox.lockdown import Limits
from tourney.sandbox.referee import SandboxedPool

HAS_PROCESSES = sys.platform == "linux"
"""Whether a process can be started for a player, shut in or not."""


class TrustedPool:
    """The players of somebody's own file.

    Args:
        game: What is played.
        source: The file, which runs with all rights of this process.
    """

    def __init__(self, game: Game[Any, Any, Any], source: Source) -> None:
        self._codec, self._make_pool, self._source = game.codec(), game.pool(), source
        self._pool: Any = None
        self.cpu_seconds = self.loading_seconds = 0.0
        self.warning = self.printed = ""
        self.ended: tuple[str, str] | None = None

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Run the file and make players; seats are numbered as they come, from 0."""
        began = process_time()
        try:
            make = self._source.language.load(self._source.name, self._source.files)
        except TourneyError as error:
            message = f"import: {error}"
            return [
                SeatReply(acts=False, watches=False, verdict=_verdict(message, each.first_round))
                for each in seat_requests
            ]
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


def _verdict(message: str, round_: int) -> Verdict:
    return Verdict("raised", "import", round_, 0, message, place="", traceback="")


BUDGET = Budget(stall=2.0)
"""That of a tournament, but for waiting: an author shall not wait ten seconds for a verdict."""
MOST_TABLES = 250
"""Players that a check seats at once."""


class Demands(NamedTuple):
    """What the tournament demands that a player is checked for; by default of none in particular.

    Without a greatest wager there is no limit, as in a tournament that sets none.
    """

    minimum: int = 0  # least wager in chips; 0 where the rules say, or nobody does
    maximum: int = HOUSE_LIMIT  # greatest wager in chips
    tables: int = 1_000  # that an entrant sits down at at once: 100,000 rounds of 100 each
    budget: Budget = BUDGET  # of its process
    memory: int = Limits().memory  # bytes, of that process
    name: str = ""  # of the tournament; empty if none is named
    refuses_warnings: bool = False  # of a compiler

    def __str__(self) -> str:
        """Say what is demanded, as reports keep it.

        Leaves out the name, the tables, which depend on how many take part, and warnings, which
        have nothing to do with play.

        >>> str(Demands(minimum=5, maximum=50))
        'wagers from 5 to 50, 100 µs a decision, 3 s to sit down, 1 s besides, 512 MiB'
        """
        limit = f" to {self.maximum:,}" if self.maximum < HOUSE_LIMIT else ""
        budget, memory = self.budget, self.memory / (1 << 20)
        wagers = f"wagers from {self.minimum:,}{limit}, " if self.minimum or limit else ""
        return (
            f"{wagers}{1e6 * budget.decision:g} µs a decision, {budget.loading:g} s to sit down, "
            f"{budget.base:g} s besides, {memory:g} MiB"
        )


ANY = Demands()


def pool_for(
    source: Source, game: Game[Any, Any, Any], level: Level, demands: Demands = ANY
) -> SandboxedPool | TrustedPool:
    """Give a pool whose players sit in a process of their own, wherever one can be had.

    Args:
        source: Of any language.
        game: What it plays.
        level: How well it is confined.
        demands: Say what the process may take.
    """
    if level is Level.UNSAFE and not HAS_PROCESSES:
        return TrustedPool(game, source)
    setup = setup_for(level, Setup(limits=Limits(demands.memory)))
    return SandboxedPool(game, source.sandboxed(), setup, demands.budget)


def checking(demands: Demands) -> Demands:
    """Give what a check itself allows, which seats some hundred players at once.

    Who is too slow for a large tournament is told so by their cost, not ended here.
    """
    budget, times = demands.budget, ANY.tables / min(demands.tables, MOST_TABLES)
    return demands._replace(budget=budget._replace(loading=times * budget.loading))
