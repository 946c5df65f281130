"""What a strategy wins at each true count, and the results that its rounds have.

The same rounds as `simulated_ev` plays are played once more, and each is looked at: in machine code
where the strategy declares what it does, else by the engine that asks it. Where the luck of the
cards is known it is taken out. Intervals are Student's over blocks, of the ratio of what was won to
what was wagered; they hold for one count at a time.

Source: Cochran, "Sampling Techniques", 3rd edition, 1977, 6.4, for the variance of a ratio.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from html import escape
from math import sqrt
from typing import TYPE_CHECKING, Any

from tourney.errors import RulesError
from tourney.execution.compiled_blocks import why_not_compiled
from tourney.execution.engine_selection import play_batch
from tourney.execution.warm_up import warm_up
from tourney.execution.workers.task import EntrantSpec, declared, lineup_for
from tourney.execution.workers.workload import Tell, told_if_long
from tourney.formats.field import Field
from tourney.game.accelerators import ROUNDS_WORTH_LOADING
from tourney.game.arrays import np
from tourney.game.counting import NO_COUNT, Counting
from tourney.game.rules import Rules
from tourney.notebook.plots import Interval, counts_plot
from tourney.notebook.tables import extra
from tourney.research.simulated_ev import batches_of, blocks_of, check_faults, dealt_alone
from tourney.standings.luck_adjustment import PARTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tourney.game.blocks import Batch
    from tourney.game.cards.keys import Secret

FARTHEST = 10
"""The true count beyond which all are put together."""
LEAST_BLOCKS = 10
"""In which a count has to come up, for an interval."""
USUAL, USUAL_ASKED = 10**6, 10**5
"""Rounds where nobody says how many: in machine code, and where somebody is asked."""
MOST_FOR_RESULTS, MOST_ASKED = 500_000, 20_000
"""Rounds that tell which results a round has: in machine code, and where somebody is asked."""
POINTS, WAGER, NET, LUCK = range(4)
COLUMNS = 4


@dataclass(frozen=True, slots=True)
class AtCount:
    """Rounds that began at one true count."""

    count: int
    """True count, rounded down; the lowest and the highest stand for all beyond."""

    rounds: int
    """Rounds that began at this count."""

    wager: float
    """Mean wager before the cards, in minimums."""

    rate: float
    """Won for each minimum wagered, without luck where that is known."""

    half_width: float | None
    """Half the 95 % interval of `rate`; None where too few blocks have come to this count."""

    @property
    def mean(self) -> float:
        """Result of a round in minimums."""
        return self.rate * self.wager


@dataclass(frozen=True, slots=True, repr=False)
class ByCount:
    """What a strategy wins at each true count."""

    title: str  # strategy and game
    tags: str  # which count
    rows: tuple[AtCount, ...]  # lowest count first
    adjusts: bool  # whether luck is taken out

    @property
    def rounds(self) -> int:
        """Rounds at all counts."""
        return sum(each.rounds for each in self.rows)

    def to_data(self) -> Mapping[str, object]:
        """Give it as JSON can hold it."""
        return {"tags": self.tags, "counts": [asdict(each) for each in self.rows]}

    def to_pandas(self) -> Any:
        """Give a data frame of one row for each count.

        Raises: TourneyError, without pandas.
        """
        return extra("pandas").DataFrame(
            [{**asdict(each), "mean": each.mean, "share": self.share(each)} for each in self.rows]
        )

    def plot(self) -> Any:
        """Draw the win rate over the true count, and how often it comes: a figure of matplotlib.

        Raises: TourneyError, without matplotlib.
        """
        rows = [Interval(str(each.count), each.rate, each.half_width) for each in self.rows]
        return counts_plot(rows, [self.share(each) for each in self.rows], self.title, self.tags)

    def share(self, row: AtCount) -> float:
        """Give the share of the rounds that began at a count."""
        return row.rounds / self.rounds

    def cells(self) -> list[tuple[str, ...]]:
        """Give what people read, count by count: see TITLES."""
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
        """Read a line for each count."""
        return "\n".join(" ".join(each).rstrip() for each in self.cells())

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(each)}</th>" for each in TITLES)
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in row)}</tr>"
            for row in self.cells()
        )
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{rows}</table>"


TITLES = ("True count", "Rounds", "Share", "Wager", "Win rate", "95 %")


def check_counted(entrant: EntrantSpec, rules: Rules, tags: str) -> None:
    """Refuse a game whose cards are not counted, or a count that is none.

    Raises: RulesError, if it is.
    """
    rules.game.counting(rules, tags, declared(entrant, rules))


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
    """Tell the rounds of a strategy apart by the true count before them.

    Args:
        entrant: The strategy.
        rules: The game.
        rounds: How many; by default as many as take a second or ten.
        minimum: The least wager in chips.
        secret: What the shoes are derived from.
        tags: Which count; empty for that of the strategy, or else the usual one.
        engine: Which engine plays; for `lockstep` the one that asks table by table does.
        title: Strategy and game, in words.
        tell: Told what is being waited for, if that takes long.
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
    """Give how often rounds have which result in minimums; None where nobody can look at them.

    Args: As for `by_count_of`; no more rounds are looked at than tell the shape of the results.
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
    """Looks at rounds of a strategy: in machine code, or by who asks it."""

    def __init__(self, entrant: EntrantSpec, counting: Counting, dealt: Field, engine: str) -> None:
        self._entrant, self._counting, self._dealt = entrant, counting, dealt
        self._engine, self._declared = engine, declared(entrant, dealt.rules)
        self.is_compiled = False

    def make_ready(self, rounds: int) -> None:
        """Load machine code, if so many rounds are worth it and it can play them."""
        (first,) = batches_of(self._dealt, 1, 0, 1)
        cannot = why_not_compiled(first.blocks[0], [self._declared])
        is_worth = rounds >= ROUNDS_WORTH_LOADING or self._engine == "compiled"
        if is_worth and not cannot and self._engine in {"auto", "compiled"}:
            warm_up(self._dealt.rules)
            self.is_compiled = True

    def blocks(self, rounds: int, end: int) -> Iterator[NDArray[np.int64]]:
        """Give the rounds of each block, for the first of those that rounds are divided into."""
        for batch in batches_of(self._dealt, rounds, 0, end):
            if self.is_compiled:
                for block in batch.blocks:
                    yield self._counting.logged(block, self._declared)
            else:
                yield from self._watched(batch)

    def _watched(self, batch: Batch) -> Iterator[NDArray[np.int64]]:
        """Look at rounds that are played by asking.

        Raises: CompetitorFailedError, if the strategy breaks its contract.
        """
        watchers = {block.key: self._counting.watcher() for block in batch.blocks}
        engine = "auto" if self._entrant.confinement else "reference"
        found = play_batch(batch, lineup_for({0: self._entrant}), engine, watchers)
        check_faults(found.results)
        for block in batch.blocks:
            yield np.array(watchers[block.key].rows, np.int64).reshape(-1, COLUMNS)


def _sums(rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Add up a block's rounds by count: how many, wagers, and what they won without luck."""
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
    """Give half the 95 % interval of a ratio, from what blocks won beside it and wagered."""
    blocks = int((wagered > 0).sum())
    if blocks < LEAST_BLOCKS:
        return None
    from scipy.special import stdtrit  # noqa: PLC0415 - a quarter of a second

    error = sqrt(float(rest @ rest) * blocks / (blocks - 1)) / float(wagered.sum())
    return float(stdtrit(blocks - 1, 0.975)) * error
