"""Which of two strategies is better: both play the same tables, until the answer is known.

The tables are those of a tournament of the format `duplicate` that stops as soon as the two are
told apart; nothing is stored. Bankrolls are so large that nobody runs out of chips.
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
    """What is known after so many tables."""

    number: int
    """Number of the look, from 1."""

    tables: int
    """Tables that each of the two has played."""

    rounds: int
    """Rounds of both together."""

    difference: float
    """The second less the first, in minimums a round."""

    half_width: float | None
    """Half the interval of the difference, for all looks at once; None if tables are too few."""

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
    """Make ready what the two play.

    Args:
        game: What is played.
        two: The strategies, by names that differ.
        registry: What names stand for.
        tables: How many at most.
        rounds: At every table.
        minimum: The least wager in chips.
        margin: In minimums a round: who differ by less are practically equal.
        seed: What the shoes are derived from; drawn by default.
        trusts_files: Whether files may run in this process.
    Raises: TourneyError, if they cannot play this.
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
            f"expected a game in which one seat can play alone, got {game.rules.game}: let "
            "strategies meet in a tournament, with stop: separated"
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
    """Play, and say after each look what is known; the last one has the answer, if there is any.

    Args:
        tournament: As `tournament_of_two` gives it.
        workers: Processes that play.
        engine: Which engine plays.
        tell: Told what is being waited for, if that takes long.
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
                check_faults(batch.results, names)  # who plays no more would win less or lose less
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
    """Give two entrants names with their options, numbered where these are equal, too."""
    one, other = _with_options(one), _with_options(other)
    if one.name.casefold() != other.name.casefold():
        return one, other
    return replace(one, name=f"{one.name} (first)"), replace(other, name=f"{other.name} (second)")


def _with_options(entrant: EntrantConfig) -> EntrantConfig:
    options = (f"{name}={value}" for name, value in entrant.options)
    return replace(entrant, name=",".join((entrant.name, *options)))
