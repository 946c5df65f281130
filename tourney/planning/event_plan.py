"""Duration and resources of an event: a simulation of the floor without cards.

The format schedules every wave, with all seats, levels and closing tables; only the results are
made up from measured rates. The winner of a plan has no meaning.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev

from tourney.config.model import FloorConfig
from tourney.errors import TourneyError
from tourney.floor.block_durations import Sitting, Streams
from tourney.floor.log import Log
from tourney.floor.room import Floor
from tourney.floor.utilization import FloorReport
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import BlockResult, SeatResult
from tourney.planning.trial_rates import Rates
from tourney.tournament.loading import Tournament
from tourney.tournament.progress import Progress

FEWEST_REPLICATIONS = 4
"""Fewest replications of a plan that may stop early."""
PLENTY = 1 << 40
"""A bankroll, in the unit of the rules, that never runs out: seats leave by the rate only."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over replications, with its 95 % confidence interval."""

    mean: float
    """The mean."""

    half: float
    """Half the width of its 95 % confidence interval."""

    @classmethod
    def of(cls, values: Sequence[float]) -> "Interval":
        """Estimate the interval from at least two values, by Student's distribution."""
        from scipy.special import stdtrit  # noqa: PLC0415 - takes longer to load than most plans

        quantile = float(stdtrit(len(values) - 1, 0.975))
        return cls(fmean(values), quantile * stdev(values) / sqrt(len(values)))


@dataclass(frozen=True, slots=True)
class PlannedWave:
    """A wave, averaged over the replications that have it."""

    begin_seconds: float
    """Start, in seconds."""

    players: float
    """Number of players."""

    tables: float
    """Number of tables."""

    share: float
    """Fraction of all replications that have it."""


@dataclass(frozen=True, slots=True)
class OtherDealers:
    """The effect of another number of dealers."""

    dealers: int
    """Number of dealers."""

    longer_seconds: Interval
    """Additional seconds that the event takes; negative if it takes less time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Duration and resources of an event."""

    replications: int
    """Replications of the event."""

    seconds: Interval
    """Duration."""

    late_seconds: float
    """90th percentile of the duration."""

    blocks: Interval
    """Blocks played."""

    waves: tuple[PlannedWave, ...]
    """Its waves, in order."""

    most_tables: int
    """Most tables in play together in any replication, if no table had to wait."""

    table_use: Interval
    """Fraction of their time that tables are in use."""

    dealer_use: Interval
    """Fraction of their time that dealers work."""

    other_dealers: tuple[OtherDealers, ...]
    """The effect of one dealer more or less."""


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
    """Simulate an event many times.

    Args:
        tournament: The planned tournament.
        rates: Measured rates of play.
        replications: Most simulations, at least 2.
        close: Stop when the duration is known to within this fraction of itself; 0 to run all.
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
    """Return whether the replications determine the duration this closely."""
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
    """One replication of an event, on any number of floors.

    Every block has separate random streams for durations and results, so that only the floors
    differ.
    """

    def __init__(self, tournament: Tournament, rates: Rates, replication: int) -> None:
        self._tournament = tournament
        self._rates = rates
        self._streams = Streams(tournament.secret.floor_key(replication))
        self._sittings: list[list[Sitting]] | None = None  # if they are the same on every floor

    def on(self, floor: FloorConfig) -> _Event:
        """Simulate the event on a floor, wave by wave."""
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
        """Return how long the event takes on another floor."""
        if self._sittings is None:  # levels by the clock may begin in other waves on that floor
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
    """Make up the result of a block.

    Args:
        block: The block.
        rates: Measured rates of play.
        out: Fraction of the seats that cannot play on after it.
        shares: Uniform random numbers between 0 and 1.
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
    """Make up a seat that leaves without chips after some rounds, or has plenty to play on."""
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
