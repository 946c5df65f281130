"""The better one of two strategies: `tourney.compare`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from tourney.config.arguments import check_above_nothing, check_callable, check_seed, check_whole
from tourney.execution.workers.worker_choice import check_workers
from tourney.execution.workers.workload import Tell
from tourney.floor.utilization import duration_words
from tourney.formats.field import why_luck_stays
from tourney.notebook.plots import Interval, looks_plot
from tourney.notebook.tables import Tabular, facts_html
from tourney.plugins.loading import installed_plugins
from tourney.research.inputs import GAME, LEAST, GameLike, StrategyLike, entrant_of, game_of
from tourney.research.paired_comparison import (
    PILOT_SECONDS,
    Comparison,
    Forecast,
    Look,
    named_apart,
    tournament_of_two,
)

MOST_TABLES = 12_800
ROUNDS_ALONE, ROUNDS_TOGETHER = 1_000, 10
"""Default rounds at a table, in games that a seat plays alone and in the others."""


@dataclass(frozen=True, slots=True, repr=False)
class Compared(Tabular):
    """The result of a comparison of two strategies."""

    one: str
    other: str
    game: str
    looks: tuple[Look, ...]  # in order; the last one has the answer, if any
    unit: str = "minimums"  # or points, of which fewer are better
    minimum: int | None = None  # in chips; None with points
    forecasts: tuple[Forecast, ...] = ()  # empty if the answer came within seconds

    @property
    def last(self) -> Look:
        """The last look."""
        return self.looks[-1]

    @property
    def difference(self) -> float:
        """How much better the second is than the first, in units a round, with the same luck."""
        return self.last.difference

    @property
    def half_width(self) -> float | None:
        """Distance from `difference` to the farther end of its 95 % interval; `None` with too few
        tables.
        """
        return self.last.half_width

    def to_data(self) -> Mapping[str, object]:
        """Return the data for JSON."""
        names = {"one": self.one, "other": self.other, "game": self.game, "unit": self.unit}
        return {**names, "minimum": self.minimum, **asdict(self.last)}

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return one row."""
        return [self.to_data()]

    def plot(self) -> Any:
        """Draw the difference with its interval over the looks: a figure of matplotlib.

        Raises: TourneyError, without matplotlib.
        """
        rows = [
            Interval(f"{look.tables:,}", look.difference, look.half_width) for look in self.looks
        ]
        return looks_plot(rows, f"{self.other} less {self.one} at {self.game}")

    def __repr__(self) -> str:
        """Write which one is better, and the difference with its interval, as the command does."""
        one = f"{self.one} at {self.game}"
        if self.last.relation == "separated":
            said = "better" if self.difference > 0 else "worse"
            return f"{self.other} is {said} than {one}: {self._found()}"
        both = f"{self.other} and {one} are"
        if self.last.relation == "equal":
            return f"{both} equal at every table"
        is_near = self.last.relation == "practically equal"
        return f"{both} {'practically equal' if is_near else 'not separated yet'}: {self._found()}"

    def _found(self) -> str:
        return f"{self.last} {_unit_words(self.unit, self.minimum)} a round"

    def _repr_html_(self) -> str:
        return facts_html(
            [
                ("First", self.one),
                ("Second", self.other),
                ("Game", self.game),
                ("Second better by (95 %)", self._found()),
                ("Relation", self.last.relation),
                ("Tables of each", f"{self.last.tables:,}"),
            ]
        )


def compare(
    one: StrategyLike,
    other: StrategyLike,
    game: GameLike = GAME,
    *,
    tables: int = MOST_TABLES,
    rounds: int | None = None,
    margin: float | None = None,
    minimum: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    engine: str = "auto",
    trust_submissions: bool = False,
    on_look: Callable[[Look], object] | None = None,
    tell: Tell | None = None,
) -> Compared:
    """Find out whether the second strategy is better, with as few tables as possible.

    Both play each table with the same luck, alone or in all seatings of a balanced plan. The
    interval of the difference is valid at every look.

    Args:
        one: As for `ev`.
        other: As for `ev`.
        game: As for `ev`.
        tables: Most tables of each strategy.
        rounds: Rounds at a table, in each seating; by default 1,000 if a seat plays alone, or 10.
        margin: Treat a difference up to this many minimums or points a round as practically equal.
        minimum: As for `ev`.
        seed: As for `ev`.
        workers: As for `ev`.
        engine: As for `ev`.
        trust_submissions: As for `ev`.
        on_look: Receives each look.
        tell: As for `ev`.
    Raises: TourneyError, if they cannot play this game, or one of them breaks its contract.
    """
    check_whole(minimum=minimum, rounds=rounds)
    check_whole(2, is_needed=True, tables=tables)
    check_workers(workers)
    check_seed(seed)
    check_above_nothing(margin=margin)
    check_callable(on_look=on_look, tell=tell)
    registry = installed_plugins()
    text, played = game_of(game, registry)
    two = named_apart(entrant_of(one, None, workers), entrant_of(other, None, workers))
    is_alone = 1 in played.rules.seats
    least = minimum or played.rules.minimum or LEAST
    tournament = tournament_of_two(
        played,
        two,
        registry,
        tables=tables,
        rounds=rounds or (ROUNDS_ALONE if is_alone else ROUNDS_TOGETHER),
        minimum=least,
        seed=seed,
        trusts_files=trust_submissions,
    )
    if is_alone and tell and (reason := why_luck_stays(played.rules, tournament.config.format)):
        tell(f"luck is not taken out: {reason}")
    in_chips = least if played.rules.most_points is None else None
    unit = "points" if in_chips is None else "minimums"
    comparison = Comparison(tournament, margin)
    looks: list[Look] = []
    forecasts: tuple[Forecast, ...] = ()
    started = 0.0
    for look in comparison.looks(workers=workers, engine=engine, tell=tell):
        looks.append(look)
        if on_look:
            on_look(look)
        # Code is loaded and compiled before the first look, so it would tell a wrong speed.
        started = started or perf_counter()
        seconds = perf_counter() - started
        is_pilot = look.number > 1 and seconds >= PILOT_SECONDS and not forecasts
        if is_pilot and look.relation == "not separated yet":
            forecasts = comparison.forecasts((look.tables - looks[0].tables) / seconds)
            if tell:
                tell(_forecast_words(forecasts, _unit_words(unit, in_chips)))
    return Compared(two[0].name, two[1].name, text, tuple(looks), unit, in_chips, forecasts)


def _unit_words(unit: str, minimum: int | None) -> str:
    return unit if minimum is None else f"{unit} of {minimum:,}"


def _forecast_words(forecasts: Sequence[Forecast], unit: str) -> str:
    each = [
        f"{found.difference:.5f} within about {duration_words(found.seconds)}"
        for found in forecasts
    ]
    return f"differences that will be found, in {unit} a round: {', '.join(each)}"
