"""Comparison of two strategies: both play the same tables, until the answer is known.

The tables are those of a tournament of the format `duplicate` that stops as soon as the two differ
significantly; it is not stored. Bankrolls are so large that no player runs out of chips.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tourney.config.model import EntrantConfig, FormatConfig, GameConfig
from tourney.errors import FormatError
from tourney.execution.workers.worker_choice import make_workers
from tourney.execution.workers.workload import Tell, Workload, check_playable
from tourney.formats.schedule_checks import schedule_of
from tourney.formats.solo import Duplicate
from tourney.game.blocks import HOUSE_LIMIT
from tourney.plugins.registry import Registry
from tourney.research.simulated_ev import check_faults, unstored
from tourney.standings.confidence import doubling
from tourney.standings.fold import rank
from tourney.standings.standing import Relation, Standing
from tourney.standings.tallies import Count
from tourney.tournament.entrant_specs import check_options
from tourney.tournament.loading import Tournament, enter

FIRST_LOOK = 50


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
    """The second less the first, in minimums a round."""

    half_width: float | None
    """Half the interval of the difference, for all looks together; None with too few tables."""

    relation: Relation
    """Relation of the two."""


def tournament_of_two(
    game: GameConfig,
    two: tuple[EntrantConfig, EntrantConfig],
    registry: Registry,
    *,
    tables: int,
    rounds: int,
    minimum: int,
    margin: float | None = None,
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
        margin: Treat a smaller difference, in minimums a round, as practically equal.
        seed: Seed of the shoes; random by default.
        trusts_files: Allow files to run in this process.
    Raises: TourneyError, if they cannot play this game.
    """
    options = Duplicate(
        tables=tables,
        rounds=rounds,
        on_fault="keep",
        margin=None if margin is None else margin * minimum,
        stop="separated",
        looks=doubling(tables, first=min(FIRST_LOOK, tables)),
    )
    if minimum > HOUSE_LIMIT:
        raise FormatError(f"minimum: expected at most {HOUSE_LIMIT:,} chips, got {minimum:,}")
    if 1 not in game.rules.seats:
        raise FormatError(
            f"one seat cannot play {game.rules.game} alone; let strategies meet in a tournament, "
            "with stop: separated"
        )
    config = unstored(
        "compare", game, two, FormatConfig("duplicate", options), minimum=minimum, seed=seed
    )
    tournament = enter(config, registry, trusts_files=trusts_files)
    for each in two:
        check_options(each)
    return tournament


def looks_of(
    tournament: Tournament, *, workers: int = 1, engine: str = "auto", tell: Tell | None = None
) -> Iterator[Look]:
    """Play, and yield the state after each look; the last one has the answer, if any.

    Args:
        tournament: From `tournament_of_two`.
        workers: Processes that play.
        engine: The engine.
        tell: Receives a line about long waits.
    Raises: CompetitorFailedError, if one of the two breaks its contract.
    """
    names = [label.name for label in tournament.labels]
    rules, specs = tournament.rules, tournament.specs()
    check_playable(specs.values(), rules, engine)
    schedule = schedule_of(tournament.format, tournament.field)
    count = Count(len(specs), tournament.scoring)
    scheduled = tournament.format.scheduled_rounds * tournament.looks[0]
    workload = Workload(rules, len(specs), scheduled * len(specs))
    rounds = 0
    with make_workers(workers, specs, engine, workload=workload, tell=tell) as crew:
        for wave in schedule.waves():
            for batch in crew.play(wave):
                check_faults(batch.results, names)  # a stopped player would win or lose less
                for result in batch.results:
                    schedule.take(result)
                    count.take(result)
                    rounds += result.rounds
            rows = rank(count.tallies, tournament.labels, tournament.scoring)
            yield _look(tournament, rows, rounds)


def _look(tournament: Tournament, rows: tuple[Standing, ...], rounds: int) -> Look:
    better, worse = rows
    minimum = tournament.config.minimum
    behind = (worse.above or 0.0) / minimum
    is_second_better = better.name == tournament.labels[1].name
    return Look(
        number=worse.looks,
        tables=worse.tables,
        rounds=rounds,
        difference=-behind if is_second_better else behind,
        half_width=worse.above_half_width and worse.above_half_width / minimum,
        relation=worse.relation,
    )


def named_apart(one: EntrantConfig, other: EntrantConfig) -> tuple[EntrantConfig, EntrantConfig]:
    """Name two entrants with their options, numbered if these are equal."""
    one, other = _with_options(one), _with_options(other)
    if one.name.casefold() != other.name.casefold():
        return one, other
    return replace(one, name=f"{one.name} (first)"), replace(other, name=f"{other.name} (second)")


def _with_options(entrant: EntrantConfig) -> EntrantConfig:
    options = (f"{name}={value}" for name, value in entrant.options)
    return replace(entrant, name=",".join((entrant.name, *options)))
