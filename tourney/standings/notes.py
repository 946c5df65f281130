"""Notes below a board: limits of its ranks, and rows that need a warning."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tourney.standings.standing import Standing
from tourney.standings.tallies import Scoring


class Note(NamedTuple):
    """A line below a board."""

    row: int  # the row it is about, from 1; 0 for the whole board
    text: str


def notes_of(rows: Sequence[Standing], scoring: Scoring) -> tuple[Note, ...]:
    """Return the notes below a board; no notes for an empty board.

    Args:
        rows: Best first.
        scoring: How results count.
    """
    if not rows:
        return ()
    about_rows = (
        Note(number, text) for number, row in enumerate(rows, start=1) for text in _of_row(row)
    )
    return *(Note(0, text) for text in _of_board(rows, scoring)), *about_rows


def too_few(tables: int, least: int) -> str:
    """Return a note if there are too few tables to separate any entrants; else an empty text.

    Args:
        tables: Tables of each entrant, planned or played.
        least: The least number that can separate entrants.

    >>> too_few(2, 12)
    '2 tables are too few to separate any of these entrants; it takes at least 12'
    """
    if tables >= least:
        return ""
    count = "1 table is" if tables == 1 else f"{tables:,} tables are"
    return f"{count} too few to separate any of these entrants; it takes at least {least:,}"


def _of_board(rows: Sequence[Standing], scoring: Scoring) -> Iterator[str]:
    if scoring.why_luck_stays:
        yield f"results are not adjusted for luck: {scoring.why_luck_stays}"
        if scoring.shares_shoes:
            yield (
                "all entrants play the same shoes, so an entrant that learns the cards from "
                "another one gains by it, and no result shows that; with format kind: independent "
                "each entrant has its own shoes"
            )
        elif scoring.shares_shoes is not None:
            yield "no entrant plays the shoes of another one"
    fewest = min((row.tables for row in rows if row.place is not None), default=0)
    if fewest and (text := too_few(fewest, rows[0].least_tables)):
        yield text
    elif rows[0].rarest_loss:
        yield (
            f"with {fewest:,} tables, a loss that happens at 1 table in {rows[0].rarest_loss:,} or "
            "more often would have shown with 95 % probability; ranks cannot allow for rarer losses"
        )
    elif rows[0].least_difference is not None and scoring.bounds is not None:
        yield (
            f"ranks hold for all results from {scoring.bounds.low:,g} to {scoring.bounds.high:,g}, "
            f"also if large losses are rare; with {fewest:,} tables, only differences of at least "
            f"{rows[0].least_difference:,.4g} are detectable"
        )


def _of_row(row: Standing) -> Iterator[str]:
    if row.is_odd:
        yield (
            f"raw and adjusted results differ by {abs(row.luck_errors or 0):.1f} standard errors "
            f"of the mean luck, more than the {row.most_luck_errors:.1f} that chance explains at "
            f"{row.tables:,} tables"
        )
    if row.hidden_variance:
        yield (
            f"the standard deviation of its tables is {row.sd:,.4f} a round, but "
            f"{row.moved_sd:,.4f} by the chips that moved; a large loss may still come, and its "
            "ranks allow for one"
        )
