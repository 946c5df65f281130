"""`plan`: the duration and needs of an event, and the number of tables that rank its entrants."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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
from tourney.cli.size_check import load_wanted
from tourney.floor.timetable import duration_words, time_words
from tourney.planning.event_plan import Interval, Plan
from tourney.planning.pilot import Pilot
from tourney.planning.trial_rates import Rates
from tourney.plugins.loading import load_plugins
from tourney.research.plan import CLOSE, REPLICATIONS, Planned, plan
from tourney.standings.tables_needed import TablesNeeded
from tourney.tournament.loading import Tournament


def pilot_words(pilot: Pilot, lasting: Callable[[int, int | None], str]) -> Iterator[str]:
    """Describe how many tables rank how much of the field, and their time.

    Args:
        pilot: The result of a pilot.
        lasting: Describes the time of a range of tables; `None` for no upper end.
    """
    if pilot.why_not:
        yield f"tables needed for a ranking: {pilot.why_not}"
        return
    yield (
        f"tables needed to separate neighbours (95 % interval, from a pilot of {pilot.tables:,} "
        "tables):"
    )
    for needed in dict.fromkeys(pilot.needed):
        pairs = f"{needed.pairs:,} of {pilot.neighbours:,}"
        yield f"  {pairs} {'pair' if pilot.neighbours == 1 else 'pairs'}: {_range(needed, lasting)}"


def _range(needed: TablesNeeded, lasting: Callable[[int, int | None], str]) -> str:
    """Describe the range of the number of tables."""
    if needed.least is None:
        return "more tables than a run may have"
    least = _rounded(needed.least, up=False)
    if needed.most is None:
        return f"{least:,} tables or more, it saw no upper end; {lasting(least, None)}"
    most = _rounded(needed.most, up=True)
    tables = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{tables} tables, {lasting(least, most)}"


def range_words(least: float, most: float | None) -> str:
    """Describe a range of seconds; `None` for no upper end."""
    if most is None:
        return f"{duration_words(least)} or more"
    return " to ".join(dict.fromkeys((duration_words(least), duration_words(most))))


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
    dealers, count = floor.dealers or floor.tables, len(tournament.records)
    yield (
        f"{config.name}: {count:,} {'entrant' if count == 1 else 'entrants'}, "
        f"{_trial_words(planned.rates)}{plan.replications} replications without cards"
    )
    late = f"; 90th percentile {duration_words(plan.late_seconds)}" if _is_random(plan) else ""
    yield f"takes {_lasting(plan.seconds)}, {plan.blocks.mean:,.0f} blocks{late}"
    if floor.start_time:
        ends = (time_words(floor, seconds) for seconds in (plan.seconds.mean, plan.late_seconds))
        yield f"from {time_words(floor, 0)} to {' or '.join(ends)}"
    yield (
        f"tables: {floor.tables:,} available, in use {_share(plan.table_use)} of the time; "
        f"up to {plan.most_tables:,} could be used at once"
    )
    yield (
        f"dealers: {dealers:,} available, at work {_share(plan.dealer_use)} of the time; "
        f"up to {plan.most_tables:,} could be used at once"
    )
    for other in plan.other_dealers:
        yield f"with {other.dealers:,} dealers: {_change_words(other.longer_seconds)}"
    if planned.pilot:
        yield from pilot_words(planned.pilot, _on_floor(tournament, plan))
    yield ""
    yield _waves(tournament, plan)


def _change_words(longer: Interval) -> str:
    """Describe the change of the length of an event."""
    if not longer.mean and not longer.half:
        return "no change"
    change = Interval(abs(longer.mean), longer.half)
    return f"{_lasting(change)} {'shorter' if longer.mean < 0 else 'longer'}"


def _on_floor(tournament: Tournament, plan: Plan) -> Callable[[int, int | None], str]:
    """Return a function that describes the time of other numbers of tables, in proportion to the
    plan.
    """
    planned: Any = tournament.format

    def lasting(least: int, most: int | None) -> str:
        # Used for results of a pilot, which exists only for numbers of tables.
        a_table = plan.seconds.mean / planned.tables
        return f"about {range_words(least * a_table, most and most * a_table)} on the floor"

    return lasting


def _trial_words(rates: Rates) -> str:
    """Describe the number of trials that measured the rates, if any."""
    if not rates.trials:
        return ""
    return f"{rates.trials} {'trial' if rates.trials == 1 else 'trials'}, "


def _waves(tournament: Tournament, plan: Plan) -> str:
    """Show some waves, evenly spaced, with the first and the last."""
    last = len(plan.waves) - 1
    shown = sorted({round(line * last / (MOST_LINES - 1)) for line in range(MOST_LINES)})
    rows = [
        (
            number + 1,
            time_words(tournament.config.floor, wave.begin_seconds),
            f"{wave.players:,.1f}",
            f"{wave.tables:,.1f}",
            f"{wave.share:.0%}",
        )
        for number, wave in ((number, plan.waves[number]) for number in shown)
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
