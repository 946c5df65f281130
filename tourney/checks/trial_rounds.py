"""The check by whole rounds: a player loads, answers legally, repeats its play, and gets a score.

For games without an examiner. It does not compare the player with known strategies.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import blake2b
from typing import NamedTuple

from tourney.checks import construction_cost
from tourney.checks.further_findings import MOST_FINDINGS, follows, unlike, without_import
from tourney.checks.lint import loading_words
from tourney.checks.pools import Demands, TrustedPool, checking, pool_for
from tourney.checks.remedies import NO_PLAYER, finding_of, game_advice
from tourney.checks.report import (
    CheckReport,
    Finding,
    MeasuredParts,
    Tell,
    cost_words,
    lead_words,
    level_words,
    margin_of,
    printed_words,
    tell_nobody,
)
from tourney.checks.source import Source
from tourney.execution.engine_selection import play_batch
from tourney.game.blocks import Batch, Block, Seat
from tourney.game.ledger import BlockKey, BlockResult, Verdict
from tourney.game.lineup import Lineup, lineup_of
from tourney.game.players import BasePlayer, contract_name
from tourney.game.rules import Rules
from tourney.plugins.registry import Registry
from tourney.sandbox.levels import Level
from tourney.sandbox.referee import SandboxedPool

TABLES = 80
ROUNDS = 4
KEY_BYTES = 16
MINIMUM, BANKROLL = 5, 1_000
"""The least wager in chips, if the rules leave it open, and the bankroll in least wagers."""


def check_by_rounds(
    source: Source, rules: Rules, level: Level, demands: Demands, tell: Tell = tell_nobody
) -> CheckReport:
    """Check a player.

    Args:
        source: The competitor's files.
        rules: Rules of its game.
        level: Level of its sandbox.
        demands: Demands of the tournament.
        tell: Receives each measurement as a line of text.
    """
    measured = MeasuredParts(tell)
    measured.add("Sandbox", level_words(level))
    sparring = rules.game.sparring()
    tables = list(range(1, TABLES + 1))
    trial = construction_cost.trial_of(source, rules.game, level, demands)
    if fault := construction_cost.fault_of(trial, demands, source):
        return CheckReport(passed=False, findings=(fault,), measured=tuple(measured.found))
    play = partial(_play, rules, level, checking(demands))
    played = play(source, tables)
    pool = played.pool
    if pool.printed:
        measured.add("Printed", printed_words(pool.printed))
    if played.verdicts:
        first = _fault(source, rules, played.verdicts[0])
        first = construction_cost.closer_finding(first, trial, demands, source, TABLES)
        faults = dict.fromkeys((first, *_others(source, rules, played, tables, play)))
        shown = tuple(faults)[:MOST_FINDINGS]
        return CheckReport(passed=False, findings=shown, measured=tuple(measured.found))
    rounds = f"{TABLES * ROUNDS} rounds, every {sparring.answer} legal"
    measured.add("Loading", loading_words(source))
    measured.add("Rounds", rounds)
    findings: list[Finding] = []
    if cost := construction_cost.cost_of(trial, TABLES, pool.loading_seconds, demands):
        measured.add("Start-up", construction_cost.cost_words(cost, demands))
        findings += construction_cost.cost_findings(cost, demands, source)
    decisions = rules.decisions(TABLES * ROUNDS, TABLES * ROUNDS, 0)
    allowed = demands.budget.decision
    measured.add("Cost", cost_words(pool.cpu_seconds / decisions, allowed))
    again = play(source, tables[::-1])
    differs = _first_difference(tables, played.points, again.points[::-1])
    if differs is not None:
        findings.insert(0, _not_again(source, rules, demands, differs))
        return CheckReport(passed=False, findings=tuple(findings), measured=tuple(measured.found))
    told = f"{TABLES} tables played again, with the same {_what(rules)}"
    measured.add("Repeatable", told)
    ahead = _ahead(rules, demands, played.points)
    told = (
        f"{lead_words(ahead)} {_what(rules)} better in a round than {sparring.told}, "
        f"with the same deals ({TABLES} tables, 95 %)"
    )
    measured.add("Compared with others", told)
    score, margin = sum(ahead) / len(ahead), margin_of(ahead)
    return CheckReport(
        passed=all(each.is_warning for each in findings),
        findings=tuple(findings),
        score=score,
        margin=margin,
        measured=tuple(measured.found),
        answers=played.answers,
    )


def _first_difference(
    tables: Sequence[int], points: Sequence[int], later: Sequence[int]
) -> int | None:
    """Return the first table with another result when it was played again."""
    both = zip(tables, points, later, strict=True)
    return next((table for table, first, second in both if first != second), None)


def _others(
    source: Source,
    rules: Rules,
    played: "_Played",
    tables: Sequence[int],
    play: Callable[[Source, Sequence[int]], "_Played"],
) -> Iterator[Finding]:
    """Yield further faults, also those without the missing imports."""
    verdicts, missing, begun = played.verdicts, frozenset[str](), source
    yield from (_fault(begun, rules, each) for each in list(unlike(verdicts))[1:])
    for _ in range(MOST_FINDINGS):
        found = without_import(source, verdicts[0]) if verdicts else None
        if not found:
            return
        source, missing = found[0], missing | found[1]
        verdicts = play(source, tables).verdicts
        new = (each for each in unlike(verdicts) if not follows(each, missing))
        yield from (_fault(begun, rules, each) for each in new)


def _fault(source: Source, rules: Rules, verdict: Verdict) -> Finding:
    """Return a verdict as a finding with a remedy."""
    finding = finding_of(verdict, source, rules.game.contract())
    if verdict.cause == "illegal":  # the message lists the legal answers
        advice = game_advice(verdict, source.language, rules.game.contract())
        return replace(finding, remedy=advice)
    if NO_PLAYER in finding.message:
        return replace(finding, remedy=_to_write(rules))
    return finding


def _ahead(rules: Rules, demands: Demands, points: Sequence[int]) -> list[float]:
    """Return by how much the player was better per round than the usual opponent, by table."""
    sign = 1 if rules.most_points is None else -1
    return [
        sign * (own - other) / (ROUNDS * rules.unit)
        for own, other in zip(points, known_points(rules, demands), strict=True)
    ]


@cache
def known_points(rules: Rules, demands: Demands) -> Sequence[int]:
    """Return the points of the usual opponent in the player's place, by table."""
    tables, sparring = range(1, TABLES + 1), rules.game.sparring()
    results = _played(rules, demands, tables, lineup_of(lambda _: sparring.make()))
    return _points(rules, tables, results)


def _what(rules: Rules) -> str:
    return "chips" if rules.most_points is None else "points"


def _to_write(rules: Rules) -> str:
    """Return the advice for a file without a player."""
    contract = rules.game.contract()
    methods = " and ".join(f"`{name}`" for name in sorted(contract.__abstractmethods__))
    page = contract_name(contract).rpartition(".")[0]
    return f"write `class Name({contract.__name__}):` with {methods}, after `from {page} import …`"


class _Played(NamedTuple):
    """Results of the tables of a check."""

    pool: SandboxedPool | TrustedPool  # closed
    points: list[int]  # of the player, by table
    verdicts: list[Verdict]
    answers: str  # digest of all events at its seat


def _play(
    rules: Rules, level: Level, demands: Demands, source: Source, tables: Sequence[int]
) -> _Played:
    """Play tables with the player in a separate process, each against the game's opponents."""
    pool = pool_for(source, rules.game, level, demands)
    make = rules.game.sparring().make
    lineup = replace(
        lineup_of(lambda _: make()), confined=lambda entrant: pool if entrant else None
    )
    results = _played(rules, demands, tables, lineup)
    seats = [
        result.seats[_seat(rules, table)] for table, result in zip(tables, results, strict=True)
    ]
    verdicts = [seat.verdict for seat in seats if seat.verdict]
    mixes = " ".join(str(seat.mix) for seat in seats)
    answers = blake2b(mixes.encode(), digest_size=KEY_BYTES).hexdigest()
    return _Played(pool, _points(rules, tables, results), verdicts, answers)


def _played(
    rules: Rules, demands: Demands, tables: Sequence[int], lineup: Lineup
) -> Sequence[BlockResult]:
    blocks = tuple(_block(rules, demands, table) for table in tables)
    return play_batch(Batch(0, 0, blocks), lineup).results


def _points(rules: Rules, tables: Sequence[int], results: Sequence[BlockResult]) -> list[int]:
    """Return the points of the player, or its chips, by table."""
    return [
        result.seats[_seat(rules, table)].final
        for table, result in zip(tables, results, strict=True)
    ]


def _seat(rules: Rules, table: int) -> int:
    """Return the seat of the player."""
    return table % rules.seats.start


def _block(rules: Rules, demands: Demands, table: int) -> Block:
    """Return the block of a table; its number determines the cards and the player's seat."""
    has_chips, count = rules.most_points is None, rules.seats.start
    unit = rules.unit if has_chips else 0
    least = least_wager(rules, demands) * unit
    seats = tuple(
        Seat(
            int(number == _seat(rules, table)),
            BANKROLL * least,
            _key(rules, "luck", count * table + number),
        )
        for number in range(count)
    )
    key = BlockKey(0, 0, table, 0, 1)
    shoes = _key(rules, "shoes", table)
    return Block(key, rules, seats, least, demands.maximum * unit, ROUNDS, shoes)


def _key(rules: Rules, use: str, number: int) -> bytes:
    """Return a key that is the same in every check, so that an author can try again."""
    named = f"check {rules.game} {use} {number}"
    return blake2b(named.encode(), digest_size=KEY_BYTES).digest()


def _not_again(source: Source, rules: Rules, demands: Demands, table: int) -> Finding:
    """Return a finding about a table that did not repeat, because of the player or the game."""
    what = _what(rules)
    if known_points.__wrapped__(rules, demands) != known_points(rules, demands):
        return Finding(
            f"the {what} change when the same tables are played again without {source.name}, so "
            f"the game itself does not repeat; this is no fault of {source.name}",
            remedy=f"report it to the author of {rules.game}; tourney check --game shows the cause",
        )
    return Finding(
        f"the {what} changed when the same tables were played again, at table {table}",
        source.name,
        "use self.random for random numbers, do not use the clock, and store state in self only",
    )


def prepare_checks(rules: Rules, bundled: Mapping[str, type[BasePlayer]], demands: Demands) -> None:
    """Import the modules of a check and compute its baselines, before other processes are forked.

    The arguments are those of `check_source`.
    """
    if examiner := rules.game.examiner(rules):
        simple, minimum = next(iter(bundled.values())), least_wager(rules, demands)
        net_of(simple, rules, minimum, range(examiner.tables))
        # The values of decisions are computed for all checks that follow.
        known = examiner.play(rules.game.pool()(simple), minimum, range(examiner.tables))
        deque(examiner.judged(known), maxlen=0)
        return

    known_points(rules, demands)


def known_beside(rules: Rules, registry: Registry) -> Mapping[str, type[BasePlayer]]:
    """Return the strategies that a player is compared with, by name.

    Raises: PluginError, if one of them is not installed.
    """
    examiner, game = rules.game.examiner(rules), rules.game.name
    return {name: registry.player(name, game) for name in (examiner.beside if examiner else ())}


def least_wager(rules: Rules, demands: Demands) -> int:
    """Return the least wager in chips."""
    return demands.minimum or rules.minimum or MINIMUM


@cache
def net_of(kind: type[BasePlayer], rules: Rules, minimum: int, tables: range) -> tuple[int, ...]:
    """Return the net result of a bundled player at each table."""
    examiner = rules.game.examiner(rules)
    assert examiner, "the game has no examiner"
    played = examiner.play(rules.game.pool()(kind), minimum, tables)
    return tuple(map(int, played.net))
