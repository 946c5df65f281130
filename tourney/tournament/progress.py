"""The course of a tournament: its schedule and its floor, wave by wave.

Whoever plays a run, looks at it again or folds it follows the same course. Formats may decide
by results and by the floor's clock, so all of them need both. Leaves out who plays the blocks,
and where results are kept.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from tourney.errors import DigestMismatchError, StoreDamagedError
from tourney.floor.block_durations import Sitting
from tourney.floor.duration_streams import Streams
from tourney.floor.room import Floor
from tourney.formats.base import Event, Happening
from tourney.formats.schedule_checks import schedule_of
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockKey, BlockResult
from tourney.standings.meetings import Better
from tourney.standings.places import Finish
from tourney.store.records import EventRecord
from tourney.store.store import Store
from tourney.tournament.loading import Tournament


class TimedHappening(NamedTuple):
    """What happened, and when by the floor's clock."""

    seconds: float
    happening: Happening


class Progress:
    """A tournament on its way."""

    def __init__(self, tournament: Tournament, floor: Floor | None = None) -> None:
        """Begin.

        Args:
            tournament: What is played.
            floor: Where, if not on the one that the tournament's configuration describes.
        """
        config = tournament.config.floor
        self._rules = tournament.rules
        self.floor = floor or Floor(config, Streams(tournament.secret.floor_key(0)))
        self.looks_at_clock = False  # whether a decision has hung on how long things take
        self._last_seats: dict[int, BlockKey] = {}  # by entrant
        self._faulted: set[int] = set()  # entrants
        self._seen: list[TimedHappening] = []  # on the floor, and not told yet
        self._breaks = 0  # that were told
        self._minds_changes = config.seat_change_seconds != 0
        self._minds_decisions = config.decision_seconds != 0
        field = replace(tournament.field, clock=self._look)
        self._schedule = schedule_of(tournament.format, field)

    @property
    def batches(self) -> int | None:
        """How many batches there will be at most; None if that depends on results."""
        return self._schedule.batches

    @property
    def finishes(self) -> tuple[Finish, ...] | None:
        """Everybody's place, as it stands or in the end; None if the measure decides."""
        return self._schedule.finishes()

    def better(self) -> Better | None:
        """Say who is known to be better than whom; see `Schedule.better`."""
        return self._schedule.better()

    def waves(self) -> Iterator[Iterable[Batch]]:
        """Give the waves; the one before has to be over when the next is asked for."""
        return self._schedule.waves()

    def play(self, results: Iterable[BlockResult]) -> None:
        """Let a wave pass on the floor.

        Args:
            results: All of the wave's, in its order; they are taken in as tables have time.
        """
        self.floor.play(self._sitting(result) for result in results)

    def happenings(self) -> tuple[TimedHappening, ...]:
        """Give what was decided since the last call, which is when the floor stands still."""
        now = self.floor.now
        return tuple(TimedHappening(now, each) for each in self._schedule.happenings())

    def events(self) -> tuple[TimedHappening, ...]:
        """Give all that is worth telling since the last call: breaks, faults, and decisions."""
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
        """Note whose competitors failed for the first time."""
        for seat in result.seats:
            if seat.verdict and seat.entrant not in self._faulted:
                self._faulted.add(seat.entrant)
                about = (seat.entrant, result.key.table, seat.verdict.round)
                self._seen.append(TimedHappening(self.floor.now, Happening(Event.VERDICT, *about)))

    def _has_seat_requests(self, result: BlockResult) -> bool:
        """Say whether somebody did not sit at this table before; from now on they all do."""
        table = result.key._replace(seating=0, first_round=0)
        entrants = [seat.entrant for seat in result.seats]
        is_new = any(self._last_seats.get(entrant) != table for entrant in entrants)
        self._last_seats.update(dict.fromkeys(entrants, table))
        return is_new


def retrace(
    course: Progress,
    store: Store,
    run: int,
    take: Callable[[BlockResult], None] | None = None,
    tell: Callable[[Iterable[TimedHappening]], None] | None = None,
) -> Iterator[tuple[Batch, tuple[BlockResult, ...]]]:
    """Follow a run through what is stored of it, giving its batches and results in order.

    Args:
        course: Of the run's tournament, at its beginning.
        store: Where the run is kept.
        run: Its number.
        take: TimedHappening every result, in order, before its wave is over.
        tell: TimedHappening what there is to tell before every wave and after the last one.
    Raises: StoreDamagedError, if a batch is not what was written, or not one of the schedule.
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
            if take:
                for result in kept:
                    take(result)
        if not is_whole:  # what follows depends on what was not played yet
            return
        course.play(results)
    if tell:
        tell(course.events())


def kept_results(store: Store, run: int, batch: Batch) -> tuple[BlockResult, ...] | None:
    """Read the results of a batch that was drawn up; None if there are none yet.

    Raises: StoreDamagedError, if they are not what was written, or those of other blocks.
    """
    kept = store.batch_results(run, batch.number)
    drawn = [(each.key, [seat.entrant for seat in each.seats]) for each in batch.blocks]
    if kept is None or drawn == [
        (each.key, [seat.entrant for seat in each.seats]) for each in kept
    ]:
        return kept
    raise StoreDamagedError(
        f"{store.path}: run {run}, batch {batch.number}: expected the blocks that its format draws "
        "up, got others (a store that was changed, or another version of the format; to play it "
        f"again: `tourney verify {run} --repair`)",
        (batch.number,),
    )


def retraced(
    tournament: Tournament,
    store: Store,
    run: int,
    take: Callable[[BlockResult], None] | None = None,
) -> Progress:
    """Give the course of a run as far as it is stored.

    Args:
        tournament: The tournament of the run.
        store: Where the run is kept.
        run: Its number.
        take: TimedHappening every result, in order, before its wave is over.
    """
    course = Progress(tournament)
    for _ in retrace(course, store, run, take):
        pass
    return course


def keep_events(course: Progress, store: Store, run: int, wave: int) -> None:
    """Write down what was decided before a wave.

    A run that is played on decides again what was decided before it was interrupted. That has to
    be the same, or the rest of it would be another tournament's.

    Args:
        course: Of the run's tournament; its events are used up.
        store: Where the run is kept.
        run: Its number.
        wave: Number of the wave; after the last one, one more.
    Raises: DigestMismatchError, if something else is stored.
    """
    told = tuple(map(as_record, course.events()))
    if not told or store.add_events(run, wave, told):
        return
    kept = tuple(store.events(run, wave))
    if _decided(kept) != _decided(told):
        raise DigestMismatchError(
            f"{store.path}: run {run}, wave {wave}: expected the decisions that are stored, got "
            "others (another version of the format or of the program; nothing was changed)"
        )


def as_record(told: TimedHappening) -> EventRecord:
    """Give what happened as the store keeps it."""
    event, entrant, table, value = told.happening
    return EventRecord(
        told.seconds,
        event.value,
        entrant if entrant >= 0 else None,
        table if table >= 0 else None,
        value,
    )


def _decided(events: Iterable[EventRecord]) -> list[EventRecord]:
    """Leave out the clock: times that are drawn may differ by a microsecond elsewhere."""
    return [each._replace(seconds=0.0) for each in events if each.event != Event.BREAK]
