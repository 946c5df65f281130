"""What was found as a table: for a notebook, as a data frame, and with Arrow."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from tourney.config.arguments import path_of
from tourney.config.words import system_words
from tourney.errors import TourneyError


class Tabular:
    """Something with rows, which name the same columns each."""

    __slots__ = ()

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Give the rows, column by column."""
        raise NotImplementedError

    def columns(self) -> Sequence[str]:
        """Name the columns, also where there is no row; those of the rows by default."""
        rows = self.rows()
        return tuple(rows[0]) if rows else ()

    def to_pandas(self) -> Any:
        """Give it as a data frame; those of several can be put below each other.

        Raises: TourneyError, without pandas.
        """
        rows = list(self.rows())
        return extra("pandas").DataFrame(rows, columns=None if rows else list(self.columns()))

    def to_arrow(self) -> Any:
        """Give it as an Arrow table.

        Raises: TourneyError, without pyarrow.
        """
        arrow, rows = extra("pyarrow"), list(self.rows())
        if rows:
            return arrow.Table.from_pylist(rows)
        return arrow.table({name: arrow.nulls(0) for name in self.columns()})


def facts_html(facts: Iterable[tuple[str, str]]) -> str:
    """Write what is known of one thing, a line each, as a table of HTML.

    >>> facts_html([("Game", "a < b")])
    '<table><tr><th>Game</th><td>a &lt; b</td></tr></table>'
    """
    lines = (f"<tr><th>{escape(name)}</th><td>{escape(told)}</td></tr>" for name, told in facts)
    return f"<table>{''.join(lines)}</table>"


def table_html(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table of HTML.

    Args:
        title: Above it.
        heads: Of the columns.
        rows: Cell by cell.
    """
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    lines = (f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{''.join(lines)}</table>"


def extra(name: str) -> Any:
    """Import what few have installed.

    Raises: TourneyError, with the remedy.
    """
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise TourneyError(
            f"expected {package} to be installed, found none: pip install 'tourney-cards[notebook]'"
        ) from None


def write_text(path: str | Path, text: str) -> None:
    """Write a file, over one that is there.

    Raises: TourneyError, if it cannot be written.
    """
    try:
        path_of(path=path).write_text(text, encoding="utf-8", newline="")
    except (OSError, ValueError) as error:
        raise TourneyError(
            f"{path}: expected a file that can be written, got an error ({system_words(error)}): "
            "name another, in a folder that is there"
        ) from None
