"""Printing a board, or writing it in the formats of other programs.

By default a board is as wide as the terminal, or 100 characters where the output is no terminal.
`--wide` prints all columns with a legend; `--format` prints all columns.
"""

import shutil
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from textwrap import fill

import click
from click.core import ParameterSource
from click.decorators import FC

from tourney.cli.options import NamedFile, note, shared_option
from tourney.errors import PluginError, TourneyError
from tourney.report.text import DEFAULT_FORMAT, FORMATS, PARQUET, render
from tourney.standings.columns import Column, deciding_column
from tourney.standings.standing import Standing

LEFT_OUT_FIRST = (
    *("q05", "q95", "median", "games", "rounds", "ruin", "wins"),
    *("mean_final_bankroll", "profit_per_round", "counts", "finish", "above"),
)
"""Columns that a narrow board drops first, in this order; then others, from the right."""
ALWAYS = ("rank", "entrant")
GAP = 2
"""Spaces between columns."""
ROOM = 100
"""Characters in a line of a board that is not printed on a terminal."""
KEY = "tourney.wide"


def _remember(context: click.Context, option: click.Parameter, value: bool) -> None:
    del option
    context.meta[KEY] = value


def _format_option(formats: Sequence[str], metavar: str) -> Callable[[FC], FC]:
    return shared_option(
        "--format",
        "codec",
        type=click.Choice(formats),
        default=DEFAULT_FORMAT,
        show_default=True,
        metavar=metavar,
    )


FORMAT = _format_option(FORMATS, "[csv|json|simple|github|...]")
BOARD_FORMAT = _format_option((*FORMATS, PARQUET), "[csv|json|parquet|simple|github|...]")
WIDE = click.option(
    "--wide",
    is_flag=True,
    expose_value=False,
    callback=_remember,
    help="Show all columns of the board, with a legend.",
)


def print_board(
    standings: Sequence[Standing],
    columns: Sequence[Column],
    codec: str,
    *,
    keep: Sequence[str] = (),
) -> None:
    """Print a board, and below it a legend or the columns that are not shown.

    Args:
        standings: Best first.
        columns: Columns of the board.
        codec: A format of tabulate, "csv" or "json".
        keep: Names of columns to print however narrow the board is.
    """
    text = render(standings, columns, codec)
    if codec != DEFAULT_FORMAT or is_format_named():
        click.echo(text)
        return
    if _is_wide():
        click.echo(text)
        print_legend(columns)
        return
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else ROOM
    # The line below the headings is as wide as each column.
    dashes = next(line for line in text.splitlines() if not line.strip("- "))
    keep = (*ALWAYS, *keep)
    if standings:
        follows_luck = standings[0].adjusted is not None
        keep = (*keep, deciding_column(standings[0].measure, follows_luck=follows_luck))
    kept = fitting(columns, [len(each) for each in dashes.split()], room, keep)
    click.echo(text if len(kept) == len(columns) else render(standings, kept, codec))
    if left_out := [column.title for column in columns if column not in kept]:
        note(f"Columns not shown: {', '.join(left_out)}. --wide shows them with a legend.")


def without_failing(
    columns: Sequence[Column], standings: Sequence[Standing], asked: Collection[str]
) -> tuple[Column, ...]:
    """Leave out the columns whose code fails, with a note.

    Args:
        columns: Columns of the board.
        standings: Its rows.
        asked: Names of columns that the user listed; they are never left out.
    """
    kept = []
    for column in columns:
        try:
            for row in standings if column.name not in asked else ():
                column.cell(row)
        except PluginError as error:
            note(f"left out: {error}")
        else:
            kept.append(column)
    return tuple(kept)


def print_legend(columns: Sequence[Column]) -> None:
    """Print the meaning of each column."""
    known = [column for column in columns if column.meaning]
    width = max((len(column.title) for column in known), default=0)
    for column in known:
        indent = f"{column.title:{width}}  "
        meaning = column.meaning.replace(" %", "\u00a0%")  # a percentage stays on one line
        lines = fill(meaning, ROOM, initial_indent=indent, subsequent_indent=" " * len(indent))
        note(lines.replace("\u00a0", " "))


def fitting(
    columns: Sequence[Column], widths: Sequence[int], room: int, keep: Sequence[str] = ALWAYS
) -> tuple[Column, ...]:
    """Return the columns that fit beside each other.

    Args:
        columns: Columns of the board.
        widths: Their widths, in characters.
        room: Characters in a line.
        keep: Names of columns that are never dropped.
    """
    names = [column.name for column in columns]
    first = [name for name in LEFT_OUT_FIRST if name not in keep]
    others = [name for name in reversed(names) if name not in (*first, *keep)]
    kept = dict(zip(names, widths, strict=True))
    for name in (*first, *others):
        if sum(kept.values()) + GAP * (len(kept) - 1) <= room:
            break
        kept.pop(name, None)
    return tuple(column for column in columns if column.name in kept)


def _is_wide() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(KEY))


def is_format_named() -> bool:
    """Return whether the user named a format."""
    context = click.get_current_context(silent=True)
    return (
        context is not None and context.get_parameter_source("codec") is ParameterSource.COMMANDLINE
    )


OUTPUT = shared_option("--output", type=NamedFile(dir_okay=False, path_type=Path), metavar="FILE")
PER_TABLE = click.option(
    "--per-table",
    is_flag=True,
    help="Give every table of every entrant instead, as csv, json or parquet.",
)


def write_out(content: str | bytes, output: Path | None) -> None:
    """Write a result to a file or to standard output.

    Args:
        content: Text without a final newline, or bytes.
        output: The file; standard output if `None`.
    Raises: TourneyError, if the file cannot be written.
    """
    if output is None:
        if isinstance(content, bytes) and sys.stdout.isatty():
            raise click.UsageError(
                "--format parquet: cannot be printed on a terminal; add --output FILE"
            )
        click.echo(content, nl=isinstance(content, str))
        return
    try:
        output.write_bytes(content if isinstance(content, bytes) else f"{content}\n".encode())
    except OSError as error:
        raise TourneyError(
            f"{output} cannot be written ({error.strerror}); choose another file"
        ) from error


COLUMN = click.option(
    "--column",
    "more",
    multiple=True,
    metavar="NAME",
    help="Show this column as well, whatever the configuration named; may be repeated.",
)
