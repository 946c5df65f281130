"""What a researcher asks in a line of Python: `tourney.ev`, `tourney.compare`, `tourney.solve`.

The commands of the same names say what these give. A strategy is named as on the command line, or
is a class of the program that asks, which then plays in that program: it is trusted, and not
confined. Leaves out tournaments, which keep what they play.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from html import escape
from pathlib import Path
from secrets import randbelow
from typing import Any, TypeAlias

from tourney.config import EntrantConfig, GameConfig, load_game
from tourney.entrants import Registry, installed_plugins
from tourney.entrants.languages import GIVEN, GivenClass
from tourney.errors import PluginError, RulesError
from tourney.event.bankroll_risk import BankrollRisk, bankroll_risk
from tourney.event.by_count import ByCount, by_count_of, check_counted, results_of
from tourney.event.comparing import Look, named_apart, tournament_of_two
from tourney.event.comparing import compare as looks_at
from tourney.event.competitors import entrant_as_typed
from tourney.event.entering import catalog_of
from tourney.event.plots import Interval, chart_plot, extra, sweep_plot
from tourney.event.simulated_ev import LongRun, entered_alone, long_run
from tourney.game.cards.keys import Secret
from tourney.game.contracts import AnyPlayer
from tourney.game.rules import Rules
from tourney.game.solver import Solver, Value

StrategyLike: TypeAlias = str | Path | type[AnyPlayer]
"""A name with options, such as "counter,spread=4", a file or a chart, or a class."""

GAME = "ve280,shuffle=uniform"
LEAST = 10
"""The least wager in chips where the rules leave it open: even, so that 3:2 is whole."""
USUAL, MOST_UNTIL = 10**6, 10**9
"""Rounds where nobody says how many, and with an interval to reach."""
MOST_TABLES, ROUNDS = 12_800, 1_000
MOST_SEEDS = 2**63


@dataclass(frozen=True, slots=True, repr=False)
class Measured:
    """What one strategy is worth by one game; as a table in a notebook."""

    strategy: str  # with its options
    game: str
    minimum: int  # in chips
    found: LongRun
    risk: BankrollRisk | None  # with a bankroll
    by_count: ByCount | None = None  # if it was asked for

    @property
    def mean(self) -> float:
        """Result of a round in minimums: without the luck of the cards, where that is known."""
        return self.found.best

    @property
    def half_width(self) -> float | None:
        """Half the 95 % interval of `mean`, in minimums; None of a single block of rounds."""
        return self.found.half_width

    def to_data(self) -> Mapping[str, object]:
        """Give it as JSON can hold it; what is infinite is null."""
        data: dict[str, object] = {
            "strategy": self.strategy,
            "game": self.game,
            "minimum": self.minimum,
            **asdict(self.found),
        }
        if self.by_count:
            data["by_count"] = self.by_count.to_data()
        if self.risk:
            data["risk"] = self.risk.to_data()
        return data

    def to_pandas(self) -> Any:
        """Give it as a data frame of one row; rows of several can be put below each other.

        Raises: TourneyError, without pandas.
        """
        return extra("pandas").DataFrame([self._row()])

    def to_arrow(self) -> Any:
        """Give it as an Arrow table of one row.

        Raises: TourneyError, without pyarrow.
        """
        return extra("pyarrow").Table.from_pylist([self._row()])

    def _row(self) -> dict[str, object]:
        told = dict(self.to_data())
        risk: Any = told.pop("risk", {})
        told.pop("by_count", None)  # which has rows of its own
        return {**told, **risk}

    def __repr__(self) -> str:
        """Read `counting at ve280: -0.0421 ± 0.0012 minimums a round`."""
        return f"{self.strategy} at {self.game}: {_spread(self.mean, self.half_width)}"

    def _repr_html_(self) -> str:
        rows = [
            ("Strategy", self.strategy),
            ("Game", self.game),
            ("Result of a round (95 %)", _spread(self.mean, self.half_width)),
            ("SD of a round", f"{self.found.sd:.4f}"),
            ("Rounds", f"{self.found.rounds:,}"),
        ]
        if self.risk and self.risk.ruin is not None:
            rows += [("Risk of ruin", f"{self.risk.ruin:.2%}"), ("SCORE", f"{self.risk.score:.2f}")]
        return _table(rows)


@dataclass(frozen=True, slots=True, repr=False)
class Compared:
    """Which of two strategies is better, and what is known of that."""

    one: str
    other: str
    game: str
    last: Look

    @property
    def difference(self) -> float:
        """The second less the first, in minimums a round, both at the same shoes."""
        return self.last.difference

    @property
    def half_width(self) -> float | None:
        """Half the 95 % interval of `difference`, whenever it stopped; None of too few tables."""
        return self.last.half_width

    def to_data(self) -> Mapping[str, object]:
        """Give it as JSON can hold it."""
        return {
            "one": self.one,
            "other": self.other,
            "game": self.game,
            "difference": self.difference,
            "half_width": self.half_width,
            "relation": str(self.last.relation),
            "tables": self.last.tables,
        }

    def to_pandas(self) -> Any:
        """Give it as a data frame of one row; rows of several can be put below each other.

        Raises: TourneyError, without pandas.
        """
        return extra("pandas").DataFrame([self.to_data()])

    def to_arrow(self) -> Any:
        """Give it as an Arrow table of one row.

        Raises: TourneyError, without pyarrow.
        """
        return extra("pyarrow").Table.from_pylist([self.to_data()])

    def __repr__(self) -> str:
        """Read `simple → counting at ve280: +0.0123 ± 0.0045 minimums a round, separated`."""
        found = _spread(self.difference, self.half_width)
        return f"{self.one} → {self.other} at {self.game}: {found}, {self.last.relation}"

    def _repr_html_(self) -> str:
        return _table(
            [
                ("First", self.one),
                ("Second", self.other),
                ("Game", self.game),
                ("Second less first (95 %)", _spread(self.difference, self.half_width)),
                ("Relation", self.last.relation),
                ("Tables of each", f"{self.last.tables:,}"),
            ]
        )


@dataclass(frozen=True, slots=True, repr=False)
class Solved:
    """The best play by a game, as a chart, and what it is worth exactly."""

    game: str
    text: str  # of the chart
    mean: Fraction | float  # result of a round in minimums
    sd: float | None  # of a round, where it is known

    def write(self, path: str | Path) -> None:
        """Write the chart, which can be entered as it is."""
        Path(path).write_text(self.text, encoding="utf-8")

    def __repr__(self) -> str:
        """Read `best play at easybj: -0.021412 minimums a round`."""
        return f"best play at {self.game}: {float(self.mean):+.6f} minimums a round"

    def plot(self) -> Any:
        """Draw the chart as a grid: a figure of matplotlib.

        Raises: TourneyError, without matplotlib.
        """
        return chart_plot(self.text, repr(self))

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p><pre>{escape(self.text)}</pre>"


@dataclass(frozen=True, slots=True, repr=False)
class Sweep:
    """What several strategies are worth by several games, at the same shoes."""

    rows: tuple[Measured, ...]  # game by game, strategies in the order that was given

    def to_pandas(self) -> Any:
        """Give a data frame of one row for each.

        Raises: TourneyError, without pandas.
        """
        return extra("pandas").concat([each.to_pandas() for each in self.rows], ignore_index=True)

    def plot(self) -> Any:
        """Draw them with their intervals, a line for each game: a figure of matplotlib.

        Raises: TourneyError, without matplotlib.
        """
        games = dict.fromkeys(each.game for each in self.rows)
        lines = [
            (
                game,
                [
                    Interval(each.strategy, each.mean, each.half_width)
                    for each in self.rows
                    if each.game == game
                ],
            )
            for game in games
        ]
        return sweep_plot(lines, "" if len(games) > 1 else f"at {self.rows[0].game}")

    def __repr__(self) -> str:
        """Read a line for each."""
        return "\n".join(map(repr, self.rows))

    def _repr_html_(self) -> str:
        return _table([(f"{each.strategy} at {each.game}", repr(each)) for each in self.rows])


def ev(
    strategy: StrategyLike,
    game: str = GAME,
    *,
    options: Mapping[str, object] | None = None,
    rounds: int | None = None,
    until: float | None = None,
    minimum: int | None = None,
    bankroll: int | None = None,
    hour: int = 100,
    by_count: bool = False,
    tags: str = "",
    seed: int | None = None,
    workers: int = 1,
    engine: str = "auto",
    trust_submissions: bool = False,
) -> Measured:
    """Measure a strategy in the long run, alone and with a bankroll that cannot run out.

    Args:
        strategy: Name with options, file, chart or class.
        game: A preset with overrides, such as "ve280,decks=2".
        options: Of the strategy, besides those in its name.
        rounds: How many; at most, with `until`. By default a million.
        until: Stop as soon as half the 95 % interval is no wider, in minimums.
        minimum: The least wager in chips; by default that of the rules, or 10.
        bankroll: In chips, to say how risky it is.
        hour: Rounds in an hour, for `bankroll`.
        by_count: Whether rounds are told apart by the true count before them.
        tags: Which count: "hi-lo" or what ten cards count from 2 to ace; by default that of the
            strategy, or else hi-lo.
        seed: What the shoes are derived from; drawn by default.
        workers: Processes that play; 1 for a class of this program.
        engine: Which engine plays.
        trust_submissions: Whether a file may run with all your rights; else it is confined.
    Raises: TourneyError, if it cannot play this, or breaks its contract.
    """
    registry, entrant = installed_plugins(), entrant_of(strategy, options, workers)
    secret = Secret.draw() if seed is None else Secret.from_seed(seed)
    played = load_game(game, catalog_of(registry))
    return measure(
        game,
        played,
        entrant,
        registry,
        rounds=rounds,
        until=until,
        minimum=minimum,
        bankroll=bankroll,
        hour=hour,
        tags=tags if by_count else None,
        secret=secret,
        workers=workers,
        engine=engine,
        trusts_files=trust_submissions,
    )


def sweep(
    strategies: Sequence[StrategyLike],
    games: str | Sequence[str] = GAME,
    *,
    seed: int | None = None,
    **how: Any,
) -> Sweep:
    """Measure several strategies by one game or several, all at the same shoes.

    Args:
        strategies: As for `ev`; such as `[f"counter,spread={n}" for n in (1, 2, 4, 8)]`.
        games: As for `ev`; such as `[f"six-decks-h17,decks={n}" for n in (1, 2, 6)]`.
        seed: As for `ev`; drawn once for all by default.
        how: All else that `ev` takes.
    Raises: TourneyError, as `ev` does.
    """
    shoes = randbelow(MOST_SEEDS) if seed is None else seed
    played = [games] if isinstance(games, str) else games
    return Sweep(tuple(ev(each, game, seed=shoes, **how) for game in played for each in strategies))


def compare(
    one: StrategyLike,
    other: StrategyLike,
    game: str = GAME,
    *,
    tables: int = MOST_TABLES,
    rounds: int = ROUNDS,
    margin: float | None = None,
    minimum: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    engine: str = "auto",
    trust_submissions: bool = False,
) -> Compared:
    """Find out whether the second strategy is better, by as few tables as it takes.

    Args:
        one: As for `ev`.
        other: As for `ev`.
        game: As for `ev`.
        tables: Of each at most.
        rounds: At a table.
        margin: Who differ by no more minimums a round are practically equal.
        minimum: As for `ev`.
        seed: As for `ev`.
        workers: As for `ev`.
        engine: As for `ev`.
        trust_submissions: As for `ev`.
    Raises: TourneyError, if they cannot play this.
    """
    registry = installed_plugins()
    played = load_game(game, catalog_of(registry))
    two = named_apart(entrant_of(one, None, workers), entrant_of(other, None, workers))
    tournament = tournament_of_two(
        played,
        two,
        registry,
        tables=tables,
        rounds=rounds,
        minimum=minimum or played.rules.minimum or LEAST,
        margin=margin,
        seed=seed,
        trusts_files=trust_submissions,
    )
    *_, last = looks_at(tournament, workers=workers, engine=engine)
    return Compared(two[0].name, two[1].name, game, last)


def solve(game: str, *, surrender: bool = True) -> Solved:
    """Work out the best play by a game, with a full shoe in every round.

    Args:
        game: A preset with overrides, such as "six-decks-h17,decks=8".
        surrender: Whether it may surrender, where the rules allow that.
    Raises: ConfigError or RulesError, if that cannot be worked out.
    """
    rules = load_game(game, catalog_of(installed_plugins())).rules
    best = solver_of(rules).best(rules.minimum or 1, surrender=surrender)
    return Solved(game, best.text, best.value.mean, best.value.sd)


def entrant_of(
    strategy: StrategyLike, options: Mapping[str, object] | None = None, workers: int = 1
) -> EntrantConfig:
    """Make an entrant of what somebody names, or of a class.

    Raises: PluginError, if it is none, or a class is to play in other processes.
    """
    if isinstance(strategy, type):
        if workers != 1:
            raise PluginError(
                f"{strategy.__name__}: expected 1 worker for a class of this program, got "
                f"{workers}: other processes do not have it; save it in a file, and name that"
            )
        name = GivenClass.offer(strategy)
        entrant = EntrantConfig(name=strategy.__name__, kind=GIVEN, strategy=name)
    else:
        entrant = entrant_as_typed(str(strategy))
    given = {**dict(entrant.options), **(options or {})}
    return replace(entrant, options=tuple(given.items()))


def measure(
    text: str,
    game: GameConfig,
    entrant: EntrantConfig,
    registry: Registry,
    *,
    rounds: int | None,
    until: float | None,
    minimum: int | None,
    bankroll: int | None,
    hour: int,
    tags: str | None,
    secret: Secret,
    workers: int = 1,
    engine: str = "auto",
    trusts_files: bool = False,
    tell: Callable[[str], object] | None = None,
) -> Measured:
    """Play an entrant for as long as is asked, and look closer at some of it; see `ev`.

    `text` is the game as it was typed; `tags` is None where nobody asks what comes of which count.
    """
    least = minimum or game.rules.minimum or LEAST
    alone = entered_alone(game, entrant, registry, trusts_files=trusts_files)
    if tags is not None:  # before anything is played
        check_counted(alone, game.rules, tags)
    found = long_run(
        alone,
        game.rules,
        rounds or (MOST_UNTIL if until else USUAL),
        minimum=least,
        secret=secret,
        until=until,
        workers=workers,
        engine=engine,
        tell=tell,
    )
    how: dict[str, Any] = {"minimum": least, "secret": secret, "engine": engine, "tell": tell}
    who, risk, counted = strategy_text(entrant), None, None
    if bankroll and found.sd:
        results = results_of(alone, game.rules, found.rounds, **how)
        risk = bankroll_risk(found.best, found.sd, bankroll / least, hour, results)
    if tags is not None:
        counted = by_count_of(alone, game.rules, rounds, tags=tags, title=f"{who} at {text}", **how)
    return Measured(who, text, least, found, risk, counted)


def risk_of(value: Value, bankroll: int | None, minimum: int, hour: int) -> BankrollRisk | None:
    """Say how risky it is what was worked out; None without a bankroll, in chips, or without SD."""
    if not bankroll or not value.sd:
        return None
    return bankroll_risk(float(value.mean), value.sd, bankroll / minimum, hour, value.results)


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


def strategy_text(entrant: EntrantConfig) -> str:
    """Write a strategy as it would be typed, without the folders of a file."""
    who = entrant.source.name if entrant.source else entrant.name
    return ",".join([who, *(f"{name}={value}" for name, value in entrant.options)])


def _spread(mean: float, half_width: float | None) -> str:
    spread = "" if half_width is None else f" ± {half_width:.6f}"
    return f"{mean:+.6f}{spread} minimums a round"


def _table(rows: list[tuple[str, str]]) -> str:
    cells = (f"<tr><th>{escape(name)}</th><td>{escape(told)}</td></tr>" for name, told in rows)
    return f"<table>{''.join(cells)}</table>"
