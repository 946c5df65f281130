"""The visible part of a run: rows, names, times, and the data of every output.

A policy is applied once, to the data of a run, and all output is made from the result: the pages,
their JSON, the viewer of hands, and tables as text or CSV. So no output can show more than another.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeAlias

from tourney.config.model import LeaderboardConfig
from tourney.config.words import without_addresses
from tourney.errors import TourneyError
from tourney.game.asking.printable_text import printable
from tourney.game.ledger import Verdict
from tourney.report.site.model import (
    BlockData,
    CellData,
    ColumnData,
    CommittedData,
    EntrantData,
    FloorData,
    RaceData,
    SiteData,
    TableData,
    VerdictData,
)
from tourney.standings.columns import COLUMNS
from tourney.standings.standing import Standing

MOST_CHARACTERS = 20_000
"""Length of a text of a verdict: the limit of a sandboxed process, fully escaped."""
Names: TypeAlias = Literal["names", "handles"]


@dataclass(frozen=True, slots=True)
class Policy:
    """The visibility of a run.

    Args:
        names: "names", or "handles": an entrant without a handle is named by its row on the board.
        top: Number of rows shown, best first, plus ties with the last one; `None` for all.
        freeze: Results after this time are hidden; `None` to hide no results.
        reveal: Hidden results are shown from this time on; `None` for never.
    """

    names: Names = "names"
    top: int | None = None
    freeze: datetime | None = None
    reveal: datetime | None = None

    def __post_init__(self) -> None:
        """Reject contradictory settings."""
        if self.top is not None and self.top < 1:
            raise TourneyError(f"top: expected at least 1, got {self.top}")
        if self.reveal and not self.freeze:
            raise TourneyError("reveal needs a freeze time before it; add freeze")
        if self.freeze and self.reveal and self.reveal < self.freeze:
            raise TourneyError(
                f"reveal: {self.reveal.isoformat()} is before the freeze at "
                f"{self.freeze.isoformat()}; choose a later time"
            )

    @property
    def tells_everybody(self) -> bool:
        """Whether all entrants are shown by name."""
        return self.names == "names" and self.top is None

    def tightened(self, other: "Policy") -> "Policy":
        """Return a policy that shows only the data that both policies show.

        Results are hidden from the earlier freeze to the later reveal.
        """
        froze = [each for each in (self, other) if each.freeze]
        reveals = [each.reveal for each in froze if each.reveal]
        tops = [each.top for each in (self, other) if each.top]
        is_nameless = "handles" in {self.names, other.names}
        return Policy(
            names="handles" if is_nameless else "names",
            top=min(tops, default=None),
            freeze=min((each.freeze for each in froze if each.freeze), default=None),
            reveal=max(reveals, default=None) if len(reveals) == len(froze) else None,
        )

    def words(self, *, is_sealed: bool) -> str:
        """Describe the hidden data; empty if nothing is hidden.

        Args:
            is_sealed: Whether results are hidden now.
        """
        until = f" until {minute_words(self.reveal)}" if self.reveal else ""
        parts = [f"all results{until}"] if is_sealed else []
        parts += ["names"] if self.names == "handles" else []
        parts += [f"whoever comes after the first {self.top}"] if self.top else []
        return ", ".join(parts)

    def seals(self, as_of: datetime | None, now: datetime) -> bool:
        """Check whether results are hidden.

        Args:
            as_of: Time of the last result; `None` if the run continues.
            now: The current time.
        """
        if self.freeze is None or (self.reveal and now >= self.reveal):
            return False
        return (as_of or now) > self.freeze


OPEN = Policy()
"""Shows everything."""


def policy_of(board: LeaderboardConfig) -> Policy:
    """Return the policy of a configuration."""
    return Policy(board.names, board.top, board.freeze, board.reveal)


def time_of(text: str | None) -> datetime | None:
    """Read an ISO time; in UTC by default.

    Raises: TourneyError, if it is not a time.
    """
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise TourneyError(f"expected a time such as 2026-05-01T12:00, got {text!r}") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def minute_words(time: datetime) -> str:
    """Write a time to the minute.

    >>> minute_words(datetime(2026, 5, 1, 12, tzinfo=UTC))
    '2026-05-01 12:00 UTC'
    """
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


COSTS = {
    "lost": "all that the table is worth is lost",
    "out": "out of the standings",
    "stands": "nothing: what the seat had stands",
}
"""The cost of a verdict, by the format's rule."""

Pseudonyms: TypeAlias = Mapping[str, str]
"""Handles by the names of entrants that have one."""


class Entered(Protocol):
    """An entrant with a name and a handle."""

    @property
    def name(self) -> str:
        """Its name on the board."""

    @property
    def pseudonym(self) -> str | None:
        """Its public name where names are hidden; `None` without a handle."""


def pseudonyms_of(entered: Iterable[Entered]) -> dict[str, str]:
    """Return the handles of entrants; a handle of several entrants is dropped."""
    everybody = list(entered)
    said = Counter(each.pseudonym.casefold() for each in everybody if each.pseudonym)
    said.update({each.name.casefold() for each in everybody} if said else ())
    return {
        each.name: each.pseudonym
        for each in everybody
        if each.pseudonym and said[each.pseudonym.casefold()] == 1
    }


def told_rows(
    policy: Policy,
    standings: Sequence[Standing],
    as_of: str | None,
    now: datetime,
    pseudonyms: Pseudonyms,
) -> tuple[Standing, ...]:
    """Return the visible standings, best first; empty while results are hidden.

    Args:
        policy: The visibility.
        standings: All standings, best first.
        as_of: The end of the run as ISO time; `None` if it continues.
        now: The current time.
        pseudonyms: The known handles.
    """
    if policy.seals(time_of(as_of), now):
        return ()
    shown = standings[: shown_of([row.place for row in standings], policy.top)]
    if policy.names == "names":
        return tuple(shown)
    called = (handle(number, row.name, pseudonyms) for number, row in enumerate(shown, start=1))
    return tuple(
        replace(nameless_row(row), name=name) for name, row in zip(called, shown, strict=True)
    )


def nameless_row(row: Standing) -> Standing:
    """Remove the identity of an entrant from a row, except the name itself."""
    return replace(row, strategy="", group=None, author=None, verdict=None)


def shown_verdict(verdict: Verdict) -> Verdict:
    """Return a verdict that is safe to show, even from an untrusted store."""

    def shown(text: str, keep: str = "") -> str:
        return without_addresses(printable(text, keep, MOST_CHARACTERS))

    return replace(
        verdict,
        call=shown(verdict.call),
        message=shown(verdict.message),
        place=shown(verdict.place),
        traceback=shown(verdict.traceback, keep="\n"),
        seen=shown(verdict.seen),
    )


def nameless(verdict: Verdict) -> Verdict:
    """Remove the identity from a verdict: words, files and lines of an author."""
    return replace(verdict, message="", place="", traceback="")


def handle(number: int, name: str, pseudonyms: Pseudonyms) -> str:
    """Return the public name of an entrant whose name is hidden.

    Args:
        number: Its row.
        name: The hidden name.
        pseudonyms: The known handles.

    >>> handle(7, "Ada", {"Ada": "Moonlight"}), handle(7, "Emmy", {})
    ('Moonlight', 'Player 7')
    """
    return pseudonyms.get(name) or f"Player {number}"


def shown_of(places: Sequence[int | None], top: int | None) -> int:
    """Return the number of visible rows: `top`, plus ties with the last one."""
    if top is None or top >= len(places):
        return len(places)
    while top < len(places) and places[top] is not None and places[top] == places[top - 1]:
        top += 1
    return top


NAMING = ("entrant", "strategy", "group", "author")
"""Columns that identify an entrant."""

NOBODY: Pseudonyms = MappingProxyType({})

NAMELESS = frozenset(column.name for column in COLUMNS) - frozenset(NAMING)
"""The platform's columns that do not identify an entrant."""


def told(
    policy: Policy,
    data: SiteData,
    now: datetime,
    pseudonyms: Pseudonyms,
    withheld: Pseudonyms = NOBODY,
) -> SiteData:
    """Return the visible data of a run; a pure function.

    Args:
        policy: The visibility.
        data: All data.
        now: The current time.
        pseudonyms: The known handles. They are not part of the data, because published names must
            not
            reveal handles.
        withheld: Handles of entrants whose names are always hidden.
    """
    before = data.policy  # already hidden data stays hidden
    policy = policy.tightened(Policy(before.names, before.top or None))
    is_sealed = before.is_sealed or policy.seals(time_of(data.run.finished), now)
    until = policy.reveal.isoformat() if policy.reveal else before.sealed_until
    known = {**pseudonyms, **{each: each for each in withheld.values()}}
    called = _without(data, withheld)
    changed = _sealed_data(policy, called) if is_sealed else _open_data(policy, called, known)
    if withheld and changed["floor"]:
        changed["floor"] = _nameless_floor(changed["floor"])
    run = changed.get("run", data.run)
    if run.committed:
        shown = changed["entrants"] if policy.names == "names" else []
        opened = _opened(run.committed, data.entrants, shown)
        changed["run"] = run.model_copy(update={"committed": opened})
    hides: dict[str, Any] = {"names": policy.names, "top": policy.top, "is_sealed": is_sealed}
    hides["sealed_until"] = until if is_sealed else None
    changed["policy"] = before.model_copy(update=hides)
    return data.model_copy(update=changed)


def _without(data: SiteData, withheld: Pseudonyms) -> SiteData:
    """Return the data without the names behind some handles."""
    entrants = [
        _nameless(each, data.columns, withheld[each.name]) if each.name in withheld else each
        for each in data.entrants
    ]
    return data.model_copy(update={"entrants": entrants})


def _open_data(policy: Policy, data: SiteData, pseudonyms: Pseudonyms) -> dict[str, Any]:
    """Return the visible data while results are shown."""
    count = shown_of([_place(data.columns, each.cells) for each in data.entrants], policy.top)
    entrants = [_within(each, count) for each in data.entrants[:count]]
    if policy.names == "handles":
        # Already hidden names keep their replacements.
        was_nameless = data.policy.names == "handles"
        entrants = [
            _nameless(
                each,
                data.columns,
                each.name if was_nameless else handle(each.number, each.name, pseudonyms),
            )
            for each in entrants
        ]
    floor = data.floor and _floor_within(data.floor, count, shows_all=count == len(data.entrants))
    return {
        "entrants": entrants,
        "floor": _nameless_floor(floor) if floor and policy.names == "handles" else floor,
        "notes": [each for each in data.notes if each.entrant <= count],
        "race": data.race and _race_within(data.race, count),
    }


def _sealed_data(policy: Policy, data: SiteData) -> dict[str, Any]:
    """Return the visible data while results are hidden."""
    return {
        "run": data.run.model_copy(update={"secret": None, "salt": None}),
        "columns": [],
        "floor": None,
        "notes": [],
        "race": None,
        # The set or order of shown entrants would reveal results.
        "entrants": _sealed(data.entrants) if policy.tells_everybody else [],
    }


def _opened(
    committed: CommittedData, everybody: Sequence[EntrantData], shown: Sequence[EntrantData]
) -> CommittedData:
    """Keep the openings of entrants that are shown by name, and others that name no hidden
    entrant.
    """
    names = {each.name for each in shown}
    hidden = {each.name for each in everybody} - names
    configuration = committed.configuration
    if configuration and any(name in configuration for name in hidden):
        configuration = None
    kept = [each for each in committed.entrants if json.loads(each)["name"] in names]
    return committed.model_copy(update={"configuration": configuration, "entrants": kept})


def _place(columns: Sequence[ColumnData], cells: Sequence[CellData]) -> int | None:
    for column, cell in zip(columns, cells, strict=True):
        if column.name == "rank" and isinstance(cell.value, int):
            return cell.value
    return None


def _within(entrant: EntrantData, count: int) -> EntrantData:
    """Remove hidden entrants from the data of a visible one."""
    duels = [duel for duel in entrant.duels if duel.rival <= count]
    tables = [
        table.model_copy(update={"blocks": [_seats_within(block, count) for block in table.blocks]})
        for table in entrant.tables
    ]
    return entrant.model_copy(update={"duels": duels, "tables": tables})


def _seats_within(block: BlockData, count: int) -> BlockData:
    seats = [number if number <= count else 0 for number in block.seats]
    return block.model_copy(update={"seats": seats})


def _floor_within(floor: FloorData, count: int, *, shows_all: bool) -> FloorData:
    """Remove events of hidden entrants, and the chart, whose blocks last as long as they play."""
    happenings = [each for each in floor.happenings if each.entrant <= count]
    chart = floor.chart if shows_all else None
    return floor.model_copy(update={"happenings": happenings, "chart": chart})


def _nameless_floor(floor: FloorData) -> FloorData:
    """Remove the chart of single seats: their order at a table is that of the configuration."""
    hides_chart = floor.chart is not None and floor.chart.has_single_seats
    return floor.model_copy(update={"chart": None}) if hides_chart else floor


def _race_within(race: RaceData, count: int) -> RaceData:
    """Remove hidden entrants; the rows of the board have their order."""
    shown = sum(entrant <= count for entrant in race.entrants)
    parts = {name: getattr(race, name)[:shown] for name in ("entrants", "tables", "medians")}
    return race.model_copy(update=parts)


def _sealed(entrants: Sequence[EntrantData]) -> list[EntrantData]:
    """Return all entrants by name, in alphabetical order, without results."""
    nothing: dict[str, object] = {"cells": [], "duels": [], "tables": [], "verdicts": []}
    nothing |= dict.fromkeys(("interval", "results", "fan", "decisions", "mistakes"))
    nothing["lost"] = 0
    ordered = sorted(entrants, key=lambda each: each.name)
    return [
        each.model_copy(update=nothing | {"number": number})
        for number, each in enumerate(ordered, start=1)
    ]


def _nameless(entrant: EntrantData, columns: Sequence[ColumnData], name: str) -> EntrantData:
    """Remove the identity of an entrant.

    Names of files identify an author, as do messages, and digests for readers of the source.
    """
    cells = [
        _nameless_cell(column, cell, name)
        for column, cell in zip(columns, entrant.cells, strict=False)  # empty if sealed
    ]
    return entrant.model_copy(
        update={
            "name": name,
            "strategy": "",
            "group": None,
            "kind": "",
            "digest": "",
            "cells": cells,
            "tables": [_without_seatings(each) for each in entrant.tables],
            "verdicts": [_nameless_verdict(each) for each in entrant.verdicts],
        }
    )


def _without_seatings(table: TableData) -> TableData:
    """Renumber the seatings of a table, because a seating of one entrant is its place in the list.

    No card depends on it.
    """
    found = sorted({block.seating for block in table.blocks})
    blocks = [
        block.model_copy(update={"seating": 1 + found.index(block.seating)})
        for block in table.blocks
    ]
    return table.model_copy(update={"blocks": blocks})


def _nameless_cell(column: ColumnData, cell: CellData, name: str) -> CellData:
    if column.name == "entrant":
        return CellData(value=name, text=name)
    if column.name in NAMELESS:
        return cell
    # Text of a plugin's column may contain a name, but a number cannot.
    if column.name in NAMING or isinstance(cell.value, str):
        return CellData(value=None, text="")
    return CellData(value=cell.value, text="" if cell.value is None else str(cell.value))


def _nameless_verdict(verdict: VerdictData) -> VerdictData:
    return verdict.model_copy(update={"message": "", "place": "", "traceback": ""})
