"""`verdicts`: broken contracts with their entrants, situations and costs."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from tourney.cli.options import JSON, RUN, STORE, entrant_number, shared_option
from tourney.cli.run_warnings import note_confinement, note_unfinished, stored_run
from tourney.cli.visibility import NO_SEATING, BoardView, ViewOptions, policy_options
from tourney.game.asking.printable_text import printable
from tourney.game.ledger import MACHINE_CAUSES, BlockKey, Remark, Verdict, caveat
from tourney.report.redaction import COSTS, nameless

INDENT = "  "

WITHHELD = "with a hidden message"
"""Replaces words that could reveal an entrant."""


@dataclass(slots=True)
class Entry:
    """A fault of an entrant, and the tables with the same cause."""

    entrant: int
    key: BlockKey
    verdict: Verdict
    tables: set[tuple[int, int, int]] = field(default_factory=set)  # by stage, heat and table


@click.command("verdicts")
@RUN
@STORE
@shared_option("--entrant", metavar="NAME")
@click.option(
    "--every-fault",
    "everything",
    is_flag=True,
    help="Show every fault, not one of each cause.",
)
@JSON
@policy_options
def verdicts_command(
    run: str | None,
    store: Path,
    entrant: str | None,
    everything: bool,
    as_json: bool,
    asked: ViewOptions,
) -> None:
    """Show which competitors broke their contract.

    The list shows the situation of each fault and its cost.

    RUN is a number or a name; the default is the latest run. For every entrant and cause it shows
    the first fault and the number of tables with such a fault.
    """
    with stored_run(run, store) as (kept, record, tournament, *_):
        telling = asked.of(tournament, record.finished)
        names = telling.names(tournament, kept, record)
        if entrant is not None:
            number = entrant_number(names, entrant, telling.pseudonyms)
            names = {number: names[number]}
        faults = (
            Entry(seat.entrant, telling.key(key), telling.verdict(seat.verdict))
            for key, seat in kept.faulted(record.number)
            if seat.verdict and seat.entrant in names
        )
        entries = _listed(faults, everything=everything)
        remarks = [
            _redacted_remark(each, telling)
            for each in kept.remarks(record.number)
            if each.entrant in names
        ]
    if as_json:
        told = {"run": record.number, "name": record.name, "on_fault": tournament.format.on_fault}
        told |= _data(names, entries, remarks)
        if withheld := telling.policy.words(is_sealed=telling.is_sealed):
            told["withheld"] = withheld
        click.echo(json.dumps(told, ensure_ascii=False))
    elif not telling.is_sealed:
        if not entries:
            shown = "" if telling.tells_everything else " of the shown entrants"
            click.echo(f"no faults{shown}")
        _show(names, tournament.format.fault, entries, remarks)
    telling.note()
    note_unfinished(record, tournament, store)
    note_confinement(record)


def _listed(faults: Iterable[Entry], *, everything: bool) -> list[Entry]:
    """Return the first fault of every entrant and cause, with all its tables; or every fault."""
    found: dict[object, Entry] = {}
    for number, fault in enumerate(faults):
        alike = number if everything else (fault.entrant, fault.verdict.cause)
        found.setdefault(alike, fault).tables.add(fault.key[:3])
    return list(found.values())


def _redacted_remark(remark: Remark, telling: BoardView) -> Remark:
    """Redact a remark; its words may reveal an entrant."""
    if telling.policy.names == "names":
        return replace(remark, verdict=remark.verdict and telling.verdict(remark.verdict))
    verdict = remark.verdict and replace(nameless(remark.verdict), message=WITHHELD)
    key = remark.key and telling.key(remark.key)
    return replace(remark, key=key, message=WITHHELD, verdict=verdict)


def _show(
    names: Mapping[int, str], fault: str, entries: list[Entry], remarks: list[Remark]
) -> None:
    """Print the faults and remarks."""
    alike = Counter((each.entrant, each.verdict.cause) for each in entries)
    for entry in entries:
        click.echo(f"{names[entry.entrant]}: {entry.verdict.cause}{_second(entry)}")
        count = max(len(entry.tables), alike[entry.entrant, entry.verdict.cause])
        for line in _facts(entry, fault, count):
            click.echo(f"{INDENT}{line}")
    for remark in remarks:
        if remark.key and remark.verdict:
            click.echo(
                f"{names[remark.entrant]}: not confirmed: {remark.verdict.cause} at "
                f"{_where(remark.key, remark.verdict)}\n"
                f"{INDENT}{remark.verdict.message}\n{INDENT}{printable(remark.message)}"
            )
    _show_counted(names, "played again", [each for each in remarks if each.is_replay])
    _show_counted(names, "warning", [each for each in remarks if each.is_warning])


def _show_counted(names: Mapping[int, str], what: str, remarks: list[Remark]) -> None:
    """Print the first remark on every entrant, and the number of its batches."""
    batches = Counter(each.entrant for each in remarks)
    for each in remarks:
        if count := batches.pop(each.entrant, 0):
            in_all = f"{count} batches" if count > 1 else "1 batch"
            click.echo(f"{names[each.entrant]}: {what} in {in_all}: {printable(each.message)}")


def _second(entry: Entry) -> str:
    """Describe whether a second play confirmed the fault, where one is needed."""
    if entry.verdict.cause not in MACHINE_CAUSES:
        return ""
    return ", confirmed by a second play" if entry.verdict.is_confirmed else ", not played twice"


def _facts(entry: Entry, fault: str, alike: int) -> Iterator[str]:
    verdict, tables = entry.verdict, len(entry.tables)
    yield f"at {_where(entry.key, verdict)}"
    if verdict.message:
        yield verdict.message
    if verdict.seen:
        yield f"it saw: {verdict.seen}"
    if elsewhere := caveat(verdict.cause, verdict.call, alike):
        yield elsewhere
    if verdict.traceback:
        yield from verdict.traceback.rstrip("\n").split("\n")
    elif verdict.place:
        yield f"in {verdict.place}"
    affected = "1 table" if tables == 1 else f"{tables} tables"
    yield f"{affected}; it costs: {COSTS[fault]}"


def _where(key: BlockKey, verdict: Verdict) -> str:
    """Describe the place of a fault, counted from 1."""
    place = str(key).rpartition(",")[0]  # drops the block's first round
    if key.seating == NO_SEATING:
        place = place.rpartition(",")[0]
    return f"{place}, round {verdict.round}, decision {verdict.decision + 1} ({verdict.call})"


def _data(
    names: Mapping[int, str], entries: list[Entry], remarks: list[Remark]
) -> dict[str, list[dict[str, Any]]]:
    """Return the data for JSON, counted from 1 as in the text."""

    def words(each: Remark) -> dict[str, str]:
        return {"entrant": names[each.entrant], "message": each.message}

    return {
        "verdicts": [
            {
                "entrant": names[entry.entrant],
                **_told(entry.key, entry.verdict),
                "tables": len(entry.tables),
            }
            for entry in entries
        ],
        "unconfirmed": [
            {"entrant": names[each.entrant], **_told(each.key, each.verdict)}
            for each in remarks
            if each.key and each.verdict
        ],
        "replays": [words(each) for each in remarks if each.is_replay],
        "warnings": [words(each) for each in remarks if each.is_warning],
    }


def _told(key: BlockKey, verdict: Verdict) -> dict[str, Any]:
    return {
        "cause": verdict.cause,
        "confirmed": verdict.is_confirmed if verdict.cause in MACHINE_CAUSES else None,
        "stage": key.stage + 1,
        "heat": key.heat + 1,
        "table": key.table + 1,
        "seating": None if key.seating == NO_SEATING else key.seating + 1,
        "round": verdict.round,
        "decision": verdict.decision + 1,
        "call": verdict.call,
        "message": verdict.message,
        "seen": verdict.seen,
        "place": verdict.place,
        "traceback": verdict.traceback,
    }
