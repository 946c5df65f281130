"""What the process does first that all workers are forked from: it loads what they will need.

It is imported there for its effect, by name, which is the only thing that such a process can be
told to do. What to load stands in its environment.
"""

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tourney.engine import warm_up
from tourney.games import Rules

RULES = "TOURNEY_WARM_UP"
"""The variable that holds the rules whose machine code is to be loaded, and whether a long
run follows; pickled, in hex."""


@contextmanager
def asked_for(rules: Rules | None, *, is_long: bool = False) -> Iterator[None]:
    """Ask a process that starts meanwhile to load the machine code of a game."""
    if rules:
        os.environ[RULES] = pickle.dumps((rules, is_long)).hex()
    try:
        yield
    finally:
        os.environ.pop(RULES, None)


def load_what_is_asked_for() -> None:
    """Load the machine code of the game that the environment names, if any."""
    if text := os.environ.pop(RULES, ""):
        # What goes wrong here goes wrong again in a worker, which can say so.
        with suppress(Exception):
            # The parent's own words.
            rules, is_long = pickle.loads(bytes.fromhex(text))  # noqa: S301 - see above
            warm_up(rules, is_long=is_long)


load_what_is_asked_for()
