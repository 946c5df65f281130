"""One row of the standings: what counts, all that columns can show, and how it is kept as text.

Nothing is rounded on the way to text and back, so that a run of a million results need not be
folded again. Leaves out where the text is kept, and until when it holds.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields, replace
from fractions import Fraction
from importlib.metadata import version
from math import sqrt
from typing import Any, Literal

from tourney.errors import DISTRIBUTION
from tourney.game.ledger import Verdict
from tourney.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Measure:
    """What the mean over tables is of."""

    name: str  # "bankroll", "points", "place" or "finish"
    title: str  # of the column that shows the mean
    is_low_best: bool
    decimals: int  # that a reader is shown of the mean


BANKROLL = Measure("bankroll", "Mean final bankroll", is_low_best=False, decimals=1)
"""The bankroll a table ended with."""

POINTS = Measure("points", "Mean points per round", is_low_best=True, decimals=2)
"""The points of all rounds at a table, divided by their number."""

PLACE = Measure("place", "Mean place", is_low_best=True, decimals=3)
"""The mean place of all games at a table; who tie share the places they take."""

FINISH = Measure("finish", "Place", is_low_best=True, decimals=0)
"""The place that the format gives: by who stayed longest, or won most."""

MEASURES = (BANKROLL, POINTS, PLACE, FINISH)
"""All there are; the format says which of them counts."""


Relation = Literal["", "separated", "equal", "practically equal", "not separated yet"]
"""How a row stands to the one above it; nothing for the first row and where nobody can tell."""

FAR = 3
"""Standard deviations of a normal variable below which one of 740 lies."""


BETWEEN_GROUPS = "; "


def label_of(groups: Iterable[str]) -> str:
    """Give the label of who belongs to several groups.

    >>> label_of(["001", "Team A"]), is_in("001; Team A", "team a"), is_in(None, "001")
    ('001; Team A', True, False)
    """
    return BETWEEN_GROUPS.join(groups)


def groups_in(label: str | None) -> tuple[str, ...]:
    """Give the groups of a label.

    >>> groups_in("001; Team A"), groups_in(None)
    (('001', 'Team A'), ())
    """
    return tuple(label.split(BETWEEN_GROUPS)) if label else ()


def is_in(label: str | None, group: str) -> bool:
    """Say whether a label names a group, however it is capitalised."""
    groups = (label or "").casefold().split(BETWEEN_GROUPS)
    return group.casefold() in {*groups, (label or "").casefold()}


@dataclass(frozen=True, slots=True)
class EntrantLabel:
    """How an entrant is called on the board."""

    name: str
    strategy: str
    group: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's row: everything that columns can show. Chips are whole chips."""

    place: int | None  # from 1; entrants with equal results share it; None if out
    name: str  # of the entrant
    strategy: str  # name of what it plays
    group: str | None  # label that several entrants share, if it has one
    tables: int  # tables counted
    rounds: int  # rounds played at all of them
    mean: Fraction  # of the measure, over tables: final bankroll, points a round or place
    half_width: float | None  # of the 95 % interval of the mean; None for a single table
    quantiles: tuple[float, float, float]  # of the measure at 5, 50 and 95 %
    ruin: float  # fraction of tables that ended below the minimum
    profit_per_round: float  # (final - initial) / scheduled rounds, mean over tables
    handle: int  # chips wagered
    faults: int  # tables that ended in a verdict
    verdict: Verdict | None  # the first one
    measure: Measure = BANKROLL  # what counts: its name, title and decimals
    points_per_round: float = 0.0  # points, or chips by places, won in a round; 0 by bankroll
    games: int = 0  # played to places
    wins: float = 0.0  # fraction of the games won, 0 where places do not count
    final: float | None = None  # bankroll in the end, where the format gives the places
    finish: str = ""  # how it ended, where the format gives the places
    counts: tuple[tuple[str, int], ...] = ()  # what else the format counts, such as re-buys
    adjusted: Fraction | None = None  # mean final bankroll without the luck of the cards
    adjusted_profit: float | None = None  # a round, without the luck of the cards
    luck_errors: float | None = None  # mean luck, in its own standard errors
    most_luck_errors: float | None = None  # that chance explains; one row in 370 has more
    joint_half_width: float | None = None  # of what decides, a round; holds for all rows at once
    rank_set: tuple[int, int] | None = None  # first and last it may have in truth; for all at once
    above: float | None = None  # what decides, a round: this row less the one above
    above_half_width: float | None = None  # of that; holds for all pairs at once
    relation: Relation = ""  # to the row above
    looks: int = 0  # after which the run stopped, or stands so far; 0 if it makes none
    plackett_luce: float | None = None  # logarithm of the strength that orders of finish tell
    plackett_luce_error: float | None = None  # standard error of that
    best_play: float | None = None  # what it wins a round at the minimum; of the game, no result
    author: str | None = None  # who wrote it, if that is known
    sd: float | None = None  # of what a table comes to a round, over tables; None for one of them
    moved_sd: float | None = None  # the same, by the chips that moved in single rounds
    least_tables: int = 0  # that can tell anybody apart in this field; 0 if there is nobody else
    rarest_loss: int = 0  # a loss at 1 table in this number has shown; 0 where bounds are used
    least_difference: float | None = None  # a round, that can be told apart within the bounds

    @property
    def decides(self) -> Fraction:
        """What the order follows: the adjusted mean where there is one."""
        return self.mean if self.adjusted is None else self.adjusted

    @property
    def is_odd(self) -> bool:
        """Whether raw and adjusted results differ by more than chance explains."""
        if self.luck_errors is None or self.most_luck_errors is None:
            return False
        return abs(self.luck_errors) > self.most_luck_errors

    @property
    def hidden_variance(self) -> float:
        """Give the variance of a table, a round, that raw results do not show though chips moved.

        In a game that is nearly fair, final bankrolls vary by as much as the squared results of
        the rounds add up to. Where they vary much less, chips were lost and won back: a table
        at which they are not won back has yet to come. Nothing, if chance explains it.
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
    """Give the version of what folds results; what another one kept is folded again."""
    return f"tourney {version(DISTRIBUTION)}: {' '.join(NAMES)}"


def write_standings(standings: Sequence[Standing]) -> str:
    """Write standings down, a line each."""
    return "\n".join(json.dumps(_plain(row)) for row in standings)


def read_standings(lines: str) -> tuple[Standing, ...]:
    """Read standings that `write_standings` of the same version has written."""
    return tuple(_standing(json.loads(line)) for line in lines.splitlines())


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
    """Add to rows what best play wins a round, where bankrolls count and it is known.

    Args:
        rows: Of one board.
        rules: Of its game.
        minimum: The least wager in chips.
    """
    if not rows or rows[0].measure is not BANKROLL:
        return tuple(rows)
    best = rules.game.best_play(rules, minimum)
    return tuple(rows) if best is None else tuple(replace(row, best_play=best) for row in rows)
