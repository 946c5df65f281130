"""The cost of loading a competitor and making its players, compared with a tournament's limits.

Every table gets a new player, and all players of a batch are made together, so the cost of a
constructor is multiplied by the number of tables. Costs are CPU time of the player's process,
measured by the trusted process.
"""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from math import ceil
from typing import Any, NamedTuple

from tourney.checks.pools import Demands, checking, pool_for
from tourney.checks.remedies import FOR_OWN_RUNS, REMEDIES, TOO_SLOW, unfinished_finding
from tourney.checks.report import Finding, seconds_words
from tourney.checks.source import Source, parsed
from tourney.game import Game
from tourney.game.asking.exchange import SeatRequest
from tourney.game.ledger import Verdict
from tourney.sandbox.levels import Level

KEY_BYTES = 16
MUCH, QUICK = 0.5, 0.01
"""Fractions of the limit: above the first, the check warns; below the second, with one player, it
does not measure further."""
TO_CONSTRUCT = (
    "compute it once when the file is loaded, above the class, or with functools.cache: the "
    "constructor runs again for every table"
)
TO_READ = "compute less while the file is loaded, or write the results into the file"

LINES = ast.Expr | ast.Assign | ast.AnnAssign
"""Statements that run while a file is loaded, and may call a function."""

Trial = Callable[[int], float | Verdict]
"""Seats a number of players in a new process; returns the CPU seconds, or why the process ended."""


class SeatingCost(NamedTuple):
    """CPU seconds for making players."""

    first: float  # to load the file and make one player
    each: float  # to make one more player

    def of(self, tables: int) -> float:
        """Return the seconds for sitting down at a number of tables."""
        return self.first + self.each * (tables - 1)


def trial_of(source: Source, game: Game[Any, Any, Any], level: Level, demands: Demands) -> Trial:
    """Return a function that seats players of a source to measure the cost; results are cached."""

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
    """Return the cost of sitting down.

    Args:
        trial: Seats one player, and as many as a reliable result needs.
        count: Players that were seated together before, at least two.
        seconds: CPU seconds that they took.
        demands: Limits of the tournament.
    Returns: `None` if the cost cannot be measured, or the process with one player ended.
    """
    first = trial(1)
    if not first or isinstance(first, Verdict):
        return None
    cost = SeatingCost(first, max(seconds - first, 0) / (count - 1))
    return sure_cost(trial, cost, demands)


def cost_words(cost: SeatingCost, demands: Demands) -> str:
    """Describe the cost of sitting down and its limit."""
    return (
        f"{seconds_words(cost.first)} to load the file and make a player, "
        f"{seconds_words(cost.each)} for each further table; "
        f"{seconds_words(cost.of(demands.tables))} for {demands.tables:,} tables together, "
        f"of {seconds_words(_allowed(demands))} allowed"
    )


def sure_cost(trial: Trial, cost: SeatingCost, demands: Demands) -> SeatingCost:
    """Return the cost of sitting down, measured again if it would exceed a tournament's limit.

    With few players, noise of the machine dominates the measurement, and an excess at thousands of
    tables is tiny at two. So the check seats more players, until they reach the limit or there is
    one for each table.

    Args:
        trial: Seats the players.
        cost: Estimate from few players.
        demands: Limits of the tournament; without a tournament there is no second measurement.
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
    """Yield a fault if sitting down exceeds the tournament's limit, a warning if it comes close."""
    taken, most = cost.of(demands.tables), _allowed(demands)
    if taken <= MUCH * most:
        return
    is_over = taken > most
    expected = f"{'at most' if is_over else 'well under'} {seconds_words(most)}"
    yield Finding(
        f"constructor: expected {expected} of CPU time to sit down at {demands.tables:,} tables "
        f"together{f' of {demands.name}' if demands.name else ''}, got {seconds_words(taken)}: "
        f"{seconds_words(cost.each)} for each{_room_words(cost, demands)}",
        source.place_of("__init__"),
        _remedy(cost, demands.tables, source),
        is_warning=not (is_over and demands.name),
    )


def fault_of(trial: Trial, demands: Demands, source: Source) -> Finding | None:
    """Return the fault of a competitor that could never sit down, as far as two players show it."""
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
    """Explain why a process ended that should seat one player or two.

    Args:
        trial: Seats players; with 0 it only loads the file.
        demands: Limits of the tournament.
        source: Source of the players.
        verdict: Verdict on that process.
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
    most = f"more than {seconds_words(demands.budget.loading)} of CPU time"
    if not is_read:
        advice = _advice("import", source)
        remedy = advice if source.language.is_built else f"{advice}; {FOR_OWN_RUNS}"
        return Finding(f"import: loading the file takes {most}", _busy_place(source), remedy)
    return Finding(
        f"constructor: loading the file and making a player or two takes {most}",
        verdict.place or source.place_of("constructor"),
        _advice("constructor", source),
    )


def _busy_place(source: Source) -> str:
    """Return the line of the only loop or call outside functions and classes, or else the file."""
    places = [
        f"{name}:{node.lineno}"
        for name, text in source.files
        if name.endswith(".py")
        for node in parsed(text).body
        if isinstance(node, ast.For | ast.While) or (isinstance(node, LINES) and _has_call(node))
    ]
    return places[0] if len(places) == 1 else source.name


def _has_call(node: ast.stmt) -> bool:
    return any(isinstance(each, ast.Call | ast.ListComp) for each in ast.walk(node))


def closer_finding(
    finding: Finding, trial: Trial, demands: Demands, source: Source, count: int
) -> Finding:
    """Return a more specific finding if players took too long or the class is unfinished.

    Args:
        finding: About the process with `count` players.
        trial: Seats fewer players.
        demands: Limits of the tournament.
        source: Source of the players.
        count: Number of players.
    """
    if finding.remedy == TOO_SLOW:
        return why_not_seated(trial, demands, source, count)
    return unfinished_finding(finding.message, source) or finding


def why_not_seated(trial: Trial, demands: Demands, source: Source, count: int) -> Finding:
    """Explain why a process with many players ended, if a process with one player does not.

    Args:
        trial: Seats fewer players.
        demands: Limits of the tournament.
        source: Source of the players.
        count: Number of players in the process that ended.
    """
    first, second = trial(1), trial(2)
    if isinstance(first, Verdict):
        return _why_ended(trial, demands, source, first)
    if isinstance(second, Verdict):
        return _why_ended(trial, demands, source, second)
    cost, most = SeatingCost(first, second - first), checking(demands).budget.loading
    return Finding(
        f"constructor: loading the file and making {count} players takes more than "
        f"{seconds_words(most)} of CPU time: {seconds_words(cost.each)} for "
        f"each{_room_words(cost, demands)}",
        source.place_of("__init__"),
        _advice("constructor", source),
    )


def _allowed(demands: Demands) -> float:
    return demands.budget.loading + demands.budget.decision * demands.tables


def _remedy(cost: SeatingCost, tables: int, source: Source) -> str:
    return _advice("constructor" if cost.each * (tables - 1) > cost.first else "import", source)


def _advice(call: str, source: Source) -> str:
    """Return the advice for slow code, in the terms of the source's language."""
    usual = {"constructor": TO_CONSTRUCT, "import": TO_READ}
    return source.language.remedies.get(call, usual[call])


def _room_words(cost: SeatingCost, demands: Demands) -> str:
    """Describe for how many tables the limit suffices."""
    more = cost.each - demands.budget.decision
    room = (demands.budget.loading - cost.first + cost.each) / more if more > 0 else 0
    return f", enough for {int(room):,} tables" if 1 <= room < demands.tables else ""
