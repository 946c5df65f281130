"""What a plan has to know of a tournament, measured where cards were dealt.

Leaves out who wins: a plan asks how many go out, how long blocks are and how often is shuffled.
"""

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
"""In all trials: so many give rates that hang on no single table, within seconds."""
TRIALS = 20
ROUNDS_OF_A_TRIAL = 2_000_000
"""Of all seats, after which a trial ends in any case."""
ROUNDS_OF_TRIALS = 30_000
"""Of all seats, after which no other trial begins."""
FEWEST_SEATS = 50
"""On which a rate is based; where fewer sat, the waves before and after help out. Where every wave
has had so many, no other trial begins."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What happens at tables, on average."""

    out: tuple[float, ...]
    """By wave: share of the seats that cannot go on after it."""

    rounds: float
    """Share of a block's rounds that is played where somebody is left."""

    shuffles: float
    """Shuffles in a round."""

    cards: float
    """Cards in a round at each seat."""

    trials: int = field(default=0, compare=False)
    """Trials in which they were measured; 0 where no cards were dealt for them."""

    def out_after(self, wave: int) -> float:
        """Give the share of those who cannot go on after a wave, measured or like the last one."""
        return self.out[min(wave, len(self.out) - 1)]

    def as_json(self) -> str:
        """Write them down, to plan with them later."""
        return json.dumps(asdict(self))


def read_rates(path: Path) -> Rates:
    """Read rates from a file: what `tourney plan --json` printed, or only its `rates`.

    Raises: TourneyError, if the file has none.
    """
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        told = told.get("rates", told)
        rates = Rates(
            out=tuple(map(float, told["out"])),
            rounds=float(told["rounds"]),
            shuffles=float(told["shuffles"]),
            cards=float(told["cards"]),
        )
    except OSError as error:
        raise TourneyError(f"{path}: expected a file of rates, got an error ({error})") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TourneyError(
            f"{path}: expected rates as `tourney plan --json` prints them, got {error!r}"
        ) from None
    if not rates.out or not all(0 <= rate <= 1 for rate in (*rates.out, rates.rounds)):
        raise TourneyError(f"{path}: expected shares from 0 to 1, got {rates.as_json()}")
    return rates


class MeasuredRates:
    """Counts, wave by wave, what rates are made of."""

    def __init__(self) -> None:
        # By wave: seats, and how many of them could not go on.
        self._waves: dict[int, tuple[int, int]] = {}
        self._wave = 0
        self._pending: list[tuple[Block, BlockResult]] = []  # of this wave
        self._whole: list[float] = []  # shares of their rounds that blocks had
        self._rounds = self._shuffles = self._cards = self._seat_rounds = 0

    def take(self, batch: Batch, results: Sequence[BlockResult]) -> None:
        """Take in a batch; those of a wave come one after the other."""
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
        """Go back to the first wave, as the next batch is of another tournament."""
        self._close(None)
        self._wave = 0

    @property
    def is_enough(self) -> bool:
        """Whether another trial would not be worth its time; asked between two trials."""
        if self._seat_rounds >= ROUNDS_OF_TRIALS:
            return True
        return min((seats for seats, _ in self._waves.values()), default=0) >= FEWEST_SEATS

    def rates(self) -> Rates:
        """Sum up.

        Raises: TourneyError, if nothing was played.
        """
        self.end()
        if not self._rounds:
            raise TourneyError("plan: expected at least a round to measure, got none")
        rounds = self._whole or [1.0]
        return Rates(
            out=tuple(_smooth([self._waves[wave] for wave in sorted(self._waves)])),
            rounds=sum(rounds) / len(rounds),
            shuffles=self._shuffles / self._rounds,
            cards=self._cards / self._seat_rounds,
        )

    def _close(self, next_minimum: int | None) -> None:
        """Count who of a wave cannot go on, once it is known what the next one asks for."""
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
    """Give the rate of every wave; the last one is that of the last quarter.

    A plan may go on with the last one for long, so it must not hang on one wave.
    """
    for at in range(len(waves) - 1):
        yield _pooled(_around(waves, at))
    yield _pooled(waves[-max(1, len(waves) // 4) :])


def _around(waves: Sequence[tuple[int, int]], at: int) -> Sequence[tuple[int, int]]:
    """Give a wave with as many before and after it as it takes to have seats enough."""
    for wide in range(len(waves)):
        around = waves[max(0, at - wide) : at + wide + 1]
        if sum(seats for seats, _ in around) >= FEWEST_SEATS:
            return around
    return waves


def _pooled(waves: Sequence[tuple[int, int]]) -> float:
    return sum(out for _, out in waves) / sum(seats for seats, _ in waves)


def rates_of_run(tournament: Tournament, store: Store, run: int) -> Rates:
    """Measure what is stored of a run."""
    measured = MeasuredRates()
    for batch, results in retrace(Progress(tournament), store, run):
        measured.take(batch, results)
    return measured.rates()


def rates_of_trial(
    tournament: Tournament,
    engine: str = "auto",
    most: int = ENTRANTS_OF_TRIALS,
    times: int = TRIALS,
) -> Rates:
    """Play trials, in memory: with some of the entrants, and with other shoes each time.

    Args:
        tournament: What is planned.
        engine: Which engine plays.
        most: Entrants of all trials together, or in a single one that the format cannot do with
            fewer.
        times: Trials at most; fewer where they say enough.
    """
    is_known = Progress(tournament).batches is not None
    chosen = tournament if is_known else with_some(tournament, most)
    # Of a schedule that does not hang on results, a batch says as much as all.
    times = 1 if is_known else min(times, max(1, most // len(chosen.entrants)))
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
    """Play a trial in memory, and give its batches as they come, as far as somebody asks for them.

    Args:
        tournament: What is tried.
        crew: Who plays.
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
    """Give the same tournament with another secret; the first trial has the tournament's own."""
    if not trial:
        return tournament
    secret = tournament.secret
    other = replace(secret, value=secret.floor_key(-trial) + secret.salt)
    return replace(tournament, secret=other)


def with_some(tournament: Tournament, most: int) -> Tournament:
    """Give a smaller tournament of the same kind: every n-th entrant, on a floor as full.

    Leaves the tournament as it is if its format cannot do with fewer.
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
