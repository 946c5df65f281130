"""The tables behind a board, a row for each entrant and table, in the formats of other programs."""

import csv
import io
import json
from collections.abc import Mapping, Sequence

import click

from tourney.event.entering import Tournament
from tourney.event.store import RunRecord, Store
from tourney.show import harmless
from tourney.show.parquet import PARQUET, as_parquet
from tourney.show.publish.per_table import KINDS, per_table
from tourney.show.publish.results import add_games, read_results
from tourney.standings import PLACE, Cell, Standing

FORMATS = ("csv", "json", PARQUET)


def tables_of(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    standings: Sequence[Standing],
    shown: Sequence[Standing],
) -> list[Mapping[str, Cell]]:
    """Give the tables of those who are shown, a row for each.

    Args:
        tournament: The tournament of the run.
        store: Where it is kept.
        run: The run.
        standings: Everybody, best first.
        shown: The first of them, as they may be called; nobody while results are withheld.
    """
    labels = tournament.labels
    results = read_results(store.seat_results(run.number), len(labels), tournament.scoring)
    if tournament.measure is PLACE:
        add_games(results, store.blocks(run.number))
    numbers = {label.name: number for number, label in enumerate(labels)}
    own = [results[numbers[row.name]] for row in standings[: len(shown)]]
    return list(per_table([row.name for row in shown], own))


def tables_as(rows: Sequence[Mapping[str, Cell]], codec: str) -> str | bytes:
    """Give tables in a format.

    Args:
        rows: A table each.
        codec: One of FORMATS.
    """
    if codec == PARQUET:
        return as_parquet(rows, KINDS)
    if codec == "json":
        return json.dumps(rows, indent=2, ensure_ascii=False)
    if codec != "csv":
        raise click.UsageError(
            f"--per-table: expected --format {', '.join(FORMATS)}; got {codec!r}"
        )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(KINDS)
    for row in rows:
        writer.writerow([harmless(row[name]) for name in KINDS])
    return text.getvalue().removesuffix("\n")
