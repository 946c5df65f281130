"""The long-run value of a strategy: `tourney.ev`, and `tourney.sweep` for several."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from secrets import randbelow
from typing import Any

from tourney.config.arguments import check_above_nothing, check_callable, check_seed, check_whole
from tourney.errors import TourneyError
from tourney.execution.workers.task import EntrantSpec, declared
from tourney.execution.workers.worker_choice import check_workers
from tourney.execution.workers.workload import Tell
from tourney.game.cards.keys import Secret
from tourney.game.players import BasePlayer
from tourney.game.rules import Rules
from tourney.game.solver import Value
from tourney.notebook.plots import Interval, fan_plot, intervals_plot, sweep_plot
from tourney.notebook.progress_bar import show_line, shown
from tourney.notebook.tables import Tabular, facts_html
from tourney.plugins.loading import installed_plugins
from tourney.research.bankroll_risk import BankrollRisk, bankroll_after, bankroll_risk
from tourney.research.by_count import ByCount, by_count_of, results_of
from tourney.research.inputs import (
    GAME,
    LEAST,
    GameLike,
    StrategyLike,
    check_options,
    entrant_of,
    game_of,
    points_of,
    several,
    strategy_text,
)
from tourney.research.simulated_ev import (
    LongRun,
    entered_alone,
    long_run,
    wait_for_machine_code,
)

USUAL, MOST_UNTIL = 10**6, 10**9
"""Default number of rounds, without and with a target for the interval."""
MOST_SEEDS = 2**63


@dataclass(frozen=True, slots=True, repr=False)
class Measured(Tabular):
    """The value of a strategy in a game; a table in a notebook."""

    strategy: str  # with its options
    game: str
    minimum: int  # in chips
    found: LongRun
    risk: BankrollRisk | None  # with a bankroll
    by_count: ByCount | None = None  # if requested
    bankroll: int | None = None  # in chips
    hour: int = 100  # rounds in one
    options: tuple[tuple[str, object], ...] = ()  # of the strategy
    settings: tuple[tuple[str, object], ...] = ()  # of the game, changed from the preset

    @property
    def mean(self) -> float:
        """Result of a round in minimums, without luck where possible."""
        return self.found.mean

    @property
    def half_width(self) -> float | None:
        """Half the 95 % interval of `mean`, in minimums; `None` with a single block of rounds."""
        return self.found.half_width

    @property
    def raw_mean(self) -> float:
        """Result of a round in minimums, as played."""
        return self.found.raw_mean

    @property
    def raw_standard_error(self) -> float:
        """Standard error of `raw_mean`, in minimums."""
        return self.found.raw_standard_error

    def to_data(self) -> Mapping[str, object]:
        """Return the data for JSON, with the names of attributes; infinite figures become null."""
        data = dict(self._figures())
        if self.by_count:
            data["by_count"] = self.by_count.to_data()
        if self.risk:
            data["risk"] = self.risk.to_data()
        return data

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return one row with the raw mean, and the `mean` and `half_width` of this result.

        It also has a column for each option of the strategy and each changed setting of the game;
        `option_` or `game_` precedes a name that is taken. `by_count` has the rows of true counts.
        """
        row = {**self._figures(), **(self.risk.to_data() if self.risk else {})}
        for names, start in ((self.options, "option_"), (self.settings, "game_")):
            row |= {f"{start}{name}" if name in row else name: value for name, value in names}
        return [row]

    def _figures(self) -> Mapping[str, object]:
        found = asdict(self.found)
        return {
            "strategy": self.strategy,
            "game": self.game,
            "minimum": self.minimum,
            "mean": self.mean,
            "half_width": found.pop("half_width"),
            **found,
        }

    def plot(self, hours: float = 100) -> Any:
        """Draw the spread of a bankroll over some hours: a figure of matplotlib.

        Without a bankroll, draw the mean with its interval.

        Raises: TourneyError, without matplotlib, or if `hours` is not above 0.
        """
        check_above_nothing(hours=hours)
        if self.bankroll is None:
            unit = "result of a round in minimums"
            return intervals_plot([Interval(self.strategy, self.mean, self.half_width)], "", unit)
        start, minimum = self.bankroll / self.minimum, self.minimum

        def bankroll_at(share: float, rounds: float) -> float:
            return minimum * bankroll_after(self.mean, self.found.sd, start, rounds, share)

        rounds = max(1, round(hours * self.hour))
        return fan_plot(bankroll_at, rounds, self.bankroll, f"{self.strategy} at {self.game}")

    def __repr__(self) -> str:
        """Write `counting at ve280: -0.0421 ± 0.0012 minimums of 10 a round`."""
        return f"{self.strategy} at {self.game}: {self._found()}"

    def _found(self) -> str:
        return spread_words(self.mean, self.half_width, self.minimum)

    def _repr_html_(self) -> str:
        facts = [
            ("Strategy", self.strategy),
            ("Game", self.game),
            ("Result of a round (95 %)", self._found()),
            ("SD of a round", f"{self.found.sd:.4f}"),
            ("Rounds", f"{self.found.rounds:,}"),
        ]
        if self.risk and self.risk.ruin is not None:
            ruin, score = f"{self.risk.ruin:.2%}", f"{self.risk.score:.2f}"
            facts += [("Risk of ruin", ruin), ("SCORE", score)]
        return facts_html(facts)


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Tabular):
    """The values of several strategies in several games, at the same shoes."""

    each: tuple[Measured, ...]  # by game, with strategies in the given order

    def to_data(self) -> Sequence[Mapping[str, object]]:
        """Return the data of each value for JSON."""
        return [one.to_data() for one in self.each]

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return a row for each value, with a column for each option and each changed setting.

        A value without an option or a setting has `None` there.
        """
        rows = [row for one in self.each for row in one.rows()]
        names = dict.fromkeys(name for row in rows for name in row)
        return [{name: row.get(name) for name in names} for row in rows]

    def plot(self) -> Any:
        """Draw the values with their intervals, a line for each game: a figure of matplotlib.

        Raises: TourneyError, without matplotlib.
        """
        games = dict.fromkeys(each.game for each in self.each)
        lines = [
            (
                game,
                [
                    Interval(each.strategy, each.mean, each.half_width)
                    for each in self.each
                    if each.game == game
                ],
            )
            for game in games
        ]
        return sweep_plot(lines, "" if len(games) > 1 else f"at {self.each[0].game}")

    def __repr__(self) -> str:
        """Write a line for each value."""
        return "\n".join(map(repr, self.each))

    def _repr_html_(self) -> str:
        return facts_html([(f"{each.strategy} at {each.game}", repr(each)) for each in self.each])


def ev(
    strategy: StrategyLike,
    game: GameLike = GAME,
    *,
    options: Mapping[str, object] | None = None,
    rounds: int | None = None,
    until: float | None = None,
    minimum: int | None = None,
    bankroll: int | None = None,
    hour: int = 100,
    by_count: bool = False,
    tags: str | Iterable[int] = "",
    seed: int | None = None,
    workers: int = 1,
    engine: str = "auto",
    trust_submissions: bool = False,
    tell: Tell = show_line,
    progress: bool = False,
) -> Measured:
    """Measure a strategy in the long run, alone and with a bankroll that cannot run out.

    Args:
        strategy: Name with options, file, chart, class, or player, which is copied for every seat.
        game: A preset with overrides, such as "ve280,decks=2", a mapping, or rules.
        options: Options of the strategy, in addition to those in its name.
        rounds: Number of rounds; the most with `until`. By default a million.
        until: Stop when half the 95 % interval is at most this wide, in minimums.
        minimum: The least wager in chips; by default that of the rules, or 10.
        bankroll: In chips, for figures of risk.
        hour: Rounds in an hour, for `bankroll`.
        by_count: Split the rounds by the true count before them.
        tags: The count: "hi-lo" or ten numbers for the cards from 2 to ace; by default that of the
            strategy, or else hi-lo.
        seed: Seed of the shoes; random by default.
        workers: Processes that play; 1 for a class of this program.
        engine: The engine.
        trust_submissions: Run a file without a sandbox, with your permissions.
        tell: Receives a line about long waits; by default it goes to standard error.
        progress: Show a progress bar, in a terminal or a notebook.
    Raises: TourneyError, if it cannot play this game, or breaks its contract.

    >>> ev("counting", "ve280,shuffle=uniform", rounds=1000, seed=1).found.rounds
    1000
    """
    check_whole(rounds=rounds, minimum=minimum, bankroll=bankroll)
    check_whole(is_needed=True, hour=hour)
    check_workers(workers)
    check_seed(seed)
    check_above_nothing(until=until)
    check_callable(tell=tell)
    registry, entrant = installed_plugins(), entrant_of(strategy, options, workers)
    text, played = game_of(game, registry)
    rules, least = played.rules, int(minimum or played.rules.minimum or LEAST)
    alone = entered_alone(played, entrant, registry, trusts_files=trust_submissions)
    count = tags if isinstance(tags, str) else " ".join(map(str, points_of(tags)))
    if by_count:  # reject a wrong count before anything is played
        rules.game.counting(rules, count, declared(alone, rules))
    secret = Secret.draw() if seed is None else Secret.from_seed(seed)
    how: dict[str, Any] = {"minimum": least, "secret": secret, "engine": engine, "tell": tell}
    most = rounds or (MOST_UNTIL if until else USUAL)
    who, risk, counted = strategy_text(entrant), None, None
    with shown(who, "rounds", is_wanted=progress) as show:
        found = long_run(
            alone,
            rules,
            most,
            until=until,
            workers=workers,
            on_rounds=lambda done: show(done, None if until else most),
            **how,
        )
    if bankroll and found.sd:
        results = results_of(alone, rules, found.rounds, **how)
        risk = bankroll_risk(found.mean, found.sd, bankroll / least, hour, results)
    if by_count:
        counted = by_count_of(alone, rules, rounds, tags=count, title=f"{who} at {text}", **how)
    return Measured(
        who,
        text,
        least,
        found,
        risk,
        counted,
        bankroll,
        hour,
        options=entrant.options,
        settings=played.overrides,
    )


def sweep(
    strategies: StrategyLike | Iterable[StrategyLike],
    games: GameLike | Iterable[GameLike] = GAME,
    *,
    vary: Mapping[str, Iterable[object]] | None = None,
    options: Mapping[str, object] | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    engine: str = "auto",
    tell: Tell = show_line,
    **how: Any,
) -> Sweep:
    """Measure several strategies in several games, all at the same shoes.

    Args:
        strategies: As for `ev`, one or several.
        games: As for `ev`, one or several.
        vary: Values of options by name; every strategy plays with each combination.
        options: As for `ev`, like `rounds`, `engine` and `tell`.
        rounds: Of each value.
        seed: As for `ev`; by default one random seed for all.
        engine: The engine.
        tell: Receives a line about long waits; by default it goes to standard error.
        how: Other arguments of `ev`.
    Raises: TourneyError, as `ev` does.

    >>> games = [f"six-decks-h17,decks={n}" for n in (1, 2, 6)]
    >>> found = sweep("counter", games, vary={"spread": [1, 4, 8]}, rounds=1000, seed=1)
    >>> [(row["spread"], row["decks"]) for row in found.rows()][:4]
    [(1, 1), (4, 1), (8, 1), (1, 2)]
    """
    if "game" in how:
        raise TypeError("sweep() has no argument 'game'; pass games=…")
    shoes = drawn_seed() if seed is None else seed
    check_whole(rounds=rounds)
    check_options(options)
    check_callable(tell=tell)
    played = several(games, str | Mapping | Rules, "games")
    asked = several(strategies, str | Path | type | BasePlayer, "strategies")
    chosen = [{**(options or {}), **one} for one in _combinations(vary)]
    files = bool(how.get("trust_submissions"))
    if not how.get("until"):
        specs = list(_entered(asked, chosen, played, trusts_files=files))
        wait_for_machine_code(specs, rounds or USUAL, engine, tell)
    how |= {"rounds": rounds, "seed": shoes, "engine": engine, "tell": tell}
    return Sweep(
        tuple(
            one
            for game in played
            for one in _told_apart(
                [ev(each, game, options=own, **how) for each in asked for own in chosen]
            )
        )
    )


def _combinations(vary: Mapping[str, Iterable[object]] | None) -> Iterator[dict[str, object]]:
    """Yield the options of every combination of values; a single empty one without values.

    Raises: TourneyError, if it does not list values by name.
    """
    if not isinstance(vary, Mapping | None):
        raise TourneyError(f"vary: expected a mapping such as {{'spread': [1, 4]}}, got {vary!r}")
    lists: list[tuple[object, ...]] = []
    for name, values in (vary or {}).items():
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise TourneyError(
                f"vary: {name}: expected a list of values, such as [1, 2, 4]; got {values!r}"
            )
        lists.append(several(values, str, f"vary: {name}"))
    return (dict(zip(vary or {}, each, strict=True)) for each in product(*lists))


def _entered(
    strategies: Iterable[StrategyLike],
    options: Iterable[Mapping[str, object]],
    games: Iterable[GameLike],
    *,
    trusts_files: bool,
) -> Iterator[tuple[EntrantSpec, Rules]]:
    """Yield strategies with their games, so that all faults are found before any play."""
    registry = installed_plugins()
    configs = [game_of(game, registry)[1] for game in games]
    for each, own, game in product(strategies, options, configs):
        entrant = entrant_of(each, own)
        yield entered_alone(game, entrant, registry, trusts_files=trusts_files), game.rules


def _told_apart(each: Sequence[Measured]) -> Iterator[Measured]:
    """Number repeated names, such as of players of one class: F, F (2)."""
    times: Counter[str] = Counter()
    for one in each:
        times[one.strategy] += 1
        number = times[one.strategy]
        yield one if number == 1 else replace(one, strategy=f"{one.strategy} ({number})")


def drawn_seed() -> int:
    """Draw a random seed."""
    return randbelow(MOST_SEEDS)


def risk_of(value: Value, bankroll: int | None, minimum: int, hour: int) -> BankrollRisk | None:
    """Return the risk of a value; `None` without a bankroll (in chips) or an SD."""
    if not bankroll or not value.sd:
        return None
    return bankroll_risk(float(value.mean), value.sd, bankroll / minimum, hour, value.results)


def spread_words(mean: float, half_width: float | None, minimum: int) -> str:
    """Write a result with its interval.

    Args:
        mean: In minimums.
        half_width: In minimums.
        minimum: In chips; the result depends on it where payouts are rounded to chips.

    >>> spread_words(-0.0421, 0.0012, 10)
    '-0.042100 ± 0.001200 minimums of 10 a round'
    """
    spread = "" if half_width is None else f" ± {half_width:.6f}"
    return f"{mean:+.6f}{spread} minimums of {minimum:,} a round"
