"""`export`: every hand and every decision of a run, as data."""

from pathlib import Path

import click

from tourney.cli.options import (
    NO_SANDBOX,
    RUN,
    STORE,
    NamedFile,
    note,
    prints_aside,
    shared_option,
)
from tourney.cli.progress import Looking
from tourney.cli.visibility import entrant_of
from tourney.game.words import counted
from tourney.plugins.loading import load_plugins
from tourney.report.hand_tables import FORMATS, MISSING, HandsData
from tourney.research.stored_runs import chosen_blocks
from tourney.store.store import Store
from tourney.tournament.loading import enter_again


@click.command("export")
@RUN
@STORE
@shared_option(
    "--output",
    "to",
    required=True,
    type=NamedFile(file_okay=False, path_type=Path),
    metavar="DIR",
)
@shared_option(
    "--format",
    "form",
    type=click.Choice(tuple(FORMATS)),
    default="parquet",
    show_default=True,
)
@click.option(
    "--limit", "tables", type=click.IntRange(1), metavar="N", help="Export only the first N tables."
)
@shared_option("--entrant", metavar="NAME")
@NO_SANDBOX
def export_command(
    run: str | None,
    store: Path,
    to: Path,
    form: str,
    tables: int | None,
    entrant: str | None,
    trust_submissions: bool,
) -> int:
    """Write every hand and every decision of a run as data.

    RUN is a number or a name; the default is the latest run. The run is played again. Hands and
    decisions go to one file each; --entrant selects the tables of one entrant. Hands that differ
    from the stored results are left out, the player is named, and the exit status is 1. The files
    contain all cards and names, so they are for the organizer only.
    """
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, load_plugins(), trusts_files=trust_submissions)
        number = None if entrant is None else entrant_of(record, entrant)
        is_chosen = chosen_blocks(tables, number)
        results = filter(is_chosen, kept.blocks(record.number))
        hands = sum(seat.rounds for block in results for seat in block.seats)
        dealt = 0
        with prints_aside(), Looking("hands", "dealing again", "dealt again") as looking:

            def count(more: int) -> None:
                nonlocal dealt
                dealt += more
                looking.update(min(dealt, hands), hands)  # stand-ins add rows

            data = HandsData(tournament, kept, record, is_chosen, count)
            written = data.write(to, form)
    for what, rows in written.items():
        note(f"{to / (what + FORMATS[form])}: {counted(rows, what.removesuffix('s'))}")
    for line in data.explanations():
        note(line)
    if data.differing:
        note(f"{to / MISSING}: the seats that are missing")
    return 1 if data.differing else 0
