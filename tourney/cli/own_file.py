"""A player's own file at a program of a game, such as `play ve280 … FILE`.

It sits in a process of its own, as in a tournament, and hears of its faults as from `check`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from tourney.check.pools import ANY, BUDGET, pool_for
from tourney.check.remedies import finding_of
from tourney.check.source import Source, read_handed_in
from tourney.cli.options import note
from tourney.errors import SubmissionError
from tourney.game.ledger import Verdict
from tourney.game.programs import Found
from tourney.game.rules import Rules
from tourney.research.check import level_of_own

ONE_BY_ONE = BUDGET._replace(decision=10 * BUDGET.decision)
"""A process that is asked one question at a time reads and writes more for each of them."""


@contextmanager
def found_in_file(path: Path, rules: Rules, *, trusts: bool) -> Iterator[Found]:
    """Find a player in what its author hands over.

    Args:
        path: A file of Python, a chart, or the folder of a package.
        rules: That it is to play by.
        trusts: Whether it may run with all rights of who plays.
    Raises: TourneyError, if it cannot be read, cannot be confined or is at fault.
    """
    source = read_handed_in(path)
    if misfit := source.language.misfit(source.name, source.files, rules):
        raise SubmissionError(f"{source.name}: {misfit}")
    if not source.language.runs_code:  # no program, such as a chart, needs no process
        yield Found(source.language.load(source.name, source.files))
        return
    level = level_of_own(trusts=trusts)
    pool = pool_for(source, rules.game, level, ANY._replace(budget=ONE_BY_ONE))
    try:
        with pool:
            yield Found(pool=pool, words=partial(_words, source, rules))
    finally:
        if pool.printed:
            note(f"{source.name} printed:\n{pool.printed.rstrip()}")


def _words(source: Source, rules: Rules, verdict: Verdict) -> str:
    """Say what was wrong, where, and how to mend it."""
    # The driver says at which hand.
    return str(finding_of(replace(verdict, decision=0), source, rules.game.contract()))
