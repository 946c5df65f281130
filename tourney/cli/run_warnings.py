"""Notes and questions before a run: its engine, its luck, its ranks, and its size.

Before a very large run the command asks at a terminal; elsewhere it needs --yes. `run --dry-run`
estimates the time.
"""

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from tourney.cli.options import NOTED, note
from tourney.config.model import TournamentConfig
from tourney.config.tournament import load
from tourney.config.words import joined
from tourney.errors import Fault, TooLargeError, TourneyError
from tourney.game.ledger import Verdict
from tourney.game.words import counted
from tourney.plugins.fault_text import printable
from tourney.plugins.loading import language_of, load_plugins
from tourney.plugins.registry import Registry
from tourney.report.redaction import shown_verdict
from tourney.sandbox.levels import Level
from tourney.standings.notes import notes_of
from tourney.standings.standing import Standing
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import Tournament, enter_again
from tourney.tournament.plugin_needs import (
    missing_needs,
    missing_words,
    needed_to_play,
    with_stand_ins,
)
from tourney.tournament.sandbox_level import confinement_words


class StoredRun(NamedTuple):
    """A run in an open store, with the data needed to read it."""

    store: Store
    record: RunRecord
    tournament: Tournament
    registry: Registry
    has_players: bool = True  # whether all plugins that play needs are installed


@contextmanager
def stored_run(
    run: str | None,
    path: Path,
    *,
    trusts_files: bool = False,
    plays: bool = False,
    counts: bool = False,
) -> Iterator[StoredRun]:
    """Open a store and find a run.

    Args:
        run: Its number or name; `None` for the latest.
        path: The store.
        trusts_files: As for `enter_again`.
        plays: Whether the command plays.
        counts: As for `note_choice`.
    """
    registry = load_plugins()
    warn_of_quarantine(registry)
    with Store.open(path, create=False) as store:
        record = store.run(run)
        note_choice(store, record, run, counts=counts)
        missing = missing_needs(record, registry)
        has_players = not needed_to_play(missing)
        if missing:
            note(missing_words(record, missing, registry))
            registry, plays = with_stand_ins(registry, record), plays and has_players
        tournament = enter_again(record, registry, trusts_files=trusts_files, plays=plays)
        yield StoredRun(store, record, tournament, registry, has_players)


def note_choice(store: Store, record: RunRecord, ref: str | None, *, counts: bool = False) -> None:
    """Print which of several runs the command reads, unless its number was given.

    Args:
        store: With the runs.
        record: The run.
        ref: The argument RUN.
        counts: Whether students see this result; then a rehearsal needs its number if there is
            also a run with secret shoes.
    Raises: TourneyError, for a rehearsal without its number.
    """
    if ref == str(record.number):
        return
    found, this = store.candidates(ref), f"run {record.number}, {printable(record.name)}"
    secret = [number for number, name, rehearses in found if name == record.name and not rehearses]
    if counts and record.rehearsal and secret:
        raise TourneyError(
            f"{this}, is a rehearsal (its seed is known), and run {secret[-1]} of this name is "
            "not: name the run that counts, as in "
            f"`tourney {click.get_current_context().info_name} {secret[-1]}`"
        )
    if len(found) > 1:
        kind = ", a rehearsal" if record.rehearsal and secret else ""
        note(f"{this}{kind}: the latest of {len(found):,} runs")


def warn_of_quarantine(registry: Registry) -> None:
    """Print the plugins in quarantine, once in a command."""
    context = click.get_current_context(silent=True)
    if context:
        root = context.find_root()
        if root.meta.get(NOTED):
            return
        root.meta[NOTED] = True
    for plugin in registry.quarantined:
        note(f"plugin {plugin.origin} is in quarantine: {plugin.fault}")


def fault_words(verdict: Verdict) -> str:
    """Describe the place and the call of a fault."""
    shown = shown_verdict(verdict)
    return ": ".join(part for part in (shown.place, shown.message) if part)


def note_confinement(run: RunRecord, *, was_seen: bool = False) -> None:
    """Print the sandbox of entrants' code, if there is any."""
    if words := confinement_words(run, was_seen=was_seen):
        note(words)


def note_faults(standings: Sequence[Standing], tournament: Tournament) -> None:
    """Print the failed competitors, a line each with place, call and fix."""
    failed = [row for row in standings if row.verdict]
    if not failed:
        return
    # Texts of checks are loaded only after a fault.
    from tourney.checks.remedies import remedy_on_board  # noqa: PLC0415 - see above

    languages = {each.name: language_of(each.kind) for each in tournament.records}
    for row in failed:
        assert row.verdict
        tables = f"{row.faults} of {row.tables} tables"
        if row.measure.name == "finish":  # which the format does not count
            tables = "1 table" if row.faults == 1 else f"{row.faults} tables"
        said = f"{fault_words(row.verdict)} (round {row.verdict.round}; {tables})"
        remedy = remedy_on_board(row.verdict, languages[row.name], tournament.rules)
        note(f"{row.name}: {said}{remedy and f'; {remedy}'}")


def note_sureness(tournament: Tournament, standings: Sequence[Standing]) -> None:
    """Print the benchmark, the number of looks, and notes about columns."""
    if standings and standings[0].best_play is not None:
        full, count = "", ""
        if not tournament.rules.deals_fresh:
            full, count = " from a full shoe", ", and so does a card count"
        value = standings[0].best_play
        note(
            f"benchmark: optimal play {'wins' if value > 0 else 'loses'} {abs(value):,.4f} chips "
            f"per round{full} at the minimum wager of {tournament.config.minimum:,} (exact); "
            f"higher wagers change this{count}"
        )
    looks = tournament.looks
    if looks and standings:
        taken, most = standings[0].looks, looks[-1]
        tables = counted(standings[0].tables, "table")
        note(f"look {taken} of at most {len(looks)}: {tables} of at most {most:,}")
    for each in notes_of(standings, tournament.scoring):
        about = f"{standings[each.row - 1].name}: " if each.row else ""
        note(f"{about}{each.text}")


def note_unfinished(run: RunRecord, tournament: Tournament, store: Path) -> None:
    """Print how to resume an unfinished run."""
    if run.status != "finished":
        note(f"run {run.number} is not finished: {resume_words(run, tournament, store)}")


def note_absent(tournament: Tournament, standings: Sequence[Standing], *, by_name: bool) -> None:
    """Print the entrants without a finished table, which are not on the board.

    Args:
        tournament: With all entrants.
        standings: Of all entrants that have played.
        by_name: Whether their names are visible.
    """
    present = {each.name for each in standings}
    present |= {each.name for each in tournament.records if each.excluded is not None}
    absent = [each.name for each in tournament.labels if each.name not in present]
    if absent:
        who = joined(absent, "and") if by_name else f"{len(absent):,} more"
        note(f"not on the board yet: {who}")


def note_excluded(tournament: Tournament, *, by_name: bool) -> None:
    """Print the entrants that were taken off the board, and why.

    Args:
        tournament: With all entrants.
        by_name: Whether their names are visible.
    """
    excluded = [each for each in tournament.records if each.excluded is not None]
    if excluded and not by_name:
        note(f"excluded from the board: {len(excluded):,}")
        return
    for each in excluded:
        note(f"{each.name} is excluded from the board: {each.excluded}")


def resume_words(run: RunRecord, tournament: Tournament, store: Path) -> str:
    """Return the command that resumes a run."""
    command = f"tourney resume {run.number} --store {shlex.quote(str(store))}"
    if tournament.config.public_value and not run.public_value:
        command += " --public-value VALUE"
    is_trusting = tournament.confinement is Level.UNSAFE
    return f"{command} --no-sandbox" if is_trusting else command


LARGE_ENTRANTS = 100_000
"""More entrants take over half a gigabyte before play."""
LARGE_RESULTS = 50_000_000
"""Results of seats; more take over ten gigabytes of a store."""
LARGE_ROUNDS = 10**11
"""Rounds of seats; more take a core most of a day in machine code, or months otherwise."""
BYTES_OF_RESULT = 200
"""Approximate size of a seat's result in a store."""


def load_wanted(
    path: Path, registry: Registry, *, is_sure: bool, confines_all: bool = False
) -> TournamentConfig:
    """Read a configuration, after confirmation if it has very many entrants.

    Args:
        path: The file.
        registry: The plugins.
        is_sure: Skip the confirmation.
        confines_all: Installed strategies run in the sandbox, and are not tried here.
    Raises: TooLargeError, if there is no terminal to ask; ConfigError.
    """
    catalog = catalog_of(registry, tries_options=not confines_all)
    if is_sure:
        return load(path, catalog)
    try:
        return load(path, catalog, LARGE_ENTRANTS)
    except TooLargeError as large:
        _ask(large)
        return load(path, catalog)


def check_work(tournament: Tournament, *, is_sure: bool) -> None:
    """Ask for confirmation of very many results or rounds.

    Raises: TooLargeError, if there is no terminal to ask.
    """
    batches, first = tournament.outline
    if is_sure or batches is None:
        return
    results = batches * sum(len(block.seats) for block in first)
    rounds = batches * sum(len(block.seats) * block.rounds for block in first)
    if results > LARGE_RESULTS:
        size = f"about {results * BYTES_OF_RESULT / 1e9:,.0f} GB of a store"
        limit = f"at most {LARGE_RESULTS:,} results"
        _ask(_too_large(tournament, f"{results:,} results of seats, {size}", limit))
    elif rounds > LARGE_ROUNDS:
        limit = f"at most {LARGE_ROUNDS:,} rounds"
        _ask(_too_large(tournament, f"{rounds:,} rounds of seats", limit))


def _too_large(tournament: Tournament, size: str, limit: str) -> TooLargeError:
    message = f"the tournament has {size}; reduce it to {limit}, or add --yes"
    return TooLargeError((Fault(tournament.config.source, 0, 0, "format", message),))


def _ask(large: TooLargeError) -> None:
    """Ask for confirmation.

    Raises: TooLargeError, without a terminal; click.Abort, if the answer is no.
    """
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        raise large
    note(large)
    click.confirm("Continue?", abort=True, err=True)
