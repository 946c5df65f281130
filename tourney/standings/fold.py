"""Standings from stored results: the order of entrants, with intervals.

The unit of statistics is the table, not the hand: hands of one table share a bankroll and a shoe,
and the rotations of one table share their deals. `confidence` adds the confidence of the order.
Source of the interval: Student, 1908; docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from math import sqrt
from typing import Any

from tourney.game.arrays import NDArray, np
from tourney.game.ledger import BlockKey, BlockResult, SeatResult
from tourney.standings.confidence import with_rank_sets
from tourney.standings.luck_adjustment import Adjusted, adjusted
from tourney.standings.places import MOST_ENTRANTS, Better, Finish, finishes_without, with_ranks
from tourney.standings.plackett_luce import rate
from tourney.standings.standing import BANKROLL, FINISH, EntrantLabel, Standing
from tourney.standings.tallies import SHARES, Count, Orders, Scoring, Tally

CONFIDENCE = 0.95
QUANTILES = (0.05, 0.5, 0.95)
LABEL_FIELDS = tuple(each.name for each in fields(EntrantLabel))


def fold(
    results: Iterable[tuple[BlockKey, SeatResult]],
    labels: Sequence[EntrantLabel],
    scoring: Scoring,
    excluded: Collection[int] = (),
) -> tuple[Standing, ...]:
    """Return standings of results in any order, best first.

    Args:
        results: Every seat of every block.
        labels: The entrants, by number.
        scoring: How results count; not by places and without ratings of games of points, because
            these need whole blocks.
        excluded: Numbers of entrants that get no row.
    """
    count = Count(len(labels), scoring)
    for key, result in results:
        count.tallies[result.entrant].add(key, result)
    return rank(count.tallies, labels, scoring, excluded=excluded)


def fold_blocks(
    results: Iterable[BlockResult],
    labels: Sequence[EntrantLabel],
    scoring: Scoring,
    excluded: Collection[int] = (),
) -> tuple[Standing, ...]:
    """Return standings of blocks in any order, best first.

    Args:
        results: Every block.
        labels: The entrants, by number.
        scoring: How results count.
        excluded: Numbers of entrants that get no row.
    """
    count = Count(len(labels), scoring)
    for result in results:
        count.take(result)
    return rank(count.tallies, labels, scoring, orders=count.orders, excluded=excluded)


def rank(
    tallies: Sequence[Tally],
    labels: Sequence[EntrantLabel],
    scoring: Scoring,
    finishes: Sequence[Finish] | None = None,
    *,
    orders: Orders | None = None,
    better: Callable[[], Better | None] | None = None,
    excluded: Collection[int] = (),
    says_how_sure: bool = True,
) -> tuple[Standing, ...]:
    """Order the entrants that have played a table; equal means share a place.

    Args:
        tallies: Results of the entrants, by number.
        labels: Their labels, by number.
        scoring: How results count.
        finishes: All places, if the format awards them.
        orders: Finishing orders of their games, for ratings.
        better: Returns which entrants are known to be better, if the format awards the places.
        excluded: Numbers of entrants that get no row. What others won from them stays.
        says_how_sure: Whether to add rank sets and ratings, which takes seconds in a large field.
    """
    if finishes is not None:
        rows = [
            _finished(tallies[each.entrant], labels[each.entrant], scoring, each)
            for each in finishes_without(finishes, excluded)
        ]
        placed = _placed(rows, scoring)
        return _ranked(placed, labels, better) if says_how_sure else placed
    played = [
        number
        for number, tally in enumerate(tallies)
        if tally.has_played and number not in excluded
    ]
    results = _adjusted_all([tallies[number] for number in played], scoring)
    rows = [
        _standing(tallies[number], labels[number], scoring, result)
        for number, result in zip(played, results, strict=True)
    ]
    placed = _placed(rows, scoring)
    if not says_how_sure:
        return placed
    by_name = {labels[number].name: tallies[number] for number in played}
    absent = len(tallies) - len(played) - len(excluded)
    sure = _with_absent(with_rank_sets(placed, by_name, scoring), absent)
    return _rated(sure, labels, orders)


def _with_absent(rows: tuple[Standing, ...], absent: int) -> tuple[Standing, ...]:
    """Lower the worst possible ranks by the entrants that have not played yet."""
    if not absent:
        return rows
    return tuple(
        replace(row, rank_set=(row.rank_set[0], row.rank_set[1] + absent)) if row.rank_set else row
        for row in rows
    )


def _ranked(
    rows: tuple[Standing, ...],
    labels: Sequence[EntrantLabel],
    better: Callable[[], Better | None] | None,
) -> tuple[Standing, ...]:
    """Add rank sets to rows whose places the format awards."""
    numbers = {label.name: number for number, label in enumerate(labels)}
    known = better() if better and len(rows) <= MOST_ENTRANTS else None
    return with_ranks(rows, [numbers[row.name] for row in rows], known)


def _rated(
    rows: tuple[Standing, ...], labels: Sequence[EntrantLabel], orders: Orders | None
) -> tuple[Standing, ...]:
    """Add the ratings of games."""
    ratings = rate(orders.games()) if orders else None
    if ratings is None:
        return rows
    numbers = {label.name: number for number, label in enumerate(labels)}
    return tuple(
        replace(
            row,
            plackett_luce=ratings.values.get(numbers[row.name]),
            plackett_luce_error=ratings.errors.get(numbers[row.name]),
        )
        for row in rows
    )


def _placed(rows: list[Standing], scoring: Scoring) -> tuple[Standing, ...]:
    """Order the rows; disqualified entrants come last."""
    sign = 1 if scoring.measure.is_low_best else -1
    rows.sort(key=lambda row: (sign * row.decides, row.name))
    ranked = [row for row in rows if not _is_out(row, scoring)]
    places: dict[Fraction, int] = {}
    for place, row in enumerate(ranked, start=1):
        places.setdefault(row.decides, place)
    return (
        *(replace(row, place=places[row.decides]) for row in ranked),
        *sorted((row for row in rows if _is_out(row, scoring)), key=lambda row: row.name),
    )


def _adjusted_all(tallies: Sequence[Tally], scoring: Scoring) -> list[Adjusted | None]:
    """Return results adjusted for luck; `None` for all if luck was not followed for all."""
    found = [adjusted(tally, scoring) for tally in tallies]
    return [None] * len(found) if None in found else found


def _is_out(row: Standing, scoring: Scoring) -> bool:
    return scoring.fault == "out" and row.faults > 0


def _standing(
    tally: Tally, label: EntrantLabel, scoring: Scoring, without_luck: Adjusted | None
) -> Standing:
    unit = scoring.rules.unit
    worths = tally.worths(scoring)
    tables = len(worths)
    mean = Fraction(sum(worths), tables * unit)
    values = np.array([float(worth / unit) for worth in worths])
    low, median, high = (float(value) for value in np.quantile(values, QUANTILES))
    is_chips = scoring.measure is BANKROLL
    profit = mean - Fraction(scoring.bankroll, unit) if is_chips else Fraction(0)
    return Standing(
        **_common(tally, label, scoring),
        tables=tables,
        mean=mean,
        half_width=half_width(values),
        quantiles=(low, median, high),
        ruin=tally.ruined(scoring) / tables,
        profit_per_round=float(profit / scoring.scheduled_rounds),
        faults=len({(key.stage, key.table) for key in tally.verdicts}),
        measure=scoring.measure,
        points_per_round=0.0 if is_chips else tally.points / unit / max(tally.rounds, 1),
        games=tally.games,
        wins=tally.shares / SHARES / max(tally.games, 1),
        adjusted=without_luck.mean if without_luck else None,
        adjusted_profit=without_luck.profit(scoring) if without_luck else None,
        luck_errors=without_luck.luck_errors if without_luck else None,
        most_luck_errors=without_luck.most_luck_errors if without_luck else None,
        sd=_sd(values, scoring.scheduled_rounds if is_chips else 1),
        moved_sd=_moved_sd(tally, tables, scoring) if is_chips else None,
    )


def _finished(tally: Tally, label: EntrantLabel, scoring: Scoring, finish: Finish) -> Standing:
    """Return the row of an entrant whose place the format awards."""
    unit, place = scoring.rules.unit, Fraction(finish.place)
    profit = (finish.bankroll - scoring.bankroll) / unit
    return Standing(
        **_common(tally, label, scoring),
        tables=1,
        mean=place,
        half_width=None,
        quantiles=(float(place), float(place), float(place)),
        ruin=0.0,
        profit_per_round=profit / max(tally.rounds, 1),
        faults=len(tally.verdicts),
        measure=FINISH,
        points_per_round=tally.points / unit / max(tally.rounds, 1),
        final=finish.bankroll / unit if scoring.rules.most_points is None else None,
        finish=finish.note,
        counts=finish.counts,
    )


def _common(tally: Tally, label: EntrantLabel, scoring: Scoring) -> dict[str, Any]:
    """Return the fields that all rows share: labels, and totals over all tables."""
    verdicts = tally.verdicts
    return {
        **{name: getattr(label, name) for name in LABEL_FIELDS},
        "place": None,
        "rounds": tally.rounds,
        "handle": tally.handle // scoring.rules.unit,
        "verdict": verdicts[min(verdicts)] if verdicts else None,
    }


def _sd(values: NDArray[np.float64], rounds: int) -> float | None:
    """Return the standard deviation over tables, per round; `None` for a single table."""
    return float(values.std(ddof=1)) / rounds if len(values) > 1 else None


def _moved_sd(tally: Tally, tables: int, scoring: Scoring) -> float:
    """Return the standard deviation per round that tables would have if no loss were won back."""
    return sqrt(tally.squares / tables) / scoring.rules.unit / scoring.scheduled_rounds


def half_width(values: NDArray[np.float64], confidence: float = CONFIDENCE) -> float | None:
    """Return half the width of Student's interval for the mean; `None` for a single table."""
    tables = len(values)
    if tables == 1:
        return None
    from scipy.special import stdtrit  # noqa: PLC0415 - takes 0.25 s, and play does not need it

    quantile = float(stdtrit(tables - 1, (1 + confidence) / 2))
    return quantile * float(values.std(ddof=1)) / sqrt(tables)
