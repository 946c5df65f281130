"""`leaderboard`: the board of a stored run."""

from pathlib import Path

import click

from tourney.cli.boards import (
    BOARD_FORMAT,
    COLUMN,
    OUTPUT,
    PER_TABLE,
    WIDE,
    print_board,
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
from tourney.report.text import DATA_FORMATS, PARQUET, board_of, columns_of, data_of
from tourney.standings.standing import is_in
from tourney.tournament.stored_standings import standings_of


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

    RUN is a number or a name; the default is the latest run.
    """
    if not output:
        refuse_without("--output FILE", "replace")
    if per_table:
        refuse_beside("--per-table", "more", "wide")
    if output:
        check_target(output, "--output", replaces=replace)
    with stored_run(run, store) as (kept, record, tournament, registry, _):
        everybody = standings_of(tournament, kept, record)
        telling = asked.of(tournament, record.finished)
        standings = telling.rows(everybody)
        if group is not None:
            check_group(group, (row.group for row in standings))
            standings = tuple(row for row in standings if is_in(row.group, group))
        if per_table:
            # Imports the publishing of pages, which a board does not need.
            from tourney.report.publish.table_rows import KINDS, tables_of  # noqa: PLC0415 - see above

            if codec not in DATA_FORMATS:
                raise click.UsageError(
                    f"--per-table: choose --format {', '.join(DATA_FORMATS)}, not {codec!r}"
                )
            rows = tables_of(tournament, kept, record, everybody, standings)
            write_out(data_of(rows, KINDS, codec), output)
            telling.note()
            return
    columns = columns_of(tournament, registry.columns, codec, more)
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
