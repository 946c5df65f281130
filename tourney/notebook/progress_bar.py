"""A bar that shows how far something is, where somebody watches: a terminal or a notebook."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Shown = Callable[[int, int | None], None]
"""Told how many things are done, and of how many; None if nobody knows."""


def bar_of(things: str, console: Console) -> Progress:
    """Make a bar that is gone when it is stopped.

    Args:
        things: What is counted.
        console: Where it is shown.
    """
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(things),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


def _nowhere(done: int, total: int | None) -> None:
    """Show nothing."""
    del done, total


@contextmanager
def shown(title: str, things: str, *, is_wanted: bool) -> Iterator[Shown]:
    """Show how far it is.

    Args:
        title: What is done.
        things: What is counted.
        is_wanted: Whether anything is shown, where somebody watches.
    """
    console = Console(stderr=True)
    if not is_wanted or not (console.is_jupyter or console.is_terminal):
        yield _nowhere
        return
    with bar_of(things, console) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
