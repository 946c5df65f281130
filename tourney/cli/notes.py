"""What several commands say of a run beside its results."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tourney.cli.options import note
from tourney.event.confinement_level import confinement_words
from tourney.event.entering import Tournament
from tourney.event.floor import duration_words
from tourney.event.pilot import Pilot
from tourney.event.store import RunRecord
from tourney.game.ledger import Verdict
from tourney.jail.levels import Level
from tourney.standings import Standing, TablesNeeded, notes_of


def fault_words(verdict: Verdict) -> str:
    """Say where a competitor failed and at what."""
    return ": ".join(part for part in (verdict.place, verdict.message) if part)


def note_confinement(run: RunRecord, *, was_seen: bool = False) -> None:
    """Say how well the code was shut in that entrants brought along, if any did."""
    if words := confinement_words(run, was_seen=was_seen):
        note(words)


def note_faults(standings: Sequence[Standing]) -> int:
    """Say whose competitors failed, where and at what; give how many."""
    failed = [row for row in standings if row.verdict]
    for row in failed:
        assert row.verdict
        note(
            f"{row.name}: {fault_words(row.verdict)} (round {row.verdict.round}; "
            f"{row.faults} of {row.tables} tables)"
        )
    return len(failed)


def note_sureness(tournament: Tournament, standings: Sequence[Standing]) -> None:
    """Say what to aim at, how many looks were taken, and what the columns do not show."""
    if standings and standings[0].best_play is not None:
        note(
            f"to aim at: best play wins {standings[0].best_play:+,.4f} a round at the minimum "
            f"wager of {tournament.config.minimum:,}, worked out exactly; higher wagers win or "
            "lose more"
        )
    looks = tournament.looks
    if looks and standings:
        taken, most = standings[0].looks, looks[-1]
        tables = "1 table" if standings[0].tables == 1 else f"{standings[0].tables:,} tables"
        note(f"look {taken} of at most {len(looks)}: {tables} of at most {most:,}")
    for each in notes_of(standings, tournament.scoring):
        about = f"{standings[each.row - 1].name}: " if each.row else ""
        note(f"{about}{each.text}")


def resume_words(run: RunRecord, tournament: Tournament, store: Path) -> str:
    """Give the command that goes on with a run."""
    command = f"tourney resume {run.number} --store {shlex.quote(str(store))}"
    is_trusting = tournament.confinement is Level.UNSAFE
    return f"{command} --trust-submissions" if is_trusting else command


def pilot_words(pilot: Pilot, lasting: Callable[[int, int | None], str]) -> Iterator[str]:
    """Say how many tables tell how much of the field apart, and how long they take.

    Args:
        pilot: What was found.
        lasting: Says how long so many tables take, at least and at most; None if that is open.
    """
    if pilot.why_not:
        yield f"how many tables tell how much apart: {pilot.why_not}"
        return
    yield (
        f"a pilot of {pilot.tables:,} tables says, with 95 % probability, how many tell neighbours "
        "apart:"
    )
    for needed in dict.fromkeys(pilot.needed):
        pairs = f"{needed.pairs:,} of {pilot.neighbours:,}"
        yield f"  {pairs} {'pair' if pilot.neighbours == 1 else 'pairs'}: {_range(needed, lasting)}"


def _range(needed: TablesNeeded, lasting: Callable[[int, int | None], str]) -> str:
    """Say between which numbers of tables the true one lies."""
    if needed.least is None:
        return "more tables than a run may have"
    least = _rounded(needed.least, up=False)
    if needed.most is None:
        return f"{least:,} tables or more, it saw no upper end; {lasting(least, None)}"
    most = _rounded(needed.most, up=True)
    tables = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{tables} tables, {lasting(least, most)}"


def range_words(least: float, most: float | None) -> str:
    """Say how long something takes, at least and at most; None if that is open."""
    if most is None:
        return f"{duration_words(least)} or more"
    return " to ".join(dict.fromkeys((duration_words(least), duration_words(most))))


def _rounded(tables: int, *, up: bool) -> int:
    """Give a number with two digits, and none of the range lost.

    >>> _rounded(1284, up=False), _rounded(1284, up=True), _rounded(7, up=True)
    (1200, 1300, 7)
    """
    step: int = 10 ** max(0, len(str(tables)) - 2)
    return -(-tables // step) * step if up else tables // step * step
