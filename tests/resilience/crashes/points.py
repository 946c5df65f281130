"""Plays a run that is killed at a point of its own, again and again, from one start of Python.

    python -m tests.resilience.crashes.points CONFIG FOLDER commits|statements

A point is the first time that the store is asked for something, right before it is done: that what
one transaction wrote be kept, for `commits`; or one statement of SQL, and also the last time of it,
for `statements`. Figures make no difference. Every point has a process of its own, which kills
itself there, and another one that goes on with what is left; both are forked. Prints a line for
each point: the digest in the end, when it was, and the statement.
"""

import os
import re
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tourney import play_tournament, resume_tournament
from tourney.plugins.loading import load_plugins
from tourney.store.store import Store

FIGURES = re.compile(r"'(?:[^']|'')*'|\b[xX]'\w*'|\b\d+\b")


PLUGINS = load_plugins()  # once, for every child


def watch(told: Callable[[str], None]) -> None:
    """Have something called before every statement of this process."""
    connect = sqlite3.connect

    def watched(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **named)
        connection.set_trace_callback(lambda statement: told(FIGURES.sub("?", statement)))
        return connection

    sqlite3.connect = watched  # type: ignore[assignment]  # as a stand-in


def in_a_process(play: Callable[[], None]) -> int:
    """Do something in a process of its own, and give how that ended."""
    process = os.fork()
    if not process:
        status = 1
        try:
            play()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def play(config: Path, store: Path) -> None:
    """Play the run, or what it still lacks."""
    if is_begun(store):
        resume_tournament(store=store, plugins=PLUGINS)
    else:
        play_tournament(config, store=store, plugins=PLUGINS)


def is_begun(store: Path) -> bool:
    """Say whether there is a run; this process may not be asked again to play."""
    if not store.exists():
        return False
    with Store.open(store) as kept:
        return bool(kept.runs())


def killed_at(point: int) -> Callable[[str], None]:
    """Give what ends this process before the nth statement."""
    left = [point]

    def told(statement: str) -> None:
        del statement
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return told


def before_commits(statements: list[str]) -> dict[int, str]:
    """Choose when to kill: before each transaction of another kind is kept."""
    found: dict[frozenset[str], int] = {}
    written: set[str] = set()
    for number, statement in enumerate(statements):
        if statement.startswith("BEGIN"):
            written.clear()
        elif statement == "COMMIT":
            found.setdefault(frozenset(written), number)
        else:
            written.add(statement)
    return {number: f"COMMIT of {len(kind)} statements" for kind, number in found.items()}


def before_statements(statements: list[str]) -> dict[int, str]:
    """Choose when to kill: before the first and before the last statement of each kind."""
    first = {statement: number for number, statement in reversed([*enumerate(statements)])}
    last = {statement: number for number, statement in enumerate(statements)}
    return {number: each for found in (first, last) for each, number in found.items()}


POINTS = {"commits": before_commits, "statements": before_statements}


def main() -> None:
    """Kill and go on, point after point."""
    config, folder = map(Path, sys.argv[1:3])
    journal = folder / "statements.txt"

    def trace() -> None:
        with journal.open("w", encoding="utf-8") as lines:
            watch(lambda statement: print(" ".join(statement.split()), file=lines))
            play(config, folder / "whole.db")

    assert in_a_process(trace) == 0
    statements = journal.read_text("utf-8").splitlines()
    for point, statement in sorted(POINTS[sys.argv[3]](statements).items()):
        store = folder / f"{point}.db"
        ended = in_a_process(lambda store=store, point=point: stop_at(config, store, point))
        assert ended == -signal.SIGKILL, (ended, point, statement)
        assert in_a_process(lambda store=store: play(config, store)) == 0, (point, statement)
        with Store.open(store, create=False) as kept:
            digest = kept.run_digest(kept.run().number).hex()
        sys.stdout.write(f"{digest} {point} {statement}\n")


def stop_at(config: Path, store: Path, point: int) -> None:
    """Play until a point."""
    watch(killed_at(point))
    play(config, store)


if __name__ == "__main__":
    main()
