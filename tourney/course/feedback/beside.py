"""How a row of the board stands to those above and below, and what would tell them apart."""

from collections.abc import Iterator, Sequence
from math import ceil, inf

from tourney.standings.standing import Standing

MOST_TABLES = 1_000_000
"""More of them are no advice."""


def beside(rows: Sequence[Standing], row: int, called: Sequence[str]) -> Iterator[str]:
    """Say how a row stands to the one above and the one below, a sentence each.

    Args:
        rows: The board, best first.
        row: Which one, from 0.
        called: What those are called who are shown, best first.
    """
    if row:
        yield from _words("above", rows[row], _name(row - 1, called))
    if row + 1 < len(rows):
        yield from _words("below", rows[row + 1], _name(row + 1, called))


def _name(row: int, called: Sequence[str]) -> str:
    return f" ({called[row]})" if row < len(called) else ""


def _words(where: str, lower: Standing, name: str) -> Iterator[str]:
    """Say how two rows stand to each other; nothing where the format gives the places."""
    who = f"The row {where}{name}"
    if lower.relation == "equal":
        yield f"{who} came to the same at every table."
    elif lower.above is not None and lower.above_half_width is not None:
        between, width = abs(lower.above), lower.above_half_width
        said = f"{who} is {between:,.4f} a round away"
        if lower.relation == "separated":
            # What was enough is known to the ranks alone; the interval is wider than that.
            yield f"{said}, which tells the two apart."
        elif lower.relation == "practically equal":
            yield f"{said}, and the two are practically equal."
        else:
            yield f"{said}, which does not tell the two apart: {_needed(lower, between, width)}."


def _needed(row: Standing, between: float, width: float) -> str:
    """Say what would be enough; the width of an interval goes by the root of the tables."""
    tables = f"{row.tables:,} tables"
    if row.tables < row.least_tables:
        return f"{tables} tell nobody apart, it takes {row.least_tables:,} at least"
    said = f"more than {width:,.4f} would at {tables}"
    if row.least_difference is not None:  # the width does not go by the root of the tables
        least = f"{row.least_difference:,.4g}"
        return f"{said}, and no difference below {least} can be told apart with so few"
    needed = row.tables * (width / between) ** 2.0 if between else inf
    if needed > MOST_TABLES:
        return f"{said}, and no number of tables would help that is worth naming"
    return f"{said}, or about {_rounded(needed):,} tables if the difference stays as it is"


def _rounded(tables: float) -> int:
    """Round up to two digits, for nobody knows more.

    >>> _rounded(1234.5), _rounded(87.1), _rounded(3)
    (1300, 88, 3)
    """
    step = int("1".ljust(len(str(int(tables))) - 1, "0"))
    return ceil(tables / step) * step
