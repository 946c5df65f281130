"""Comparison of two strategies: both play the same tables, until the answer is known.

The tables and their seatings are those of `formats.paired_tables`; nothing is stored. Bankrolls are
so large that no player runs out of chips. A sequential test decides after each look whether the
answer is known (`standings.sequential_test`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tourney.config.model import EntrantConfig, FormatConfig, GameConfig
from tourney.errors import FormatError
from tourney.execution.workers.worker_choice import make_workers
from tourney.execution.workers.workload import Tell, Workload, check_playable
from tourney.formats.paired_tables import PairedTables, copies_of, seatings_of, seats_of
from tourney.formats.schedule_checks import schedule_of
from tourney.game.arrays import NDArray, np
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.ledger import BlockResult, SeatResult
from tourney.plugins.registry import Registry
from tourney.research.simulated_ev import check_faults, unstored
from tourney.standings.confidence import if_finite
from tourney.standings.luck_adjustment import PARTS
from tourney.standings.sequential_test import SequentialTest, looks_up_to
from tourney.standings.standing import Relation
from tourney.tournament.entrant_specs import check_options
from tourney.tournament.loading import Tournament, enter

FIRST_LOOK_ALONE, FIRST_LOOK_TOGETHER = 50, 20
"""Tables before the first look, at tables of one seat and of several."""

ENOUGH_ROUNDS = 10_000
"""Rounds of both after which strategies with equal results at every table are called equal."""

PILOT_SECONDS = 1.0
"""Seconds of play after the first look from which the rest is forecast."""


@dataclass(frozen=True, slots=True)
class Look:
    """The state of a comparison after a number of tables."""

    number: int
    """Number of the look, from 1."""

    tables: int
    """Tables that each of the two has played."""

    rounds: int
    """Rounds of both together."""

    difference: float
    """The second less the first, in minimums a round, or points saved a round; positive if the
    second is better."""

    low: float | None
    """Lower end of the 95 % interval of the difference, valid at all looks together; None with too
    few tables."""

    high: float | None
    """Upper end of that interval, which is not symmetric; None with too few tables."""

    half_width: float | None
    """Distance from the difference to the farther end; None with too few tables."""

    relation: Relation
    """Relation of the two: `separated` if the interval excludes 0."""

    def __str__(self) -> str:
        """Write the difference with its interval: `+0.03419 (95 %: +0.02461 to +0.04377)`."""
        ends = [f"{end:+z.5f}" for end in (self.low, self.high) if end is not None]
        if not ends:
            return f"{self.difference:+z.5f}"
        one_sided = "above " if self.high is None else "below "
        between = " to ".join(ends) if len(ends) > 1 else one_sided + ends[0]
        return f"{self.difference:+z.5f} (95 %: {between})"


@dataclass(frozen=True, slots=True)
class Forecast:
    """A difference that a comparison can find, and the effort."""

    difference: float
    """True difference, in the unit of `Look.difference`, found with 95 % probability."""

    tables: int
    """Tables of each of the two, from the start."""

    seconds: float
    """Seconds from now."""


def tournament_of_two(
    game: GameConfig,
    two: tuple[EntrantConfig, EntrantConfig],
    registry: Registry,
    *,
    tables: int,
    rounds: int,
    minimum: int,
    seed: int | None = None,
    trusts_files: bool = False,
) -> Tournament:
    """Prepare the tournament of the two strategies.

    Args:
        game: The game.
        two: The strategies, with different names.
        registry: The plugins.
        tables: Most tables.
        rounds: Rounds at a table.
        minimum: The least wager in chips.
        seed: Seed of the shoes; random by default.
        trusts_files: Allow files to run in this process.
    Raises: TourneyError, if they cannot play this game.
    """
    if minimum > HOUSE_LIMIT:
        raise FormatError(f"minimum: expected at most {HOUSE_LIMIT:,} chips, got {minimum:,}")
    seats = seats_of(game.rules)
    first = FIRST_LOOK_ALONE if seats == 1 else FIRST_LOOK_TOGETHER
    options = PairedTables(tables=tables, rounds=rounds, looks=looks_up_to(tables, first))
    config = unstored(
        "compare",
        game,
        tuple(copy for each in two for copy in _copies(each, copies_of(seats))),
        FormatConfig("compare", options),
        minimum=minimum if game.rules.most_points is None else 0,
        seed=seed,
    )
    tournament = enter(config, registry, trusts_files=trusts_files)
    for each in two:
        check_options(each)
    return tournament


def _copies(entrant: EntrantConfig, copies: int) -> Iterator[EntrantConfig]:
    yield entrant
    for number in range(2, copies + 1):
        yield replace(entrant, name=f"{entrant.name} (copy {number})")


class Comparison:
    """A comparison in progress."""

    def __init__(self, tournament: Tournament, margin: float | None = None) -> None:
        """Start without tables.

        Args:
            tournament: From `tournament_of_two`.
            margin: Treat a difference up to this as practically equal; in the unit of
                `Look.difference`.
        """
        self._tournament, self._margin = tournament, margin
        self._options: PairedTables = tournament.config.format.options
        rules = tournament.rules
        self._wager = tournament.field.minimum or rules.unit  # in the unit of the rules
        span = self._options.span(rules, tournament.field.minimum)
        if tournament.follows_luck:  # luck-adjusted results have no known bound
            span = None
        bound = span and span * rules.unit / self._wager
        self._test = SequentialTest(self._options.tables, bound)
        self._copies = copies_of(seats_of(rules))
        self._tables: dict[int, float] = {}  # since the last look
        self._rounds = self._looks = 0

    def looks(
        self, *, workers: int = 1, engine: str = "auto", tell: Tell | None = None
    ) -> Iterator[Look]:
        """Play, and yield the state after each look; the last one has the answer, if any.

        Args:
            workers: Processes that play.
            engine: The engine.
            tell: Receives a line about long waits.
        Raises: CompetitorFailedError, if one of the two breaks its contract.
        """
        tournament = self._tournament
        rules, specs = tournament.rules, tournament.specs()
        names = [label.name for label in tournament.labels]
        check_playable(specs.values(), rules, engine)
        schedule = schedule_of(tournament.format, tournament.field)
        seatings = len(seatings_of(seats_of(rules)))
        scheduled = self._options.rounds * self._options.looks[0] * seatings
        workload = Workload(rules, len(specs), scheduled * seats_of(rules))
        with make_workers(workers, specs, engine, workload=workload, tell=tell) as crew:
            for wave in schedule.waves():
                for batch in crew.play(wave):
                    check_faults(batch.results, names)  # a stopped player would win or lose less
                    self._take(batch.results)
                look = self._look()
                yield look
                if look.relation != "not separated yet":
                    return

    def forecasts(self, tables_per_second: float) -> tuple[Forecast, ...]:
        """Forecast the differences found in ten times the tables so far, and so on to the end."""
        now, most = self._test.tables, self._options.tables
        ends = [each for each in (10 * now, 100 * now) if each < most]
        return tuple(
            Forecast(self._test.detectable(each), each, (each - now) / tables_per_second)
            for each in (*ends, most)
        )

    def _take(self, results: Iterable[BlockResult]) -> None:
        for result in results:
            table = result.key.table
            for seat in result.seats:
                sign = 1 if seat.entrant >= self._copies else -1
                self._tables[table] = self._tables.get(table, 0.0) + sign * self._worth(seat)
                self._rounds += seat.rounds

    def _worth(self, seat: SeatResult) -> float:
        """Return a seat's part of the mean result of its strategy at the table, per round."""
        seats = seats_of(self._tournament.rules)
        of_each = seats * len(seatings_of(seats)) / 2  # seats of a strategy in all seatings
        value = seat.net - (seat.luck or 0) / PARTS
        if not self._tournament.field.has_chips:
            value = -value
        return value / self._wager / self._options.rounds / of_each

    def _look(self) -> Look:
        found: NDArray[np.float64] = np.array([self._tables[each] for each in sorted(self._tables)])
        found[np.abs(found) < ROUNDED] = 0.0
        self._tables.clear()
        self._test.take(found)
        self._looks += 1
        state = self._test.interval()
        relation = state.relation(self._margin)
        if self._test.are_equal:
            is_known = self._rounds >= ENOUGH_ROUNDS or state.tables == self._options.tables
            relation = "equal" if is_known else "not separated yet"
        return Look(
            number=self._looks,
            tables=state.tables,
            rounds=self._rounds,
            difference=state.difference,
            low=if_finite(state.low),
            high=if_finite(state.high),
            half_width=if_finite(max(state.high - state.difference, state.difference - state.low)),
            relation=relation,
        )


ROUNDED = 1e-12
"""Differences that arise from the rounding of floats."""


def named_apart(one: EntrantConfig, other: EntrantConfig) -> tuple[EntrantConfig, EntrantConfig]:
    """Name two entrants with their options, numbered if these are equal."""
    one, other = _with_options(one), _with_options(other)
    if one.name.casefold() != other.name.casefold():
        return one, other
    return replace(one, name=f"{one.name} (first)"), replace(other, name=f"{other.name} (second)")


def _with_options(entrant: EntrantConfig) -> EntrantConfig:
    options = (f"{name}={value}" for name, value in entrant.options)
    return replace(entrant, name=",".join((entrant.name, *options)))
