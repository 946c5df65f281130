"""The long-run value of a strategy, simulated alone with a bankroll that cannot run out.

Where the game knows the value of its cards, luck is taken out: the result has the same mean and so
much less variance that a few per cent of the rounds are as precise. The interval is Student's over
blocks, and each block begins with a fresh shoe. A player that waits for the end of a shoe therefore
sees slightly too few ends, one shoe fewer in each block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import ceil, sqrt
from time import perf_counter
from typing import TYPE_CHECKING

from tourney.config.model import (
    EntrantConfig,
    FloorConfig,
    FormatConfig,
    GameConfig,
    LeaderboardConfig,
    TournamentConfig,
)
from tourney.errors import CompetitorFailedError, EngineError
from tourney.execution.background_compile import is_there
from tourney.execution.engine_names import ENGINES
from tourney.execution.warm_up import warm_up
from tourney.execution.workers.task import EntrantSpec
from tourney.execution.workers.worker_choice import make_workers
from tourney.execution.workers.workload import (
    ROUNDS_WORTH_WAITING,
    Tell,
    Workload,
    check_playable,
    told_if_long,
)
from tourney.formats.field import Field, why_luck_stays
from tourney.formats.solo import Duplicate
from tourney.game.arrays import np
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules
from tourney.plugins.registry import Registry
from tourney.standings.fold import half_width
from tourney.standings.luck_adjustment import PARTS
from tourney.standings.rank_sets import ALPHA
from tourney.tournament.entrant_specs import check_options
from tourney.tournament.loading import enter

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_ROUNDS, LEAST_ROUNDS = 20_000, 1_000
"""Rounds in a block of long runs, and of short ones, which still need blocks for an interval."""
ENOUGH = 256
"""Blocks of the least size, before blocks become larger."""
IN_A_BATCH = 128
"""Blocks that are played together: asked players answer for all of them together."""
FIRST_LOOK = 128
"""Blocks before the first check of the interval's width."""
SPARE = 1.25
"""Blocks to play for each that the next check needs by the spread so far: two standard errors."""
MINIMUMS_TO_START = 1_000_000_000
"""Bankroll in minimums, which cannot run out."""
ENORMOUS = re.compile(r"you bet \d{10,}")
"""A wager beyond the greatest one at a table without a limit."""
ENDLESS = (
    "bankrolls cannot run out here, so play a strategy that wagers a part of its bankroll in a "
    "tournament"
)
"""Explanation of such a wager."""
MOST_MINIMUMS_A_WAGER = 100_000_000


@dataclass(frozen=True, slots=True)
class LongRun:
    """Result per round in units of the minimum, and the effort."""

    raw_mean: float
    """Result of a round as played, in minimums."""

    raw_standard_error: float
    """Standard error of `raw_mean`, in minimums."""

    sd: float
    """Standard deviation of one round, in minimums."""

    adjusted: float | None
    """`raw_mean` without the luck of the cards; None if luck is not known."""

    half_width: float | None
    """Half the 95 % interval of `mean`, in minimums, for all looks together; None with one block.
    """

    rounds: int
    """Rounds played."""

    seconds: float
    """Seconds it took."""

    rounds_per_second: float
    """Rounds played in a second."""

    engine: str
    """Engine that played, or several."""

    @property
    def mean(self) -> float:
        """The estimate with less variance: without the luck of the cards if it is known."""
        return self.raw_mean if self.adjusted is None else self.adjusted


def entered_alone(
    game: GameConfig, entrant: EntrantConfig, registry: Registry, *, trusts_files: bool = False
) -> EntrantSpec:
    """Prepare the entrant to measure.

    Args:
        game: The game.
        entrant: A strategy, a file or a chart.
        registry: The plugins.
        trusts_files: Allow a file to run in this process, without a sandbox.
    Raises: TourneyError, if it cannot play this game.
    """
    check_alone(game.rules)
    alone = FormatConfig("duplicate", Duplicate(tables=1, rounds=1))
    config = unstored("ev", game, (entrant,), alone, minimum=1)
    (spec,) = enter(config, registry, trusts_files=trusts_files).entrants
    check_options(entrant)
    return spec


def long_run(
    entrant: EntrantSpec,
    rules: Rules,
    rounds: int,
    *,
    minimum: int,
    secret: Secret,
    until: float | None = None,
    workers: int = 1,
    engine: str = "auto",
    tell: Tell | None = None,
    on_rounds: Callable[[int], object] | None = None,
) -> LongRun:
    """Play a strategy for many rounds.

    Args:
        entrant: The strategy.
        rules: The game.
        rounds: Number of rounds, at least 1; the most with `until`.
        minimum: The least wager in chips; an even one is paid 3:2 exactly.
        secret: The key of the shoes.
        until: Stop when half the 95 % interval is at most this wide, in minimums; the interval
            remains valid despite repeated looks.
        workers: Processes that play.
        engine: The engine.
        tell: Receives a line about long waits.
        on_rounds: Receives the number of rounds played so far, repeatedly.
    Raises: CompetitorFailedError, if the strategy breaks its contract.
    """
    check_alone(rules)
    check_playable((entrant,), rules, engine)
    played = _Played(minimum * rules.unit)
    dealt = dealt_alone(rules, minimum, secret)
    started = perf_counter()
    engines: set[str] = set()
    blocks = blocks_of(rounds)
    waits = not until and rounds >= ROUNDS_WORTH_WAITING
    workload = Workload(rules, blocks, rounds, waits=waits)
    width, before = None, 0
    look = min(FIRST_LOOK, blocks) if until else blocks
    with make_workers(workers, {0: entrant}, engine, workload=workload, tell=tell) as crew:
        for number in count(1):
            for batch in crew.play(batches_of(dealt, rounds, before, look)):
                engines.update(batch.engines)
                played.take(batch.results)
                if on_rounds:
                    on_rounds(played.rounds)
            means = played.means()
            width, before = width_at(means, number if until else None), look
            if look == blocks or (until and width is not None and width <= until):
                break
            assert until is not None
            look = next_look(means, number, until, blocks)
    seconds = perf_counter() - started
    return LongRun(
        raw_mean=played.mean,
        raw_standard_error=played.sd / sqrt(played.rounds),
        sd=played.sd,
        adjusted=played.adjusted if dealt.follows_luck else None,
        half_width=width,
        rounds=played.rounds,
        seconds=seconds,
        rounds_per_second=played.rounds / seconds,
        engine=" and ".join(name for name in ENGINES if name in engines),
    )


def wait_for_machine_code(
    asked: Sequence[tuple[EntrantSpec, Rules]], rounds: int, engine: str, note: Tell | None = None
) -> None:
    """Compile missing machine code before long runs with many rounds in total.

    Args:
        asked: The strategies and the games.
        rounds: Rounds of each.
        engine: The engine.
        note: Receives a line about long waits.
    """
    if engine != "auto" or rounds * len(asked) < ROUNDS_WORTH_WAITING:
        return
    for rules in dict.fromkeys(rules for entrant, rules in asked if entrant.promises):
        if not is_there(rules.game):
            with told_if_long(note):
                warm_up(rules)


def dealt_alone(rules: Rules, minimum: int, secret: Secret) -> Field:
    """Return a tournament of one entrant, with a bankroll that cannot run out; see `long_run`."""
    wager = minimum * rules.unit
    return Field(
        entrants=1,
        rules=rules,
        bankroll=wager * MINIMUMS_TO_START,
        minimum=wager,
        maximum=wager * MOST_MINIMUMS_A_WAGER,
        secret=secret,
        follows_luck=not rules.game.why_luck_stays(rules),
    )


def check_alone(rules: Rules) -> None:
    """Reject rules that one seat cannot play alone.

    Raises: EngineError, with an alternative.
    """
    if rules.most_points is not None or 1 not in rules.seats:
        raise EngineError(
            f"one seat cannot play {rules.game} alone for chips; let strategies meet in a "
            "tournament or in tourney.compare, or call tourney.exploitability for a small game"
        )


def check_faults(results: Sequence[BlockResult], names: Sequence[str] = ()) -> None:
    """Reject results of a strategy that breaks its contract.

    Args:
        names: Names of the entrants, if there are several.
    Raises: CompetitorFailedError, for a broken contract.
    """
    for seat in (seat for block in results for seat in block.seats):
        if verdict := seat.verdict:
            who = f"{names[seat.entrant]}: " if names else ""
            why = f"; {ENDLESS}" if ENORMOUS.search(verdict.message) else ""
            raise CompetitorFailedError(f"{who}round {verdict.round}: {verdict.message}{why}")


@dataclass(slots=True)
class _Played:
    """Sums over the rounds so far, in the unit of the rules, and each block's mean."""

    wager: int  # the least
    rounds: int = 0
    net: int = 0
    squares: int = 0
    luck: int = 0  # in PARTS of the unit
    blocks: list[tuple[BlockKey, float]] = field(default_factory=list)

    def take(self, results: Sequence[BlockResult]) -> None:
        """Add blocks.

        Raises: CompetitorFailedError, if the strategy breaks its contract.
        """
        check_faults(results)
        for block in results:
            (seat,) = block.seats
            luck = seat.luck or 0
            self.rounds += seat.rounds
            self.net += seat.net
            self.squares += seat.squares
            self.luck += luck
            self.blocks.append((block.key, (seat.net - luck / PARTS) / self.wager / seat.rounds))

    @property
    def mean(self) -> float:
        return self.net / self.wager / self.rounds

    @property
    def adjusted(self) -> float:
        return (self.net - self.luck / PARTS) / self.wager / self.rounds

    @property
    def sd(self) -> float:
        return sqrt(max(0.0, self.squares / self.wager**2 / self.rounds - self.mean**2))

    def means(self) -> NDArray[np.float64]:
        """Return the mean of each block in order, without luck where possible."""
        return np.array([mean for _, mean in sorted(self.blocks)])


def width_at(means: NDArray[np.float64], look: int | None = None) -> float | None:
    """Return half the 95 % interval of a mean over blocks; `None` with one block.

    Args:
        means: Means of the blocks.
        look: Number of the look, from 1, if intervals of several looks must hold together.
    """
    return half_width(means, 1 - (_alpha_at(look) if look else ALPHA))


def next_look(means: NDArray[np.float64], look: int, until: float, most: int) -> int:
    """Return the number of blocks after which the interval is probably narrow enough.

    Args:
        means: Means of the blocks so far.
        look: Number of the look that found the interval too wide.
        until: The wanted half of the interval.
        most: The most blocks.
    """
    width = half_width(means, 1 - _alpha_at(look + 1)) or until
    return min(most, max(len(means) + 1, ceil(len(means) * (width / until) ** 2 * SPARE)))


def _alpha_at(look: int) -> float:
    """Return the error rate of a look's interval; all looks together have 5 %.

    The second look is planned to be the last, so it gets most.

    >>> sum(map(_alpha_at, range(1, 1000))) < ALPHA
    True
    """
    first = (0.05 * ALPHA, 0.8 * ALPHA)
    if look <= len(first):
        return first[look - 1]
    return 0.15 * ALPHA / ((look - 2) * (look - 1))


def blocks_of(rounds: int) -> int:
    """Give the number of blocks that rounds are divided into."""
    return max(-(-rounds // MOST_ROUNDS), min(ENOUGH, rounds // LEAST_ROUNDS), 1)


def batches_of(dealt: Field, rounds: int, first: int, end: int) -> Iterator[Batch]:
    """Divide the rounds among tables as evenly as possible; yield the batches of some tables."""
    share, left = divmod(rounds, blocks_of(rounds))
    seated = ((0, dealt.bankroll),)
    for begin in range(first, end, IN_A_BATCH):
        blocks = tuple(
            dealt.block(BlockKey(0, 0, table, 0, 1), seated, share + (table < left))
            for table in range(begin, min(begin + IN_A_BATCH, end))
        )
        yield Batch(0, begin, blocks)


def unstored(
    name: str,
    game: GameConfig,
    entrants: tuple[EntrantConfig, ...],
    format: FormatConfig,  # noqa: A002 - as in a configuration
    *,
    minimum: int,
    seed: int | None = None,
) -> TournamentConfig:
    """Return the configuration of a tournament that is not stored, with inexhaustible bankrolls.

    Args:
        name: The command that plays it.
        game: The game.
        entrants: The entrants, with different names.
        format: The format.
        minimum: The least wager in chips.
        seed: Seed of the shoes; random by default.
    """
    return TournamentConfig(
        name=name,
        seed=seed,
        game=game,
        bankroll=MINIMUMS_TO_START * minimum,
        minimum=minimum,
        maximum=None,
        format=format,
        floor=FloorConfig(),
        entrants=entrants,
        leaderboard=LeaderboardConfig(),
        luck_adjustment=not why_luck_stays(game.rules, format),
        text="",
        source=name,
    )
