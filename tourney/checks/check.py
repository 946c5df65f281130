"""The check of a competitor: from its files to a report, in seconds, in a sandbox.

The competitor must load, then answer rare situations, then play a short match twice. The check
stops after the first step with a fault, because later steps would repeat it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import TypeAlias

from tourney.checks import construction_cost
from tourney.checks.further_findings import MOST_FINDINGS, follows, is_sure, without_import
from tourney.checks.lint import (
    coding_findings,
    hidden_findings,
    loading_words,
    repeat_finding,
    slips,
    with_slips,
)
from tourney.checks.pools import ANY, Demands, TrustedPool, checking, pool_for
from tourney.checks.remedies import finding_of
from tourney.checks.report import (
    MICRO,
    CheckReport,
    CostlyDecision,
    Finding,
    MeasuredParts,
    Tell,
    cost_words,
    lead_words,
    level_words,
    margin_of,
    printed_words,
    slow_finding,
    tell_nobody,
)
from tourney.checks.source import Source
from tourney.checks.trial_rounds import check_by_rounds, least_wager, net_of
from tourney.errors import BuildError
from tourney.game.examiner import Examiner, Match, Situations
from tourney.game.hand_history import JudgedDecision
from tourney.game.ledger import ENDING_CAUSES, BlockKey, Verdict
from tourney.game.players import BasePlayer
from tourney.game.rules import Rules
from tourney.plugins.fault_text import printable
from tourney.sandbox.levels import Level
from tourney.sandbox.referee import SandboxedPool
from tourney.standings.mistakes import MistakeCounter

Play: TypeAlias = Callable[..., Match]
"""Plays a match, given a pool and tables."""

MARKS = re.compile(r"[\s|^~]*")
"""A line of a compiler that only points at the line above it."""
MOST_LINES, LONGEST_LINE = 20, 200  # shown of a compiler's output: lines, and characters of each
SLOW = 50.0
"""Microseconds for a decision; slower players play half of the tables, and repeat a quarter.

Fast players take up to 10 in situations, or 40 on a slow machine.
"""
ASKING = 0.1
"""Fraction of a tournament's base allowance that asking itself may take: a lot per decision if
there are few decisions, and nothing if there are many.
"""
HALF, QUARTER = 2, 4


def check_source(
    source: Source,
    rules: Rules,
    bundled: Mapping[str, type[BasePlayer]],
    level: Level,
    demands: Demands = ANY,
    *,
    tell: Tell = tell_nobody,
) -> CheckReport:
    """Check a competitor.

    Args:
        source: The competitor's files.
        rules: Rules of the game that it should play.
        bundled: Strategies to compare it with, by name; see `known_beside`.
        level: Level of its sandbox.
        demands: Demands of the tournament.
        tell: Receives each measurement as a line of text.
    """
    hidden = tuple(hidden_findings(source))
    if misfit := source.language.misfit(source.name, source.files, rules):
        return CheckReport(passed=False, findings=(Finding(misfit, source.name), *hidden))
    measured = MeasuredParts(tell)
    remarks = tuple(built(source, demands, measured))
    if not all(each.is_warning for each in remarks):
        findings = (*remarks, *hidden)
        return CheckReport(passed=False, findings=findings, measured=tuple(measured.found))
    if reason := why_not_checked(source, rules):
        finding = Finding(f"this cannot be checked: {reason}", source.name)
        report = CheckReport(passed=False, findings=(finding,))
    elif examiner := rules.game.examiner(rules):
        check = _Check(source, rules, examiner, bundled, level, demands=demands, tell=tell)
        report = check.report()
    else:
        report = check_by_rounds(source, rules, level, demands, tell)
    found, slipped = with_slips(report.findings, slips(source, rules.game.contract()))
    read = (*slipped, *coding_findings(source), *hidden, *remarks)
    told = (*measured.found, *report.measured)
    return replace(report, findings=(*found, *read), measured=told)


def built(source: Source, demands: Demands, measured: MeasuredParts) -> Iterator[Finding]:
    """Compile the source if necessary; yield its errors and the compiler's warnings."""
    try:
        words, warnings, remarks = source.language.build(source.files)
    except BuildError as error:
        lines = [line for line in error.told.splitlines() if not MARKS.fullmatch(line)]
        for line in lines[:MOST_LINES]:
            measured.add("Compiler", line.rstrip()[:LONGEST_LINE])
        for each in (error, *error.further):
            yield Finding(each.what, each.place or source.name, each.remedy)
        return
    if words:
        measured.add("Compiling", words)
    names = {name for name, _ in source.files}
    for said, told, remedy in warnings[:MOST_FINDINGS]:
        # A source may claim to be another file with #line.
        place = said if said.rpartition(":")[0] in names else source.name
        message = f"the compiler warns: {printable(told)}"
        yield Finding(message, place, remedy, is_warning=not demands.refuses_warnings)
    for place, problem, remedy in remarks[:MOST_FINDINGS]:
        yield Finding(problem, place, remedy, is_warning=True)


def why_not_checked(source: Source, rules: Rules) -> str:
    """Return why a source cannot be checked; empty if it can."""
    if source.language.game not in {"", rules.game.name}:
        return f"{source.language.title} does not play {rules.game}"
    return ""


class _Check:
    """One check, step by step."""

    def __init__(
        self,
        source: Source,
        rules: Rules,
        examiner: Examiner,
        bundled: Mapping[str, type[BasePlayer]],
        level: Level,
        *,
        demands: Demands,
        tell: Tell,
    ) -> None:
        self._source, self._rules, self._bundled, self._level = source, rules, bundled, level
        self._examiner = examiner
        self._demands = demands
        self._trial = construction_cost.trial_of(source, rules.game, level, demands)
        self._minimum = least_wager(rules, demands)
        self._measured = MeasuredParts(tell)
        self._measured.add("Sandbox", level_words(level))
        self._findings: list[Finding] = []
        self._scored: Sequence[float] = ()
        self._is_slow = False
        self._answers = ""
        self._mistakes: tuple[CostlyDecision, ...] = ()

    def report(self) -> CheckReport:
        for step in (self._answer_situations, self._play):
            step()
            if any(not each.is_warning for each in self._findings):
                break
        faults = sorted(dict.fromkeys(self._findings), key=lambda each: each.is_warning)
        return CheckReport(
            passed=not any(not each.is_warning for each in faults),
            findings=tuple(faults[:MOST_FINDINGS]),
            score=fmean(self._scored) if self._scored else None,
            margin=margin_of(self._scored) if self._scored else None,
            measured=tuple(self._measured.found),
            mistakes=self._mistakes,
            answers=self._answers,
        )

    def _answer_situations(self) -> None:
        """Load the competitor, and ask about rare situations."""
        if fault := construction_cost.fault_of(self._trial, self._demands, self._source):
            self._findings.append(fault)
            return
        with self._pool() as pool:
            asked = self._ask(pool)
        self._is_slow = MICRO * pool.cpu_seconds > SLOW * asked.count
        if pool.printed:
            self._measured.add("Printed", printed_words(pool.printed))
        if asked.unseated:
            finding = self._finding(asked.unseated)
            closer = construction_cost.closer_finding(
                finding, self._trial, self._demands, self._source, asked.count
            )
            self._findings.append(closer)
            self._look_behind(asked.unseated)
            return
        self._measured.add("Loading", loading_words(self._source))
        if pool.ended:  # the situation that ended it is unknown
            self._findings.append(self._finding(asked.faults[0][1]))
            return
        wrong = len(asked.faults)
        self._findings += self._alike([*asked.faults, *self._of_hands(asked, self._source)])
        told = f"{asked.count} asked, {f'{wrong} answered wrongly' if wrong else 'all answered'}"
        self._measured.add("Situations", told)
        if not wrong:
            self._sit_down(asked.count, pool.loading_seconds)

    def _ask(self, pool: SandboxedPool | TrustedPool, **how: bool) -> Situations:
        return self._examiner.ask(pool, self._minimum, self._demands.maximum, **how)

    def _look_behind(self, verdict: Verdict) -> None:
        """Check again without the missing imports, to find further faults."""
        source, missing = self._source, frozenset[str]()
        while (found := without_import(source, verdict)) and len(self._findings) < MOST_FINDINGS:
            source, missing = found[0], missing | found[1]
            with self._pool(source) as pool:
                asked = self._ask(pool)
            faults = [*_situated(asked, pool), *self._of_hands(asked, source)]
            if asked.unseated:
                verdict, faults = asked.unseated, [("", asked.unseated)]
            self._findings += self._alike(
                [each for each in faults if not follows(each[1], missing)]
            )
            if not asked.unseated:
                return

    def _of_hands(self, asked: Situations, source: Source) -> list[tuple[str, Verdict]]:
        """Ask about the hands that were skipped after a wrong wager."""
        if not asked.unasked or any(each.cause in ENDING_CAUSES for _, each in asked.faults):
            return []
        with self._pool(source) as pool:
            faults = _situated(self._ask(pool, hands_only=True), pool)
        known = {(each.cause, each.call, each.place) for _, each in asked.faults}
        return [
            (words, each)
            for words, each in faults
            if (each.cause, each.call, each.place) not in known and is_sure(each, source)
        ]

    def _pool(self, source: Source | None = None) -> SandboxedPool | TrustedPool:
        return pool_for(
            source or self._source, self._rules.game, self._level, checking(self._demands)
        )

    def _sit_down(self, count: int, seconds: float) -> None:
        """Measure the cost of making players."""
        if cost := construction_cost.cost_of(self._trial, count, seconds, self._demands):
            self._measured.add("Start-up", construction_cost.cost_words(cost, self._demands))
            self._findings += construction_cost.cost_findings(cost, self._demands, self._source)

    def _alike(self, faults: Sequence[tuple[str, Verdict]]) -> Iterator[Finding]:
        """Yield each fault once, with the first situation and the number of further ones."""
        alike: dict[tuple[str, str, str], list[tuple[str, Verdict]]] = {}
        for words, verdict in faults:
            alike.setdefault((verdict.cause, verdict.call, verdict.place), []).append(
                (words, verdict)
            )
        for (words, verdict), *others in alike.values():
            more = f" (and {len(others)} more situations)" if others else ""
            yield self._finding(verdict, f"{words}{more}")

    def _finding(self, verdict: Verdict, words: str = "") -> Finding:
        return finding_of(verdict, self._source, self._rules.game.contract(), words)

    def _play(self) -> None:
        """Play a match, repeat it, and compare the player with known strategies."""
        examiner = self._examiner
        tables = range(examiner.tables // (HALF if self._is_slow else 1))
        onlookers, maximum = tuple(self._bundled.values()), self._demands.maximum
        play = partial(examiner.play, minimum=self._minimum, maximum=maximum)
        with self._pool() as pool:
            played = play(pool, tables=tables, onlookers=onlookers)
            seconds, warning = pool.cpu_seconds, pool.warning
        if played.verdicts:
            self._findings += [self._finding(verdict) for verdict in played.verdicts[:1]]
            return
        # Only the tables that slow players play, too.
        self._answers = examiner.answers(played, range(examiner.tables // HALF))
        self._cost(seconds, played.decisions, warning)
        self._likeness(played.same, played.decisions)
        self._repeat(played, play)
        simple = next(iter(self._bundled.values()))
        against = net_of(simple, self._rules, self._minimum, tables)
        chip = self._minimum * self._rules.unit * examiner.rounds / 100
        ahead = [(a - b) / chip for a, b in zip(played.net, against, strict=True)]
        # Only the tables that slow players play, too, so that versions can be compared.
        self._duplicate(ahead[: examiner.tables // HALF])
        self._judge(played)

    def _cost(self, seconds: float, decisions: int, warning: str) -> None:
        """Measure the cost of a decision."""
        cost, most = seconds / max(decisions, 1), self._demands.budget.decision
        self._measured.add("Cost", cost_words(cost, most))
        asking = ASKING * self._demands.budget.base
        if warning or seconds - asking > decisions * most / 2:
            self._findings.append(slow_finding(cost, most, self._source.name))

    def _likeness(self, same: Sequence[int], decisions: int) -> None:
        """Count the decisions that differ from each known strategy."""
        for name, agreed in zip(self._bundled, same, strict=True):
            differs = decisions - agreed
            told = f"in {differs:,} of {decisions:,} decisions"
            self._measured.add(f"Differs from {name}", told)
            if not differs:
                self._findings.append(
                    Finding(
                        f"this player made the same {decisions:,} decisions as {name}",
                        self._source.name,
                        "change how it plays or wagers; the course expects a different player",
                        is_warning=True,
                    )
                )

    def _repeat(self, played: Match, play: Play) -> None:
        """Check that the player repeats its play at the same tables in another order."""
        whole = list(map(int, played.tables))
        tables = whole[: len(whole) // (QUARTER if self._is_slow else 1)]
        compare = self._examiner.difference
        with self._pool() as pool:
            is_repeated = self._examiner.is_repeated(pool, played, tables[::-1])
        # A full match is needed only to find the first difference.
        again = None if is_repeated else self._played_again(play, tables[::-1])
        difference = compare(played, again) if again else ""
        if not difference:
            told = f"{len(tables)} tables played again, every answer the same"
            self._measured.add("Repeatable", told)
            return
        is_shared = not compare(played, self._played_again(play, whole))
        self._findings.append(repeat_finding(difference, self._source, is_shared=is_shared))

    def _played_again(self, play: Play, tables: Sequence[int]) -> Match:
        with self._pool() as pool:
            return play(pool, tables=tables)

    def _judge(self, played: Match) -> None:
        """Compare the decisions with optimal play."""
        tables: dict[int, list[JudgedDecision]] = {int(table): [] for table in played.tables}
        for table, decision in self._examiner.judged(played):
            tables[table].append(decision)
        counter = MistakeCounter()
        for table, decisions in tables.items():
            counter.take(BlockKey(0, 0, table, 0, 1), decisions, self._examiner.rounds)
        if not counter.judged:
            return
        found = counter.found("")
        spread = f" ± {found.half_width / self._minimum:.1f}" if found.half_width else ""
        self._measured.add(
            "Cost of decisions",
            f"{found.cost_per_100 / self._minimum:.1f}{spread} minimum bets per 100 rounds against "
            "optimal play without counting (95 %)",
        )
        self._mistakes = tuple(
            CostlyDecision(
                each.situation,
                each.answer,
                each.best,
                each.times,
                each.cost_per_100 / self._minimum,
            )
            for each in found.listed
        )

    def _duplicate(self, ahead: Sequence[float]) -> None:
        """Compare the player with the first known strategy on the same shoes."""
        self._scored = ahead
        told = (
            f"{lead_words(ahead)} minimum bets per 100 rounds, on the same shoes "
            f"({len(ahead)} tables, 95 %)"
        )
        self._measured.add(f"Compared with {next(iter(self._bundled))}", told)


def _situated(asked: Situations, pool: SandboxedPool | TrustedPool) -> list[tuple[str, Verdict]]:
    """Return the faults with their situations; if the process ended, the situation is unknown."""
    return [("", asked.faults[0][1])] if pool.ended and asked.faults else asked.faults
