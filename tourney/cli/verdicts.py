"""`verdicts`: who broke the contract, where and how, what the seat saw, and what it costs."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from tourney.cli.options import RUN, STORE, entrant_number, note, note_confinement, resume_words
from tourney.entries import Tournament, enter_again
from tourney.ledger import MACHINE_CAUSES, BlockKey, Remark, Verdict
from tourney.plugins import load_plugins
from tourney.store import Store

COSTS = {
    "lost": "all that the table is worth is lost",
    "out": "out of the standings",
    "stands": "nothing: what the seat had stands",
}
"""What a verdict costs, by the format's rule."""

INDENT = "  "


@dataclass(slots=True)
class Entry:
    """A fault of an entrant, and at how many tables there was one with this cause."""

    entrant: int
    key: BlockKey
    verdict: Verdict
    tables: set[tuple[int, int, int]] = field(default_factory=set)  # by stage, heat and table


@click.command("verdicts")
@RUN
@STORE
@click.option("--entrant", metavar="NAME", help="Only those about this entrant.")
@click.option("--all", "everything", is_flag=True, help="Every fault, not the first of its cause.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verdicts_command(
    run: str | None, store: Path, entrant: str | None, everything: bool, as_json: bool
) -> None:
    """Show which competitors broke their contract.

    It tells what they saw when they did, and what it costs them.

    RUN is a number or a name; without it the latest run is meant. For every entrant and cause the
    first fault is shown, and at how many tables there was one.
    """
    registry = load_plugins()
    with Store.open(store, create=False) as kept:
        record = kept.run(run)
        tournament = enter_again(record, registry, plays=False)
        wanted = None if entrant is None else entrant_number(tournament, entrant)
        faults = (
            Entry(seat.entrant, key, seat.verdict)
            for key, seat in kept.faulted(record.number)
            if seat.verdict and wanted in {None, seat.entrant}
        )
        entries = _each(faults) if everything else _first(faults)
        remarks = [each for each in kept.remarks(record.number) if wanted in {None, each.entrant}]
    if as_json:
        told = {"run": record.number, "name": record.name, "fault": tournament.format.fault}
        told |= _data(tournament, entries, remarks)
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        _show(tournament, entries, remarks)
    if record.status != "finished":
        note(f"run {record.number} is not finished: {resume_words(record, tournament, store)}")
    note_confinement(record)


def _each(faults: Iterable[Entry]) -> list[Entry]:
    """Give every fault by itself."""
    entries = list(faults)
    for entry in entries:
        entry.tables.add(entry.key[:3])
    return entries


def _first(faults: Iterable[Entry]) -> list[Entry]:
    """Give the first fault of every entrant and cause, with all the tables."""
    found: dict[tuple[int, str], Entry] = {}
    for fault in faults:
        first = found.setdefault((fault.entrant, fault.verdict.cause), fault)
        first.tables.add(fault.key[:3])
    return list(found.values())


def _show(tournament: Tournament, entries: list[Entry], remarks: list[Remark]) -> None:
    """Print what people read."""
    if not entries:
        click.echo("nobody is at fault")
    for entry in entries:
        click.echo(f"{_name(tournament, entry.entrant)}: {entry.verdict.cause}{_second(entry)}")
        for line in _facts(entry, tournament.format.fault):
            click.echo(f"{INDENT}{line}")
    for remark in remarks:
        if remark.key and remark.verdict:
            click.echo(
                f"{_name(tournament, remark.entrant)}: not confirmed: {remark.verdict.cause} at "
                f"{_where(remark.key, remark.verdict)}\n"
                f"{INDENT}{remark.verdict.message}\n{INDENT}{remark.message}; its result stands"
            )
    warned: set[int] = set()
    for remark in remarks:
        if not remark.verdict and remark.entrant not in warned:
            warned.add(remark.entrant)
            batches = sum(each.entrant == remark.entrant and not each.verdict for each in remarks)
            in_all = f"{batches} batches" if batches > 1 else "1 batch"
            name = _name(tournament, remark.entrant)
            click.echo(f"{name}: warning in {in_all}: {remark.message}")


def _second(entry: Entry) -> str:
    """Say whether a second play gave the fault as well, where one is needed."""
    if entry.verdict.cause not in MACHINE_CAUSES:
        return ""
    return ", confirmed by a second play" if entry.verdict.is_confirmed else ", not played twice"


def _facts(entry: Entry, fault: str) -> Iterator[str]:
    verdict, tables = entry.verdict, len(entry.tables)
    yield f"at {_where(entry.key, verdict)}"
    yield verdict.message
    if verdict.seen:
        yield f"it saw: {verdict.seen}"
    if verdict.traceback:
        yield from verdict.traceback.rstrip("\n").split("\n")
    elif verdict.place:
        yield f"in {verdict.place}"
    affected = "1 table" if tables == 1 else f"{tables} tables"
    yield f"{affected}; it costs: {COSTS[fault]}"


def _where(key: BlockKey, verdict: Verdict) -> str:
    """Name the place of a fault, everything counted from 1."""
    place = str(key).rpartition(",")[0]  # all but the block's first round
    return f"{place}, round {verdict.round}, decision {verdict.decision + 1} ({verdict.call})"


def _name(tournament: Tournament, entrant: int) -> str:
    return tournament.labels[entrant].name


def _data(
    tournament: Tournament, entries: list[Entry], remarks: list[Remark]
) -> dict[str, list[dict[str, Any]]]:
    """Give what programs read, counted from 1 as in the text."""
    return {
        "verdicts": [
            {
                "entrant": _name(tournament, entry.entrant),
                **_told(entry.key, entry.verdict),
                "tables": len(entry.tables),
            }
            for entry in entries
        ],
        "unconfirmed": [
            {"entrant": _name(tournament, each.entrant), **_told(each.key, each.verdict)}
            for each in remarks
            if each.key and each.verdict
        ],
        "warnings": [
            {"entrant": _name(tournament, each.entrant), "message": each.message}
            for each in remarks
            if not each.verdict
        ],
    }


def _told(key: BlockKey, verdict: Verdict) -> dict[str, Any]:
    return {
        "cause": verdict.cause,
        "confirmed": verdict.is_confirmed if verdict.cause in MACHINE_CAUSES else None,
        "stage": key.stage + 1,
        "heat": key.heat + 1,
        "table": key.table + 1,
        "seating": key.seating + 1,
        "round": verdict.round,
        "decision": verdict.decision + 1,
        "call": verdict.call,
        "message": verdict.message,
        "seen": verdict.seen,
        "place": verdict.place,
        "traceback": verdict.traceback,
    }
