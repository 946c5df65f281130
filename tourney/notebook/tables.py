"""Results as tables: in a notebook, as data frames, and for Arrow."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from tourney.config.arguments import path_of
from tourney.config.words import system_words
from tourney.errors import TourneyError


class Tabular:
    """Results with rows that have the same columns."""

    __slots__ = ()

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return the rows as mappings from column names."""
        raise NotImplementedError

    def columns(self) -> Sequence[str]:
        """Return the names of the columns, also without rows; by default those of the first row."""
        rows = self.rows()
        return tuple(rows[0]) if rows else ()

    def to_pandas(self) -> Any:
        """Return a data frame; those of several results can be concatenated.

        Raises: TourneyError, without pandas.
        """
        rows = list(self.rows())
        return extra("pandas").DataFrame(rows, columns=None if rows else list(self.columns()))

    def to_arrow(self) -> Any:
        """Return an Arrow table.

        Raises: TourneyError, without pyarrow.
        """
        arrow, rows = extra("pyarrow"), list(self.rows())
        if rows:
            return arrow.Table.from_pylist(rows)
        return arrow.table({name: arrow.nulls(0) for name in self.columns()})


def facts_html(facts: Iterable[tuple[str, str]]) -> str:
    """Return names and values as an HTML table, one row each.

    >>> facts_html([("Game", "a < b")])
    '<table><tr><th>Game</th><td>a &lt; b</td></tr></table>'
    """
    lines = (f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
    return f"<table>{''.join(lines)}</table>"


def table_html(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table.

    Args:
        title: Caption.
        heads: Titles of the columns.
        rows: Cells of each row.
    """
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    lines = (f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{''.join(lines)}</table>"


def extra(name: str) -> Any:
    """Import an optional package.

    Raises: TourneyError, with the command that installs it.
    """
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise TourneyError(
            f"{package} is not installed; run: pip install 'tourney-cards[notebook]'"
        ) from None


def write_text(path: str | Path, text: str) -> None:
    """Write a file; replaces an existing one.

    Raises: TourneyError, if it cannot be written.
    """
    try:
        path_of(path=path).write_text(text, encoding="utf-8", newline="")
    except (OSError, ValueError) as error:
        raise TourneyError(
            f"{path}: cannot be written ({system_words(error)}); choose another file in an "
            "existing folder"
        ) from None
