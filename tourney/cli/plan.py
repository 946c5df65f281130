"""`plan` and `run --dry-run`: the duration and needs of an event, estimated before it is played."""

import json
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import NamedTuple

import click
from tabulate import tabulate

from tourney.cli import completion
from tourney.cli.options import (
    ENGINE,
    JSON,
    NO_SANDBOX,
    SEED,
    STORE,
    STRICT_PLUGINS,
    WORKERS,
    YES,
    NamedFile,
    note,
    prints_aside,
    refuse_without,
    shared_option,
)
from tourney.cli.run_warnings import fault_words, load_wanted
from tourney.config.words import joined
from tourney.execution.workers.worker_choice import make_workers
from tourney.floor.utilization import duration_words, time_words
from tourney.formats.field import Field
from tourney.formats.solo import Solo
from tourney.game.blocks import Batch, Block
from tourney.game.ledger import BlockKey, Verdict
from tourney.game.words import counted
from tourney.planning.event_plan import Interval, Plan
from tourney.planning.pilot import Pilot, play_pilot
from tourney.plugins.loading import load_plugins
from tourney.research.plan import CLOSE, REPLICATIONS, Planned, plan
from tourney.sandbox.levels import Level
from tourney.standings.confidence import alpha_at
from tourney.standings.notes import too_few
from tourney.standings.rank_sets import tables_that_tell
from tourney.standings.tables_needed import TablesNeeded
from tourney.tournament.loading import Tournament
from tourney.tournament.sandbox_level import brings_code


def pilot_words(pilot: Pilot, seconds: float, where: str) -> Iterator[str]:
    """Describe how many tables rank how much of the field, and their time.

    Args:
        pilot: The result of a pilot.
        seconds: Time of a table.
        where: Where this time passes.
    """
    if pilot.why_not:
        yield f"tables needed for a ranking: {pilot.why_not}"
        return
    yield (
        f"tables needed to separate neighbours (95 % interval, from a pilot of {pilot.tables:,} "
        "tables):"
    )
    for needed in dict.fromkeys(pilot.needed):
        pairs = f"{needed.pairs:,} of {counted(pilot.neighbours, 'pair')}"
        yield f"  {pairs}: {_range(needed, seconds, where)}"


def _range(needed: TablesNeeded, seconds: float, where: str) -> str:
    """Describe the range of the number of tables, and its time."""
    if needed.least is None:
        return "more tables than a run may have"
    least = _rounded(needed.least, up=False)
    if needed.most is None:
        why = "the pilot is too short for an upper limit"
        time = f"about {duration_words(least * seconds)} or more {where}"
        return f"{least:,} tables or more, {why}; {time}"
    most = _rounded(needed.most, up=True)
    tables = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    times = dict.fromkeys(duration_words(each * seconds) for each in (least, most))
    return f"{tables} tables, about {' to '.join(times)} {where}"


def _rounded(tables: int, *, up: bool) -> int:
    """Round a bound of a range to two digits, away from the range.

    >>> _rounded(1284, up=False), _rounded(1284, up=True), _rounded(7, up=True)
    (1200, 1300, 7)
    """
    step: int = 10 ** max(0, len(str(tables)) - 2)
    return -(-tables // step) * step if up else tables // step * step


MOST_LINES = 12  # of waves


@click.command("plan")
@click.argument("config", type=NamedFile(path_type=Path))
@shared_option(
    "--replications",
    type=click.IntRange(2, 10_000),
    metavar="N",
    show_default=f"up to {REPLICATIONS}, until the length is known within {CLOSE:.0%}",
)
@click.option(
    "--rates-from",
    "run",
    metavar="RUN",
    shell_complete=completion.runs,
    help="Use the rates of this stored run.",
)
@click.option(
    "--rates",
    type=NamedFile(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Use the rates in this file, which an earlier plan printed with --json.",
)
@STORE
@SEED
@WORKERS
@ENGINE
@JSON
@NO_SANDBOX
@STRICT_PLUGINS
@YES
def plan_command(
    config: Path,
    replications: int | None,
    run: str | None,
    rates: Path | None,
    store: Path,
    seed: int | None,
    workers: int,
    engine: str,
    as_json: bool,
    trust_submissions: bool,
    strict_plugins: bool,
    is_sure: bool,
) -> None:
    """Estimate the time, tables and dealers of an event.

    CONFIG is a YAML file. No hand of the event is played. The share of players that drop out is
    measured in a short trial, unless a stored run or a file gives it. The floor is then simulated
    without cards.
    """
    if run is not None and rates is not None:
        raise click.UsageError("choose either --rates-from or --rates")
    if run is None:
        refuse_without("--rates-from RUN", "store")
    registry = load_plugins(strict=strict_plugins)
    with prints_aside():
        planned = plan(
            load_wanted(config, registry, is_sure=is_sure),
            replications=replications,
            run=run,
            store=store,
            rates=rates,
            seed=seed,
            workers=workers,
            engine=engine,
            trust_submissions=trust_submissions,
        )
    if as_json:
        click.echo(json.dumps(planned.to_data()))
        return
    for line in _lines(planned):
        click.echo(line)
    if _is_random(planned.plan):
        note("± is half a 95 % confidence interval of the mean, if the rates are right")
    else:
        note("no time of this plan is random")


def _lines(planned: Planned) -> Iterator[str]:
    """Yield the lines of a plan."""
    tournament, plan = planned.tournament, planned.plan
    config, floor = tournament.config, tournament.config.floor
    entrants = counted(len(tournament.records), "entrant")
    trials = f"{counted(planned.rates.trials, 'trial')}, " if planned.rates.trials else ""
    yield f"{config.name}: {entrants}, {trials}{plan.replications} replications without cards"
    late = f"; 90th percentile {duration_words(plan.late_seconds)}" if _is_random(plan) else ""
    yield f"takes {_lasting(plan.seconds)}, {counted(plan.blocks.mean, 'block')}{late}"
    if floor.start_time:
        ends = (time_words(floor, seconds) for seconds in (plan.seconds.mean, plan.late_seconds))
        yield f"from {time_words(floor, 0)} to {' or '.join(ends)}"
    tables, dealers = floor.tables, floor.dealers or floor.tables
    most = f"up to {plan.most_tables:,} could be used at once"
    yield f"tables: {tables:,} available, in use {_share(plan.table_use)} of the time; {most}"
    yield f"dealers: {dealers:,} available, at work {_share(plan.dealer_use)} of the time; {most}"
    for other in plan.other_dealers:
        yield f"with {counted(other.dealers, 'dealer')}: {_change_words(other.longer_seconds)}"
    if planned.pilot:
        # A pilot of a format without a number of tables has only a reason.
        tables = getattr(tournament.format, "tables", 1) if planned.pilot.needed else 1
        yield from pilot_words(planned.pilot, plan.seconds.mean / tables, "on the floor")
    yield ""
    yield _waves(tournament, plan)


def _change_words(longer: Interval) -> str:
    """Describe the change of the length of an event."""
    if not longer.mean and not longer.half:
        return "no change"
    change = Interval(abs(longer.mean), longer.half)
    return f"{_lasting(change)} {'shorter' if longer.mean < 0 else 'longer'}"


def _waves(tournament: Tournament, plan: Plan) -> str:
    """Show some waves, evenly spaced, with the first and the last."""
    last = len(plan.waves) - 1
    shown = {round(line * last / (MOST_LINES - 1)) for line in range(MOST_LINES)}
    rows = [
        (
            number + 1,
            time_words(tournament.config.floor, wave.begin_seconds),
            f"{wave.players:,.1f}",
            f"{wave.tables:,.1f}",
            f"{wave.share:.0%}",
        )
        for number, wave in enumerate(plan.waves)
        if number in shown
    ]
    headers = ["Wave", "Begins", "Players", "Tables", "Is played"]
    align = ("right", "left", "right", "right", "right")
    return tabulate(rows, headers=headers, disable_numparse=True, colalign=align)


def _is_random(plan: Plan) -> bool:
    """Check whether replications differ in a figure that has an interval."""
    changes = (each.longer_seconds for each in plan.other_dealers)
    told = (plan.seconds, plan.blocks, plan.table_use, plan.dealer_use, *changes)
    return any(interval.half for interval in told)


def _lasting(interval: Interval) -> str:
    spread = f" ± {duration_words(interval.half)}" if interval.half else ""
    return duration_words(interval.mean) + spread


def _share(interval: Interval) -> str:
    spread = f" ± {interval.half:.1%}" if interval.half else ""
    return f"{interval.mean:.0%}{spread}"


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
        for line in (*pilot_words(pilot, 0.0, ""), f"{words}; the duration depends on the results"):
            click.echo(line)
        return _show_faults(probed)
    # A game with a point limit ends long before its cap, as the trial showed.
    rounds = sum(min(block.rounds, probed.most_rounds) for block in first)
    seconds = probed.round_seconds * rounds * batches / workers
    tables = getattr(tournament.format, "tables", 1)
    if pilot.tables:  # more precise than the trial: it played longer, and whole tables
        seconds = pilot.seconds / pilot.tables * tables / workers
    on = f"on {workers} workers" if workers > 1 else "on 1 worker"
    for line in pilot_words(pilot, seconds / tables, on):
        click.echo(line)
    blocks, groups = counted(len(first) * batches, "block"), counted(batches, "batch")
    click.echo(f"at most {blocks} in {groups}, {words}")
    lasting = "" if tournament.rules.most_points else ", if every bankroll lasts"
    click.echo(f"about {duration_words(seconds)} {on}{lasting}")
    return _show_faults(probed)


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
