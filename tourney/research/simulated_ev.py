"""What a strategy is worth in the long run: alone, with a bankroll that cannot run out.

Where the game knows what its cards are worth, their luck is taken out: what is left has the same
mean and varies so much less that a few per cent of the rounds say as much. The interval is
Student's over blocks, and each block begins with a fresh shoe; so a player who waits for the end of
a shoe is measured at a little too few ends, one shoe in a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
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
from tourney.execution.engine_names import ENGINES
from tourney.execution.workers.task import EntrantSpec
from tourney.execution.workers.worker_choice import make_workers
from tourney.execution.workers.workload import Tell, Workload, check_playable
from tourney.formats.field import Field
from tourney.formats.luck_adjustment import why_luck_stays
from tourney.formats.solo import Duplicate
from tourney.game.arrays import np
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.rules import Rules
from tourney.plugins.registry import Registry
from tourney.standings.confidence import doubling
from tourney.standings.fold import half_width
from tourney.standings.luck_adjustment import PARTS
from tourney.standings.rank_sets import ALPHA
from tourney.tournament.entrant_specs import check_options
from tourney.tournament.loading import enter

if TYPE_CHECKING:
    from numpy.typing import NDArray

MINIMUMS_TO_START = 100_000
"""In chips of whoever shall never run out."""
MOST_ROUNDS, LEAST_ROUNDS = 20_000, 1_000
"""In a block of long runs, and of short ones, which have blocks enough for an interval, too."""
ENOUGH = 256
"""Blocks, before they have more rounds than the least."""
IN_A_BATCH = 128
"""Blocks that are played together: players who are asked answer for all of them at once."""
FIRST_LOOK = 128
"""Blocks after which it is looked for the first time whether the interval is narrow enough."""
MINIMUMS_TO_START = 1_000_000_000
MOST_MINIMUMS_A_WAGER = 100_000_000


@dataclass(frozen=True, slots=True)
class LongRun:
    """Result per round in units of the minimum, and what it took to find it."""

    mean: float
    """Result of a round, in minimums."""

    standard_error: float
    """Standard error of `mean`, in minimums."""

    sd: float
    """Standard deviation of one round, in minimums."""

    adjusted: float | None
    """`mean` without the luck of the cards; None where that is not known."""

    half_width: float | None
    """Half the 95 % interval of `best`, in minimums, for all looks at once; None of one block."""

    rounds: int
    """Rounds played."""

    seconds: float
    """Seconds it took."""

    rounds_per_second: float
    """Rounds played in a second."""

    engine: str
    """Engine that played, or several."""

    @property
    def best(self) -> float:
        """The estimate that varies less."""
        return self.mean if self.adjusted is None else self.adjusted


def entered_alone(
    game: GameConfig, entrant: EntrantConfig, registry: Registry, *, trusts_files: bool = False
) -> EntrantSpec:
    """Make ready who is to be measured.

    Args:
        game: What is played.
        entrant: A strategy, a file or a chart.
        registry: What names stand for.
        trusts_files: Whether a file may run in this process; else it is confined.
    Raises: TourneyError, if it cannot play this.
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
        rounds: How many, at least 1; at most, with `until`.
        minimum: The least wager in chips; an even one is paid 3:2 exactly.
        secret: What the shoes are derived from.
        until: Stop as soon as half the 95 % interval is no wider, in minimums; the interval holds
            although it was looked at again and again.
        workers: Processes that play.
        engine: Which engine plays.
        tell: Told what is being waited for, if that takes long.
        on_rounds: Told how many rounds have been played, again and again.
    Raises: CompetitorFailedError, if the strategy breaks its contract.
    """
    check_alone(rules)
    check_playable((entrant,), rules, engine)
    played = _Played(minimum * rules.unit)
    dealt = dealt_alone(rules, minimum, secret)
    started = perf_counter()
    engines: set[str] = set()
    blocks = blocks_of(rounds)
    looks = doubling(blocks, first=FIRST_LOOK) if until and blocks > FIRST_LOOK else (blocks,)
    workload = Workload(rules, blocks, rounds)
    width, before = None, 0
    with make_workers(workers, {0: entrant}, engine, workload=workload, tell=tell) as crew:
        for number, look in enumerate(looks, start=1):
            for batch in crew.play(batches_of(dealt, rounds, before, look)):
                engines.update(batch.engines)
                played.take(batch.results)
                if on_rounds:
                    on_rounds(played.rounds)
            width, before = width_at(played.means(), number if until else None), look
            if until and width is not None and width <= until:
                break
    seconds = perf_counter() - started
    return LongRun(
        mean=played.mean,
        standard_error=played.sd / sqrt(played.rounds),
        sd=played.sd,
        adjusted=played.adjusted if dealt.follows_luck else None,
        half_width=width,
        rounds=played.rounds,
        seconds=seconds,
        rounds_per_second=played.rounds / seconds,
        engine=" and ".join(name for name in ENGINES if name in engines),
    )


def dealt_alone(rules: Rules, minimum: int, secret: Secret) -> Field:
    """Give a tournament of one, with a bankroll that cannot run out; see `long_run`."""
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
    """Refuse rules by which nobody can be measured alone.

    Raises: EngineError, with what to do instead.
    """
    if rules.most_points is not None or 1 not in rules.seats:
        raise EngineError(
            f"expected a game of chips, which one seat can play alone for ever; got {rules.game}: "
            "let strategies meet in a tournament"
        )


def check_faults(results: Sequence[BlockResult], names: Sequence[str] = ()) -> None:
    """Refuse results of a strategy that breaks its contract.

    Args:
        results: Of its blocks.
        names: Of the entrants, where there are several.
    Raises: CompetitorFailedError, if one does.
    """
    for seat in (seat for block in results for seat in block.seats):
        if verdict := seat.verdict:
            who = f"{names[seat.entrant]}: " if names else ""
            raise CompetitorFailedError(f"{who}round {verdict.round}: {verdict.message}")


@dataclass(slots=True)
class _Played:
    """Sums over what was played so far, in the unit of the rules, and each block's mean."""

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
        """Give the mean of each block, without luck where that is known, in their order."""
        return np.array([mean for _, mean in sorted(self.blocks)])


def width_at(means: NDArray[np.float64], look: int | None = None) -> float | None:
    """Give half the 95 % interval of a mean over blocks; None for a single one.

    Args:
        means: Of the blocks.
        look: Which of several this is, from 1, whose intervals hold together; None for the only.
    """
    return half_width(means, 1 - (_alpha_at(look) if look else ALPHA))


def _alpha_at(look: int) -> float:
    """Give how often the interval of a look may be wrong, so that all together are so in 5 %.

    >>> sum(map(_alpha_at, range(1, 1000))) < ALPHA
    True
    """
    return ALPHA / (look * (look + 1))


def blocks_of(rounds: int) -> int:
    """Give the number of blocks that rounds are divided into."""
    return max(-(-rounds // MOST_ROUNDS), min(ENOUGH, rounds // LEAST_ROUNDS), 1)


def batches_of(dealt: Field, rounds: int, first: int, end: int) -> Iterator[Batch]:
    """Divide the rounds among tables as evenly as can be; give those of some of them."""
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
    """Give a tournament that is played at once and kept nowhere; nobody in it runs out of chips.

    Args:
        name: What plays it.
        game: What is played.
        entrants: Who plays, by names that differ.
        format: Who sits where.
        minimum: The least wager in chips.
        seed: What the shoes are derived from; drawn by default.
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
