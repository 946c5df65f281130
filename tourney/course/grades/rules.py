"""Rules for marks, each with its formula.

A rule gives each entrant of a ranking a share from 0 to 1. The mark lies between the least and the
most by that share; a disqualified entrant gets no mark. Only students' entrants count: house
players change no share, except as the ENTRANT of `beats`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite

from tourney.config.words import closest, joined, quoted, said
from tourney.course.grades.rankings import Ranked, Ranking
from tourney.errors import GradebookError

RULES = "place, rank, profit, profit:LOW:HIGH or beats:ENTRANT"
SEASON_RULES = "place, points or points:LOW:HIGH"

Share = Callable[[Ranked], Fraction]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that turns the entrants of a ranking into marks."""

    formula: str  # for a reader, with `share` on its left
    share: Share  # of a student's entrant with a place, 0 to 1
    counted: Mapping[str, int] = field(default_factory=dict)
    """Places or first ranks that the formula uses, by name, if they differ from the board's."""

    def mark(self, row: Ranked, least: Fraction, most: Fraction) -> Fraction:
        """Return the mark of an entrant.

        Args:
            row: A student's entrant.
            least: Mark for a share of 0.
            most: Mark for a share of 1.
        """
        if row.place is None:
            return Fraction(0)
        return least + (most - least) * self.share(row)


def rule_of(text: str, ranking: Ranking) -> Rule:
    """Read a rule.

    Args:
        text: One of RULES, or of SEASON_RULES for a season.
        ranking: All entrants, with the house players among them.
    Raises: GradebookError, if the rule does not exist, or does not fit this ranking.
    """
    kind, _, rest = text.partition(":")
    if kind == "place" and not rest:
        return _by_counting(ranking, "place", ranking.places())
    if kind == ("points" if ranking.is_season else "profit"):
        return _by_result(ranking, kind, rest)
    if not ranking.is_season and kind == "rank" and not rest:
        _check_rank_sets(ranking)
        return _by_counting(ranking, "first of ranks", ranking.first_ranks())
    if not ranking.is_season and kind == "beats" and rest:
        return _by_beating(ranking, rest)
    expected = SEASON_RULES if ranking.is_season else RULES
    words = ("place", "points") if ranking.is_season else ("place", "rank", "profit")
    meant = None if rest else closest(text, words)
    raise GradebookError(f"by: {said(expected, quoted(text), meant=meant)}")


def _by_counting(ranking: Ranking, word: str, counted: Mapping[str, int]) -> Rule:
    """Return equal steps, from 1 for the first student to 0 for the last."""
    count = len(counted)
    rule = Rule(
        f"share = ({count} - {word}) / {count - 1}" if count > 1 else "share = 1",
        lambda row: Fraction(count - counted[row.name], count - 1) if count > 1 else Fraction(1),
    )
    if any(row.place is not None and row.name in ranking.house for row in ranking.rows):
        formula = f"{rule.formula}, counted without house players" if count > 1 else rule.formula
        return Rule(formula, rule.share, counted)
    return rule


def _check_rank_sets(ranking: Ranking) -> None:
    if any(row.rank_set is None for row in ranking.rows if row.place is not None):
        raise GradebookError(
            "by: this board has no rank sets, for example because there was only one table; use "
            "--marks-by place"
        )


def _by_result(ranking: Ranking, kind: str, limits: str) -> Rule:
    results = [row.result for row in ranking.placed if row.result is not None]
    if len(results) < len(ranking.placed):
        raise GradebookError("by: this board has no profits; use --marks-by place")
    if limits:
        low, high = _limits(kind, limits)
    else:
        low, high = min(results, default=Fraction()), max(results, default=Fraction())

    def share(row: Ranked) -> Fraction:
        if low == high:
            return Fraction(1)
        return min(max(((row.result or 0) - low) / (high - low), Fraction()), Fraction(1))

    unit = "points" if ranking.is_season else "profit a round"
    least, most = float(low), float(high)
    formula = f"share = ({unit} - {least:.6g}) / ({most:.6g} - {least:.6g}), from 0 to 1"
    return Rule(formula.replace("- -", "+ "), share)


def _limits(kind: str, text: str) -> tuple[Fraction, Fraction]:
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        low = high = 0.0
    if not (isfinite(low) and isfinite(high) and low < high):
        expected = {
            "profit": "two profits a round, the lower first, such as profit:-0.05:0.02",
            "points": "two numbers of points, the lower first, such as points:0:26",
        }[kind]
        raise GradebookError(f"by: {said(expected, quoted(f'{kind}:{text}'))}")
    return Fraction(low), Fraction(high)


def _by_beating(ranking: Ranking, name: str) -> Rule:
    placed = [row for row in ranking.rows if row.place is not None]
    other = next((row for row in placed if row.name.casefold() == name.casefold()), None)
    if other is None:
        names = [row.name for row in placed]
        expected = joined(names) or "an entrant with a place, but there is no such entrant"
        raise GradebookError(
            f"by: beats: {said(expected, quoted(name), meant=closest(name, names))}"
        )
    _check_rank_sets(ranking)
    best, worst = other.rank_set or (0, 0)

    def share(row: Ranked) -> Fraction:
        first, last = row.rank_set or (best, worst)
        if row is other or (first <= worst and best <= last):
            return Fraction(1, 2)
        return Fraction(int(last < best))

    return Rule(
        f"share = 1 if all ranks come before {best}, the first that {other.name} may have; 0 if "
        f"all come after {worst}, its last; else 1/2",
        share,
    )
