"""What is kept of a tournament: runs, their entrants and every block's result, exactly once.

The only home of sqlite3. It knows neither how blocks are played nor what results are
worth; it gives them back as they came.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.event.store.database import Database
    from tourney.event.store.records import (
        EntrantRecord,
        EventRecord,
        RunRecord,
        RunState,
        RunStatus,
        RunSummary,
        unchanging,
    )
    from tourney.event.store.salvage import Salvage, salvage
    from tourney.event.store.store import Store
else:
    __getattr__ = exports(__name__)
