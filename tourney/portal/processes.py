"""The processes of a portal: `python -m tourney.portal.processes ROLE FOLDER OPTIONS`.

Only `supervisor` starts them, with the options of `tourney serve` as JSON. Each ends when the
supervisor has ended.
"""

import json
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Thread

from tourney.portal import logs
from tourney.portal.places import Places
from tourney.portal.worker import note_start

YIELDS = 10
"""Niceness of the processes that check and play, so that answers to browsers come first."""


def main() -> None:
    """Do the work of a role until the supervisor ends it or has ended."""
    role, folder, options = sys.argv[1:]
    places, arguments = Places(Path(folder)), Namespace(role=role, **json.loads(options))
    if role != "web":
        os.nice(YIELDS)
    Thread(target=_leave_with_the_supervisor, daemon=True).start()
    logs.set_up(role, arguments.log)
    note_start(places, role)
    # Imported in this process only, so that the web process loads no code that plays.
    name = "web.server" if role == "web" else role
    work: Callable[[Places, Namespace], None] = import_module(f"tourney.portal.{name}").main
    work(places, arguments)


def _leave_with_the_supervisor() -> None:
    """Wait at the pipe that the supervisor holds open and never writes to."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
