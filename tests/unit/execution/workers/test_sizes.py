"""How many batches travel together follows from what they cost."""

from tourney.execution.workers.workload import TASK_SECONDS, TASKS_TO_THE_END, TaskSize


def grown(size: TaskSize, batch_seconds: float) -> int:
    """Let it learn from a dozen tasks of its own size."""
    for _ in range(12):
        batches = size.next()
        size.learn(batches, batches * batch_seconds)
    return size.next()


def test_the_first_task_is_a_single_batch() -> None:
    """Nothing is known of its cost, and the next ones at most double."""
    size = TaskSize(2, None)
    assert size.next() == 1
    size.learn(1, 0.0)
    assert size.next() == 2


def test_a_task_comes_to_hold_about_a_second() -> None:
    """Whatever a batch costs; a long one travels by itself."""
    assert 0.9 * TASK_SECONDS <= 0.01 * grown(TaskSize(2, None), 0.01) <= TASK_SECONDS
    assert grown(TaskSize(2, None), 30.0) == 1


def test_tasks_shrink_towards_the_end() -> None:
    """So that no worker is left with a large one while the others have none."""
    size = TaskSize(2, 6000)
    assert grown(size, 0.001) > 500
    size.drawn(5880)
    assert size.next() == 120 // (2 * TASKS_TO_THE_END)
    size.drawn(119)
    assert size.next() == 1
    size.drawn(5)
    assert size.next() == 1


def test_tasks_shrink_for_the_workers_that_are_there() -> None:
    """Workers of a cluster join and leave."""
    size = TaskSize(1, 6000)
    grown(size, 0.0001)
    size.share_among(100)
    assert size.next() == 6000 // (100 * TASKS_TO_THE_END)
    size.share_among(0)
    assert size.next() == 6000 // TASKS_TO_THE_END
