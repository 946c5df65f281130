"""A progress bar for terminals and notebooks."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Shown = Callable[[int, int | None], None]
"""Receives the number of finished items and the total; None if it is unknown."""


def bar_of(things: str, console: Console) -> Progress:
    """Make a bar that disappears when it stops.

    Args:
        things: Name of the counted items.
        console: Output.
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


def show_line(text: str) -> None:
    """Write a line to standard error, where it does not mix with results."""
    sys.stderr.write(f"{text}\n")


@contextmanager
def shown(title: str, things: str, *, is_wanted: bool) -> Iterator[Shown]:
    """Show progress within a `with` block.

    Args:
        title: Name of the task.
        things: Name of the counted items.
        is_wanted: Whether to show it if the output is a terminal or a notebook.
    """
    console = Console(stderr=True)
    if not is_wanted or not (console.is_jupyter or console.is_terminal):
        yield lambda _done, _total: None
        return
    with bar_of(things, console) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
