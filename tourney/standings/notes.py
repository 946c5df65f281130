"""What has to be said below a board: what its columns do not show, or cannot.

Every surface says the same: the terminal, pages and their data.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tourney.standings.standing import Standing
from tourney.standings.tallies import Scoring


class Note(NamedTuple):
    """A line below a board."""

    row: int  # it is about, from 1; 0 for the whole board
    text: str


def notes_of(rows: Sequence[Standing], scoring: Scoring) -> tuple[Note, ...]:
    """Give what has to be said of a board; nothing of one without rows.

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
    """Say that so many tables tell nothing; nothing if they may tell something.

    Args:
        tables: That everybody plays, or has played.
        least: The fewest that tell anything.

    >>> too_few(2, 12)
    '2 tables tell nobody apart: among so many entrants it takes 12 at least'
    """
    if tables >= least:
        return ""
    tell = "1 table tells" if tables == 1 else f"{tables:,} tables tell"
    return f"{tell} nobody apart: among so many entrants it takes {least:,} at least"


def _of_board(rows: Sequence[Standing], scoring: Scoring) -> Iterator[str]:
    if scoring.why_luck_stays:
        yield f"luck is not taken out: {scoring.why_luck_stays}"
        if scoring.shares_shoes:
            yield (
                "all play the same shoes: whoever learns the cards from another entrant gains by "
                "it, and no result shows that; format kind: independent gives everybody shoes of "
                "its own"
            )
        elif scoring.shares_shoes is not None:
            yield "nobody plays the shoes of another entrant"
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
            f"{rows[0].least_difference:,.4g} can be told apart"
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
            f"a table varies by {row.sd:,.4f} a round, but by {row.moved_sd:,.4f} going by the "
            "chips that moved: a great loss may not have come yet, and its ranks allow for one"
        )
