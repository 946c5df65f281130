"""`run --dry-run`: shows the content of a run, and estimates its time from a few trial rounds."""

from math import inf
from typing import NamedTuple

import click

from tourney.cli.options import note, prints_aside
from tourney.cli.plan import pilot_words, range_words
from tourney.cli.run_warnings import fault_words
from tourney.config.words import joined
from tourney.execution.workers.worker_choice import make_workers
from tourney.floor.timetable import duration_words
from tourney.formats.field import Field
from tourney.formats.solo import Solo
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import BlockKey, Verdict
from tourney.planning.pilot import Pilot, play_pilot
from tourney.sandbox.levels import Level
from tourney.standings.confidence import alpha_at
from tourney.standings.notes import too_few
from tourney.standings.rank_sets import tables_that_tell
from tourney.tournament.loading import Tournament
from tourney.tournament.sandbox_level import brings_code

PROBE_ROUNDS = 200
FAILED = "unknown, because entrants fail in the trial"
PROBE_GAMES, PROBE_GAME = 4, 12
"""At tables of several seats: trials of each entrant, and most rounds of a trial."""


def show_dry_run(tournament: Tournament, workers: int, engine: str) -> int:
    """Print the content of a run and its estimated time; return the exit status."""
    config = tournament.config
    batches, first = tournament.outline
    with prints_aside():
        probed = _probe(tournament, engine)
        pilot = Pilot(why_not=FAILED) if probed.faults else play_pilot(tournament, engine, workers)
    click.echo(f"{config.name}: {config.game.preset}, {config.format.kind}")
    for record, spec in zip(tournament.records, tournament.entrants, strict=True):
        options = "".join(f" {name}={value}" for name, value in record.options)
        held = ", sandboxed" if spec.confinement not in {None, Level.UNSAFE} else ""
        origin = (record.distribution or "a file") + held
        click.echo(f"  {record.name}: {record.strategy}{options} ({origin})")
    if level := tournament.confinement:
        click.echo(f"sandbox {level}: {_sandbox_words(tournament)}")
    if doubt := _too_few_tables(tournament):
        click.echo(doubt)
    words = tournament.format.table_words(tournament.rules)
    if batches is None:
        _show_pilot(pilot, 0.0, "")
        click.echo(f"{words}; the duration depends on the results")
        return _show_faults(probed)
    # A game with a point limit ends long before its cap, as the trial showed.
    rounds = sum(min(block.rounds, probed.most_rounds) for block in first)
    seconds = probed.round_seconds * rounds * batches / workers
    tables = getattr(tournament.format, "tables", 1)
    if pilot.tables:  # more precise than the trial: it played longer, and whole tables
        seconds = pilot.seconds / pilot.tables * tables / workers
    on = f"on {workers} workers" if workers > 1 else "on 1 worker"
    _show_pilot(pilot, seconds / tables, on)
    click.echo(f"at most {len(first) * batches:,} blocks in {batches:,} batches, {words}")
    lasting = "" if tournament.rules.most_points else ", if every bankroll lasts"
    click.echo(f"about {duration_words(seconds)} {on}{lasting}")
    return _show_faults(probed)


def _show_pilot(pilot: Pilot, seconds: float, on: str) -> None:
    """Print the result of a pilot, with the time at a number of seconds a table."""

    def lasting(least: int, most: int | None) -> str:
        return f"about {range_words(least * seconds, most and most * seconds)} {on}"

    for line in pilot_words(pilot, lasting):
        click.echo(line)


def _too_few_tables(tournament: Tournament) -> str:
    """Return a warning if all tables of a run are too few to rank entrants; else ""."""
    options, looks, entrants = tournament.format, tournament.looks, len(tournament.records)
    if not isinstance(options, Solo) or entrants == 1:
        return ""
    return too_few(options.tables, tables_that_tell(entrants, alpha_at(len(looks), looks)))


def _sandbox_words(tournament: Tournament) -> str:
    """Name the entrants whose code would run in the sandbox, or here."""
    names = [spec.name for spec in tournament.entrants if spec.confinement]
    if names and tournament.confinement is not Level.UNSAFE:
        return f"the code of {joined(names, 'and')} runs in separate processes"
    files = [record.name for record in tournament.records if brings_code(record)]
    return f"the code of {joined(files, 'and')} runs with your permissions"


def _show_faults(probed: "Probe") -> int:
    """Print the entrants that failed in the trial; return the exit status."""
    for name, verdict in probed.faults:
        note(f"{name}: {fault_words(verdict)} (round {verdict.round} of a trial)")
    return 1 if probed.faults else 0


class Probe(NamedTuple):
    """The result of a few rounds of every entrant."""

    round_seconds: float  # of one worker
    most_rounds: float  # of a block, if games end by themselves
    faults: tuple[tuple[str, Verdict], ...]  # names of entrants and their faults


def _probe(tournament: Tournament, engine: str) -> Probe:
    """Play a few rounds of every entrant, on tables that no run has."""
    specs = tournament.specs()
    trials = _trials(tournament)
    with make_workers(1, specs, engine) as crew:
        played = tuple(crew.play(trials))
    results = [result for batch in played for result in batch.results]
    rounds = sum(result.rounds for result in results)
    faults: dict[str, Verdict] = {}
    for seat in (seat for result in results for seat in result.seats):
        if seat.verdict:
            faults.setdefault(specs[seat.entrant].name, seat.verdict)
    is_game = tournament.rules.most_points is not None
    caps = [block.rounds for trial in trials for block in trial.blocks]
    is_ended = is_game and any(result.rounds < caps[0] for result in results)
    most = rounds / len(results) if is_ended else inf
    seconds = sum(batch.seconds for batch in played)
    return Probe(seconds / max(rounds, 1), most, tuple(faults.items()))


def _trials(tournament: Tournament) -> tuple[Batch, ...]:
    """Make a few rounds of every entrant: alone, or with the next entrants of the list."""
    field = tournament.field
    if 1 in field.rules.seats:
        alone = (_trial(field, number, 1, PROBE_ROUNDS) for number in range(field.entrants))
        return tuple(Batch(0, number, (block,)) for number, block in enumerate(alone))
    # The format's rules, by which a game may end.
    field, seats = field.playing(tournament.outline.first[0].rules), min(field.rules.seats)
    tables = range(field.entrants * PROBE_GAMES)
    # In one batch, because loading all entrants takes longer than playing.
    return (Batch(0, 0, tuple(_trial(field, table, seats, PROBE_GAME) for table in tables)),)


def _trial(field: Field, table: int, seats: int, rounds: int) -> Block:
    """Make a block of a trial."""
    company = tuple(((table + other) % field.entrants, field.bankroll) for other in range(seats))
    return field.block(BlockKey(-1, 0, table, 0, 1), company, rounds)
