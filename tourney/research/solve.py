"""Optimal play, calculated: `tourney.solve`, and `tourney.deviations` for a count."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from tourney.config.arguments import check_whole
from tourney.config.words import joined, said
from tourney.errors import RulesError
from tourney.game.rules import Rules
from tourney.game.solver import ATTENTIONS, TOTALS, Deviates, Solver, Value
from tourney.game.solver import Solved as BestPlay
from tourney.game.words import counted
from tourney.notebook.plots import chart_plot
from tourney.notebook.tables import Tabular, table_html, write_text
from tourney.plugins.loading import installed_plugins
from tourney.research.inputs import LEAST, GameLike, game_of, points_of

DEVIATION_TITLES = ("Hand", "Against", "Move", "True count", "Else", "Gain in 100 rounds")


@dataclass(frozen=True, slots=True, repr=False)
class Solved(Tabular):
    """Optimal play in a game as a chart, and its exact value."""

    game: str
    best: BestPlay
    minimum: int  # wager of every round, in chips
    by: str = TOTALS  # information of a hand that decides

    @property
    def text(self) -> str:
        """The chart."""
        return self.best.text

    @property
    def value(self) -> Value:
        """The value of a round."""
        return self.best.value

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about the chart, a line each."""
        return self.best.notes

    @property
    def mean(self) -> float:
        """Result of a round in minimums; `value.mean` has every digit, unless digits were lost."""
        return float(self.value.mean)

    @property
    def chart_mean(self) -> float:
        """Result of a round in minimums by the chart alone, without the notes."""
        return float(self.best.text_value.mean) if self.notes else self.mean

    @property
    def sd(self) -> float | None:
        """SD of a round in minimums; `None` if only the mean is calculated."""
        return self.value.sd

    def write(self, path: str | Path) -> None:
        """Write the chart, which can compete unchanged.

        Raises: TourneyError, if the file cannot be written.
        """
        write_text(path, self.text)

    def to_data(self) -> Mapping[str, object]:
        """Return the data for JSON; `exact` is a fraction, and null if digits were lost."""
        notes = list(self.notes)
        value = value_data(self.value, self.minimum)
        return {"game": self.game, **value, "chart": self.text, "notes": notes}

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return a row for each hand with the move against each card of the dealer."""
        head, *lines = (line.split() for line in self.text.splitlines() if line.strip())
        return [{"hand": hand, **dict(zip(head, moves, strict=True))} for hand, *moves in lines]

    def plot(self) -> Any:
        """Draw the chart as a grid: a figure of matplotlib.

        Raises: TourneyError, without matplotlib.
        """
        return chart_plot(self.text, repr(self).replace("; ", ";\n"))

    def __repr__(self) -> str:
        """Write `best play at easybj: +0.116685 minimums of 1 a round`, and that of the chart."""
        unit = f"minimums of {self.minimum:,} a round"
        if not self.notes:
            return f"best play at {self.game}: {self.mean:+.6f} {unit}"
        return (
            f"best play at {self.game} by {self.by}: {self.mean:+.6f} {unit}; "
            f"{self.chart_mean:+.6f} by the chart alone, without {counted(len(self.notes), 'note')}"
        )

    def _repr_html_(self) -> str:
        told = f"<p>{escape(repr(self))}</p><pre>{escape(self.text)}</pre>"
        if not self.notes:
            return told
        notes = escape("\n".join(self.notes))
        head = f"<summary>{counted(len(self.notes), 'note')}</summary>"
        return f"{told}<details>{head}<pre>{notes}</pre></details>"


@dataclass(frozen=True, slots=True, repr=False)
class Deviations(Tabular):
    """Moves of optimal play that change with a count of the cards."""

    game: str
    each: tuple[Deviates, ...]  # most valuable first

    @property
    def worth(self) -> float:
        """Gain of all changes in 100 rounds of one minimum each, in minimums."""
        return sum(one.worth for one in self.each)

    def first(self, most: int) -> "Deviations":
        """Return the most valuable changes.

        Raises: TourneyError, if the number is not above 0.
        """
        check_whole(0, is_needed=True, most=most)
        return Deviations(self.game, self.each[:most])

    def to_data(self) -> Mapping[str, object]:
        """Return the data for JSON."""
        return {"game": self.game, "deviations": list(self.rows())}

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return a row for each change."""
        return [
            {
                "hand": hand,
                "against": against,
                "move": move,
                "instead_of": otherwise,
                "true_count": one.true_count,
                "is_from": one.is_from,
                "worth": one.worth,
            }
            for one in self.each
            for hand, against, move, _, otherwise in [one.row()]
        ]

    def cells(self) -> list[tuple[str, ...]]:
        """Return the printed cells: see DEVIATION_TITLES."""
        return [(*one.row(), f"{one.worth:.4f}") for one in self.each]

    def __repr__(self) -> str:
        """Write a line for each change."""
        return "\n".join(" ".join(each) for each in self.cells())

    def _repr_html_(self) -> str:
        return table_html(f"Deviations at {self.game}", DEVIATION_TITLES, self.cells())


def solve(
    game: GameLike, *, surrender: bool = True, by: str = TOTALS, minimum: int | None = None
) -> Solved:
    """Calculate optimal play in a game, with a full shoe in every round.

    Args:
        game: As for `ev`, such as "six-decks-h17,decks=8".
        surrender: Allow surrender, where the rules do.
        by: The information of a hand that decides: "totals", "two-cards" or "cards"; `notes` lists
            moves that differ from the chart.
        minimum: The wager in chips, as for `ev`; the value depends on it where payouts are rounded
            to chips.
    Raises: ConfigError or RulesError, if that cannot be calculated.
    """
    check_whole(minimum=minimum)
    if by not in ATTENTIONS:
        raise RulesError(f"by: {said(joined(ATTENTIONS), repr(by))}")
    text, played = game_of(game, installed_plugins())
    least = minimum or played.rules.minimum or LEAST
    best = solver_of(played.rules).best(least, surrender=surrender, by=by)
    return Solved(text, best, least, by)


def deviations(game: GameLike, tags: Iterable[int] = ()) -> Deviations:
    """Find the moves that change with a count of the cards, the most valuable first.

    Args:
        game: As for `ev`, with a shoe that lasts several rounds.
        tags: Numbers of the cards: for blackjack ten, from 2 to ace; hi-lo by default.
    Raises: ConfigError or RulesError, if the game has no count, or the count is wrong.
    """
    points = points_of(tags)
    text, played = game_of(game, installed_plugins())
    return Deviations(text, tuple(solver_of(played.rules).deviations(points)))


def value_data(value: Value, minimum: int) -> Mapping[str, object]:
    """Return the value of a round for JSON."""
    exact = None if value.sd is None else str(value.mean)
    return {"minimum": minimum, "mean": float(value.mean), "sd": value.sd, "exact": exact}


def solver_of(rules: Rules) -> Solver:
    """Return the solver of some rules.

    Raises: RulesError, if their game has no solver.
    """
    solver = rules.game.solver(rules)
    if not solver:
        raise RulesError(
            f"{rules.game} cannot be solved exactly; choose another game, such as blackjack"
        )
    return solver
