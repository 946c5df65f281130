"""Rows as Parquet, which pandas, R and databases read without guessing types.

Needs pyarrow, an extra: whoever does not ask for Parquet need not have it.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from tourney.errors import TourneyError
from tourney.standings import Cell

PARQUET = "parquet"

Row = Mapping[str, Cell]


def as_parquet(rows: Sequence[Row], kinds: Mapping[str, str]) -> bytes:
    """Give rows as a Parquet file.

    Args:
        rows: Values by column; every column may lack some.
        kinds: What the columns hold, in order: "string", "integer" or "number"; anything else
            is told by the values.
    Raises: TourneyError, if pyarrow is not installed.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415 - an extra
    except ImportError:
        raise TourneyError(
            "--format parquet: expected pyarrow to be installed, found none: "
            "pip install 'tourney[parquet]'"
        ) from None
    types = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64()}
    columns = {
        name: _column(pa, [row.get(name) for row in rows], types.get(kind))
        for name, kind in kinds.items()
    }
    file = BytesIO()
    parquet.write_table(pa.table(columns), file)
    return file.getvalue()


def _column(pa: Any, values: Sequence[Cell], kind: Any) -> Any:
    """Make a column; whole numbers beyond 64 bits become numbers of any kind."""
    try:
        return pa.array(values, type=kind)
    except (OverflowError, pa.ArrowInvalid):
        return pa.array([None if each is None else float(each) for each in values])
