"""A finished run that goes on: more tables for everybody, or somebody who comes late.

Only new blocks are played. Whoever comes late plays the tables of all others, with the same
cards; more tables are tables that nobody has played yet.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote

from tourney.config.model import EntrantConfig
from tourney.config.tournament import loads
from tourney.errors import TourneyError
from tourney.formats.solo import MOST_TABLES, Solo
from tourney.plugins.registry import Registry
from tourney.store.records import EntrantRecord, RunRecord
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of
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
    """Write down that a finished run goes on; `play_run` then plays what is new.

    Whoever calls it holds the run, so that nobody else extends it meanwhile.

    Args:
        store: Where it is kept.
        run: The run.
        registry: What names stand for.
        tables: Tables that everybody is to have played in the end; as before by default.
        late: Who enters now.
        trusts_files: Whether files of those may run in this process.
        tell: Told the run as it will be, before anything is written; may refuse.
    Returns: The run as it is from now on.
    Raises: TourneyError, if it cannot go on.
    """
    enter_again(run, registry, trusts_files=trusts_files)  # or it is refused, and stays as it is
    config = loads(run.config, catalog_of(registry), run.config_source, folder=None)
    options = config.format.options
    _check(run, store.path, options, config.game.rules.seats)
    steps = run.steps or ((options.tables, len(run.entrants)),)
    before = steps[-1][0]
    if tables is not None and not before < tables <= MOST_TABLES:
        expected = f"more than the {before:,} it has, and at most {MOST_TABLES:,}"
        raise TourneyError(f"--tables: expected {expected}; got {tables}")
    records, confinement = _late_records(run, registry, late, trusts_files=trusts_files)
    step = (tables or before, len(run.entrants) + len(records))
    settings = {**dict(run.settings), "steps": (*steps, step)}
    store.check(run.number)
    record = replace(run, settings=tuple(settings.items()), confinement=confinement)
    if tell:
        tell(replace(record, entrants=(*run.entrants, *records)))
    store.extend_run(record, records)
    return store.run(run.number)


def _check(run: RunRecord, store: Path, options: object, seats: range) -> None:
    """Refuse runs that are not over, that stop by a rule, or whose entrants share tables."""
    if run.status != "finished":
        raise TourneyError(
            f"run {run.number}: expected a finished run, got one that is not: "
            f"tourney resume {run.number} --store {quote(str(store))}"
        )
    if not isinstance(options, Solo) or 1 not in seats:
        raise TourneyError(
            f"run {run.number}: expected duplicate or independent, in a game in which everybody "
            "sits alone; got tables whose results depend on who sits there"
        )
    if options.stop == "separated":
        raise TourneyError(
            f"run {run.number}: expected a run that plays all its tables, got stop: separated, "
            "whose 5 % are spent on its own looks; start another with more tables"
        )


def _late_records(
    run: RunRecord, registry: Registry, late: Sequence[EntrantConfig], *, trusts_files: bool
) -> tuple[list[EntrantRecord], str]:
    """Find who comes late; give them, and how code is confined from now on."""
    if not late:
        return [], run.confinement
    known = {entrant.name.casefold() for entrant in run.entrants}
    for entrant in late:
        if entrant.name.casefold() in known:
            raise TourneyError(
                f"--add: expected a name that run {run.number} does not have, got "
                f"{entrant.name!r}; name it with --as"
            )
        if not run.confines_all:
            check_options(entrant)
    config = replace(
        loads(run.config, catalog_of(registry), run.config_source, folder=None),
        entrants=tuple(late),
    )
    level = level_of_new_run(config, trusts_files=trusts_files, confines_all=run.confines_all)
    before = claimed_level(run)
    if level and before and level.is_below(before):
        raise TourneyError(
            f"run {run.number}: expected to confine players at level {before}, as before; got "
            f"{level}"
        )
    first = len(run.entrants)
    records = [
        replace(record, number=first + record.number) for record in records_of(config, level)
    ]
    # What is not known of those before is not made up for by those who come late.
    has_code = any(map(brings_code, run.entrants))
    return records, run.confinement if before or has_code else str(level or "")
