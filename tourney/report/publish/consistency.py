"""Consistency of the parts of published data."""

from collections.abc import Iterator
from math import isclose

from tourney.report.publish.published_results import Results
from tourney.report.publish.published_tables import choose
from tourney.report.site.model import EntrantData, ResultsData, SiteData
from tourney.standings.columns import Cell
from tourney.standings.standing import BANKROLL

NEAR, NEAR_NOTHING = 1e-6, 1e-9
"""Relative and absolute tolerance of equal numbers: other programs may round differently."""


MOST_TABLES = 10_000_000
"""Numbers of tables are below this."""

WORD = 1 << 63
"""Sums of luck are below this, because they are stored in 64 bits."""


def malformed(data: SiteData) -> list[str]:
    """Return the lists with inconsistent lengths, which prevent a recount."""
    found = []
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
