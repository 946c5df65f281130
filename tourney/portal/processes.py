"""The processes of a portal: `python -m tourney.portal.processes ROLE FOLDER`.

Only `supervisor` starts them. Each ends when the supervisor has ended.
"""

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from threading import Thread

from tourney.portal import logs
from tourney.portal.places import Places
from tourney.portal.worker import note_start

HOMES: Mapping[str, str] = {
    "web": "tourney.portal.web.server",
    "checker": "tourney.portal.checker",
    "practice": "tourney.portal.practice",
    "runner": "tourney.portal.runner",
    "follower": "tourney.portal.follower",
}
"""The module of each, whose `main` does the work. It is imported in that process only, so that the
web process loads no code that plays.
"""

YIELDS = 10
"""Niceness of the processes that check and play, so that answers to browsers come first."""


def main() -> None:
    """Do the work of a role until the supervisor ends it or has ended."""
    parser = ArgumentParser(prog="tourney serve")
    parser.add_argument("role", choices=HOMES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--url", default="")
    parser.add_argument("--proxy", action="append", default=[])
    parser.add_argument("--socket", default="")
    parser.add_argument("--cluster", default="")
    parser.add_argument("--insecure-cluster", action="store_true")
    parser.add_argument("--log", default="text")
    arguments = parser.parse_args()
    if arguments.role != "web":
        os.nice(YIELDS)
    Thread(target=_leave_with_the_supervisor, daemon=True).start()
    logs.set_up(arguments.role, arguments.log)
    places = Places(arguments.folder)
    note_start(places, arguments.role)
    work: Callable[[Places, Namespace], None] = import_module(HOMES[arguments.role]).main
    work(places, arguments)


def _leave_with_the_supervisor() -> None:
    """Wait at the pipe that the supervisor holds open and never writes to."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
