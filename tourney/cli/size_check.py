"""Confirmation of very large tournaments, estimated before they take memory.

At a terminal the command asks; elsewhere it needs --yes. `run --dry-run` estimates the time.
"""

import sys
from pathlib import Path

import click

from tourney.cli.options import note
from tourney.config.model import TournamentConfig
from tourney.config.tournament import load
from tourney.errors import Fault, TooLargeError
from tourney.plugins.registry import Registry
from tourney.tournament.catalog import catalog_of
from tourney.tournament.loading import Tournament

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
