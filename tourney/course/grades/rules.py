"""Rules for marks, each with its formula.

A rule gives each row of the board a share from 0 to 1. The mark lies between the least and the most
by that share; a disqualified entrant gets no mark.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from tourney.config.words import closest, joined, quoted, said
from tourney.errors import GradebookError
from tourney.standings.standing import BANKROLL, Standing

RULES = "place, rank, profit, profit:LOW:HIGH or beats:ENTRANT"

Share = Callable[[Standing], Fraction]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that turns rows of the board into marks."""

    formula: str  # for a reader, with `share` on its left
    share: Share  # of a row with a place, 0 to 1

    def mark(self, row: Standing, least: Fraction, most: Fraction) -> Fraction:
        """Return the mark of a row.

        Args:
            row: Row of the board.
            least: Mark for a share of 0.
            most: Mark for a share of 1.
        """
        if row.place is None:
            return Fraction(0)
        return least + (most - least) * self.share(row)


def rule_of(text: str, standings: Sequence[Standing]) -> Rule:
    """Read a rule.

    Args:
        text: One of RULES.
        standings: The whole board, best first.
    Raises: GradebookError, if the rule does not exist, or does not fit this board.
    """
    kind, _, rest = text.partition(":")
    placed = [row for row in standings if row.place is not None]
    if kind == "place" and not rest:
        return _by_place(placed)
    if kind == "rank" and not rest:
        return _by_rank(placed)
    if kind == "profit":
        return _by_profit(placed, rest)
    if kind == "beats" and rest:
        return _by_beating(placed, rest)
    meant = None if rest else closest(text, ("place", "rank", "profit"))
    raise GradebookError(f"by: {said(RULES, quoted(text), meant=meant)}")


def _by_place(placed: Sequence[Standing]) -> Rule:
    count = len(placed)
    return Rule(
        f"share = ({count} - place) / {count - 1}" if count > 1 else "share = 1",
        lambda row: _steps(row.place or count, count),
    )


def _by_rank(placed: Sequence[Standing]) -> Rule:
    _check_rank_sets(placed)
    count = len(placed)
    return Rule(
        f"share = ({count} - first of ranks) / {count - 1}" if count > 1 else "share = 1",
        lambda row: _steps(row.rank_set[0] if row.rank_set else count, count),
    )


def _steps(place: int, count: int) -> Fraction:
    """Return equal steps, from 1 for the first place to 0 for the last."""
    return Fraction(count - place, count - 1) if count > 1 else Fraction(1)


def _check_rank_sets(placed: Sequence[Standing]) -> None:
    if any(row.rank_set is None for row in placed):
        raise GradebookError(
            "by: this board has no rank sets, for example because there was only one table; use "
            "--marks-by place"
        )


def _by_profit(placed: Sequence[Standing], limits: str) -> Rule:
    if any(row.measure is not BANKROLL for row in placed):
        raise GradebookError(
            f"by: this board has {placed[0].measure.name}s and no profits; use --marks-by place"
        )
    profits = [_profit(row) for row in placed]
    low, high = _limits(limits) if limits else (min(profits, default=0), max(profits, default=0))
    between = Fraction(high) - Fraction(low)

    def share(row: Standing) -> Fraction:
        if not between:
            return Fraction(1)
        return min(max((Fraction(_profit(row)) - Fraction(low)) / between, Fraction()), Fraction(1))

    formula = f"share = (profit a round - {low:.6g}) / ({high:.6g} - {low:.6g}), from 0 to 1"
    return Rule(formula.replace("- -", "+ "), share)


def _profit(row: Standing) -> float:
    """Return the profit per round, without luck if it was followed."""
    return row.profit_per_round if row.adjusted_profit is None else row.adjusted_profit


def _limits(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        low = high = 0.0
    if not (isfinite(low) and isfinite(high) and low < high):
        expected = "two profits a round, the lower first, such as profit:-0.05:0.02"
        raise GradebookError(f"by: {said(expected, quoted(f'profit:{text}'))}")
    return low, high


def _by_beating(placed: Sequence[Standing], name: str) -> Rule:
    other = next((row for row in placed if row.name.casefold() == name.casefold()), None)
    if other is None:
        names = [row.name for row in placed]
        expected = joined(names) or "an entrant with a place, but there is no such entrant"
        raise GradebookError(
            f"by: beats: {said(expected, quoted(name), meant=closest(name, names))}"
        )
    _check_rank_sets(placed)
    best, worst = other.rank_set or (0, 0)

    def share(row: Standing) -> Fraction:
        first, last = row.rank_set or (best, worst)
        if row is other or (first <= worst and best <= last):
            return Fraction(1, 2)
        return Fraction(int(last < best))

    return Rule(
        f"share = 1 if all ranks come before {best}, the first that {other.name} may have; 0 if "
        f"all come after {worst}, its last; else 1/2",
        share,
    )
