"""`extend`: adds tables or a late entrant to a finished run."""

from itertools import zip_longest
from pathlib import Path

import click

from tourney.cli import completion
from tourney.cli.anchor_options import (
    AUTHORITIES,
    TIMESTAMP,
    anchor_option,
    anchor_run,
    check_anchor,
)
from tourney.cli.boards import FORMAT, WIDE
from tourney.cli.options import (
    ENGINE,
    NO_SANDBOX,
    STORE,
    WORKERS,
    YES,
    note,
    prints_aside,
    refuse_without,
    shared_option,
)
from tourney.cli.run import play_and_show, said
from tourney.cli.run_warnings import check_work
from tourney.cli.visibility import TELL_ALL, ViewOptions
from tourney.errors import TourneyError
from tourney.fairness.commitments import commitments_of
from tourney.plugins.loading import load_plugins
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.entrant_specs import entrant_as_typed
from tourney.tournament.extension import extend_run
from tourney.tournament.loading import enter_again


@click.command("extend")
@click.argument("run", shell_complete=completion.runs)
@click.option(
    "--tables",
    type=click.IntRange(1),
    metavar="N",
    help="Total number of tables after the extension.",
)
@click.option(
    "--add",
    "entrants",
    multiple=True,
    metavar="WHO",
    shell_complete=completion.strategies,
    help="New entrant: the name of a strategy, a file or a chart. May be repeated.",
)
@shared_option("--as", "names", multiple=True, metavar="NAME")
@click.option("--in-group", "group", metavar="GROUP", help="Group of the new entrants.")
@anchor_option()
@TIMESTAMP
@AUTHORITIES
@STORE
@WORKERS
@ENGINE
@FORMAT
@WIDE
@NO_SANDBOX
@TELL_ALL
@YES
def extend_command(
    run: str,
    tables: int | None,
    entrants: tuple[str, ...],
    names: tuple[str, ...],
    group: str | None,
    anchor: Path | None,
    timestamp: str | None,
    authorities: tuple[Path, ...],
    store: Path,
    workers: int,
    engine: str,
    codec: str,
    trust_submissions: bool,
    tell_all: bool,
    is_sure: bool,
) -> int:
    """Add tables or entrants to a finished run.

    Only the new part is played.

    RUN is a number or a name. The first --as names the first --add, and so on. The commitment of
    the extension is added to the anchor before play.
    """
    if tables is None and not entrants:
        raise click.UsageError("nothing to add; pass --tables or --add")
    if len(names) > len(entrants):
        raise click.UsageError("there are more --as than --add; add entrants or remove names")
    if group and not entrants:
        raise click.UsageError("--in-group needs --add")
    late = [entrant_as_typed(*each, group=group) for each in zip_longest(entrants, names)]
    if timestamp and not anchor:
        raise click.UsageError("--timestamp needs --anchor")
    if not timestamp:
        refuse_without("--timestamp URL", "authorities")

    registry = load_plugins()

    def commit(extended: RunRecord) -> None:
        check_work(enter_again(extended, registry, plays=False), is_sure=is_sure)
        if extended.blinding:
            note(f"commitment of the extension: {commitments_of(extended)[-1].commitment}")
        if anchor:
            anchor_run(anchor, extended, timestamp, authorities)

    with Store.open(store, create=False) as kept, kept.held(kept.run(run).number, note):
        with prints_aside():
            before = kept.run(run)
            _check_anchored(before, anchor)
            record = extend_run(
                kept,
                before,
                registry,
                tables=tables,
                late=late,
                trusts_files=trust_submissions,
                tell=commit,
            )
            tournament = enter_again(record, registry, trusts_files=trust_submissions)
            is_sealed = ViewOptions().of(tournament, before.finished).is_sealed
        if late and not record.rehearsal:
            note(f"{_secret_words(is_sealed)}; a late entrant could have known the shoes")
        begin = said(record, f"run {record.number} in {store}: {record.name}, extended")
        how = (store, workers, engine, codec, None)
        return play_and_show(
            tournament, kept, begin, registry, how, ViewOptions(tells_all=tell_all)
        )


def _check_anchored(run: RunRecord, anchor: Path | None) -> None:
    """Reject an extension of a run past its anchor, which could no longer prove the order."""
    if anchor:
        check_anchor(anchor, run)
    elif run.is_anchored:
        raise TourneyError(
            f"run {run.number} began with `tourney commit`; add --anchor FILE, because the anchor "
            "must hold the commitment of an extension before its first card"
        )


def _secret_words(is_sealed: bool) -> str:
    """Describe who knows the secret of a finished run."""
    if is_sealed:
        return "the secret of the run is hidden with its results, but readers of the store know it"
    return "the secret of the run is already published"
