"""Extending a finished run: more tables for all entrants, or additional entrants.

Only new blocks are played. An additional entrant plays the tables of all others, with the same
cards; additional tables are new to all entrants.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote

from tourney.config.model import EntrantConfig, TournamentConfig
from tourney.errors import TourneyError
from tourney.formats.solo import MOST_TABLES, Solo
from tourney.plugins.registry import Registry
from tourney.store.records import EntrantRecord, RunRecord
from tourney.store.store import Store
from tourney.tournament.entrant_specs import check_options, records_of
from tourney.tournament.loading import enter_again
from tourney.tournament.sandbox_level import brings_code, claimed_level, level_of_new_run


def extend_run(
    store: Store,
    run: RunRecord,
    registry: Registry,
    *,
    tables: int | None = None,
    late: Sequence[EntrantConfig] = (),
    trusts_files: bool = False,
    tell: Callable[[RunRecord], None] | None = None,
) -> RunRecord:
    """Record the extension of a finished run; `play_run` then plays the new blocks.

    The caller must hold the run, so that no other process extends it meanwhile.

    Args:
        store: The store of the run.
        run: The run.
        registry: The installed plugins.
        tables: New total number of tables of each entrant; unchanged by default.
        late: Additional entrants.
        trusts_files: Whether files of these entrants may run in this process.
        tell: Called with the extended run before anything is written; may raise to refuse.
    Returns: The extended run.
    Raises: TourneyError, if it cannot be extended.
    """
    # Raises if it could not be played.
    config = enter_again(run, registry, trusts_files=trusts_files).config
    options = config.format.options
    _check(run, store.path, options, config.game.rules.seats)
    steps = run.steps or ((options.tables, len(run.entrants)),)
    before = steps[-1][0]
    if tables is not None and not before < tables <= MOST_TABLES:
        expected = f"more than the {before:,} it has, and at most {MOST_TABLES:,}"
        raise TourneyError(f"--tables: expected {expected}; got {tables}")
    records, confinement = _late_records(run, config, late, trusts_files=trusts_files)
    step = (tables or before, len(run.entrants) + len(records))
    settings = {**dict(run.settings), "steps": (*steps, step)}
    store.check(run.number)
    record = replace(run, settings=tuple(settings.items()), confinement=confinement)
    if tell:
        tell(replace(record, entrants=(*run.entrants, *records)))
    store.extend_run(record, records)
    return store.run(run.number)


def _check(run: RunRecord, store: Path, options: object, seats: range) -> None:
    """Reject runs that are unfinished, stop by a rule, or have shared tables."""
    if run.status != "finished":
        raise TourneyError(
            f"run {run.number} is not finished; resume it first: "
            f"tourney resume {run.number} --store {quote(str(store))}"
        )
    if not isinstance(options, Solo) or 1 not in seats:
        raise TourneyError(
            f"run {run.number} cannot be extended: results of its tables depend on the players "
            "there; only duplicate and independent can be, in games with one player at a table"
        )
    if options.stop == "separated":
        raise TourneyError(
            f"run {run.number} cannot be extended: `stop: separated` has spent its 5 % error "
            "probability on its own interim analyses; start a new run with more tables"
        )


def _late_records(
    run: RunRecord, config: TournamentConfig, late: Sequence[EntrantConfig], *, trusts_files: bool
) -> tuple[list[EntrantRecord], str]:
    """Return the records of additional entrants, and the new sandbox level of the run."""
    if not late:
        return [], run.confinement
    known = {entrant.name.casefold() for entrant in run.entrants}
    for entrant in late:
        if entrant.name.casefold() in known:
            raise TourneyError(
                f"--add: run {run.number} already has an entrant {entrant.name!r}; choose another "
                "name with --as"
            )
        if not run.confines_all:
            check_options(entrant)
    config = replace(config, entrants=tuple(late))
    level = level_of_new_run(config, trusts_files=trusts_files, confines_all=run.confines_all)
    before = claimed_level(run)
    if level and before and level.is_below(before):
        raise TourneyError(
            f"run {run.number} began at sandbox level {before}, but this machine offers only level "
            f"{level}; extend it on a machine with level {before}"
        )
    first = len(run.entrants)
    records = [
        replace(record, number=first + record.number) for record in records_of(config, level)
    ]
    # The level of later entrants must not replace an unknown level of earlier ones.
    has_code = any(map(brings_code, run.entrants))
    return records, run.confinement if before or has_code else str(level or "")
