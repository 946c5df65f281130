"""The progress of a tournament through its schedule and on its floor, wave by wave.

Playing, verifying and scoring a run all follow the same progress, because formats may decide by
results and by the floor's clock.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from tourney.errors import DigestMismatchError, StoreDamagedError
from tourney.floor.block_durations import Sitting, Streams
from tourney.floor.room import Floor
from tourney.formats.base import Event, Happening
from tourney.formats.schedule_checks import schedule_of
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockKey, BlockResult
from tourney.standings.places import Better, Finish
from tourney.store.records import EventRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament


class TimedHappening(NamedTuple):
    """An event of a tournament, with the floor's clock."""

    seconds: float
    happening: Happening


class Progress:
    """The progress of a tournament."""

    def __init__(self, tournament: Tournament, floor: Floor | None = None) -> None:
        """Start at the beginning.

        Args:
            tournament: The tournament.
            floor: The floor; by default made from the tournament's configuration.
        """
        config = tournament.config.floor
        self._rules = tournament.rules
        self.floor = floor or Floor(config, Streams(tournament.secret.floor_key(0)))
        self.looks_at_clock = False  # whether a decision has depended on the clock
        self._last_seats: dict[int, BlockKey] = {}  # by entrant
        self._faulted: set[int] = set()  # entrants
        self._seen: list[TimedHappening] = []  # on the floor, not yet returned
        self._breaks = 0  # already returned
        self._minds_changes = config.seat_change_seconds != 0
        self._minds_decisions = config.decision_seconds != 0
        field = replace(tournament.field, clock=self._look)
        self._schedule = schedule_of(tournament.format, field)

    @property
    def batches(self) -> int | None:
        """The largest possible number of batches; `None` if that depends on results."""
        return self._schedule.batches

    @property
    def finishes(self) -> tuple[Finish, ...] | None:
        """The places of all entrants so far or at the end; `None` if the measure decides."""
        return self._schedule.finishes()

    def better(self) -> Better | None:
        """Return which entrants are known to be better; see `Schedule.better`."""
        return self._schedule.better()

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Yield the waves; play each wave before the next is drawn."""
        return self._schedule.waves()

    def play(self, results: Iterable[BlockResult]) -> None:
        """Let a wave pass on the floor.

        Args:
            results: All results of the wave, in order; read lazily as tables become free.
        """
        self.floor.play(self._sitting(result) for result in results)

    def happenings(self) -> tuple[TimedHappening, ...]:
        """Return the decisions since the last call, timed when the floor stands still."""
        now = self.floor.now
        return tuple(TimedHappening(now, each) for each in self._schedule.happenings())

    def events(self) -> tuple[TimedHappening, ...]:
        """Return all events since the last call: breaks, faults, and decisions."""
        seen, self._seen = self._seen, []
        breaks, begin = self.floor.last_break
        if breaks > self._breaks:
            self._breaks = breaks
            seen.insert(0, TimedHappening(begin, Happening(Event.BREAK, value=breaks)))
        return (*seen, *self.happenings())

    def _look(self) -> float:
        self.looks_at_clock = True
        return self.floor.now

    def _sitting(self, result: BlockResult) -> Sitting:
        self._schedule.take(result)
        self._see_faults(result)
        return Sitting(
            seats=len(result.seats),
            rounds=result.rounds,
            # A shuffling machine works while the dealer deals.
            shuffles=0 if self._rules.deals_fresh else result.shuffles,
            cards=result.cards,
            decisions=self._decisions(result) if self._minds_decisions else 0,
            has_seat_requests=self._minds_changes and self._has_seat_requests(result),
            place=result.key,
        )

    def _decisions(self, result: BlockResult) -> int:
        seat_rounds = sum(seat.rounds for seat in result.seats)
        return self._rules.decisions(result.rounds, seat_rounds, result.cards)

    def _see_faults(self, result: BlockResult) -> None:
        """Record the first fault of each competitor."""
        for seat in result.seats:
            if seat.verdict and seat.entrant not in self._faulted:
                self._faulted.add(seat.entrant)
                about = (seat.entrant, result.key.table, seat.verdict.round)
                self._seen.append(TimedHappening(self.floor.now, Happening(Event.VERDICT, *about)))

    def _has_seat_requests(self, result: BlockResult) -> bool:
        """Return whether an entrant has just come to this table; remember all of them."""
        table = result.key._replace(seating=0, first_round=0)
        entrants = [seat.entrant for seat in result.seats]
        is_new = any(self._last_seats.get(entrant) != table for entrant in entrants)
        self._last_seats.update(dict.fromkeys(entrants, table))
        return is_new


def retrace(
    course: Progress,
    store: Store,
    run: int,
    tell: Callable[[Iterable[TimedHappening]], None] | None = None,
) -> Iterator[tuple[Batch, tuple[BlockResult, ...]]]:
    """Follow a run through its stored results; yield its batches and results in order.

    Args:
        course: The progress of the run's tournament, at its beginning.
        store: The store of the run.
        run: Its number.
        tell: Called with the events before every wave and after the last one.
    Raises: StoreDamagedError, if a batch was damaged or changed, or is not in the schedule.
    """
    for wave in course.waves():
        if tell:
            tell(course.events())
        results: list[BlockResult] = []
        is_whole = True
        for batch in wave:
            kept = kept_results(store, run, batch)
            if kept is None:
                is_whole = False
                continue
            yield batch, kept
            results.extend(kept)
        if not is_whole:  # the following waves depend on results that are missing
            return
        course.play(results)
    if tell:
        tell(course.events())


def kept_results(store: Store, run: int, batch: Batch) -> tuple[BlockResult, ...] | None:
    """Read the stored results of a batch; `None` if they are missing.

    Raises: StoreDamagedError, if they were damaged or changed, or are results of other blocks.
    """
    kept = store.batch_results(run, batch.number)
    drawn = [(each.key, [seat.entrant for seat in each.seats]) for each in batch.blocks]
    if kept is None or drawn == [
        (each.key, [seat.entrant for seat in each.seats]) for each in kept
    ]:
        return kept
    raise StoreDamagedError(
        f"{store.path}: run {run}, batch {batch.number}: the stored blocks are not those of its "
        "format: the store was changed, or the format has another version; to play the batch "
        f"again: `tourney verify {run} --repair`",
        (batch.number,),
    )


def retraced(
    tournament: Tournament,
    store: Store,
    run: int,
    take: Callable[[BlockResult], object] = lambda _: None,
) -> Progress:
    """Return the progress of a run after its stored results.

    Args:
        tournament: The tournament of the run.
        store: The store of the run.
        run: Its number.
        take: Called with every result, in order, before its wave is over.
    """
    course = Progress(tournament)
    for _, results in retrace(course, store, run):
        for result in results:
            take(result)
    return course


def keep_events(course: Progress, store: Store, run: int, wave: int) -> None:
    """Store the events before a wave.

    A resumed run repeats the decisions made before the interruption. They must be the
    same, or its remaining waves would belong to another tournament.

    Args:
        course: The progress of the run's tournament; its events are consumed.
        store: The store of the run.
        run: Its number.
        wave: Number of the wave; after the last wave, one more.
    Raises: DigestMismatchError, if other decisions are stored.
    """
    new = tuple(map(as_record, course.events()))
    if not new or store.add_events(run, wave, new):
        return
    kept = tuple(store.events(run, wave))
    if _decided(kept) != _decided(new):
        raise DigestMismatchError(
            f"{store.path}: run {run}, wave {wave}: the decisions differ from the stored ones; "
            "the format or the program has another version. Nothing was changed"
        )


def as_record(timed: TimedHappening) -> EventRecord:
    """Convert an event for the store."""
    event, entrant, table, value = timed.happening
    return EventRecord(
        timed.seconds,
        event.value,
        entrant if entrant >= 0 else None,
        table if table >= 0 else None,
        value,
    )


def _decided(events: Iterable[EventRecord]) -> list[EventRecord]:
    """Remove the clock: random times may differ by a microsecond on other machines."""
    return [each._replace(seconds=0.0) for each in events if each.event != Event.BREAK]
