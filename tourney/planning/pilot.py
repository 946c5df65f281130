"""A pilot: a few tables before a run, to estimate how many tables separate the field.

All entrants play the same shoes, drawn from a separate secret, and results are adjusted for luck if
possible, even if the run does neither, because this needs the fewest tables. Entrants are sandboxed
as in the run. A pilot has a fixed number of rounds, not of seconds, so that equal seeds give equal
answers. It names no entrant and stores nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

from tourney.config.model import FormatConfig
from tourney.execution.workers.worker_choice import make_workers
from tourney.execution.workers.workload import Workload
from tourney.formats.designs import tables_each
from tourney.formats.field import why_luck_is_left
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
"""Fractions of the pairs of neighbours to separate."""

CHIP_ROUNDS, POINT_ROUNDS = 300_000, 30_000
"""Rounds of all seats, in games of chips and in others, whose rounds take ten times as long."""

TOO_LONG = 10
"""A pilot is not played if its fewest tables take more than this multiple of the rounds."""

FEWEST_TABLES, MOST_TABLES = 20, 1_000
"""Tables of a pilot; fewer do not show the variance of results."""

ROUNDS_OF_A_GAME = 5
"""Approximate rounds of a match until its limit."""


@dataclass(frozen=True, slots=True)
class Pilot:
    """Result of a pilot, or the reason why it was not played."""

    tables: int = 0
    """Tables of each entrant; 0 without a pilot."""

    neighbours: int = 0
    """Pairs of neighbours on the board."""

    needed: tuple[TablesNeeded, ...] = ()
    """Tables needed, for each of PARTS."""

    why_not: str = ""
    """Why there was no pilot; empty if there was one."""

    seconds: float = field(default=0.0, compare=False)
    """Seconds of worker time that it took."""


def play_pilot(tournament: Tournament, engine: str = "auto", workers: int = 1) -> Pilot:
    """Play a pilot in memory, if the format has a variable number of tables.

    Args:
        tournament: The tournament.
        engine: Engine to use.
        workers: Number of processes; it does not change the result.
    """
    tables = _tables(tournament)
    if why_not := _why_not(tournament, tables):
        return Pilot(why_not=why_not)
    tried = _tried(tournament, tables)
    count, seconds = Count(len(tried.records), tried.scoring), 0.0
    specs, batches = tried.specs(), tried.outline.batches or 1
    workload = Workload(tried.rules, batches, tables * len(specs) * _rounds(tried))
    if all(spec.promises for spec in specs.values()):
        workers = 1  # compiled play ends before another process could start
    with make_workers(workers, specs, engine, workload=workload) as crew:
        for _, batch in batches_of_trial(tried, crew):
            seconds += batch.seconds
            for result in batch.results:
                count.take(result)
    rows = rank(count.tallies, tried.labels, tried.scoring, says_how_sure=False)
    placed = [row for row in rows if row.place is not None]
    if len(placed) < 2:  # noqa: PLR2004 - one has no neighbour
        return Pilot(why_not="fewer than two entrants played a pilot without a fault")
    looks = tournament.looks
    known = _sample(tried, count, placed, has_own=False)
    run = _as_in_the_run(tournament, tried, count, placed) or known
    found = (tables_needed(known, run, part, alpha_at(len(looks), looks)) for part in PARTS)
    return Pilot(tables, len(placed) - 1, tuple(filter(None, found)), seconds=seconds)


def _why_not(tournament: Tournament, tables: int) -> str:
    """Return why no pilot is played; empty if one is."""
    entrants, kind = len(tournament.records), tournament.config.format.kind
    if tournament.measure is FINISH:
        return f"the format {kind} awards places, and no number of tables separates its entrants"
    if not isinstance(tournament.format, Solo | Match):
        return f"the format {kind} has no fixed number of tables"
    if entrants == 1:
        return "there is only one entrant"
    rounds = tables * entrants * _rounds(tournament)
    most = TOO_LONG * _budget(tournament)
    if rounds > most:
        return (
            f"a pilot of {tables:,} tables would take {rounds:,} rounds of seats; the most is "
            f"{most:,}"
        )
    return ""


def _tables(tournament: Tournament) -> int:
    """Return the number of tables of a pilot."""
    entrants = len(tournament.records)
    tables = _budget(tournament) // max(1, entrants * _rounds(tournament))
    tables = min(max(tables, FEWEST_TABLES), MOST_TABLES)
    seats = fewest_seats(tournament.rules)
    step = 1 if 1 in tournament.rules.seats else tables_each(entrants, seats)
    return -(-tables // step) * step


def _budget(tournament: Tournament) -> int:
    return CHIP_ROUNDS if tournament.rules.most_points is None else POINT_ROUNDS


def _rounds(tournament: Tournament) -> int:
    """Return the approximate rounds of an entrant at one table."""
    options, seats = tournament.format, fewest_seats(tournament.rules)
    if isinstance(options, Match):
        has_points = tournament.rules.most_points is not None
        rounds = min(options.rounds, ROUNDS_OF_A_GAME) if has_points else options.rounds
        return seats * options.games * rounds
    return options.scheduled_rounds * (1 if 1 in tournament.rules.seats else seats)


def _tried(tournament: Tournament, tables: int) -> Tournament:
    """Return the tournament of the pilot."""
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
    """Return the tables with the luck and the shoes of the run; `None` if they are the pilot's."""
    has_own = tournament.format.shares_shoes is False and 1 in tournament.rules.seats
    leaves_luck = tried.follows_luck and not tournament.follows_luck
    if not has_own and not leaves_luck:
        return None
    if leaves_luck:
        rows = [replace(row, adjusted=None) for row in rows]
    return _sample(tried, count, rows, has_own=has_own)


def _sample(tried: Tournament, count: Count, rows: Sequence[Standing], *, has_own: bool) -> Sample:
    """Return results as a sample, of shared tables or of separate ones."""
    numbers = {record.name: number for number, record in enumerate(tried.records)}
    side_by_side = []
    for row in rows:
        number = numbers[row.name]
        one = played(row, count.tallies[number], tried.scoring)
        own = [(0, number, table) for *_, table in one.tables]
        side_by_side.append(one._replace(tables=own) if has_own else one)
    return sample_of(side_by_side, bounds_of(rows, tried.scoring))
