"""Counting-batch: Counting for thousands of seats together, in NumPy.

Why it might win: it plays exactly like `counting`. It is an example of a competitor with arrays:
its memory is an array by seat.
Limits: as `counting`, which is simpler.
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
        # Every command loads this file, and importing NumPy is slower than all other strategies.
        from tourney.strategies.counting_arrays import Counts  # noqa: PLC0415 - see above

        self._counts = Counts()

    def act_batch(self, questions: Questions) -> "NDArray[np.int64]":
        """Answer every question."""
        return self._counts.answers(questions)


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer CountingBatch."""
    return {"counting-batch": CountingBatch}
