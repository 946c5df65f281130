"""Loading a strategy anew, so that it starts like the first time.

A class can keep things between its players: attributes of the class, globals, caches. Loaded
anew for every batch, it plays a batch the same whatever was played before, in any process.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from operator import attrgetter

from tourney.competitors.sources import modules_of
from tourney.game.contracts import AnyPlayer


def reload(kind: type[AnyPlayer]) -> type[AnyPlayer]:
    """Import the author's modules again and give the class that takes a class's place.

    A class that no import can reach, such as one of a running script, is given as it is.

    Args:
        kind: A registered strategy.
    """
    if kind.__module__ == "__main__" or "<locals>" in kind.__qualname__:
        return kind
    with _set_aside(modules_of(kind)):
        anew: type[AnyPlayer] = attrgetter(kind.__qualname__)(import_module(kind.__module__))
    return anew


@contextmanager
def _set_aside(names: tuple[str, ...]) -> Iterator[None]:
    """Make Python forget some modules for a while."""
    kept = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        yield
    finally:
        sys.modules.update(kept)
        for name, module in kept.items():
            # An import also hangs a module into its package.
            package, _, last = name.rpartition(".")
            if package in sys.modules:
                setattr(sys.modules[package], last, module)
