"""`exclude`: takes an entrant off the board of a finished run, or puts it back."""

from pathlib import Path

import click

from tourney.cli.options import RUN, STORE, note, shared_option
from tourney.cli.visibility import entrant_of
from tourney.store.store import Store
from tourney.tournament.stored_standings import exclude


@click.command("exclude")
@RUN
@STORE
@shared_option("--entrant", required=True, metavar="NAME")
@shared_option("--reason", metavar="TEXT")
@click.option("--undo", is_flag=True, help="Put the entrant back on the board.")
def exclude_command(
    run: str | None, store: Path, entrant: str, reason: str | None, undo: bool
) -> None:
    """Take an entrant off the board of a finished run.

    RUN is a number or a name; the default is the latest run. The entrant disappears from the
    board, the published pages, the season and the grades, and entrants behind it move up. Its
    results stay in the store, so `tourney verify` still replays the whole run. At shared tables,
    the results that others had against it still count. Publish pages again afterwards.
    """
    if undo == (reason is not None):
        raise click.UsageError("Give either --reason TEXT, or --undo.")
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        number = entrant_of(record, entrant)
        exclude(kept, record, number, reason)
    done = "back on" if undo else "excluded from"
    note(
        f"{record.entrants[number].name} is {done} the board of run {record.number}; publish its "
        "pages again, if there are any"
    )
