"""The check by whole rounds: a player loads, its answers are legal, and it plays the same again.

For every game that has no situations of its own to ask about. Leaves out whom it plays like, as
no document forbids it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import blake2b
from typing import NamedTuple

from tourney.checks import construction_cost
from tourney.checks.further_findings import MOST_FINDINGS, follows, unlike, without_import
from tourney.checks.pools import Demands, TrustedPool, checking, pool_for
from tourney.checks.remedies import NO_PLAYER, TOO_SLOW, finding_of, unfinished_finding
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
from tourney.game.contracts import contract_name
from tourney.game.ledger import BlockKey, BlockResult, Verdict
from tourney.game.lineup import Lineup, lineup_of
from tourney.game.rules import Rules
from tourney.sandbox.levels import Level
from tourney.sandbox.referee import SandboxedPool

TABLES = 80
ROUNDS = 4
KEY_BYTES = 16
MINIMUM, BANKROLL = 5, 1_000
"""The least wager in chips, where rules leave it open, and the bankroll in least wagers."""


def check_by_rounds(
    source: Source, rules: Rules, level: Level, demands: Demands, tell: Tell = tell_nobody
) -> CheckReport:
    """Check a player.

    Args:
        source: What is handed in.
        rules: Of its game.
        level: How well it is confined.
        demands: Of the tournament that it is checked for.
        tell: Hears what was found out, line by line, as it is.
    """
    measured = MeasuredParts(tell)
    measured.add("Confinement", level_words(level))
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
        first = _closer(first, source, demands, trial, play)
        faults = dict.fromkeys((first, *_others(source, rules, played, tables, play)))
        shown = tuple(faults)[:MOST_FINDINGS]
        return CheckReport(passed=False, findings=shown, measured=tuple(measured.found))
    rounds = f"{TABLES * ROUNDS} rounds, every {sparring.answer} legal"
    measured.add("Loading", "it loads, and holds one player")
    measured.add("Rounds", rounds)
    findings: list[Finding] = []
    if cost := construction_cost.cost_of(trial, TABLES, pool.loading_seconds, demands):
        measured.add("Sitting down", construction_cost.cost_words(cost, demands))
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
    measured.add("Against others", told)
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
    """Give the first table that came to something else when it was played again."""
    both = zip(tables, points, later, strict=True)
    return next((table for table, first, second in both if first != second), None)


def _closer(
    finding: Finding,
    source: Source,
    demands: Demands,
    trial: construction_cost.Trial,
    play: Callable[[Source, Sequence[int]], "_Played"],
) -> Finding:
    """Say more of why nobody sat down: what takes so long, or which class is no player yet."""
    if finding.remedy == TOO_SLOW:
        return construction_cost.why_not_seated(trial, demands, source, TABLES)
    explaining = source.language.explaining(source.files)
    if NO_PLAYER in finding.message and explaining:
        faults = play(replace(source, files=explaining), [1]).verdicts
        return (faults and unfinished_finding(faults[0].message, source)) or finding
    return finding


def _others(
    source: Source,
    rules: Rules,
    played: "_Played",
    tables: Sequence[int],
    play: Callable[[Source, Sequence[int]], "_Played"],
) -> Iterator[Finding]:
    """Say what else is at fault, also without imports that it cannot have."""
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
    """Say what a verdict says, and how to mend it."""
    finding = finding_of(verdict, source, rules.game.contract())
    if verdict.cause == "illegal":  # what would have been legal has been said
        return replace(finding, remedy="")
    if NO_PLAYER in finding.message:
        return replace(finding, remedy=_to_write(rules))
    return finding


def _ahead(rules: Rules, demands: Demands, points: Sequence[int]) -> list[float]:
    """Say by how much a player was better in a round than who sits there otherwise, by table."""
    sign = 1 if rules.most_points is None else -1
    return [
        sign * (own - other) / (ROUNDS * rules.unit)
        for own, other in zip(points, known_points(rules, demands), strict=True)
    ]


@cache
def known_points(rules: Rules, demands: Demands) -> Sequence[int]:
    """Give the points of who sits there otherwise, by table, which are the same in every check."""
    tables, sparring = range(1, TABLES + 1), rules.game.sparring()
    results = _played(rules, demands, tables, lineup_of(lambda _: sparring.make()))
    return _points(rules, tables, results)


def _what(rules: Rules) -> str:
    return "chips" if rules.most_points is None else "points"


def _to_write(rules: Rules) -> str:
    """Say how a file gets a player."""
    contract = rules.game.contract()
    methods = " and ".join(f"`{name}`" for name in sorted(contract.__abstractmethods__))
    page = contract_name(contract).rpartition(".")[0]
    return f"write `class Name({contract.__name__}):` with {methods}, after `from {page} import …`"


class _Played(NamedTuple):
    """What came of playing tables."""

    pool: SandboxedPool | TrustedPool  # closed
    points: list[int]  # of the player, by table
    verdicts: list[Verdict]
    answers: str  # digest of all that happened to its seat


def _play(
    rules: Rules, level: Level, demands: Demands, source: Source, tables: Sequence[int]
) -> _Played:
    """Play tables with a player in a process of its own, each beside others that are known."""
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
    """Give the points of the player, or its chips, by table."""
    return [
        result.seats[_seat(rules, table)].final
        for table, result in zip(tables, results, strict=True)
    ]


def _seat(rules: Rules, table: int) -> int:
    """Say where the player sits."""
    return table % rules.seats.start


def _block(rules: Rules, demands: Demands, table: int) -> Block:
    """Draw up a table; its number says how cards are dealt and where the player sits."""
    has_chips, count = rules.most_points is None, rules.seats.start
    unit = rules.unit if has_chips else 0
    least = (demands.minimum or rules.minimum or MINIMUM) * unit
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
    """Give a key: the same in every check, so that an author can try again."""
    named = f"check {rules.game} {use} {number}"
    return blake2b(named.encode(), digest_size=KEY_BYTES).digest()


def _not_again(source: Source, rules: Rules, demands: Demands, table: int) -> Finding:
    """Say whose doing it is that a table comes to something else: the player's, or the game's."""
    what = _what(rules)
    if known_points.__wrapped__(rules, demands) != known_points(rules, demands):
        return Finding(
            f"expected the same {what} when its tables are played again, got others also where "
            f"nobody's code is asked: the game itself is not the same again, which is no fault of "
            f"{source.name}",
            remedy=f"tell whoever offers {rules.game}: tourney check --game says how to mend it",
        )
    return Finding(
        f"expected the same {what} when its tables are played again, got others at table {table}",
        source.name,
        "use self.random for luck, ask for no time, and keep nothing in the class or the module",
    )
