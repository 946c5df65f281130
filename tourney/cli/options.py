"""Options that several commands share."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, redirect_stdout
from pathlib import Path
from typing import Any

import click

from tourney.confine.levels import Level
from tourney.engine import ENGINES
from tourney.entries import Tournament
from tourney.leaderboard import FORMATS
from tourney.ledger import Verdict
from tourney.standings import Standing, notes_of
from tourney.store import RunRecord
from tourney.trust import confinement_words

STORE = click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    default="tourney.db",
    show_default=True,
    help="File that keeps the runs.",
)
WORKERS = click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    default=lambda: os.cpu_count() or 1,
    show_default="one for each core",
    help="Processes that play. Never changes a result.",
)
CLUSTER = click.option(
    "--cluster",
    metavar="PLACE",
    help="Play on a Dask cluster: local, slurm:FILE, tls://HOST:PORT or tcp://HOST:PORT. "
    "Never changes a result.",
)
INSECURE_CLUSTER = click.option(
    "--insecure-cluster",
    is_flag=True,
    help="Let shoes and sources travel to a tcp:// scheduler in the clear.",
)
ENGINE = click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="auto",
    show_default=True,
    help="Which engine plays. Never changes a result.",
)
SEED = click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="N",
    help="Make the run reproducible: a rehearsal.",
)
FORMAT = click.option(
    "--format",
    "codec",
    type=click.Choice(FORMATS),
    default="simple",
    show_default=True,
    metavar="FORMAT",
    help="Any format of tabulate, csv or json.",
)
STRICT_PLUGINS = click.option(
    "--strict-plugins", is_flag=True, help="Stop if any plugin is in quarantine."
)
TRUST_SUBMISSIONS = click.option(
    "--trust-submissions",
    is_flag=True,
    help="Let `file:` entrants run in this process, with all your rights, not confined.",
)
RUN = click.argument("run", required=False)


def note(message: Any) -> None:
    """Tell the user something that is not a result."""
    click.echo(message, err=True)


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


def prints_aside() -> AbstractContextManager[object]:
    """Send what competitors print to standard error, so that results stay by themselves."""
    return redirect_stdout(sys.stderr)


def entrant_number(names: Mapping[int, str], name: str) -> int:
    """Find an entrant by its name on the leaderboard, however it is capitalised.

    Args:
        names: Of those who may be told of, by their number.
        name: The one looked for.
    """
    for number, known in names.items():
        if known.casefold() == name.casefold():
            return number
    expected = f"one of {', '.join(names.values())}" if names else "nobody: results are withheld"
    raise click.BadParameter(f"expected {expected}; got {name!r}", param_hint="--entrant")
