"""A row of the standings: its fields, the measures, and its text format.

The text format is exact, so that the standings of a million results need not be computed again.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields, replace
from fractions import Fraction
from importlib.metadata import version
from math import isclose, sqrt
from typing import Any, Literal

from tourney.errors import DISTRIBUTION
from tourney.game.ledger import Verdict
from tourney.game.rules import Rules

NEAR, NEAR_NOTHING = 1e-6, 1e-9
"""Relative and absolute tolerance of equal numbers: other programs may round differently."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The quantity that the mean over tables is of."""

    name: str  # "bankroll", "points", "place" or "finish"
    title: str  # title of the column that shows the mean
    is_low_best: bool
    decimals: int  # displayed decimals of the mean


BANKROLL = Measure("bankroll", "Mean final bankroll", is_low_best=False, decimals=1)
"""The bankroll at the end of a table."""

POINTS = Measure("points", "Mean points per round", is_low_best=True, decimals=2)
"""The points of all rounds at a table, divided by their number."""

PLACE = Measure("place", "Mean place", is_low_best=True, decimals=3)
"""The mean place of all games at a table; ties share the mean of their places."""

FINISH = Measure("finish", "Place", is_low_best=True, decimals=0)
"""The place that the format awards."""

MEASURES = (BANKROLL, POINTS, PLACE, FINISH)
"""All measures; the format chooses one."""


Relation = Literal["", "separated", "equal", "practically equal", "not separated yet"]
"""Relation of a row to the one above it; empty for the first row and if unknown."""

FAR = 3
"""Standard deviations of a normal variable below which one of 740 lies."""


BETWEEN_GROUPS = "; "


def label_of(groups: Iterable[str]) -> str:
    """Join several groups to a label.

    >>> label_of(["001", "Team A"]), is_in("001; Team A", "team a"), is_in(None, "001")
    ('001; Team A', True, False)
    """
    return BETWEEN_GROUPS.join(groups)


def groups_in(label: str | None) -> tuple[str, ...]:
    """Split a label into groups.

    >>> groups_in("001; Team A"), groups_in(None)
    (('001', 'Team A'), ())
    """
    return tuple(label.split(BETWEEN_GROUPS)) if label else ()


def is_in(label: str | None, group: str) -> bool:
    """Return whether a label contains a group, ignoring case."""
    groups = (label or "").casefold().split(BETWEEN_GROUPS)
    return group.casefold() in {*groups, (label or "").casefold()}


@dataclass(frozen=True, slots=True)
class EntrantLabel:
    """Name and affiliation of an entrant on the board."""

    name: str
    strategy: str
    group: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The row of an entrant: everything that columns can show. Chips are whole chips."""

    place: int | None  # from 1; entrants with equal results share it; `None` if out
    name: str  # name of the entrant
    strategy: str  # name of its strategy
    group: str | None  # its group, if any
    tables: int  # tables that count
    rounds: int  # rounds played at all of them
    mean: Fraction  # mean of the measure over tables: final bankroll, points per round or place
    half_width: float | None  # of the 95 % interval of the mean; `None` for a single table
    quantiles: tuple[float, float, float]  # 5th, 50th and 95th percentiles of the measure
    ruin: float  # fraction of tables that ended below the minimum
    profit_per_round: float  # (final - initial) / scheduled rounds, mean over tables
    handle: int  # chips wagered
    faults: int  # tables that ended in a verdict
    verdict: Verdict | None  # the first one
    measure: Measure = BANKROLL  # the measure that counts: its name, title and decimals
    points_per_round: float = 0.0  # points, or chips in formats by place; 0 by bankroll
    games: int = 0  # games played to places
    wins: float = 0.0  # fraction of the games won; 0 if places do not count
    final: float | None = None  # final bankroll, if the format awards the places
    finish: str = ""  # description of the place, if the format awards the places
    counts: tuple[tuple[str, int], ...] = ()  # further counts of the format, such as re-buys
    adjusted: Fraction | None = None  # mean final bankroll, adjusted for luck
    adjusted_profit: float | None = None  # profit per round, adjusted for luck
    luck_errors: float | None = None  # mean luck in its standard errors
    most_luck_errors: float | None = None  # greatest plausible luck_errors; 1 row in 370 has more
    joint_half_width: float | None = None  # half the interval of a row; all rows hold together
    rank_set: tuple[int, int] | None = None  # best and worst possible true rank, simultaneous
    above: float | None = None  # deciding result per round: this row minus the one above
    above_half_width: float | None = None  # half its interval; all pairs hold together
    relation: Relation = ""  # to the row above
    looks: int = 0  # interim analyses so far; 0 in a run without any
    plackett_luce: float | None = None  # log-strength by finishing orders
    plackett_luce_error: float | None = None  # its standard error
    best_play: float | None = None  # result of optimal play per round at the minimum wager
    author: str | None = None  # its author, if known
    sd: float | None = None  # standard deviation per round over tables; `None` for one table
    moved_sd: float | None = None  # the same, by the chips that moved in single rounds
    least_tables: int = 0  # fewest tables that can separate entrants; 0 for a single entrant
    rarest_loss: int = 0  # N: a loss at 1 table in N would have shown; 0 if bounds are used
    least_difference: float | None = None  # detectable difference per round within the bounds

    @property
    def decides(self) -> Fraction:
        """The result that decides the order: the adjusted mean if there is one."""
        return self.mean if self.adjusted is None else self.adjusted

    @property
    def is_odd(self) -> bool:
        """Whether raw and adjusted results differ by more than chance explains."""
        if self.luck_errors is None or self.most_luck_errors is None:
            return False
        return abs(self.luck_errors) > self.most_luck_errors

    @property
    def hidden_variance(self) -> float:
        """Variance of a table, per round, that moved chips imply beyond that of the results.

        In a nearly fair game, the variance of final bankrolls is the sum of the squared results of
        rounds. If it is much smaller, chips were lost and won back, and a table at which they are
        not won back may still come. 0 if chance explains the difference.
        """
        if self.adjusted is not None or self.sd is None or self.moved_sd is None:
            return 0.0
        shown, moved = self.sd**2, self.moved_sd**2
        # The cube root of a sample's variance is about normal (Wilson and Hilferty, 1931).
        part = 2 / (9 * (self.tables - 1))
        least = max(1 - part - FAR * sqrt(part), 0.0) ** 3
        return moved - shown if shown < least * moved else 0.0


NAMES = tuple(field.name for field in fields(Standing))
_BY_NAME = {measure.name: measure for measure in MEASURES}


def fold_version() -> str:
    """Return the version of the folding code; standings of another version are computed again."""
    return f"tourney {version(DISTRIBUTION)}: {' '.join(NAMES)}"


def write_standings(standings: Sequence[Standing]) -> str:
    """Write standings as text, one line each."""
    return "\n".join(json.dumps(_plain(row)) for row in standings)


def read_standings(lines: str) -> tuple[Standing, ...]:
    """Read standings that `write_standings` of the same version has written."""
    return tuple(_standing(json.loads(line)) for line in lines.splitlines())


def is_same_board(one: Sequence[Standing], other: Sequence[Standing]) -> bool:
    """Check whether two boards are equal, but for the last digits of other versions of SciPy."""
    return _is_near([_plain(row) for row in one], [_plain(row) for row in other])


def _is_near(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=NEAR, abs_tol=NEAR_NOTHING)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_near(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_is_near, one, other))
    return bool(one == other)


def _plain(row: Standing) -> dict[str, Any]:
    plain = {name: getattr(row, name) for name in NAMES}
    plain["mean"] = str(row.mean)
    plain["adjusted"] = None if row.adjusted is None else str(row.adjusted)
    plain["verdict"] = row.verdict and astuple(row.verdict)
    plain["measure"] = row.measure.name
    return plain


def _standing(plain: dict[str, Any]) -> Standing:
    plain["mean"] = Fraction(plain["mean"])
    plain["adjusted"] = plain["adjusted"] and Fraction(plain["adjusted"])
    plain["rank_set"] = plain["rank_set"] and tuple(plain["rank_set"])
    plain["quantiles"] = tuple(plain["quantiles"])
    plain["verdict"] = plain["verdict"] and Verdict(*plain["verdict"])
    plain["counts"] = tuple((name, count) for name, count in plain["counts"])
    plain["measure"] = _BY_NAME[plain["measure"]]
    return Standing(**plain)


def with_best_play(rows: Sequence[Standing], rules: Rules, minimum: int) -> tuple[Standing, ...]:
    """Add the result of optimal play to rows, if bankrolls count and it is known.

    Args:
        rows: Rows of one board.
        rules: Rules of its game.
        minimum: Least wager in chips.
    """
    if not rows or rows[0].measure is not BANKROLL:
        return tuple(rows)
    best = rules.game.best_play(rules, minimum)
    return tuple(rows) if best is None else tuple(replace(row, best_play=best) for row in rows)
