"""Best play, worked out: `tourney.solve`, and `tourney.deviations` for what a count changes."""

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
from tourney.notebook.plots import chart_plot
from tourney.notebook.tables import Tabular, table_html, write_text
from tourney.plugins.loading import installed_plugins
from tourney.research.inputs import LEAST, GameLike, game_of, points_of

DEVIATION_TITLES = ("Hand", "Against", "Move", "True count", "Else", "Gain in 100 rounds")


@dataclass(frozen=True, slots=True, repr=False)
class Solved(Tabular):
    """The best play by a game, as a chart, and what it is worth exactly."""

    game: str
    best: BestPlay
    minimum: int  # in chips, which is wagered in every round
    by: str = TOTALS  # what of a hand it looks at

    @property
    def text(self) -> str:
        """The chart."""
        return self.best.text

    @property
    def value(self) -> Value:
        """What a round is worth."""
        return self.best.value

    @property
    def notes(self) -> tuple[str, ...]:
        """What else is to be said about it, a line each."""
        return self.best.notes

    @property
    def mean(self) -> float:
        """Result of a round in minimums; `value.mean` has every digit, where none was lost."""
        return float(self.value.mean)

    @property
    def chart_mean(self) -> float:
        """Result of a round in minimums by the chart alone, whatever the notes say."""
        return float(self.best.text_value.mean) if self.notes else self.mean

    @property
    def sd(self) -> float | None:
        """SD of a round in minimums; None where only the mean is worked out."""
        return self.value.sd

    def write(self, path: str | Path) -> None:
        """Write the chart, which can be entered as it is.

        Raises: TourneyError, if the file cannot be written.
        """
        write_text(path, self.text)

    def to_data(self) -> Mapping[str, object]:
        """Give it as JSON can hold it; `exact` is a fraction, and null where digits were lost."""
        notes = list(self.notes)
        value = value_data(self.value, self.minimum)
        return {"game": self.game, **value, "chart": self.text, "notes": notes}

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Give the chart hand by hand: what to do against each card of the dealer's."""
        head, *lines = (line.split() for line in self.text.splitlines() if line.strip())
        return [{"hand": hand, **dict(zip(head, moves, strict=True))} for hand, *moves in lines]

    def plot(self) -> Any:
        """Draw the chart as a grid: a figure of matplotlib.

        Raises: TourneyError, without matplotlib.
        """
        return chart_plot(self.text, repr(self).replace("; ", ";\n"))

    def __repr__(self) -> str:
        """Read `best play at easybj: -0.021412 minimums a round`, and what of it is the chart."""
        if not self.notes:
            return f"best play at {self.game}: {self.mean:+.6f} minimums a round"
        return (
            f"best play at {self.game} by {self.by}: {self.mean:+.6f} minimums a round; "
            f"{self.chart_mean:+.6f} by the chart alone, without {self._counted_notes}"
        )

    @property
    def _counted_notes(self) -> str:
        return f"{len(self.notes):,} {'note' if len(self.notes) == 1 else 'notes'}"

    def _repr_html_(self) -> str:
        told = f"<p>{escape(repr(self))}</p><pre>{escape(self.text)}</pre>"
        if not self.notes:
            return told
        notes = escape("\n".join(self.notes))
        head = f"<summary>{self._counted_notes}</summary>"
        return f"{told}<details>{head}<pre>{notes}</pre></details>"


@dataclass(frozen=True, slots=True, repr=False)
class Deviations(Tabular):
    """Which moves of the best play change with a count of the cards."""

    game: str
    each: tuple[Deviates, ...]  # those that are worth most first

    @property
    def worth(self) -> float:
        """Minimums that all of them gain in 100 rounds of one minimum each."""
        return sum(one.worth for one in self.each)

    def first(self, most: int) -> "Deviations":
        """Give those that are worth most.

        Raises: TourneyError, for no number of them.
        """
        check_whole(0, is_needed=True, most=most)
        return Deviations(self.game, self.each[:most])

    def to_data(self) -> Mapping[str, object]:
        """Give it as JSON can hold it."""
        return {"game": self.game, "deviations": list(self.rows())}

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Give a row of each."""
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
        """Give what people read: see DEVIATION_TITLES."""
        return [(*one.row(), f"{one.worth:.4f}") for one in self.each]

    def __repr__(self) -> str:
        """Read a line for each."""
        return "\n".join(" ".join(each) for each in self.cells())

    def _repr_html_(self) -> str:
        return table_html(f"Deviations at {self.game}", DEVIATION_TITLES, self.cells())


def solve(
    game: GameLike, *, surrender: bool = True, by: str = TOTALS, minimum: int | None = None
) -> Solved:
    """Work out the best play by a game, with a full shoe in every round.

    Args:
        game: As for `ev`, such as "six-decks-h17,decks=8".
        surrender: Whether it may surrender, where the rules allow that.
        by: What of a hand it looks at: "totals", "two-cards" or "cards"; what it plays otherwise
            than the chart says is in `notes`.
        minimum: The wager in chips, as for `ev`; another one is worth something else where payouts
            are rounded to chips.
    Raises: ConfigError or RulesError, if that cannot be worked out.
    """
    check_whole(minimum=minimum)
    if by not in ATTENTIONS:
        raise RulesError(f"by: {said(joined(ATTENTIONS), repr(by))}")
    text, played = game_of(game, installed_plugins())
    least = minimum or played.rules.minimum or LEAST
    best = solver_of(played.rules).best(least, surrender=surrender, by=by)
    return Solved(text, best, least, by)


def deviations(game: GameLike, tags: Iterable[int] = ()) -> Deviations:
    """Find which moves change with a count of the cards, those that are worth most first.

    Args:
        game: As for `ev`, with a shoe that is dealt on.
        tags: What cards count: of blackjack ten numbers, from 2 to ace; hi-lo by default.
    Raises: ConfigError or RulesError, if a count says nothing of this game, or is none.
    """
    points = points_of(tags)
    text, played = game_of(game, installed_plugins())
    return Deviations(text, tuple(solver_of(played.rules).deviations(points)))


def value_data(value: Value, minimum: int) -> Mapping[str, object]:
    """Give what a round is worth as JSON can hold it."""
    exact = None if value.sd is None else str(value.mean)
    return {"minimum": minimum, "mean": float(value.mean), "sd": value.sd, "exact": exact}


def solver_of(rules: Rules) -> Solver:
    """Give what works out values by some rules.

    Raises: RulesError, if their game has nothing that does.
    """
    solver = rules.game.solver(rules)
    if not solver:
        raise RulesError(
            f"expected a game that can be worked out exactly, such as blackjack; got {rules.game}"
        )
    return solver
