"""`leaderboard`: the board of a stored run, or all its tables as rows.

The table is the unit of statistics: hands of one table share a bankroll and a shoe.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from tourney.cli.boards import (
    BOARD_FORMAT,
    COLUMN,
    OUTPUT,
    PER_TABLE,
    WIDE,
    is_format_named,
    print_board,
    without_failing,
    write_out,
)
from tourney.cli.options import (
    GROUP,
    REPLACE,
    RUN,
    STORE,
    check_group,
    check_target,
    refuse_beside,
    refuse_without,
)
from tourney.cli.run_warnings import (
    note_absent,
    note_confinement,
    note_excluded,
    note_faults,
    note_sureness,
    note_unfinished,
    stored_run,
)
from tourney.cli.visibility import ViewOptions, policy_options
from tourney.report.publish.published_results import LUCK_PARTS, add_games, read_results
from tourney.report.text import DATA_FORMATS, PARQUET, board_of, columns_of, data_of
from tourney.standings.columns import Cell
from tourney.standings.standing import PLACE, is_in
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament
from tourney.tournament.stored_standings import standings_of

COLUMNS = {
    "entrant": ("string", "As the policy has it."),
    "stage": ("integer", "From 1."),
    "heat": ("integer", "From 1."),
    "table": ("integer", "From 1; entrants that share stage, heat and table met the same cards."),
    "rounds": ("integer", "Played there, in all seatings."),
    "net": ("number", "Chips or points that all rounds came to."),
    "final": (
        "number",
        (
            "Bankroll in the end, in chips; points in games without them; also at a table that a "
            "fault lost, which the board counts as the worst there is."
        ),
    ),
    "luck": ("number", "Chips that the cards alone were worth; empty where luck is not followed."),
    "handle": ("number", "Chips wagered."),
    "squares": ("number", "Sum of the squared results of all rounds, in squared chips or points."),
    "games": ("integer", "Played to places; empty where places do not count."),
    "place": ("number", "Mean place of these games; empty where places do not count."),
    "fault": ("integer", "1 where a verdict was, else 0."),
}
"""Types and meanings of the columns, in order."""

KINDS = {name: kind for name, (kind, _) in COLUMNS.items()}


def tables_of(
    tournament: Tournament, store: Store, run: RunRecord, entrants: Iterable[tuple[str, str]]
) -> Iterator[Mapping[str, Cell]]:
    """Yield the tables of entrants, sorted by entrant and table.

    Args:
        tournament: The tournament of the run.
        store: Its store.
        run: The run.
        entrants: Their names, and their visible names.
    """
    numbers = {label.name: number for number, label in enumerate(tournament.labels)}
    unit = tournament.rules.unit
    results = read_results(store.seat_results(run.number), len(numbers), tournament.scoring)
    if tournament.measure is PLACE:
        add_games(results, store.blocks(run.number))
    for own, name in entrants:
        for (stage, heat, number), table in sorted(results[numbers[own]].tables.items()):
            yield {
                "entrant": name,
                "stage": stage + 1,
                "heat": heat + 1,
                "table": number + 1,
                "rounds": table.rounds,
                "net": table.net / unit,
                "final": table.final / unit,
                "luck": table.luck / LUCK_PARTS / unit if table.follows_luck else None,
                "handle": table.handle / unit,
                "squares": table.squares / unit**2,
                "games": table.games or None,
                "place": table.places / 2 / table.games if table.games else None,
                "fault": int(table.has_fault),
            }


@click.command("leaderboard")
@RUN
@STORE
@BOARD_FORMAT
@WIDE
@OUTPUT
@REPLACE
@PER_TABLE
@GROUP
@COLUMN
@policy_options
def leaderboard_command(
    run: str | None,
    store: Path,
    codec: str,
    output: Path | None,
    replace: bool,
    per_table: bool,
    group: str | None,
    more: tuple[str, ...],
    asked: ViewOptions,
) -> None:
    """Print the leaderboard of a run.

    RUN is a number or a name; the default is the latest run. A FILE that ends in .csv, .json or
    .parquet gets that format, unless --format names another one.
    """
    if not output:
        refuse_without("--output FILE", "replace")
    elif not is_format_named() and output.suffix[1:].lower() in DATA_FORMATS:
        codec = output.suffix[1:].lower()
    if per_table:
        refuse_beside("--per-table", "more", "wide")
    if output:
        check_target(output, "--output", replaces=replace)
    with stored_run(run, store) as (kept, record, tournament, registry, _):
        everybody = standings_of(tournament, kept, record)
        telling = asked.of(tournament, record.finished)
        rows = list(zip(everybody, telling.rows(everybody), strict=False))  # the first ones
        if group is not None:
            check_group(group, (row.group for _, row in rows))
            rows = [(own, row) for own, row in rows if is_in(row.group, group)]
        if per_table:
            if codec not in DATA_FORMATS:
                raise click.UsageError(
                    f"--per-table: choose --format {', '.join(DATA_FORMATS)}, not {codec!r}"
                )
            names = ((own.name, row.name) for own, row in rows)
            tables = list(tables_of(tournament, kept, record, names))
            write_out(data_of(tables, KINDS, codec), output)
            telling.note()
            return
    standings = tuple(row for _, row in rows)
    asked_columns = (*(tournament.config.leaderboard.columns or ()), *more)
    columns = columns_of(tournament, registry.columns, codec, more)
    columns = without_failing(columns, standings, asked_columns)
    if output is None and codec != PARQUET:
        print_board(standings, columns, codec, keep=more)
    else:
        write_out(board_of(standings, columns, codec), output)
    telling.note()
    note_sureness(tournament, standings)
    if record.status != "finished":
        note_absent(tournament, everybody, by_name=telling.tells_everything)
    note_excluded(tournament, by_name=telling.tells_everything)
    note_unfinished(record, tournament, store)
    note_confinement(record)
    note_faults(standings, tournament)
