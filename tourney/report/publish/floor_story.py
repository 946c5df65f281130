"""The floor's story: how long it took, and what was decided and seen on the way."""

from collections.abc import Mapping

from tourney.formats.base import Event
from tourney.report.site.model import FloorData, HappeningData
from tourney.store.records import EventRecord, RunRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament
from tourney.tournament.progress import Progress, as_record, retrace

MOST_HAPPENINGS = 2_000
"""That are told; of more, only what is not about where somebody sits, and of that the last."""

SEATING = frozenset({Event.SEAT.value, Event.MOVE.value})


def story(
    tournament: Tournament, store: Store, run: RunRecord, numbers: Mapping[int, int]
) -> FloorData:
    """Follow a run once more and tell how it went.

    Args:
        tournament: The tournament of the run.
        store: Where it is kept.
        run: The run.
        numbers: On the board, by entrant.
    """
    # Told by the results, as whoever watches sees it, and not by what was written beside them.
    course, events = Progress(tournament), list[EventRecord]()
    for _ in retrace(
        course, store, run.number, tell=lambda told: events.extend(map(as_record, told))
    ):
        pass
    if len(events) > MOST_HAPPENINGS:
        events = [each for each in events if each.event not in SEATING][-MOST_HAPPENINGS:]
    report = course.floor.report()
    return FloorData(
        seconds=report.seconds,
        blocks=report.blocks,
        rounds=report.rounds,
        tables=report.tables.capacity,
        tables_used=report.tables.utilisation,
        dealers=report.dealers.capacity,
        dealers_used=report.dealers.utilisation,
        happenings=[_happening(each, numbers, tournament.rules.unit) for each in events],
    )


def _happening(event: EventRecord, numbers: Mapping[int, int], unit: int) -> HappeningData:
    is_level = event.event == Event.LEVEL.value  # whose minimum is in parts of a chip
    return HappeningData(
        seconds=event.seconds,
        event=event.event,
        entrant=0 if event.entrant is None else numbers.get(event.entrant, 0),
        table=0 if event.table is None else event.table + 1,
        value=event.value / unit if is_level else event.value,
    )
