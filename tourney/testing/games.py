"""The check of a game without strategies: it finds faults that `verify` would blame on players.

It plays the same tables several times: alone, interleaved, in other processes, and with a
sandboxed player. It cannot check that the rules are the intended ones.
"""

import inspect
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import zip_longest
from math import ceil
from pathlib import Path
from types import FrameType
from typing import TypeAlias

from tourney.checks.lint import USES_RANDOM
from tourney.checks.pools import ANY, pool_for
from tourney.checks.report import MICRO, CheckReport, Finding, MeasuredParts, Tell, tell_nobody
from tourney.checks.source import source_of
from tourney.checks.starter_files import starting_files
from tourney.errors import ConfinementError, PluginError, PluginFailedError
from tourney.execution.engine_selection import play_batch
from tourney.game.blocks import Batch, Block
from tourney.game.lineup import lineup_of
from tourney.game.rules import Rules
from tourney.game.seats import accounts_of
from tourney.game.turns import FlowTable
from tourney.plugins.fault_text import error_words, module_of, place_of_class, place_of_error
from tourney.sandbox.budgets import PATIENCE
from tourney.sandbox.levels import Level
from tourney.sandbox.referee import SandboxedPool
from tourney.testing.game_tables import GameFaultError, Notes, at_one_seat, blocks_of, steps

AGAIN = (
    "again",
    "take all chance from the cards of `open`, and keep changing state in the table or the round",
)
BESIDE = (
    "interleaved with others",
    "keep changing state in the table or the round, not in the class or the module",
)
ELSEWHERE = (
    "in another process",
    "do not iterate over a set, whose order differs between processes; sort it, or use a tuple",
)
"""Ways to play tables again, and the fix if the result differs."""
SEEDS = ("1", "2")
"""Hash seeds, which fix the order of sets in the other processes."""
PROGRAM = "from tourney.testing.games import play_elsewhere; play_elsewhere()"
REMEDIES = {
    "legal_actions() is empty": "return at least one in legal_actions, or None as to_act after a "
    "round",
    "a round from open()": "return a round in open of the table",
    "as to_act": "return the number of the seat whose turn it is, or None after a round",
    "numbers from": "return one whole number for each seat, in the order of the round",
    "expected wagers from 0": "return the stake of every seat as wagers",
    "loses more than its bankroll": "let may_play of the rules require the full cost of a round",
    "must be whole numbers": "divide by //, and count in parts of a chip by `unit` of the rules",
    "seats, but wagers": "give one number for each seat, in the order of the round",
    "outside of round_bounds": "make round_bounds of the game valid for all moves, or None",
    "points, got": "set most_points of the rules to the most points of a round",
}
"""Fixes by a part of a table's message."""
PLAYS = 7
"""Times that every table is played: with inspection, again, interleaved, in two other processes,
with a player, and with a sandboxed player.
"""
MUCH = 2
"""Factor between planned and actual decisions that is worth a warning."""
AMPLE = ANY.budget.patient._replace(decision=PATIENCE * ANY.budget.decision)
"""Limits of the sandboxed player: the game is checked, not the speed of its views."""


Update: TypeAlias = Callable[[int, int], object]
"""Receives the number of played tables, and of all tables to play."""


def show_nothing(played: int, total: int) -> None:
    """Ignore the progress."""


class Seen:
    """Counts played tables.

    Args:
        total: All tables to play.
        update: Receives the progress.
        played: Tables that were played before.
    """

    def __init__(self, total: int, update: Update, played: int = 0) -> None:
        self._total, self._update, self._played = total, update, played

    def each(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Yield blocks, and count each once it was played."""
        for block in blocks:
            yield block
            self.add(1)

    def add(self, tables: int) -> None:
        """Count tables."""
        self._played += tables
        self._update(self._played, self._total)


def check_game_alone(
    rules: Rules, level: Level, tell: Tell = tell_nobody, update: Update = show_nothing
) -> CheckReport:
    """Check a game.

    Args:
        level: The best sandbox of this machine.
        tell: Receives each line of results.
        update: Receives the number of played tables, and of all tables to play.
    """
    measured, findings = MeasuredParts(tell), list[Finding]()
    try:
        findings += _tables(rules, measured, update)
        findings += _confined(rules, level, measured, update)
    except GameFaultError as fault:
        findings.insert(0, Finding(fault.message, _place(rules), fault.remedy))
    except PluginFailedError as error:
        remedy = next((each for words, each in REMEDIES.items() if words in str(error)), "")
        findings.insert(0, Finding(str(error), _place(rules), remedy))
    except ConfinementError:  # not a fault of the game
        raise
    except Exception as error:  # noqa: BLE001 - the game is its author's code
        findings.insert(0, _raised(error, rules))
    passed = all(each.is_warning for each in findings)
    return CheckReport(passed, tuple(findings), measured=tuple(measured.found))


def _raised(error: Exception, rules: Rules) -> Finding:
    own = type(rules.game).__module__.partition(".")[0]

    def is_own(frame: FrameType) -> bool:
        return module_of(frame).partition(".")[0] == own

    found = error.__cause__ if isinstance(error.__cause__, Exception) else error
    message = f"a round failed: {error_words(found)}"
    place = place_of_error(found, is_own)
    if not place and isinstance(found, AttributeError) and found.name:
        kind = type(found.obj)
        remedy = f"define {found.name} in {kind.__name__}: docs/how-to/add-a-game.md"
        return Finding(message, place_of_class(kind) or _place(rules), remedy)
    remedy = "fix that line" if place else f"fix module {type(rules.game).__module__}"
    return Finding(message, place or _place(rules), remedy)


def _place(rules: Rules) -> str:
    return place_of_class(type(rules.game))


def _tables(rules: Rules, measured: MeasuredParts, update: Update) -> Iterator[Finding]:
    """Play tables without players; yield warnings.

    Raises: GameFaultError, and the exceptions of the game.
    """
    blocks = blocks_of(rules)
    table = rules.game.table(blocks[0], accounts_of(blocks[0]))
    if not isinstance(table, FlowTable):
        measured.add("Turns", f"not looked at: {type(table).__name__} asks its players itself")
        return
    notes = Notes()
    seen = Seen(len(blocks) * PLAYS, update)
    played = [list(steps(block, notes)) for block in seen.each(blocks)]
    counts = " or ".join(map(str, dict.fromkeys(len(block.seats) for block in blocks)))
    measured.add("Tables", f"{len(blocks)}, {notes.rounds:,} rounds, {counts} seats")
    measured.add("Turns", f"{notes.turns:,}, with up to {notes.most_legal} legal answers")
    measured.add("Results", _sums_words(rules, notes))
    _compare(rules, blocks, played, [list(steps(block)) for block in seen.each(blocks)], AGAIN)
    beside = zip(*zip_longest(*map(steps, blocks), fillvalue=""), strict=True)
    _compare(rules, blocks, played, beside, BESIDE)
    seen.add(len(blocks))
    for seed in SEEDS:
        _compare(rules, blocks, played, _elsewhere(rules, seed), ELSEWHERE)
        seen.add(len(blocks))
    measured.add("Repeatable", "same results again, interleaved and in two other processes")
    yield from _foretold(rules, notes)


def _sums_words(rules: Rules, notes: Notes) -> str:
    what = "chips" if rules.most_points is None else "points"
    least, most = min(notes.sums, default=0), max(notes.sums, default=0)
    if least == most:
        return f"those of a round always add up to {least} {what}"
    shown = "".join(f" {each / rules.unit:+g} to" for each in (least, most)).removesuffix(" to")
    return f"those of a round add up to{shown} {what}" + (
        ", as in a game against a dealer" if what == "chips" else ""
    )


def _compare(
    rules: Rules,
    blocks: Sequence[Block],
    played: Sequence[Sequence[str]],
    again: Iterable[Sequence[str]],
    how: tuple[str, str],
) -> None:
    """Raise an error at the first difference between two plays, with the way of playing and the
    fix.
    """
    way, remedy = how
    for block, first, second in zip(blocks, played, again, strict=True):
        for one, other in zip_longest(first, filter(None, second), fillvalue="nothing more"):
            if one != other:
                raise GameFaultError(
                    f"table {block.key.table} differs when it is played {way} with the same cards "
                    f"and moves: first {one}, then {other}{_luck_words(rules)}",
                    remedy,
                )


def _luck_words(rules: Rules) -> str:
    """Name the line where a game's module imports random, if there is one."""
    module = sys.modules[type(rules.game).__module__]
    try:
        found = USES_RANDOM.search(text := inspect.getsource(module))
    except (OSError, TypeError):
        return ""
    if not found:
        return ""
    line = text.count("\n", 0, found.end()) + 1
    return f" ({Path(module.__file__ or '').name}:{line} imports random)"


def _foretold(rules: Rules, notes: Notes) -> Iterator[Finding]:
    """Warn of plans that are far from the actual play."""
    rounds, turns = notes.rounds, notes.turns
    said = rules.decisions(rounds, notes.seat_rounds, notes.cards)
    if said * MUCH < turns or turns * MUCH < said:
        yield Finding(
            f"decisions of the rules estimates {said:,} decisions for {rounds:,} rounds, but "
            f"{turns:,} were made",
            place_of_class(type(rules)),
            "return the average number, because plans use it",
            is_warning=True,
        )


def _elsewhere(rules: Rules, seed: str) -> Sequence[Sequence[str]]:
    """Play in a new process, where sets have another order.

    Raises: GameFaultError, if no other process can play.
    """
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(  # noqa: S603 - this very program
        [sys.executable, "-c", PROGRAM],
        input=pickle.dumps(rules),
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
    )
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise GameFaultError(
            f"another process, such as a worker, cannot play the game: {last}",
            "put the game's module on Python's path, and run nothing on import",
        )
    return [table.split("\n") for table in done.stdout.decode().split("\n\n")]


def play_elsewhere() -> None:
    """Play the tables of rules that the parent process sends as a pickle."""
    with redirect_stdout(sys.stderr):  # output of the game is not part of the answer
        rules = pickle.load(sys.stdin.buffer)  # noqa: S301 - of who started it
        told = ["\n".join(steps(block)) for block in blocks_of(rules)]
    sys.stdout.buffer.write("\n\n".join(told).encode())


def _confined(
    rules: Rules, level: Level, measured: MeasuredParts, update: Update
) -> Iterator[Finding]:
    """Play tables with a player in this process, and with the same player in the sandbox.

    Yields: A warning, if the sandboxed player needs more time than players have by default.
    Raises: GameFaultError, if the results differ.
    """
    try:
        name, text = next(iter(starting_files("first legal", rules).items()))
        source = source_of({name: text.encode()})
    except PluginError as error:
        measured.add("Confined", f"not tried: {error}")
        return
    made = source.language.load(source.name, source.files)
    here = lineup_of(lambda _: made())
    blocks = tuple(map(at_one_seat, blocks_of(rules)))
    batch = Batch(0, 0, blocks)
    seen = Seen(len(blocks) * PLAYS, update, len(blocks) * (PLAYS - 2))
    one = play_batch(batch, here, "reference").results
    seen.add(len(blocks))
    for result in one:
        for verdict in (seat.verdict for seat in result.seats if seat.verdict):
            raise GameFaultError(
                f"the player of `tourney new competitor` failed: {verdict.message}",
                "add templates of the game, or a field `legal` to the view",
            )
    if level is Level.UNSAFE:
        measured.add("Confined", "not tried: this machine has no sandbox")
        return
    pool = pool_for(source, rules.game, level, ANY._replace(budget=AMPLE))
    other = play_batch(batch, replace(here, confined=lambda _: pool)).results
    for before, after in zip(one, other, strict=True):
        if before.digest != after.digest:
            fault = next((seat.verdict for seat in after.seats if seat.verdict), None)
            got = fault.message if fault else "others"
            raise GameFaultError(
                f"a sandboxed player has other results at table {before.key.table + 1}: {got}",
                "build turns from frozen data, and import the code that asks players with the "
                "module of the game, its contract or its codec",
            )
    seen.add(len(blocks))
    measured.add("Confined", f"{len(blocks)} tables: same results with and without the sandbox")
    assert isinstance(pool, SandboxedPool), "any other level has a process of its own"
    if pool.cpu_seconds > ANY.budget.of_all(pool.asked):
        each = MICRO * pool.cpu_seconds / pool.asked
        yield Finding(
            f"turns are slow to read: a sandboxed player that takes the first legal action needs "
            f"{each:.0f} µs for a decision, but players have "
            f"{MICRO * ANY.budget.decision:.0f} µs by default",
            _place(rules),
            f"make views smaller, or set limits: {{cpu_us_per_decision: {ceil(each / 50) * 100}}} "
            "in tournaments of this game",
            is_warning=True,
        )
