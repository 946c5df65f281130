"""The choice of published tables, their data, and comparisons of pairs on equal tables.

The interval of a comparison is Student's, for each pair by itself: of many pairs, some differ by
chance.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.hand_notation import HandsWriter
from tourney.report.publish.published_results import Results, TableKey
from tourney.report.publish.replays import Look, Looks
from tourney.report.site.model import BlockData, DuelData, FanData, LimitsData, RaceData, TableData
from tourney.standings.fold import half_width
from tourney.standings.standing import BANKROLL, PLACE
from tourney.standings.tallies import Scoring

QUANTILES = (5, 25, 50, 75, 95)
MOST_POINTS = 100
"""Points of a curve."""

MOST_RUNNERS = 8
"""Entrants of a race."""

Kind = Literal["best", "worst"]


class Chosen(NamedTuple):
    """Replayed tables of an entrant."""

    published: tuple[tuple[Kind, TableKey], ...]  # best first, then worst
    sampled: tuple[TableKey, ...]

    @property
    def tables(self) -> set[TableKey]:
        """All of them."""
        return {key for _, key in self.published} | set(self.sampled)


def choose(results: Results, published: int, samples: int) -> Chosen:
    """Choose tables of an entrant.

    Args:
        results: Its tables.
        published: Number of best tables to publish, and of worst ones.
        samples: Number of samples, spread evenly over all tables.
    """
    keys = sorted(results.tables)
    sign = 1 if results.scoring.is_least_best else -1
    ordered = sorted(keys, key=lambda key: (sign * results.shown(key), key))
    best: list[tuple[Kind, TableKey]] = [("best", key) for key in ordered[:published]]
    rest = ordered[len(best) :]
    worst: list[tuple[Kind, TableKey]] = [("worst", key) for key in rest[-published or len(rest) :]]
    step = max(len(keys) / samples, 1) if samples else 1
    count = min(samples, len(keys))
    return Chosen((*best, *worst[::-1]), tuple(keys[int(step * each)] for each in range(count)))


def table_told(
    kind: Kind,
    key: TableKey,
    entrant: int,
    *,
    results: Results,
    looks: Looks,
    numbers: dict[int, int],
) -> TableData:
    """Return a published table of an entrant, with its hands."""
    unit = results.scoring.rules.unit
    found = looks.of(entrant, key)
    path: list[float] = []
    # Otherwise chips continue from before, plus bought ones.
    begins_anew = results.scoring.is_least_best or results.scoring.measure is PLACE
    for look, seat in found:
        chips = [each / unit for each in _path(look.hands, seat)]
        # A block begins with the chips that the block before has left: one round, one point.
        left = path.pop() if path and chips else None
        won = left - chips[0] if left is not None and begins_anew else 0.0
        path += [won + each for each in chips]
    at = _checkpoints(len(path))
    return TableData(
        kind=kind,
        stage=key[0] + 1,
        heat=key[1] + 1,
        table=key[2] + 1,
        result=results.shown(key),
        path_rounds=at,
        path=[path[number] for number in at],
        blocks=[_block_told(look, seat, numbers) for look, seat in found],
        is_lost=looks.is_lost(entrant, key),
    )


def fan(entrant: int, keys: Sequence[TableKey], looks: Looks, scoring: Scoring) -> FanData | None:
    """Return an entrant's bankrolls at sampled tables; a broke entrant stays broke.

    Returns: `None` if tables begin with different bankrolls, or there are no samples.
    """
    paths = _sampled_paths(entrant, keys, looks, scoring)
    if not paths:
        return None
    at = _checkpoints(max(map(len, paths)))
    quantiles = np.quantile(_chips(paths, at), [each / 100 for each in QUANTILES], axis=0)
    return FanData(
        tables=len(paths),
        rounds=at,
        quantiles={
            str(name): [round(float(value), 2) for value in values]
            for name, values in zip(QUANTILES, quantiles, strict=True)
        },
    )


def race(
    leading: Sequence[tuple[int, Sequence[TableKey]]],
    looks: Looks,
    scoring: Scoring,
    *,
    is_over: bool,
) -> RaceData | None:
    """Return the race of the leading entrants; a broke entrant stays broke.

    Args:
        leading: Entrants with their sampled tables, best first.
        looks: The replayed blocks.
        scoring: How results count.
        is_over: Whether all tables have ended; then the race lasts all scheduled rounds, so
            that it does not depend on entrants that are hidden.
    Returns: `None` with fewer than two entrants that have samples.
    """
    runners = {
        row: paths
        for row, (entrant, keys) in enumerate(leading[:MOST_RUNNERS], start=1)
        if (paths := _sampled_paths(entrant, keys, looks, scoring))
    }
    if len(runners) < 2:  # noqa: PLR2004 - one entrant has no rival
        return None
    longest = max(len(path) for paths in runners.values() for path in paths)
    at = _checkpoints(scoring.scheduled_rounds + 1 if is_over else longest)
    medians = [np.median(_chips(paths, at), axis=0) for paths in runners.values()]
    return RaceData(
        rounds=at,
        entrants=list(runners),
        tables=[len(paths) for paths in runners.values()],
        medians=[[round(float(value), 2) for value in values] for values in medians],
    )


def _sampled_paths(
    entrant: int, keys: Sequence[TableKey], looks: Looks, scoring: Scoring
) -> list[list[float]]:
    """Return an entrant's chips at sampled tables after each number of rounds, from 0.

    Empty if tables begin with different bankrolls.
    """
    if scoring.measure is not BANKROLL:
        return []
    paths: list[list[float]] = []
    for key in keys:
        path: list[float] = []
        for look, seat in looks.of(entrant, key):
            # A block begins with the chips that the block before has left.
            if chips := _path(look.hands, seat):
                path[-1:] = [each / scoring.rules.unit for each in chips]
        if path:
            paths.append(path)
    return paths


def _chips(paths: Sequence[Sequence[float]], at: Sequence[int]) -> NDArray[np.float64]:
    """Return the chips of paths after some numbers of rounds; a path keeps its last value."""
    return np.array([[path[min(number, len(path) - 1)] for number in at] for path in paths])


def _path(hands: HandsWriter, seat: int) -> list[int]:
    """Return a seat's bankrolls while it has one."""
    found = (chips[seat] for chips in hands.paths)
    return [chips for chips in found if chips is not None]


def _checkpoints(count: int) -> list[int]:
    """Return the indexes of a curve's points, including the last.

    >>> _checkpoints(4), _checkpoints(1001)[:3], _checkpoints(1001)[-1]
    ([0, 1, 2, 3], [0, 10, 20], 1000)
    """
    step = max(1, -(-(count - 1) // MOST_POINTS))
    places = list(range(0, count, step))
    return places if not places or places[-1] == count - 1 else [*places, count - 1]


def _block_told(look: Look, seat: int, numbers: dict[int, int]) -> BlockData:
    block, hands = look.block, look.hands
    return BlockData(
        seating=block.key.seating + 1,
        first_round=block.key.first_round,
        seats=[numbers.get(each.entrant, 0) for each in block.seats],
        seat=seat,
        rounds=hands.rounds,
        last=list(hands.paths[-1]) if hands.paths else [],
        limits=LimitsData(
            bankrolls=[each.bankroll for each in block.seats],
            minimum=block.minimum,
            maximum=block.maximum,
            rounds=block.rounds,
            moves_button=block.state.moves_button,
            # A format may set a limit where the rules leave it open.
            points=block.rules.limit,
        ),
    )


MOST_RIVALS = 40
"""Number of rivals of an entrant, the nearest on the board; limits the size of a page."""


def duels(ordered: Sequence[Results]) -> list[list[DuelData]]:
    """Compare each entrant with the nearest ones on the board.

    Args:
        ordered: The entrants' results, in the order of the board.
    Returns: For each entrant, its advantages over its rivals; more is better, also for points.
    """
    compare = compared(ordered)
    return [
        [
            duel
            for rival in nearest(row, len(ordered))
            if rival != row and (duel := compare(row, rival))
        ]
        for row in range(len(ordered))
    ]


def compared(ordered: Sequence[Results]) -> Callable[[int, int], DuelData | None]:
    """Return a function that compares two rows of the board; `None` without a common table.

    Args:
        ordered: As for `duels`.
    """
    keys = sorted({key for results in ordered for key in results.tables})
    column = {key: number for number, key in enumerate(keys)}
    worths = np.full((len(ordered), len(keys)), np.nan)
    for row, results in enumerate(ordered):
        sign = -1 if results.scoring.is_least_best else 1
        for key in results.tables:
            worths[row, column[key]] = sign * results.a_round(key)
    return lambda row, rival: _duel(worths[row] - worths[rival], rival + 1)


def nearest(row: int, count: int) -> range:
    """Return the nearest rows of a row, including itself."""
    first = max(0, min(row - MOST_RIVALS // 2, count - MOST_RIVALS - 1))
    return range(first, min(count, first + MOST_RIVALS + 1))


def _duel(differences: NDArray[np.float64], rival: int) -> DuelData | None:
    """Return a comparison; `None` without a common table."""
    common = differences[~np.isnan(differences)]
    tables = len(common)
    if not tables:
        return None
    mean = float(common.mean())
    return DuelData(rival=rival, mean=mean, half_width=half_width(common), tables=tables)
