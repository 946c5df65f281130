"""Rank sets again, slowly: pair by pair, table by table, with whole numbers as fractions.

Written from the page on rankings, not from the code: squares of standard errors and cubes are
exact, and only roots and the normal distribution are floats.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from math import erfc, inf, log2, prod, sqrt

TIMES = 1 / (2 * erfc(1))  # one over four times the part of a normal beyond the root of two

LEAST_PART = 1e-9  # of the variances of two, which that of a difference in floats cannot be below


@dataclass
class Entrant:
    """What somebody's tables came to, all of them shared, and what moved there."""

    results: Sequence[int]
    moved: float = 0.0
    hidden: float = 0.0


@dataclass
class Known:
    """What follows: who is better than whom, and half widths by pair."""

    decided: set[tuple[int, int]] = field(default_factory=set)
    half_widths: dict[tuple[int, int], float] = field(default_factory=dict)

    def ranks(self, entrant: int, entrants: int) -> tuple[int, int]:
        """Give the best and the worst rank that somebody may have."""
        above = sum(worse == entrant for _, worse in self.decided)
        below = sum(better == entrant for better, _ in self.decided)
        return 1 + above, entrants - below


def limit_of(alpha: float, questions: int) -> float:
    """Find what a sum of signs exceeds so seldom, by halving."""
    low, high = 0.0, 40.0
    for _ in range(200):
        middle = (low + high) / 2
        beyond = erfc(middle / sqrt(2)) / 2 * TIMES * questions
        low, high = (middle, high) if beyond > alpha else (low, middle)
    return high


def needed_t(limit: float, tables: int, lean: float) -> float:
    """Find the t that is enough against a lean."""
    if limit * limit >= tables:
        return inf
    enough = limit * sqrt((tables - 1) / (tables - limit * limit))
    return enough + max(lean, 0.0) * enough * enough * enough / 7


def variance_of(one: Entrant) -> Fraction:
    """Give the variance of somebody's results."""
    mean = Fraction(sum(one.results), len(one.results))
    return sum((each - mean) ** 2 for each in one.results) / (len(one.results) - 1)


def compare(one: Entrant, other: Entrant, limit: float) -> tuple[Fraction, float, float]:
    """Give the mean difference, what it must exceed to count, and half its width to both sides."""
    tables = len(one.results)
    differences = [Fraction(a - b) for a, b in zip(one.results, other.results, strict=True)]
    mean = sum(differences, Fraction(0)) / tables
    squares = sum((each - mean) ** 2 for each in differences)
    cubes = sum((each - mean) ** 3 for each in differences)
    lean = float(cubes) / float(squares) ** 1.5 if squares else 0.0
    least = LEAST_PART * float(variance_of(one) + variance_of(other))
    variance = max(float(squares) / (tables - 1), (one.moved - other.moved) ** 2, least)
    error = sqrt((variance + one.hidden + other.hidden) / tables)
    to_lead, to_both = (needed_t(limit, tables, each) for each in (-lean, abs(lean)))
    return mean, *(inf if each == inf else each * error for each in (to_lead, to_both))


def bets_of(alpha: float, questions: int, tables: int) -> list[Fraction]:
    """Give what the gamblers of the page bet: a power of two or so below each other, up to 1."""
    least = min(1.0, limit_of(alpha, questions) / sqrt(tables))
    steps = round(-log2(least))
    return [Fraction(least ** (step / steps)) for step in range(1, steps + 1)] + [Fraction(1)]


def won(one: Entrant, other: Entrant, span: int, bets: Sequence[Fraction]) -> Fraction:
    """Give what a stake of 1 becomes, split among gamblers who bet that one is better."""
    differences = [Fraction(a - b, span) for a, b in zip(one.results, other.results, strict=True)]
    return sum(prod(1 + bet * each for each in differences) for bet in bets) / Fraction(len(bets))


def known(field_of: Sequence[Entrant], alpha: float, span: int | None = None) -> Known:
    """Answer one question after the other: each answer leaves one question less.

    Args:
        field_of: All entrants.
        alpha: How often any answer may be wrong.
        span: Most that two results differ by, if bounds are declared.
    """
    found = Known()
    pairs = list(permutations(range(len(field_of)), 2))
    first = limit_of(alpha, len(pairs))
    bets = bets_of(alpha, len(pairs), len(field_of[0].results)) if span and pairs else []
    for one, other in pairs:
        if field_of[one].results != field_of[other].results:
            found.half_widths[one, other] = compare(field_of[one], field_of[other], first)[2]
    is_new = True
    while is_new:
        is_new = False
        limit = limit_of(alpha, len(pairs) - len(found.decided))
        for one, other in pairs:
            if (one, other) in found.decided or (one, other) not in found.half_widths:
                continue
            mean, needed, _ = compare(field_of[one], field_of[other], limit)
            if span:
                stakes = won(field_of[one], field_of[other], span, bets)
                if stakes * Fraction(alpha) < len(pairs) - len(found.decided):
                    continue
            if mean > 0 and mean > needed:
                found.decided.add((one, other))
                is_new = True
                break
    return found
