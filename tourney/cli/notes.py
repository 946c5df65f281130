"""What several commands say of a run beside its results."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from tourney.cli.options import note
from tourney.event.confinement_level import confinement_words
from tourney.event.entering import Tournament
from tourney.event.store import RunRecord
from tourney.game.ledger import Verdict
from tourney.jail.levels import Level
from tourney.standings import Standing, notes_of


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
