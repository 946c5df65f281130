"""What a pilot has found, in words: with how many tables neighbours are told apart."""

from collections.abc import Callable, Iterator

from tourney.floor.timetable import duration_words
from tourney.planning.pilot import Pilot
from tourney.standings.tables_needed import TablesNeeded


def pilot_words(pilot: Pilot, lasting: Callable[[int, int | None], str]) -> Iterator[str]:
    """Say how many tables tell how much of the field apart, and how long they take.

    Args:
        pilot: What was found.
        lasting: Says how long so many tables take, at least and at most; None if that is open.
    """
    if pilot.why_not:
        yield f"how many tables tell how much apart: {pilot.why_not}"
        return
    yield (
        f"a pilot of {pilot.tables:,} tables says, with 95 % probability, how many tell neighbours "
        "apart:"
    )
    for needed in dict.fromkeys(pilot.needed):
        pairs = f"{needed.pairs:,} of {pilot.neighbours:,}"
        yield f"  {pairs} {'pair' if pilot.neighbours == 1 else 'pairs'}: {_range(needed, lasting)}"


def _range(needed: TablesNeeded, lasting: Callable[[int, int | None], str]) -> str:
    """Say between which numbers of tables the true one lies."""
    if needed.least is None:
        return "more tables than a run may have"
    least = _rounded(needed.least, up=False)
    if needed.most is None:
        return f"{least:,} tables or more, it saw no upper end; {lasting(least, None)}"
    most = _rounded(needed.most, up=True)
    tables = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"{tables} tables, {lasting(least, most)}"


def range_words(least: float, most: float | None) -> str:
    """Say how long something takes, at least and at most; None if that is open."""
    if most is None:
        return f"{duration_words(least)} or more"
    return " to ".join(dict.fromkeys((duration_words(least), duration_words(most))))


def _rounded(tables: int, *, up: bool) -> int:
    """Give a number with two digits, and none of the range lost.

    >>> _rounded(1284, up=False), _rounded(1284, up=True), _rounded(7, up=True)
    (1200, 1300, 7)
    """
    step: int = 10 ** max(0, len(str(tables)) - 2)
    return -(-tables // step) * step if up else tables // step * step
