"""The board in the formats of other programs, to standard output or into a file."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from tourney.errors import TourneyError
from tourney.show import FORMATS, kind_of, render
from tourney.show.parquet import PARQUET, as_parquet
from tourney.standings import COLUMNS, Column, Standing

BOARD_FORMAT = click.option(
    "--format",
    "codec",
    type=click.Choice((*FORMATS, PARQUET)),
    default="simple",
    show_default=True,
    metavar="FORMAT",
    help="Any format of tabulate, csv, json or parquet.",
)
OUTPUT = click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write into a file.",
)
PER_TABLE = click.option(
    "--per-table",
    is_flag=True,
    help="Give every table of every entrant instead, as csv, json or parquet.",
)


def write_out(content: str | bytes, output: Path | None) -> None:
    """Write what was asked for to a file or to standard output.

    Args:
        content: Text without its last line's end, or bytes.
        output: Where to; standard output if None.
    Raises: TourneyError, if it cannot be written there.
    """
    if output is None:
        if isinstance(content, bytes) and sys.stdout.isatty():
            raise click.UsageError(
                "--format parquet: expected a file, got a terminal: add --output FILE"
            )
        click.echo(content, nl=isinstance(content, str))
        return
    try:
        output.write_bytes(content if isinstance(content, bytes) else f"{content}\n".encode())
    except OSError as error:
        raise TourneyError(
            f"{output}: expected a file that can be written, got: {error.strerror}"
        ) from error


def board(standings: Sequence[Standing], columns: Sequence[Column], codec: str) -> str | bytes:
    """Give the board in a format.

    Args:
        standings: Best first.
        columns: What to show.
        codec: Of tabulate, or csv, json or parquet.
    """
    if codec != PARQUET:
        return render(standings, columns, codec)
    own = {each.name for each in COLUMNS}
    kinds = {each.name: kind_of(each) if each.name in own else "" for each in columns}
    return as_parquet([{each.name: each.cell(row) for each in columns} for row in standings], kinds)
