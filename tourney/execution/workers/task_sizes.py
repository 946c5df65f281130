"""How many batches travel to a worker together, which no result depends on."""

TASK_SECONDS = 1.0
"""Work that a task should hold, so that travelling costs little and a kill loses little."""
TASKS_TO_THE_END = 3
"""Tasks that every worker should still get, so that in the end none waits long for another."""


class TaskSize:
    """How many batches travel together: about a second's, by what others have taken."""

    def __init__(self, workers: int, left: int | None) -> None:
        """Begin with a single batch, since nothing is known of their cost.

        Args:
            workers: Who shares the work.
            left: Batches that there are to play, if that is known.
        """
        self._workers = workers
        self._left = left
        self._most = 1
        self._batch_seconds: float | None = None

    def next(self) -> int:
        """Give the number of batches of the next task."""
        size = self._most
        if self._batch_seconds:
            size = min(size, int(TASK_SECONDS / self._batch_seconds))
        if self._left is not None:
            size = min(size, self._left // (self._workers * TASKS_TO_THE_END))
        return max(1, size)

    def drawn(self, batches: int) -> None:
        """Count batches that are on their way."""
        if self._left is not None:
            self._left = max(0, self._left - batches)

    def learn(self, batches: int, seconds: float) -> None:
        """Take in what the batches of a task have taken.

        Args:
            batches: How many.
            seconds: All of them together.
        """
        # The first ones are slow, as strategies are loaded, and those of one entrant may be
        # slower than others, so sizes grow step by step.
        mean = seconds / batches
        before = mean if self._batch_seconds is None else self._batch_seconds
        self._batch_seconds = (before + mean) / 2
        self._most = max(self._most, 2 * batches)
