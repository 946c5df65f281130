"""The win rate of a strategy at each true count, and the results of its rounds.

The rounds of `simulated_ev` are played again and inspected: in machine code if the strategy
declares its play, and with the asking engine otherwise. Luck is taken out where possible. Intervals
are Student's over blocks, of the ratio of winnings to wagers; they hold for one count at a time.

Source: Cochran, "Sampling Techniques", 3rd edition, 1977, 6.4, for the variance of a ratio.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from tourney.errors import RulesError
from tourney.execution.engine_selection import play_batch, why_not_compiled
from tourney.execution.warm_up import warm_up
from tourney.execution.workers.task import EntrantSpec, declared, lineup_for
from tourney.execution.workers.workload import Tell, told_if_long
from tourney.formats.field import Field
from tourney.game.accelerators import ROUNDS_WORTH_LOADING
from tourney.game.arrays import np
from tourney.game.counting import NO_COUNT, Counting
from tourney.game.rules import Rules
from tourney.notebook.plots import Interval, counts_plot
from tourney.notebook.tables import extra, table_html
from tourney.research.simulated_ev import batches_of, blocks_of, check_faults, dealt_alone
from tourney.standings.luck_adjustment import PARTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tourney.game.blocks import Batch
    from tourney.game.cards.keys import Secret

FARTHEST = 10
"""The true count beyond which all counts are combined."""
LEAST_BLOCKS = 10
"""Blocks with a count that an interval needs."""
USUAL, USUAL_ASKED = 10**6, 10**5
"""Default number of rounds: in machine code, and with the asking engine."""
MOST_FOR_RESULTS, MOST_ASKED = 500_000, 20_000
"""Rounds that determine the distribution of results: in machine code, and with the asking engine.
"""
POINTS, WAGER, NET, LUCK = range(4)
COLUMNS = 4


@dataclass(frozen=True, slots=True)
class AtCount:
    """Rounds that began at one true count."""

    count: int
    """True count, rounded down; the lowest and the highest include all counts beyond."""

    rounds: int
    """Rounds that began at this count."""

    wager: float
    """Mean wager before the cards, in minimums."""

    rate: float
    """Winnings for each minimum wagered, without luck where possible."""

    half_width: float | None
    """Half the 95 % interval of `rate`; None with too few blocks at this count."""

    @property
    def mean(self) -> float:
        """Result of a round in minimums."""
        return self.rate * self.wager


@dataclass(frozen=True, slots=True, repr=False)
class ByCount:
    """The win rate of a strategy at each true count."""

    title: str  # strategy and game
    tags: str  # the count
    rows: tuple[AtCount, ...]  # lowest count first
    adjusts: bool  # results are without luck

    @property
    def rounds(self) -> int:
        """Rounds at all counts."""
        return sum(each.rounds for each in self.rows)

    def to_data(self) -> Mapping[str, object]:
        """Return the data for JSON."""
        return {"tags": self.tags, "counts": [asdict(each) for each in self.rows]}

    def to_pandas(self) -> Any:
        """Return a data frame with one row for each count.

        Raises: TourneyError, without pandas.
        """
        return extra("pandas").DataFrame(
            [{**asdict(each), "mean": each.mean, "share": self.share(each)} for each in self.rows]
        )

    def plot(self) -> Any:
        """Draw the win rate over the true count, and the frequency of counts: a figure of
        matplotlib.

        Raises: TourneyError, without matplotlib.
        """
        rows = [Interval(str(each.count), each.rate, each.half_width) for each in self.rows]
        return counts_plot(rows, [self.share(each) for each in self.rows], self.title, self.tags)

    def share(self, row: AtCount) -> float:
        """Return the share of the rounds that began at a count."""
        return row.rounds / self.rounds

    def cells(self) -> list[tuple[str, ...]]:
        """Return the printed cells of each count: see TITLES."""
        return [
            (
                _count_text(each.count),
                f"{each.rounds:,}",
                f"{self.share(each):.2%}",
                f"{each.wager:.2f}",
                f"{each.rate:+.3%}",
                "" if each.half_width is None else f"± {each.half_width:.3%}",
            )
            for each in self.rows
        ]

    def __repr__(self) -> str:
        """Write a line for each count."""
        return "\n".join(" ".join(each).rstrip() for each in self.cells())

    def _repr_html_(self) -> str:
        return table_html(self.title, TITLES, self.cells())


TITLES = ("True count", "Rounds", "Share", "Wager", "Win rate", "95 %")


def by_count_of(
    entrant: EntrantSpec,
    rules: Rules,
    rounds: int | None,
    *,
    minimum: int,
    secret: Secret,
    tags: str = "",
    engine: str = "auto",
    title: str = "",
    tell: Tell | None = None,
) -> ByCount:
    """Split the rounds of a strategy by the true count before them.

    Args:
        entrant: The strategy.
        rules: The game.
        rounds: Number of rounds; by default as many as take 1 to 10 seconds.
        minimum: The least wager in chips.
        secret: The key of the shoes.
        tags: The count; empty for that of the strategy, or else the usual one.
        engine: The engine; `lockstep` is replaced by the engine that asks table by table.
        title: Strategy and game, in words.
        tell: Receives a line about long waits.
    Raises: RulesError, if the cards of the game are not counted; TourneyError, if it cannot play.
    """
    counting = rules.game.counting(rules, tags, declared(entrant, rules))
    dealt = dealt_alone(rules, minimum, secret)
    log = _Log(entrant, counting, dealt, engine)
    with told_if_long(tell):
        log.make_ready(rounds or USUAL)
    rounds = rounds or (USUAL if log.is_compiled else USUAL_ASKED)
    sums = np.array([_sums(rows) for rows in log.blocks(rounds, blocks_of(rounds))])
    found = []
    for place in range(2 * FARTHEST + 1):
        played, wagered, won = sums[:, :, place].T
        if not played.any():
            continue
        rate = float(won.sum() / wagered.sum())
        found.append(
            AtCount(
                count=place - FARTHEST,
                rounds=int(played.sum()),
                wager=float(wagered.sum() / played.sum() / dealt.minimum),
                rate=rate,
                half_width=_half_width(won - rate * wagered, wagered),
            )
        )
    return ByCount(title, counting.name, tuple(found), dealt.follows_luck)


def results_of(
    entrant: EntrantSpec,
    rules: Rules,
    rounds: int,
    *,
    minimum: int,
    secret: Secret,
    engine: str = "auto",
    tell: Tell | None = None,
) -> Mapping[float, float] | None:
    """Return the distribution of results in minimums; `None` if rounds cannot be inspected.

    Args: As for `by_count_of`; at most as many rounds as determine the distribution.
    """
    try:
        counting = rules.game.counting(rules, NO_COUNT, None)
    except RulesError:
        return None
    dealt = dealt_alone(rules, minimum, secret)
    log = _Log(entrant, counting, dealt, engine)
    with told_if_long(tell):
        log.make_ready(rounds)
    enough = MOST_FOR_RESULTS if log.is_compiled else MOST_ASKED
    blocks = blocks_of(rounds)
    nets: Counter[int] = Counter()
    for rows in log.blocks(rounds, min(blocks, -(-enough * blocks // rounds))):
        values, times = np.unique(rows[:, NET], return_counts=True)
        nets.update(dict(zip(values.tolist(), times.tolist(), strict=True)))
    return {net / dealt.minimum: float(often) for net, often in sorted(nets.items())}


class _Log:
    """Inspects rounds of a strategy, in machine code or with the asking engine."""

    def __init__(self, entrant: EntrantSpec, counting: Counting, dealt: Field, engine: str) -> None:
        self._entrant, self._counting, self._dealt = entrant, counting, dealt
        self._engine, self._declared = engine, declared(entrant, dealt.rules)
        self.is_compiled = False

    def make_ready(self, rounds: int) -> None:
        """Load machine code, if it can play the rounds and saves time."""
        (first,) = batches_of(self._dealt, 1, 0, 1)
        cannot = why_not_compiled(first.blocks[0], [self._declared])
        is_worth = rounds >= ROUNDS_WORTH_LOADING or self._engine == "compiled"
        if is_worth and not cannot and self._engine in {"auto", "compiled"}:
            warm_up(self._dealt.rules)
            self.is_compiled = True

    def blocks(self, rounds: int, end: int) -> Iterator[NDArray[np.int64]]:
        """Yield the rounds of the first blocks, block by block."""
        for batch in batches_of(self._dealt, rounds, 0, end):
            if self.is_compiled:
                for block in batch.blocks:
                    yield self._counting.logged(block, self._declared)
            else:
                yield from self._watched(batch)

    def _watched(self, batch: Batch) -> Iterator[NDArray[np.int64]]:
        """Inspect rounds that the asking engine plays.

        Raises: CompetitorFailedError, if the strategy breaks its contract.
        """
        watchers = {block.key: self._counting.watcher() for block in batch.blocks}
        engine = "auto" if self._entrant.confinement else "reference"
        found = play_batch(batch, lineup_for({0: self._entrant}), engine, watchers)
        check_faults(found.results)
        for block in batch.blocks:
            yield np.array(watchers[block.key].rows, np.int64).reshape(-1, COLUMNS)


def _sums(rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Add up a block by count: rounds, wagers, and winnings without luck."""
    places = np.clip(rows[:, POINTS], -FARTHEST, FARTHEST) + FARTHEST
    won = rows[:, NET] - rows[:, LUCK] / PARTS
    return np.array(
        [
            np.bincount(places, weights, 2 * FARTHEST + 1)
            for weights in (None, rows[:, WAGER].astype(np.float64), won)
        ],
        np.float64,
    )


def _count_text(count: int) -> str:
    beyond = {-FARTHEST: " and below", FARTHEST: " and above"}
    return f"{count:+d}{beyond.get(count, '')}"


def _half_width(rest: NDArray[np.float64], wagered: NDArray[np.float64]) -> float | None:
    """Return half the 95 % interval of a ratio, from the residuals and wagers of blocks."""
    blocks = int((wagered > 0).sum())
    if blocks < LEAST_BLOCKS:
        return None
    from scipy.special import stdtrit  # noqa: PLC0415 - a quarter of a second

    error = sqrt(float(rest @ rest) * blocks / (blocks - 1)) / float(wagered.sum())
    return float(stdtrit(blocks - 1, 0.975)) * error
