"""Counting-batch: Counting once more, for thousands of seats at a time, in NumPy.

Why it might win: it plays as `counting` does, card for card; it is here to show how an author
who thinks in arrays writes a competitor. Whatever is remembered is an array by seat.
Leaves out what an answer by itself would be simpler for; see `counting`.
Source: as `counting`.
"""

from typing import TYPE_CHECKING

from tourney import BatchPlayer, Player, Questions, hookimpl

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CountingBatch(BatchPlayer):
    """Plays like Counting."""

    def __init__(self) -> None:
        # Every command loads this file, and NumPy takes longer than all other strategies.
        from tourney.strategies.counting_arrays import Counts  # noqa: PLC0415 - see above

        self._counts = Counts()

    def act_batch(self, questions: Questions) -> "NDArray[np.int64]":
        """Answer every question."""
        return self._counts.answers(questions)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer CountingBatch."""
    return {"counting-batch": CountingBatch}
