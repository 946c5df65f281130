"""A player's own file at the original programs: `play ve280|eecs280 … FILE`.

It sits in a process of its own, as in a tournament, and hears of its faults as from `check`.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from tourney.classic import Session, asked_at, made_by, play_session
from tourney.cli.checking import level_of_own
from tourney.cli.options import note
from tourney.confine.levels import setup_for
from tourney.confine.referee import ConfinedDesk
from tourney.errors import SubmissionError
from tourney.ledger import Verdict
from tourney.players import chart_player, read_chart
from tourney.submissions import Source, misfit_of_chart, read_handed_in
from tourney.submissions.checks.confining import BUDGET, submitted_of
from tourney.submissions.checks.remedies import finding_of

ONE_BY_ONE = BUDGET._replace(decision=10 * BUDGET.decision)
"""A process that is asked one question at a time reads and writes more for each of them."""


def play_file(session: Session, path: Path, *, trusts: bool) -> None:
    """Play a session with what its author hands over.

    Args:
        session: What to play.
        path: A file of Python, a chart, or the folder of a package.
        trusts: Whether it may run with all rights of who plays.
    Raises: TourneyError, if it cannot be read, cannot be confined or is at fault.
    """
    source = read_handed_in(path)
    if source.kind == "chart":
        _play_chart(session, source)
        return
    level = level_of_own(trusts=trusts, option="--trust-submissions")
    desk = ConfinedDesk(session.rules.game, submitted_of(source), setup_for(level), ONE_BY_ONE)
    try:
        with desk:
            play_session(session, asked_at(desk), click.echo, partial(_words, source))
    finally:
        if desk.printed:
            note(f"{source.name} printed:\n{desk.printed.rstrip()}")


def _play_chart(session: Session, source: Source) -> None:
    """Play a chart, which is no program and needs no process."""
    name, text = source.files[0]
    if misfit := misfit_of_chart(read_chart(text, name), session.rules):
        raise SubmissionError(f"{name}: {misfit}")
    play_session(session, made_by(chart_player(text, name)), click.echo)


def _words(source: Source, verdict: Verdict) -> str:
    """Say what was wrong, where, and how to mend it."""
    text = "" if source.kind == "package" else source.files[0][1]
    # The driver says at which hand.
    return str(finding_of(replace(verdict, decision=0), text, source.name))
