"""A pilot: a few tables before a run, from which follows how many tables tell the field apart.

All play the same shoes, drawn from a secret of the pilot's own, and luck is taken out where that
can be, also for a run that does neither: so few tables tell most. The entrants are confined as in
the run. A pilot plays so many rounds and not so many seconds, so that the same seed gives the same
answer. Nobody is named, and nothing is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

from tourney.config.model import FormatConfig
from tourney.execution.workers.worker_choice import make_workers
from tourney.execution.workers.workload import Workload
from tourney.formats.designs import tables_each
from tourney.formats.luck_adjustment import why_luck_is_left
from tourney.formats.match import Match
from tourney.formats.solo import Duplicate, Solo
from tourney.game.rules import fewest_seats
from tourney.planning.trial_rates import batches_of_trial
from tourney.standings.confidence import alpha_at, bounds_of, played
from tourney.standings.fold import rank
from tourney.standings.sample import Sample, sample_of
from tourney.standings.standing import FINISH, Standing
from tourney.standings.tables_needed import TablesNeeded, tables_needed
from tourney.standings.tallies import Count
from tourney.tournament.loading import Tournament

PARTS = (0.5, 0.9)
"""Of the pairs of neighbours, that are asked about."""

CHIP_ROUNDS, POINT_ROUNDS = 300_000, 30_000
"""Of all seats, in games with chips and in others, whose rounds are as much longer."""

TOO_LONG = 10
"""Times that many: a pilot of the fewest tables that would take more is not played."""

FEWEST_TABLES, MOST_TABLES = 20, 1_000
"""Of a pilot; fewer do not show how much results vary."""

ROUNDS_OF_A_GAME = 5
"""About as many are played to the limit of a match."""


@dataclass(frozen=True, slots=True)
class Pilot:
    """What a pilot has found, or why there was none."""

    tables: int = 0
    """Tables that everybody played; 0 if there was no pilot."""

    neighbours: int = 0
    """Pairs of neighbours on the board."""

    needed: tuple[TablesNeeded, ...] = ()
    """Tables needed, for each of PARTS."""

    why_not: str = ""
    """Why there was no pilot; empty if there was one."""

    seconds: float = field(default=0.0, compare=False)
    """Seconds of a worker that it took."""


def play_pilot(tournament: Tournament, engine: str = "auto", workers: int = 1) -> Pilot:
    """Play a pilot in memory, if the number of tables is what decides in the format.

    Args:
        tournament: What is asked about.
        engine: Which engine plays.
        workers: Processes that may play; what is found is the same.
    """
    tables = _tables(tournament)
    if why_not := _why_not(tournament, tables):
        return Pilot(why_not=why_not)
    tried = _tried(tournament, tables)
    count, seconds = Count(len(tried.records), tried.scoring), 0.0
    specs, batches = tried.specs(), tried.outline.batches or 1
    workload = Workload(tried.rules, batches, tables * len(specs) * _rounds(tried))
    if all(spec.promises for spec in specs.values()):
        workers = 1  # machine code is done before another process would have begun
    with make_workers(workers, specs, engine, workload=workload) as crew:
        for _, batch in batches_of_trial(tried, crew):
            seconds += batch.seconds
            for result in batch.results:
                count.take(result)
    rows = rank(count.tallies, tried.labels, tried.scoring, says_how_sure=False)
    placed = [row for row in rows if row.place is not None]
    if len(placed) < 2:  # noqa: PLR2004 - one has no neighbour
        return Pilot(why_not="of those who did not fail in a pilot no two are left to compare")
    looks = tournament.looks
    known = _sample(tried, count, placed, has_own=False)
    run = _as_in_the_run(tournament, tried, count, placed) or known
    found = (tables_needed(known, run, part, alpha_at(len(looks), looks)) for part in PARTS)
    return Pilot(tables, len(placed) - 1, tuple(filter(None, found)), seconds=seconds)


def _why_not(tournament: Tournament, tables: int) -> str:
    """Say why a pilot is not played; nothing if it is."""
    entrants, kind = len(tournament.records), tournament.config.format.kind
    if tournament.measure is FINISH:
        return f"in {kind} places are won, and no number of tables decides who is told apart"
    if not isinstance(tournament.format, Solo | Match):
        return f"{kind} does not say how many tables it plays"
    if entrants == 1:
        return "a single entrant has nobody to be told apart from"
    rounds = tables * entrants * _rounds(tournament)
    most = TOO_LONG * _budget(tournament)
    if rounds > most:
        return (
            f"a pilot of {tables:,} tables would be {rounds:,} rounds of seats, and {most:,} is "
            "the most that one plays"
        )
    return ""


def _tables(tournament: Tournament) -> int:
    """Give how many tables a pilot has."""
    entrants = len(tournament.records)
    tables = _budget(tournament) // max(1, entrants * _rounds(tournament))
    tables = min(max(tables, FEWEST_TABLES), MOST_TABLES)
    seats = fewest_seats(tournament.rules)
    step = 1 if 1 in tournament.rules.seats else tables_each(entrants, seats)
    return -(-tables // step) * step


def _budget(tournament: Tournament) -> int:
    return CHIP_ROUNDS if tournament.rules.most_points is None else POINT_ROUNDS


def _rounds(tournament: Tournament) -> int:
    """Give about how many rounds an entrant plays at one table."""
    options, seats = tournament.format, fewest_seats(tournament.rules)
    if isinstance(options, Match):
        has_points = tournament.rules.most_points is not None
        rounds = min(options.rounds, ROUNDS_OF_A_GAME) if has_points else options.rounds
        return seats * options.games * rounds
    return options.scheduled_rounds * (1 if 1 in tournament.rules.seats else seats)


def _tried(tournament: Tournament, tables: int) -> Tournament:
    """Give the tournament of the pilot."""
    config, options = tournament.config, tournament.format
    chosen = FormatConfig(config.format.kind, options)
    if isinstance(options, Solo):
        same = {each.name: getattr(options, each.name) for each in fields(options)}
        plain = {"tables": tables, "batch_tables": None, "stop": "at-the-end", "looks": None}
        chosen = FormatConfig("duplicate", Duplicate(**{**same, **plain}))
    elif isinstance(options, Match):
        chosen = replace(chosen, options=replace(options, tables=tables))
    left = why_luck_is_left(tournament.rules, chosen, config.bankroll, setting=None)
    return replace(
        tournament,
        config=replace(config, format=chosen),
        secret=tournament.secret.pilot,
        follows_luck=not left,
        steps=(),
    )


def _as_in_the_run(
    tournament: Tournament, tried: Tournament, count: Count, rows: Sequence[Standing]
) -> Sample | None:
    """Give the tables with the luck and the shoes of the run; None if they are the pilot's."""
    has_own = tournament.format.shares_shoes is False and 1 in tournament.rules.seats
    leaves_luck = tried.follows_luck and not tournament.follows_luck
    if not has_own and not leaves_luck:
        return None
    if leaves_luck:
        rows = [replace(row, adjusted=None) for row in rows]
    return _sample(tried, count, rows, has_own=has_own)


def _sample(tried: Tournament, count: Count, rows: Sequence[Standing], *, has_own: bool) -> Sample:
    """Put results side by side, as those of shared tables or of everybody's own."""
    numbers = {record.name: number for number, record in enumerate(tried.records)}
    side_by_side = []
    for row in rows:
        number = numbers[row.name]
        one = played(row, count.tallies[number], tried.scoring)
        own = [(0, number, table) for *_, table in one.tables]
        side_by_side.append(one._replace(tables=own) if has_own else one)
    return sample_of(side_by_side, bounds_of(rows, tried.scoring))
