"""What a strategy is worth in the long run: alone, with a bankroll that cannot run out."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from time import perf_counter

from tourney.errors import CompetitorFailed, EngineError
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, SeatResult
from tourney.game.rules import Rules
from tourney.play import ENGINES
from tourney.play.workers import EntrantSpec, Tell, Workload, check_playable, make_workers
from tourney.schedule import Field

ROUNDS_IN_A_BLOCK = 50_000
MINIMUMS_TO_START = 1_000_000_000
MOST_MINIMUMS_A_WAGER = 100_000_000


@dataclass(frozen=True, slots=True)
class LongRun:
    """Result per round in units of the minimum, and what it took to find it."""

    mean: float
    standard_error: float
    sd: float  # of one round
    rounds: int
    seconds: float
    rounds_per_second: float
    engine: str  # that played, or several


def long_run(
    entrant: EntrantSpec,
    rules: Rules,
    rounds: int,
    *,
    minimum: int,
    secret: Secret,
    workers: int = 1,
    engine: str = "auto",
    tell: Tell | None = None,
) -> LongRun:
    """Play a strategy for many rounds.

    Args:
        entrant: The strategy.
        rules: The game.
        rounds: How many, at least 1.
        minimum: The least wager in chips; an even one is paid 3:2 exactly.
        secret: What the shoes are derived from.
        workers: Processes that play.
        engine: Which engine plays.
        tell: Told what is being waited for, if that takes long.
    Raises: CompetitorFailed, if the strategy breaks its contract.
    """
    check_alone(rules)
    check_playable((entrant,), rules, engine)
    wager = minimum * rules.unit
    field = Field(
        entrants=1,
        rules=rules,
        bankroll=wager * MINIMUMS_TO_START,
        minimum=wager,
        maximum=wager * MOST_MINIMUMS_A_WAGER,
        secret=secret,
    )
    started = perf_counter()
    net = squares = 0
    engines: set[str] = set()
    workload = Workload(rules, -(-rounds // ROUNDS_IN_A_BLOCK), rounds)
    with make_workers(workers, {0: entrant}, engine, workload=workload, tell=tell) as crew:
        for played in crew.play(_batches(field, rounds)):
            engines.update(played.engines)
            for block in played.results:
                (seat,) = block.seats
                _check(seat)
                net += seat.net
                squares += seat.squares
    seconds = perf_counter() - started
    mean = net / wager / rounds
    sd = sqrt(max(0.0, squares / wager**2 / rounds - mean**2))
    return LongRun(
        mean=mean,
        standard_error=sd / sqrt(rounds),
        sd=sd,
        rounds=rounds,
        seconds=seconds,
        rounds_per_second=rounds / seconds,
        engine=" and ".join(name for name in ENGINES if name in engines),
    )


def check_alone(rules: Rules) -> None:
    """Refuse rules by which nobody can be measured alone.

    Raises: EngineError, with what to do instead.
    """
    if rules.most_points is not None or 1 not in rules.seats:
        raise EngineError(
            f"expected a game of chips, which one seat can play alone for ever; got {rules.game}: "
            "let strategies meet in a tournament"
        )


def _batches(field: Field, rounds: int) -> Iterator[Batch]:
    """Divide the rounds among tables, one block and one batch each."""
    for table, first in enumerate(range(0, rounds, ROUNDS_IN_A_BLOCK)):
        key = BlockKey(0, 0, table, 0, 1)
        share = min(ROUNDS_IN_A_BLOCK, rounds - first)
        yield Batch(0, table, (field.block(key, ((0, field.bankroll),), share),))


def _check(seat: SeatResult) -> None:
    if seat.verdict:
        raise CompetitorFailed(f"round {seat.verdict.round}: {seat.verdict.message}")
