"""A recount of standings from published results, and its comparison with the board.

The comparison covers values that follow from the tables alone: places, means, intervals, the value
of luck, rank sets and duels. If a board shows only some entrants, values that depend on the others
are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import isclose

from tourney.game.ledger import BlockKey, SeatResult, Verdict
from tourney.plugins.registry import Registry
from tourney.report.publish.published_results import Results, results_again
from tourney.report.publish.published_tables import choose, compared, nearest
from tourney.report.redaction import NAMELESS, NAMING
from tourney.report.site.model import (
    CellData,
    ColumnData,
    EntrantData,
    IntervalData,
    NoteData,
    ResultsData,
    SiteData,
)
from tourney.standings.columns import Cell, Column
from tourney.standings.fold import rank
from tourney.standings.notes import notes_of
from tourney.standings.standing import (
    BANKROLL,
    FINISH,
    NEAR,
    NEAR_NOTHING,
    EntrantLabel,
    Standing,
    with_best_play,
)
from tourney.standings.tallies import Count, PlaceTally, Scoring, Tally

MOST_TABLES = 10_000_000
"""Numbers of tables are below this."""

WORD = 1 << 63
"""Sums of luck are below this, because they are stored in 64 bits."""


def malformed(data: SiteData) -> list[str]:
    """Return the lists with inconsistent lengths, which prevent a recount."""
    found = []
    if data.policy.absent and data.run.status == "finished":
        found.append("data.json: policy: absent: expected 0 in a finished run")
    for number, entrant in enumerate(data.entrants, start=1):
        where = f"data.json: {entrant.name}"
        if entrant.number != number:
            found.append(f"{where}: expected number {number}, got {entrant.number}")
        if len(entrant.cells) != len(data.columns):
            count = len(entrant.cells)
            found.append(f"{where}: expected {len(data.columns)} cells, got {count}")
        if entrant.results and (odd := _odd_results(entrant.results)):
            found.append(f"{where}: results: expected {odd}")
        if any(not 1 <= duel.rival <= len(data.entrants) for duel in entrant.duels):
            found.append(f"{where}: duels: some rivals are not shown")
    return found


def odd_lengths(entrant: EntrantData, results: Results) -> Iterator[str]:
    """Yield tables that ended too early or too late."""
    scoring = results.scoring
    if scoring.measure is not BANKROLL:
        return
    for (_, _, table), each in results.tables.items():
        may_play = scoring.rules.may_play(each.final, scoring.minimum)
        is_short = each.rounds < scoring.scheduled_rounds and may_play and not each.has_fault
        if is_short or each.rounds > scoring.scheduled_rounds:
            yield (
                f"data.json: {entrant.name}: table {table + 1}: expected "
                f"{scoring.scheduled_rounds} rounds, got {each.rounds}"
            )


def odd_tables(entrant: EntrantData, results: Results) -> Iterator[str]:
    """Compare the shown hands with the results of their tables."""
    published = sum(table.kind == "best" for table in entrant.tables)
    if not published:
        return
    again = choose(results, published, 0).published
    told = [(each.kind, (each.stage - 1, each.heat - 1, each.table - 1)) for each in entrant.tables]
    if list(again) != told:
        names = ", ".join(f"{kind} {key[2] + 1}" for kind, key in again)
        yield f"data.json: {entrant.name}: expected the hands of tables {names}, got others"
        return
    for table, (_, key) in zip(entrant.tables, again, strict=True):
        if not is_same(results.shown(key), table.result):
            yield (
                f"data.json: {entrant.name}: table {table.table}: expected a result of "
                f"{results.shown(key)}, got {table.result}"
            )


def is_same(one: Cell, other: Cell) -> bool:
    """Check whether two values are equal up to rounding."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return isclose(one, other, rel_tol=NEAR, abs_tol=NEAR_NOTHING)
    return one == other


def _odd_results(results: ResultsData) -> str:
    """Describe an inconsistency of results; empty if they are consistent."""
    columns = {name: value for name, value in results if value is not None}
    odd = [name for name in columns if len(columns[name]) != len(results.table)]
    if odd:
        return f"lists of one length, got others: {', '.join(odd)}"
    places = list(zip(results.stage, results.heat, results.table, strict=True))
    if any(not 1 <= number <= MOST_TABLES for place in places for number in place):
        return f"stages, heats and tables from 1 to {MOST_TABLES:,}, got others"
    if len(set(places)) < len(places):
        return "every table once, got one twice"
    if any(not -WORD <= luck < WORD for luck in results.luck or ()):
        return "luck within 64 bits, got more"
    if any(square < 0 for square in results.squares or ()):
        return "sums of squares from 0, got others"
    return ""


OF_ALL = frozenset(
    {
        *("rank_set", "joint_half_width", "above_half_width", "relation", "least_tables", "looks"),
        *("rarest_loss", "least_difference"),
    }
)
"""Columns that depend on all entrants, shown or not."""

PARTLY_OF_ALL = frozenset({"adjusted_profit", "above"})
"""Columns whose text, but not whose value, depends on all entrants."""

GIVEN = "the format gives the places, by events on the floor"
"""The reason why less is recounted if the format gives places."""

BY_GAMES = frozenset({"plackett_luce", "plackett_luce_error"})
"""Columns that depend on the finishing order of every game, which is not published."""

FAULT = Verdict("raised", "", 1, 0, "", "", "")
"""Replaces a verdict of which only the table is known."""


@dataclass(slots=True)
class Recount:
    """The result of a recount."""

    cells: int = 0  # compared cells of the board
    tables: int = 0  # counted tables
    differing: list[str] = field(default_factory=list)  # a line each
    left: dict[str, list[str]] = field(default_factory=dict)  # columns left out, by reason

    def leave(self, title: str, reason: str) -> None:
        """Note a column that is left out."""
        titles = self.left.setdefault(reason, [])
        if title not in titles:
            titles.append(title)


def recount(data: SiteData, scoring: Scoring, registry: Registry) -> Recount:
    """Recount standings and compare them with the board.

    Args:
        data: The published data; see `malformed`.
        scoring: How results count.
        registry: The plugins, with the columns.
    """
    told = [entrant.results for entrant in data.entrants if entrant.results]
    recounted = Recount(tables=sum(len(each.table) for each in told))
    if len(told) < len(data.entrants):
        recounted.leave("all", "not all entrants' tables are published")
        return recounted
    results = [results_again(each, scoring) for each in told]
    tallies = tallies_of(results, scoring)
    if scoring.measure is FINISH:
        _compare_rounds(data, tallies, recounted)
    else:
        _compare_rows(data, tallies, scoring, registry, recounted)
        recounted.differing += _duels(data, results)
    for entrant, each in zip(data.entrants, results, strict=True):
        if data.run.status == "finished":
            recounted.differing += odd_lengths(entrant, each)
        recounted.differing += odd_tables(entrant, each)
    return recounted


def tallies_of(results: Sequence[Results], scoring: Scoring) -> list[Tally]:
    """Count the tables of each entrant as if each were a single block."""
    tallies: list[Tally] = []
    for each in results:
        tally = Count(1, scoring).tallies[0]
        for place, table in each.tables.items():
            luck = table.luck if table.follows_luck else None
            seat = SeatResult(
                *(0, 0, table.final - table.net, table.final, 0, 0, table.rounds, None),
                *(table.handle, table.squares, 0, FAULT if table.has_fault else None, luck),
            )
            tally.add(BlockKey(*place, 0, 1), seat)
            if isinstance(tally, PlaceTally):
                tally.add_games(place[2], table.games, table.places, table.shares)
        tallies.append(tally)
    return tallies


def _compare_rounds(data: SiteData, tallies: Sequence[Tally], recounted: Recount) -> None:
    """Compare the rounds; only they can be recounted if the format gives the places."""
    for at, column in enumerate(data.columns):
        if column.name != "rounds":
            if column.name not in NAMING:
                recounted.leave(column.title, GIVEN)
            continue
        for entrant, tally in zip(data.entrants, tallies, strict=True):
            again, told = str(tally.rounds), entrant.cells[at].value
            recounted.cells += 1
            if told != tally.rounds:
                recounted.differing.append(_line(entrant, column, again, str(told)))


def _compare_rows(
    data: SiteData,
    tallies: Sequence[Tally],
    scoring: Scoring,
    registry: Registry,
    recounted: Recount,
) -> None:
    """Compare order, cells and intervals."""
    # Ties keep the order of the board, regardless of names.
    labels = [EntrantLabel(f"{entrant.number:09}", "") for entrant in data.entrants]
    labels += [EntrantLabel("", "")] * data.policy.absent
    tallies = [*tallies, *Count(data.policy.absent, scoring).tallies]
    rows = with_best_play(rank(tallies, labels, scoring), scoring.rules, round(data.run.minimum))
    is_whole = len(data.entrants) == data.policy.entrants
    for entrant, row in zip(data.entrants, rows, strict=False):
        if row.name != f"{entrant.number:09}":
            expected = data.entrants[int(row.name) - 1].name
            recounted.differing.append(
                f"data.json: row {entrant.number}: expected {expected} by the tables, "
                f"got {entrant.name}"
            )
    by_number = {int(row.name): row for row in rows}
    for entrant in data.entrants:
        found = by_number.get(entrant.number)
        if found is None:
            recounted.differing.append(f"data.json: {entrant.name}: there is no table")
            continue
        row = replace(found, name=entrant.name, strategy=entrant.strategy, group=entrant.group)
        recounted.differing += _cells(data, entrant, row, registry, recounted, is_whole=is_whole)
        recounted.differing += _interval(entrant, row, is_whole=is_whole)
    recounted.differing += _baseline(data, rows)
    if is_whole and notes_told(rows, scoring) != data.notes:
        recounted.differing.append("data.json: notes: they differ from those of the board")


def _cells(
    data: SiteData,
    entrant: EntrantData,
    row: Standing,
    registry: Registry,
    recounted: Recount,
    *,
    is_whole: bool,
) -> Iterator[str]:
    """Compare the cells of a row."""
    for column, cell in zip(data.columns, entrant.cells, strict=True):
        known = registry.columns.get(column.name)
        if known is None:
            recounted.leave(column.title, "no column of that name is installed here")
            continue
        if column.name in BY_GAMES:
            recounted.leave(column.title, "the finishing order of every game is not published")
            continue
        has_names = data.policy.names == "names" and not entrant.is_withheld
        if (not has_names and column.name in NAMING) or column.name == "author":
            continue
        if not is_whole and column.name in OF_ALL:
            continue
        # With handles, a plugin's column keeps its numbers, but no text.
        has_text = has_names or column.name in NAMELESS
        has_text = has_text and (is_whole or column.name not in PARTLY_OF_ALL)
        recounted.cells += 1
        if difference := _difference(known, row, cell, has_text=has_text):
            yield _line(entrant, column, *difference)


def _difference(
    column: Column, row: Standing, cell: CellData, *, has_text: bool
) -> tuple[str, str] | None:
    """Return the expected and the actual value; `None` if they are equal."""
    text, value = column.show(row), column.cell(row)
    if has_text and text != cell.text:
        return text or "nothing", cell.text or "nothing"
    return None if is_same(value, cell.value) else (str(value), str(cell.value))


def _line(entrant: EntrantData, column: ColumnData, expected: str, got: str) -> str:
    return (
        f"data.json: {entrant.name}: {column.title}: expected {expected} by the tables, got {got}"
    )


def _interval(entrant: EntrantData, row: Standing, *, is_whole: bool) -> Iterator[str]:
    again, told = interval_told(row), entrant.interval
    if again is None or told is None:
        if again != told:
            yield f"data.json: {entrant.name}: interval: expected {again}, got {told}"
        return
    parts: list[tuple[str, Cell, Cell]] = [("mean", again.mean, told.mean)]
    if is_whole or row.adjusted_profit is None:
        parts.append(("half width", again.half_width, told.half_width))
    for name, expected, got in parts:
        if not is_same(expected, got):
            yield (
                f"data.json: {entrant.name}: {name} of its interval: expected {expected}, got {got}"
            )


def interval_told(row: Standing) -> IntervalData | None:
    """Return the deciding value with its interval; `None` if the format gives the places."""
    if row.measure is FINISH:
        return None
    if row.adjusted_profit is not None:
        return IntervalData(mean=row.adjusted_profit, half_width=row.joint_half_width)
    return IntervalData(mean=float(row.mean), half_width=row.half_width)


def notes_told(rows: Sequence[Standing], scoring: Scoring) -> list[NoteData]:
    """Return the notes below a board."""
    return [NoteData(entrant=each.row, text=each.text) for each in notes_of(rows, scoring)]


def _baseline(data: SiteData, rows: Sequence[Standing]) -> Iterator[str]:
    told = data.baseline.profit_per_round if data.baseline else None
    again = rows[0].best_play if rows else None
    if not is_same(again, told):
        yield f"data.json: baseline: expected {again}, got {told}"


def _duels(data: SiteData, results: Sequence[Results]) -> Iterator[str]:
    """Compare the duels with visible rivals."""
    again = compared(results)
    shown = len(data.entrants)
    for entrant in data.entrants:
        row = entrant.number - 1
        rivals = [each + 1 for each in nearest(row, shown) if each != row and again(row, each)]
        if shown == data.policy.entrants and rivals != [duel.rival for duel in entrant.duels]:
            yield f"data.json: {entrant.name}: expected duels with the {len(rivals)} nearest rows"
        for told in entrant.duels:
            duel = again(entrant.number - 1, told.rival - 1)
            rival = data.entrants[told.rival - 1].name
            where = f"data.json: {entrant.name} against {rival}"
            if duel is None or duel.tables != told.tables:
                count = duel.tables if duel else 0
                yield f"{where}: expected {count} common tables, got {told.tables}"
                continue
            for name in ("mean", "half_width"):
                expected, got = getattr(duel, name), getattr(told, name)
                if not is_same(expected, got):
                    title = name.replace("_", " ")
                    yield f"{where}: {title}: expected {expected}, got {got}"
