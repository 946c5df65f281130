"""What it costs to read a competitor and to make its players, and whether a tournament allows it.

A player is made anew for every table, and those of a batch at once: what a constructor works out
is paid for as often. The referee's clock counts, which is that of the process's computing.
"""

from collections.abc import Callable, Iterator
from functools import cache
from math import ceil
from typing import Any, NamedTuple

from tourney.checks.pools import Demands, checking, pool_for
from tourney.checks.remedies import REMEDIES
from tourney.checks.report import Finding, seconds_words
from tourney.checks.source import Source
from tourney.game import Game
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.ledger import Verdict
from tourney.sandbox.levels import Level

KEY_BYTES = 16
MUCH, QUICK = 0.5, 0.01
"""Of what is allowed: who takes more is warned; who takes less with one player is not in doubt."""
TO_CONSTRUCT = (
    "work it out when the file is read, above the class, or once with functools.cache, and keep "
    "it: a constructor runs anew for every table"
)
TO_READ = "work out less while the file is read, or write into it what comes of it"

Trial = Callable[[int], float | Verdict]
"""Seat a number of players in a process of their own: the seconds, or why the process ended."""


class SeatingCost(NamedTuple):
    """Seconds of computing."""

    first: float  # to read the file and make one player
    each: float  # to make one more

    def of(self, tables: int) -> float:
        """Give the seconds to sit down at so many tables at once."""
        return self.first + self.each * (tables - 1)


def trial_of(source: Source, game: Game[Any, Any, Any], level: Level, demands: Demands) -> Trial:
    """Give what seats players of a source only to see what that takes, each number once."""

    @cache
    def seat(count: int) -> float | Verdict:
        with pool_for(source, game, level, demands) as pool:
            replies = pool.sit([SeatRequest(1, bytes(KEY_BYTES))] * count)
            if not pool.ended:
                return pool.loading_seconds
            if replies and (verdict := replies[0].verdict):
                return verdict
            cause, message = pool.ended
            return Verdict(cause, "import", 1, 0, f"import: {message}", place="", traceback="")

    return seat


def cost_of(trial: Trial, count: int, seconds: float, demands: Demands) -> SeatingCost | None:
    """Give what it costs to sit down.

    Args:
        trial: Seats one player more, and as many as are needed to be sure.
        count: Players that were seated at once before, at least two.
        seconds: What they took.
        demands: Say what it may take.
    Returns: None where no clock says it, or one player alone was ended.
    """
    first = trial(1)
    if not first or isinstance(first, Verdict):
        return None
    cost = SeatingCost(first, max(seconds - first, 0) / (count - 1))
    return sure_cost(trial, cost, demands)


def cost_words(cost: SeatingCost, demands: Demands) -> str:
    """Say what it costs to sit down, and what is allowed."""
    return (
        f"{seconds_words(cost.first)} to read it and make a player, "
        f"{seconds_words(cost.each)} for each table more; "
        f"{seconds_words(cost.of(demands.tables))} for {demands.tables:,} tables at once, "
        f"of {seconds_words(_allowed(demands))} allowed"
    )


def sure_cost(trial: Trial, cost: SeatingCost, demands: Demands) -> SeatingCost:
    """Give what it costs to sit down, measured again where a competitor would be refused for it.

    A clock of the processor tells a few players from one by what else the machine does, and what
    is too much at thousands of tables is a hair at two. So more players are seated, until they
    take what is allowed or there is one for each table.

    Args:
        trial: Seats them.
        cost: As few players tell it.
        demands: Say what it may take; without a tournament nobody is refused.
    """
    most, count = _allowed(demands), 1
    while demands.name and cost.each and cost.of(demands.tables) > most and count < demands.tables:
        enough = ceil(max(most - cost.first, 0) / cost.each) + 2
        count = min(max(enough, 2 * count), demands.tables)
        seconds = trial(count)
        if isinstance(seconds, Verdict):
            break
        cost = SeatingCost(cost.first, max(seconds - cost.first, 0) / (count - 1))
    return cost


def cost_findings(cost: SeatingCost, demands: Demands, source: Source) -> Iterator[Finding]:
    """Say that a tournament would not seat it, or only just; without a tournament it may."""
    taken, most = cost.of(demands.tables), _allowed(demands)
    if taken <= MUCH * most:
        return
    is_over = taken > most
    expected = f"{'at most' if is_over else 'well under'} {seconds_words(most)}"
    yield Finding(
        f"constructor: expected {expected} of computing to sit down at {demands.tables:,} tables "
        f"at once{f' of {demands.name}' if demands.name else ''}, got {seconds_words(taken)}: "
        f"{seconds_words(cost.each)} for each{_room_words(cost, demands)}",
        source.place_of("__init__"),
        _remedy(cost, demands.tables),
        is_warning=not (is_over and demands.name),
    )


def fault_of(trial: Trial, demands: Demands, source: Source) -> Finding | None:
    """Say why a competitor would never sit down, if one or two players tell already."""
    first = trial(1)
    if isinstance(first, Verdict):
        return _why_ended(trial, demands, source, first)
    if not demands.name or first < QUICK * demands.budget.loading:
        return None
    second = trial(2)
    if isinstance(second, Verdict):
        return _why_ended(trial, demands, source, second)
    cost = sure_cost(trial, SeatingCost(first, max(second - first, 0)), demands)
    found = cost_findings(cost, demands, source)
    return next((each for each in found if not each.is_warning), None)


def _why_ended(trial: Trial, demands: Demands, source: Source, verdict: Verdict) -> Finding:
    """Say why a process ended that was to seat one player or two.

    Args:
        trial: Seats players; without any, it only reads the file.
        demands: Say what it may take.
        source: Of the players.
        verdict: On that process.
    """
    read = trial(0)
    is_read = not isinstance(read, Verdict)
    if isinstance(read, Verdict):
        verdict = read
    if verdict.cause != "cpu":
        call = "constructor" if is_read else "import"
        what = verdict.message.partition(": ")[2]
        place = source.place_of("constructor") if is_read else source.name
        remedies = {**REMEDIES, **source.language.remedies}
        return Finding(f"{call}: {what}", verdict.place or place, remedies[verdict.cause])
    most = f"expected at most {seconds_words(demands.budget.loading)} of computing"
    if not is_read:
        return Finding(f"import: {most} to read the file, got more", source.name, TO_READ)
    return Finding(
        f"constructor: {most} to read the file and make a player or two, got more",
        source.place_of("constructor"),
        TO_CONSTRUCT,
    )


def why_not_seated(trial: Trial, demands: Demands, source: Source, count: int) -> Finding:
    """Say why a process was ended in which many players were to sit, but not one alone.

    Args:
        trial: Seats fewer.
        demands: Say what it may take.
        source: Of the players.
        count: How many there were to be.
    """
    first, second = trial(1), trial(2)
    if isinstance(first, Verdict):
        return _why_ended(trial, demands, source, first)
    if isinstance(second, Verdict):
        return _why_ended(trial, demands, source, second)
    cost, most = SeatingCost(first, second - first), checking(demands).budget.loading
    return Finding(
        f"constructor: expected at most {seconds_words(most)} of computing to "
        f"read the file and make {count} players, got more: {seconds_words(cost.each)} for "
        f"each{_room_words(cost, demands)}",
        source.place_of("__init__"),
        TO_CONSTRUCT,
    )


def _allowed(demands: Demands) -> float:
    return demands.budget.loading + demands.budget.decision * demands.tables


def _remedy(cost: SeatingCost, tables: int) -> str:
    return TO_CONSTRUCT if cost.each * (tables - 1) > cost.first else TO_READ


def _room_words(cost: SeatingCost, demands: Demands) -> str:
    """Say for how many tables it would do."""
    more = cost.each - demands.budget.decision
    room = (demands.budget.loading - cost.first + cost.each) / more if more > 0 else 0
    return f", which does for {int(room):,} tables" if 1 <= room < demands.tables else ""
