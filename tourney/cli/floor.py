"""`floor`: the use of tables and dealers in a stored run."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click
from tabulate import tabulate

from tourney.cli.options import JSON, RUN, STORE, Finite, note, shared_option
from tourney.cli.run_warnings import note_unfinished, stored_run
from tourney.config.model import FloorConfig
from tourney.errors import TourneyError
from tourney.floor.block_durations import Streams, is_drawn
from tourney.floor.log import Log
from tourney.floor.room import Floor
from tourney.floor.utilization import (
    PERCENTILES,
    Account,
    Moment,
    ResourceAccount,
    Spread,
    duration_words,
    time_words,
    timetable,
)
from tourney.formats.base import Event
from tourney.game.words import counted
from tourney.planning.event_plan import Interval
from tourney.store.store import Store
from tourney.tournament.loading import Tournament
from tourney.tournament.progress import Progress, retrace

HEADERS = ("Resource", "What", "Mean", "±", *(f"{share} %" for share in PERCENTILES), "Most")
MINUTE = 60


@click.command("floor")
@RUN
@STORE
@click.option(
    "--warm-up",
    type=Finite(0),
    default=0,
    metavar="MINUTES",
    help="Leave out this much of the beginning.",
)
@shared_option(
    "--replications",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    metavar="N",
)
@JSON
def floor_command(
    run: str | None, store: Path, warm_up: float, replications: int, as_json: bool
) -> None:
    """Report how tables and dealers were used in a run.

    RUN is a number or a name; the default is the latest run. The floor is simulated again over the
    stored results; no card is dealt. Each simulation draws new random times.
    """
    with stored_run(run, store) as (kept, record, tournament, *_):
        floor, log, levels = _passed(tournament, kept, record.number)
        note_unfinished(record, tournament, store)
    config = tournament.config.floor
    if replications > 1 and not is_drawn(config):
        note("no time on this floor is drawn: every replication would be the same")
        replications = 1
    if warm_up * MINUTE > floor.now:
        raise TourneyError(
            f"--warm-up: {warm_up:,g} minutes are longer than the floor was open, "
            f"{floor.now / MINUTE:,g} minutes; choose fewer"
        )
    accounts = [floor.account(warm_up * MINUTE)]
    for number in range(1, replications):
        streams = Streams(tournament.secret.floor_key(number))
        accounts.append(_again(config, log, streams).account(warm_up * MINUTE))
    moments = sorted(
        [*levels, *timetable(config, floor.now, has_levels=not levels)],
        key=lambda moment: (moment.seconds, moment.what == "end"),
    )
    if as_json:
        click.echo(json.dumps(_as_data(tournament, accounts, moments)))
        return
    for line in _lines(tournament, accounts, moments):
        click.echo(line)


def _passed(tournament: Tournament, store: Store, run: int) -> tuple[Floor, Log, list[Moment]]:
    """Play a stored run on a floor with a log; return the times of the tournament's levels."""
    log = Log()
    streams = Streams(tournament.secret.floor_key(0))
    course = Progress(tournament, Floor(tournament.config.floor, streams, log))
    levels: list[Moment] = []

    def tell() -> None:
        for seconds, happening in course.happenings():
            if happening.event is Event.LEVEL:
                minimum = happening.value / tournament.rules.unit
                levels.append(Moment(seconds, f"minimum {minimum:,g}"))

    for _ in retrace(course, store, run):
        tell()
    tell()
    return course.floor, log, levels


def _again(config: FloorConfig, log: Log, streams: Streams) -> Floor:
    """Play the same blocks again, with times from other streams."""
    floor = Floor(config, streams, Log())
    for wave in log.waves:
        floor.play(wave)
    return floor


def _as_data(
    tournament: Tournament, accounts: Sequence[Account], moments: Sequence[Moment]
) -> dict[str, object]:
    config = tournament.config.floor
    data: dict[str, object] = {
        "name": tournament.config.name,
        "start_time": config.start_time,
        **asdict(accounts[0]),
        "percentiles": PERCENTILES,
        "timetable": [
            {**asdict(moment), "time": time_words(config, moment.seconds)} for moment in moments
        ],
    }
    if len(accounts) > 1:
        data["replications"] = len(accounts)
        data["end_interval"] = asdict(Interval.of([each.end_seconds for each in accounts]))
        data["intervals"] = {
            name: {what: asdict(each) for what, each in _intervals(accounts, name).items()}
            for name in ("tables", "dealers")
        }
    return data


def _intervals(accounts: Sequence[Account], name: str) -> dict[str, Interval]:
    """Estimate the means of a resource's figures over replications."""
    resources: list[ResourceAccount] = [getattr(each, name) for each in accounts]
    return {what: Interval.of([_value(each, what) for each in resources]) for what in MEASURED}


def _lines(
    tournament: Tournament, accounts: Sequence[Account], moments: Sequence[Moment]
) -> Iterator[str]:
    """Describe the use of tables and dealers."""
    config, told = tournament.config.floor, accounts[0]
    yield f"{tournament.config.name}: {duration_words(told.end_seconds)} on the floor"
    if len(accounts) > 1:
        ends = Interval.of([each.end_seconds for each in accounts])
        yield (
            f"{duration_words(ends.mean)} ± {duration_words(ends.half)} "
            f"over {len(accounts)} replications; ± is of their means, all else of the run"
        )
    if told.begin_seconds:
        yield f"without the first {duration_words(told.begin_seconds)}"
    for moment in moments:
        yield f"  {time_words(config, moment.seconds):>8}  {moment.what}"
    yield ""
    rows = [row for name in ("tables", "dealers") for row in _rows(accounts, name)]
    align = ("left", "left", *["right"] * (len(HEADERS) - 2))
    yield tabulate(rows, headers=HEADERS, disable_numparse=True, colalign=align)
    yield ""
    yield _dealer_words(told)


def _rows(accounts: Sequence[Account], name: str) -> Iterator[tuple[str, ...]]:
    """Yield the lines of a resource."""
    resource: ResourceAccount = getattr(accounts[0], name)
    head = counted(resource.capacity, name.removesuffix("s"))
    intervals = _intervals(accounts, name) if len(accounts) > 1 else {}
    for what, (title, show) in MEASURED.items():
        half = show(intervals[what].half) if intervals else ""
        value = getattr(resource, what)
        rest = [""] * (len(PERCENTILES) + 1)
        if isinstance(value, Spread):
            rest = [show(each) for each in (*value.percentiles, value.most)]
        yield head, title, show(_value(resource, what)), half, *rest
        head = ""


def _value(resource: ResourceAccount, what: str) -> float:
    """Return a figure of a resource, or its mean."""
    value = getattr(resource, what)
    return value.mean if isinstance(value, Spread) else float(value)


def _many(count: float) -> str:
    return f"{count:,.1f}".removesuffix(".0")


MEASURED = {
    "requests": ("requests", _many),
    "wait": ("wait", duration_words),
    "stay": ("stay", duration_words),
    "queue": ("waiting at a time", _many),
    "in_use": ("in use at a time", _many),
    "use": ("use", "{:.1%}".format),
}


def _dealer_words(told: Account) -> str:
    """Describe the use of dealer time."""
    parts = told.dealer_seconds
    return (
        f"dealer-seconds: dealing {parts.dealing:,.0f} + set-up {parts.setup:,.0f} + breaks "
        f"{parts.breaks:,.0f} + idle {parts.idle:,.0f} = {parts.total:,.0f}, "
        f"which is {told.dealers.capacity:,} for {told.end_seconds - told.begin_seconds:,.0f} s"
    )
