"""The number of batches in a task, which affects no result."""

TASK_SECONDS = 1.0
"""Seconds of work in a task: sending it should cost little, and losing it, too."""
TASKS_TO_THE_END = 3
"""Tasks that every worker should still get, so that none waits long at the end."""


class TaskSize:
    """Chooses the number of batches in a task: about one second's, judged by earlier ones."""

    def __init__(self, workers: int, left: int | None) -> None:
        """Begin with a single batch, because the cost is not known yet.

        Args:
            workers: Number of workers.
            left: Number of batches to play, if known.
        """
        self._workers = workers
        self._left = left
        self._most = 1
        self._batch_seconds: float | None = None

    def next(self) -> int:
        """Return the number of batches of the next task."""
        size = self._most
        if self._batch_seconds:
            size = min(size, int(TASK_SECONDS / self._batch_seconds))
        if self._left is not None:
            size = min(size, self._left // (self._workers * TASKS_TO_THE_END))
        return max(1, size)

    def drawn(self, batches: int) -> None:
        """Count batches that were sent to a worker."""
        if self._left is not None:
            self._left = max(0, self._left - batches)

    def learn(self, batches: int, seconds: float) -> None:
        """Update the estimate with the time of a task.

        Args:
            batches: Number of its batches.
            seconds: Time of all of them together.
        """
        # The first batches are slow, because strategies are loaded, and batches of some entrants
        # may be slower than others, so the size grows step by step.
        mean = seconds / batches
        before = mean if self._batch_seconds is None else self._batch_seconds
        self._batch_seconds = (before + mean) / 2
        self._most = max(self._most, 2 * batches)
