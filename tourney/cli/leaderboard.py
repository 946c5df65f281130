"""The board of a run that the store keeps: `leaderboard`."""

from pathlib import Path

import click

from tourney.cli.boards import WIDE, print_board
from tourney.cli.exporting import BOARD_FORMAT, OUTPUT, PER_TABLE, board, write_out
from tourney.cli.notes import note_confinement, note_faults, note_sureness, resume_words
from tourney.cli.options import GROUP, RUN, STORE, check_group, note
from tourney.cli.telling import Asked, policy_options
from tourney.entrants import load_plugins
from tourney.event.entering import enter_again
from tourney.event.run_standings import standings_of
from tourney.event.store import Store
from tourney.show import choose_columns
from tourney.show.parquet import PARQUET
from tourney.standings import is_in


@click.command("leaderboard")
@RUN
@STORE
@BOARD_FORMAT
@WIDE
@OUTPUT
@PER_TABLE
@GROUP
@policy_options
def leaderboard_command(
    run: str | None,
    store: Path,
    codec: str,
    output: Path | None,
    per_table: bool,
    group: str | None,
    asked: Asked,
) -> None:
    """Print the leaderboard of a run.

    RUN is a number or a name; without it the latest run is meant.
    """
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, plays=False)
        everybody = standings_of(tournament, kept, record)
        telling = asked.of(tournament, record.finished)
        standings = telling.rows(everybody)
        if group is not None:
            check_group(group, (row.group for row in standings))
            standings = tuple(row for row in standings if is_in(row.group, group))
        if per_table:
            # Brings along what publishes pages, which a board needs not.
            from tourney.cli.tables import tables_as, tables_of  # noqa: PLC0415 - see above

            rows = tables_of(tournament, kept, record, everybody, standings)
            write_out(tables_as(rows, codec), output)
            telling.note()
            return
    wanted, measure = tournament.config.leaderboard.columns, tournament.measure
    columns = choose_columns(
        wanted,
        registry.columns,
        codec,
        measure,
        follows_luck=tournament.follows_luck,
        has_chips=tournament.rules.most_points is None,
    )
    if output is None and codec != PARQUET:
        print_board(standings, columns, codec)
    else:
        write_out(board(standings, columns, codec), output)
    telling.note()
    note_sureness(tournament, standings)
    if record.status != "finished":
        note(f"run {record.number} is not finished: {resume_words(record, tournament, store)}")
    note_confinement(record)
    note_faults(standings)
