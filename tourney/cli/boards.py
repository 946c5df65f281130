"""Printing a board, or writing it in the formats of other programs.

On a terminal only as many columns are printed as its width holds. Whoever names a format, asks for
--wide or reads it elsewhere than on a terminal gets all columns.
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from tourney.cli.options import NamedFile, note, shared_option
from tourney.errors import TourneyError
from tourney.report.text import DEFAULT_FORMAT, FORMATS, PARQUET, render
from tourney.standings.columns import Column
from tourney.standings.standing import Standing

LEFT_OUT_FIRST = (
    *("q05", "q95", "games", "rounds", "ruin", "wins"),
    *("mean_final_bankroll", "profit_per_round", "counts", "finish", "above"),
)
"""Columns that a narrow terminal does without, in this order; then others, from the right."""
ALWAYS = ("rank", "entrant")
GAP = 2
"""Spaces between columns."""
KEY = "tourney.wide"


def _remember(context: click.Context, option: click.Parameter, value: bool) -> None:
    del option
    context.meta[KEY] = value


FORMAT = shared_option(
    "--format",
    "codec",
    type=click.Choice(FORMATS),
    default="simple",
    show_default=True,
    metavar="[csv|json|simple|github|...]",
)
WIDE = click.option(
    "--wide",
    is_flag=True,
    expose_value=False,
    callback=_remember,
    help="Show all columns of the board, however narrow the terminal is.",
)


def print_board(standings: Sequence[Standing], columns: Sequence[Column], codec: str) -> None:
    """Print a board, and below it what was left out.

    Args:
        standings: Best first.
        columns: What to show.
        codec: A format of tabulate, "csv" or "json".
    """
    text = render(standings, columns, codec)
    if not _has_to_fit(codec):
        click.echo(text)
        return
    room = shutil.get_terminal_size().columns
    # The line below the titles is as wide as each column.
    widths = [len(line) for line in text.splitlines()[1].split()]
    kept = fitting(columns, widths, room)
    click.echo(text if len(kept) == len(columns) else render(standings, kept, codec))
    if left_out := [column.title for column in columns if column not in kept]:
        note(f"left out to fit {room} columns: {', '.join(left_out)} (--wide shows them)")


def fitting(columns: Sequence[Column], widths: Sequence[int], room: int) -> tuple[Column, ...]:
    """Give the columns that fit beside each other.

    Args:
        columns: What there is to show.
        widths: Of each.
        room: In characters.
    """
    names = [column.name for column in columns]
    others = [name for name in reversed(names) if name not in (*LEFT_OUT_FIRST, *ALWAYS)]
    kept = dict(zip(names, widths, strict=True))
    for name in (*LEFT_OUT_FIRST, *others):
        if sum(kept.values()) + GAP * (len(kept) - 1) <= room:
            break
        kept.pop(name, None)
    return tuple(column for column in columns if column.name in kept)


def _has_to_fit(codec: str) -> bool:
    context = click.get_current_context(silent=True)
    is_asked = context is not None and (
        context.meta.get(KEY)
        or context.get_parameter_source("codec") is ParameterSource.COMMANDLINE
    )
    return codec == DEFAULT_FORMAT and not is_asked and sys.stdout.isatty()


BOARD_FORMAT = shared_option(
    "--format",
    "codec",
    type=click.Choice((*FORMATS, PARQUET)),
    default="simple",
    show_default=True,
    metavar="[csv|json|parquet|simple|github|...]",
)
OUTPUT = shared_option("--output", type=NamedFile(dir_okay=False, path_type=Path), metavar="FILE")
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


COLUMN = click.option(
    "--column",
    "more",
    multiple=True,
    metavar="NAME",
    help="Show this column as well, whatever the configuration named; may be repeated.",
)
