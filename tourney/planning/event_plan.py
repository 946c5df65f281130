"""How long an event takes, and what it needs: the floor without cards.

The format itself draws up every wave, with all its seating, levels and breaking of tables; only
the results are made up, by rates that were measured. Who wins in a plan means nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev

from tourney.config.model import FloorConfig
from tourney.errors import TourneyError
from tourney.floor.block_durations import Sitting
from tourney.floor.duration_streams import Streams
from tourney.floor.log import Log
from tourney.floor.report import FloorReport
from tourney.floor.room import Floor
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import BlockResult, SeatResult
from tourney.planning.trial_rates import Rates
from tourney.tournament.loading import Tournament
from tourney.tournament.progress import Progress

FEWEST_REPLICATIONS = 4
"""Before which a plan that may stop early does not."""
PLENTY = 1 << 40
"""Chips, in the unit of the rules, with which nobody goes out but by the measured rate."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over replications, and how far the true one may be from it, at 95 %."""

    mean: float
    """The mean."""

    half: float
    """How far the true mean may be from it, at 95 %."""

    @classmethod
    def of(cls, values: Sequence[float]) -> "Interval":
        """Estimate, by Student's distribution, from at least two values."""
        from scipy.special import stdtrit  # noqa: PLC0415 - takes longer to load than most plans

        quantile = float(stdtrit(len(values) - 1, 0.975))
        return cls(fmean(values), quantile * stdev(values) / sqrt(len(values)))


@dataclass(frozen=True, slots=True)
class PlannedWave:
    """What a wave is like, on average over the replications that have it."""

    begin_seconds: float
    """When it begins, in seconds."""

    players: float
    """Players in it."""

    tables: float
    """Tables in it."""

    share: float
    """Share of all replications that have it."""


@dataclass(frozen=True, slots=True)
class OtherDealers:
    """What another number of dealers would change."""

    dealers: int
    """Number of dealers."""

    longer_seconds: Interval
    """Seconds that the event takes longer; negative where it takes less time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an event takes."""

    replications: int
    """Replications of the event."""

    seconds: Interval
    """How long it takes."""

    late_seconds: float
    """Seconds within which nine of ten replications are over."""

    blocks: Interval
    """Blocks played."""

    waves: tuple[PlannedWave, ...]
    """Its waves, one after the other."""

    most_tables: int
    """Tables in play at once in any replication, if nobody had to wait."""

    table_use: Interval
    """Share of their time that tables are in use."""

    dealer_use: Interval
    """Share of their time that dealers are at work."""

    other_dealers: tuple[OtherDealers, ...]
    """What one dealer more or less changes."""


@dataclass(frozen=True, slots=True)
class _Wave:
    begin: float  # in seconds
    players: int
    tables: int


@dataclass(frozen=True, slots=True)
class _Event:
    """One replication."""

    report: FloorReport
    waves: tuple[_Wave, ...]


def plan_tournament(
    tournament: Tournament, rates: Rates, replications: int, *, close: float = 0.0
) -> Plan:
    """Rehearse an event many times.

    Args:
        tournament: What is planned.
        rates: What happens at its tables.
        replications: How often at most, at least 2.
        close: Share of the event's length; fewer replications do when the length is known as
            closely.
    """
    if replications < 2:  # noqa: PLR2004 - one has no spread
        raise TourneyError(f"replications: expected at least 2, got {replications}")
    floor = tournament.config.floor
    dealers = floor.dealers or floor.tables
    others = {count: replace(floor, dealers=count) for count in (dealers - 1, dealers + 1) if count}
    longer: dict[int, list[float]] = {count: [] for count in others}
    events: list[_Event] = []
    for replication in range(replications):
        rehearsal = Rehearsal(tournament, rates, replication)
        event = rehearsal.on(floor)
        for count, other in others.items():
            longer[count].append(rehearsal.seconds_on(other) - event.report.seconds)
        events.append(event)
        if close and _is_known([each.report.seconds for each in events], close):
            break
    return _sum_up(events, longer)


def _is_known(seconds: Sequence[float], close: float) -> bool:
    """Say whether replications tell how long an event takes as closely as that."""
    if len(seconds) < FEWEST_REPLICATIONS:
        return False
    interval = Interval.of(seconds)
    return interval.half <= close * interval.mean


def _sum_up(events: Sequence[_Event], longer: dict[int, list[float]]) -> Plan:
    reports = [event.report for event in events]
    return Plan(
        replications=len(events),
        seconds=Interval.of([report.seconds for report in reports]),
        late_seconds=sorted(report.seconds for report in reports)[-(len(reports) // 10) - 1],
        blocks=Interval.of([report.blocks for report in reports]),
        waves=tuple(_waves(events)),
        most_tables=max(wave.tables for event in events for wave in event.waves),
        table_use=Interval.of([report.tables.utilisation for report in reports]),
        dealer_use=Interval.of([report.dealers.utilisation for report in reports]),
        other_dealers=tuple(
            OtherDealers(count, Interval.of(seconds)) for count, seconds in longer.items()
        ),
    )


def _waves(events: Sequence[_Event]) -> Iterator[PlannedWave]:
    for number in range(max(len(event.waves) for event in events)):
        waves = [event.waves[number] for event in events if number < len(event.waves)]
        yield PlannedWave(
            begin_seconds=fmean(wave.begin for wave in waves),
            players=fmean(wave.players for wave in waves),
            tables=fmean(wave.tables for wave in waves),
            share=len(waves) / len(events),
        )


class Rehearsal:
    """One replication of an event, on as many floors as one likes.

    Every block has its streams, for times and for results, so that floors differ in nothing else.
    """

    def __init__(self, tournament: Tournament, rates: Rates, replication: int) -> None:
        self._tournament = tournament
        self._rates = rates
        self._streams = Streams(tournament.secret.floor_key(replication))
        self._sittings: list[list[Sitting]] | None = None  # if they are the same on every floor

    def on(self, floor: FloorConfig) -> _Event:
        """Rehearse the event on a floor, wave by wave."""
        log, waves = Log(), []
        course = Progress(self._tournament, Floor(floor, self._streams, log))
        for number, batches in enumerate(course.waves()):
            begin, results = course.floor.now, list(self._results(number, batches))
            players = {seat.entrant for result in results for seat in result.seats}
            waves.append(_Wave(begin, len(players), len(results)))
            course.play(results)
        self._sittings = None if course.looks_at_clock else log.waves
        return _Event(course.floor.report(), tuple(waves))

    def seconds_on(self, floor: FloorConfig) -> float:
        """Say how long the event takes on another floor."""
        if self._sittings is None:  # levels by the clock may begin in other waves there
            return self.on(floor).report.seconds
        other = Floor(floor, self._streams)
        for wave in self._sittings:
            other.play(wave)
        return other.now

    def _results(self, wave: int, batches: Iterable[Batch]) -> Iterator[BlockResult]:
        for batch in batches:
            for block in batch.blocks:
                shares = self._streams.shares("result", block.key)
                yield made_up(block, self._rates, self._rates.out_after(wave), shares)


def made_up(block: Block, rates: Rates, out: float, shares: Iterator[float]) -> BlockResult:
    """Make up what came of a block.

    Args:
        block: The block.
        rates: What happens at tables.
        out: Share of the seats that cannot go on after it.
        shares: Numbers between 0 and 1, drawn at random.
    """
    rounds = max(1, round(block.rounds * rates.rounds))
    lefts = [1 + int(next(shares) * rounds) if next(shares) < out else None for _ in block.seats]
    if None not in lefts:
        rounds = max(left for left in lefts if left)
    seats = tuple(
        _made_up_seat(block, number, (left, rounds), next(shares))
        for number, left in enumerate(lefts)
    )
    return BlockResult(
        key=block.key,
        rounds=rounds,
        shuffles=max(1, round(rounds * rates.shuffles)),
        cards=round(sum(seat.rounds for seat in seats) * rates.cards),
        seats=seats,
    )


def _made_up_seat(
    block: Block, number: int, lasting: tuple[int | None, int], share: float
) -> SeatResult:
    """Make up a seat that leaves after so many rounds without a chip, or has plenty to go on."""
    left, rounds = lasting
    seat = block.seats[number]
    most = block.rules.most_points or PLENTY
    final = 0 if left else int((1 + share) * most)
    return SeatResult(
        seat=number,
        entrant=seat.entrant,
        initial=seat.bankroll,
        final=final,
        lowest=min(seat.bankroll, final),
        highest=max(seat.bankroll, final),
        rounds=left or rounds,
        left_round=block.key.first_round + left - 1 if left else None,
        handle=0,
        squares=0,
        mix=0,
    )
