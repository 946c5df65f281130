"""Events in the store: written once for each wave, and read back in order.

Knows nothing of what they mean.
"""

from collections.abc import Iterable, Iterator, Sequence

from tourney.event.store import runs
from tourney.event.store.database import Database, Row
from tourney.event.store.records import EventRecord
from tourney.event.store.rows import NULL, TEXT, WHOLE, checked

_EVENT = (frozenset({float}), TEXT, WHOLE | {NULL}, WHOLE | {NULL}, WHOLE)
"""What the columns of an event may hold."""


def add(database: Database, run: int, wave: int, events: Sequence[EventRecord]) -> bool:
    """Write the events before a wave unless some are there."""
    with database.transaction():
        if tuple(of_run(database, run, wave)):
            return False
        runs.require(database, run)
        database.insert_all(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((run, wave, position, *event) for position, event in enumerate(events)),
        )
    return True


def of_run(database: Database, run: int, wave: int | None) -> Iterator[EventRecord]:
    """Read the events of a run, or those before a wave, in order."""
    return database.read(
        _read,
        """
        SELECT seconds, event, entrant, table_number, value FROM events
        WHERE run = :run AND (:wave IS NULL OR wave = :wave)
        ORDER BY wave, position
        """,
        {"run": run, "wave": wave},
    )


def _read(rows: Iterable[Row]) -> Iterator[EventRecord]:
    return (EventRecord(*checked(row, _EVENT)) for row in rows)
