"""Tournaments so large that somebody has to want them: estimated before memory is taken.

Whoever sits at a terminal is asked; everybody else says --yes. Leaves out how long a run takes,
which `run --dry-run` measures.
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
"""More take over half a gigabyte before a card is dealt."""
LARGE_RESULTS = 50_000_000
"""Of seats; more fill some ten gigabytes of a store."""
LARGE_ROUNDS = 10**11
"""Of seats; more take a core most of a day at the speed of machine code, others months."""
BYTES_OF_RESULT = 200
"""Of a seat's result in a store, nearly."""


def load_wanted(
    path: Path, registry: Registry, *, is_sure: bool, confines_all: bool = False
) -> TournamentConfig:
    """Read a configuration, if memory may be taken for so many entrants.

    Args:
        path: The file.
        registry: What names stand for.
        is_sure: Whether somebody said so already.
        confines_all: Whether installed strategies are confined, and not tried here.
    Raises: TooLargeError, if nobody is there to be asked; ConfigError.
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
    """Make sure that somebody wants so many results and rounds, as far as they are known before.

    Raises: TooLargeError, if nobody is there to be asked.
    """
    batches, first = tournament.outline
    if is_sure or batches is None:
        return
    results = batches * sum(len(block.seats) for block in first)
    rounds = batches * sum(len(block.seats) * block.rounds for block in first)
    if results > LARGE_RESULTS:
        size = f"{results:,}, about {results * BYTES_OF_RESULT / 1e9:,.0f} GB of a store"
        _ask(_too_large(tournament, f"at most {LARGE_RESULTS:,} results of seats", size))
    elif rounds > LARGE_ROUNDS:
        _ask(_too_large(tournament, f"at most {LARGE_ROUNDS:,} rounds of seats", f"{rounds:,}"))


def _too_large(tournament: Tournament, expected: str, got: str) -> TooLargeError:
    message = f"expected {expected}; got {got}: make it fewer, or add --yes"
    return TooLargeError((Fault(tournament.config.source, 0, 0, "format", message),))


def _ask(large: TooLargeError) -> None:
    """Ask whoever is there.

    Raises: TooLargeError, if nobody is; click.Abort, if the answer is no.
    """
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        raise large
    note(large)
    click.confirm("Go on all the same?", abort=True, err=True)
