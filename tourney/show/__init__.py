"""How standings are shown. Returns text, prints nothing."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.show.schema import board_schema, kind_of
    from tourney.show.text import (
        DEFAULT_FORMAT,
        FORMATS,
        choose_columns,
        columns_of,
        render,
    )
    from tourney.standings import as_csv, as_json
else:
    __getattr__ = exports(__name__)
