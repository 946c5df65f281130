"""Rates for plans, measured in trials with cards: seats that leave, rounds, shuffles and cards."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from tourney.errors import TourneyError
from tourney.execution.workers.pool import Workers
from tourney.execution.workers.task import PlayedBatch
from tourney.execution.workers.worker_choice import make_workers
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import BlockResult
from tourney.store.store import Store
from tourney.tournament.loading import Tournament
from tourney.tournament.progress import Progress, retrace

ENTRANTS_OF_TRIALS = 350
"""Entrants in all trials, or more in a single one if the format needs them: enough for stable rates
within seconds.
"""
TRIALS = 20
ROUNDS_OF_A_TRIAL = 2_000_000
"""Rounds of all seats after which a trial ends."""
ROUNDS_OF_TRIALS = 30_000
"""Rounds of all seats after which no further trial begins."""
FEWEST_SEATS = 50
"""Fewest seats for a rate: a smaller wave is pooled with its neighbours. No further trial begins if
every wave has this many.
"""


@dataclass(frozen=True, slots=True)
class Rates:
    """Average rates of play."""

    out: tuple[float, ...]
    """By wave: fraction of the seats that cannot play on after it."""

    rounds: float
    """Fraction of a block's rounds that is played if some seats remain."""

    shuffles: float
    """Shuffles per round."""

    cards: float
    """Cards per round and seat."""

    trials: int = field(default=0, compare=False)
    """Number of trials; 0 if a run or a file provided the rates."""

    def out_after(self, wave: int) -> float:
        """Return the fraction of seats that leave after a wave; later waves have the last rate."""
        return self.out[min(wave, len(self.out) - 1)]

    def as_json(self) -> str:
        """Return the rates as JSON, for later plans."""
        return json.dumps(asdict(self))


def read_rates(path: Path) -> Rates:
    """Read rates from a file: the output of `tourney plan --json`, or only its `rates`.

    Raises: TourneyError, if the file has no rates.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        data = data.get("rates", data)
        rates = Rates(
            out=tuple(map(float, data["out"])),
            rounds=float(data["rounds"]),
            shuffles=float(data["shuffles"]),
            cards=float(data["cards"]),
        )
    except OSError as error:
        raise TourneyError(f"{path}: cannot be read: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TourneyError(
            f"{path}: this is not the output of `tourney plan --json`: {error!r}"
        ) from None
    if not rates.out or not all(0 <= rate <= 1 for rate in (*rates.out, rates.rounds)):
        raise TourneyError(f"{path}: expected shares from 0 to 1, got {rates.as_json()}")
    return rates


class MeasuredRates:
    """Collects the counts for rates, wave by wave."""

    def __init__(self) -> None:
        # By wave: number of seats, and of those that could not play on.
        self._waves: dict[int, tuple[int, int]] = {}
        self._wave = 0
        self._pending: list[tuple[Block, BlockResult]] = []  # of this wave
        self._whole: list[float] = []  # played fractions of the rounds of blocks
        self._rounds = self._shuffles = self._cards = self._seat_rounds = 0

    def take(self, batch: Batch, results: Sequence[BlockResult]) -> None:
        """Add a batch; the batches of a wave must be consecutive."""
        if batch.wave != self._wave:
            self._close(max(block.minimum for block in batch.blocks))
            self._wave = batch.wave
        self._pending += zip(batch.blocks, results, strict=True)
        for block, result in zip(batch.blocks, results, strict=True):
            if any(seat.left_round is None for seat in result.seats):
                self._whole.append(result.rounds / block.rounds)
            self._rounds += result.rounds
            self._shuffles += result.shuffles
            self._cards += result.cards
            self._seat_rounds += sum(seat.rounds for seat in result.seats)

    def end(self) -> None:
        """Return to the first wave, because the next batch belongs to another tournament."""
        self._close(None)
        self._wave = 0

    @property
    def is_enough(self) -> bool:
        """Whether further trials are unnecessary; call it between two trials."""
        if self._seat_rounds >= ROUNDS_OF_TRIALS:
            return True
        return min((seats for seats, _ in self._waves.values()), default=0) >= FEWEST_SEATS

    def rates(self) -> Rates:
        """Return the rates.

        Raises: TourneyError, if no round was played.
        """
        self.end()
        if not self._rounds:
            raise TourneyError("plan: no round was played, so rates cannot be measured")
        rounds = self._whole or [1.0]
        return Rates(
            out=tuple(_smooth([self._waves[wave] for wave in sorted(self._waves)])),
            rounds=sum(rounds) / len(rounds),
            shuffles=self._shuffles / self._rounds,
            cards=self._cards / self._seat_rounds,
        )

    def _close(self, next_minimum: int | None) -> None:
        """Count the seats of a wave that cannot play on, given the minimum of the next wave."""
        seats, out = self._waves.get(self._wave, (0, 0))
        for block, result in self._pending:
            minimum = max(block.minimum, next_minimum or 0)
            for seat in result.seats:
                seats += 1
                can_play = block.rules.may_play(seat.final, minimum)
                out += seat.left_round is not None or not can_play
        if seats:
            self._waves[self._wave] = (seats, out)
        self._pending = []


def _smooth(waves: Sequence[tuple[int, int]]) -> Iterator[float]:
    """Yield the rate of every wave; the last one is pooled over the last quarter.

    A plan may use the last rate for many waves, so it must not depend on a single one.
    """
    for at in range(len(waves) - 1):
        yield _pooled(_around(waves, at))
    yield _pooled(waves[-max(1, len(waves) // 4) :])


def _around(waves: Sequence[tuple[int, int]], at: int) -> Sequence[tuple[int, int]]:
    """Return a wave with enough neighbours to have FEWEST_SEATS."""
    for wide in range(len(waves)):
        around = waves[max(0, at - wide) : at + wide + 1]
        if sum(seats for seats, _ in around) >= FEWEST_SEATS:
            return around
    return waves


def _pooled(waves: Sequence[tuple[int, int]]) -> float:
    return sum(out for _, out in waves) / sum(seats for seats, _ in waves)


def rates_of_run(tournament: Tournament, store: Store, run: int) -> Rates:
    """Measure the rates of a stored run."""
    measured = MeasuredRates()
    for batch, results in retrace(Progress(tournament), store, run):
        measured.take(batch, results)
    return measured.rates()


def rates_of_trial(tournament: Tournament, engine: str = "auto", times: int = TRIALS) -> Rates:
    """Play trials in memory, with some of the entrants and other shoes each time.

    Args:
        tournament: The planned tournament.
        engine: Engine to use.
        times: Most trials; fewer are played if they suffice.
    """
    is_known = Progress(tournament).batches is not None
    chosen = tournament if is_known else with_some(tournament, ENTRANTS_OF_TRIALS)
    # If the schedule does not depend on results, one batch is representative.
    times = 1 if is_known else min(times, max(1, ENTRANTS_OF_TRIALS // len(chosen.entrants)))
    measured, trials = MeasuredRates(), 0
    with make_workers(1, chosen.specs(), engine) as crew:
        while trials < times and not measured.is_enough:
            _try(_with_other_shoes(chosen, trials), crew, measured, only_one=is_known)
            measured.end()
            trials += 1
    return replace(measured.rates(), trials=trials)


def _try(tournament: Tournament, crew: Workers, measured: MeasuredRates, *, only_one: bool) -> None:
    """Play one trial, or one batch of it."""
    rounds = 0
    for batch, played in batches_of_trial(tournament, crew):
        measured.take(batch, played.results)
        rounds += sum(seat.rounds for each in played.results for seat in each.seats)
        if only_one or rounds > ROUNDS_OF_A_TRIAL:
            return


def batches_of_trial(tournament: Tournament, crew: Workers) -> Iterator[tuple[Batch, PlayedBatch]]:
    """Play a trial in memory and yield its batches, until the caller stops.

    Args:
        tournament: The tournament.
        crew: Plays the batches.
    """
    course = Progress(tournament)
    asked: dict[int, Batch] = {}

    def noted(wave: Iterable[Batch]) -> Iterator[Batch]:
        for batch in wave:
            asked[batch.number] = batch
            yield batch

    for wave in course.waves():
        results: list[BlockResult] = []
        for played in crew.play(noted(wave)):
            results += played.results
            yield asked.pop(played.number), played
        course.play(results)


def _with_other_shoes(tournament: Tournament, trial: int) -> Tournament:
    """Return the tournament with another secret; the first trial keeps the tournament's secret."""
    if not trial:
        return tournament
    secret = tournament.secret
    other = replace(secret, value=secret.floor_key(-trial) + secret.salt)
    return replace(tournament, secret=other)


def with_some(tournament: Tournament, most: int) -> Tournament:
    """Return a smaller tournament: every n-th entrant, on a floor with the same load.

    Returns: The tournament unchanged, if its format does not allow fewer entrants.
    """
    all_of_them = len(tournament.records)
    if all_of_them <= most:
        return tournament
    try:
        tournament.format.check(most, tournament.rules)
    except TourneyError:
        return tournament
    chosen = [number * all_of_them // most for number in range(most)]
    floor = tournament.config.floor

    def fewer(count: int) -> int:
        return -(-count * most // all_of_them)

    smaller = replace(
        floor,
        tables=fewer(floor.tables),
        dealers=None if floor.dealers is None else fewer(floor.dealers),
    )
    return replace(
        tournament,
        config=replace(tournament.config, floor=smaller),
        records=tuple(tournament.records[number] for number in chosen),
    )
