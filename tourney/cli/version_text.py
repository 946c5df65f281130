"""The text of `tourney --version`, which identifies the program in a report."""

import platform
from importlib.metadata import version

from tourney.errors import DISTRIBUTION
from tourney.game.machine.compile_cache import state_of
from tourney.plugins.loading import load_plugins


def version_words() -> str:
    """Return the version, and the state of the machine code.

    The state is a digest of all code that machine code of any game depends on.
    """
    games = {each.rules.game for each in load_plugins().games.values()}
    kernels = {game.name: found for game in games if (found := game.kernels())}
    states = [f"{name} {state_of(kernels[name].parts[0].module)}" for name in sorted(kernels)]
    used = [f"{name} {version(name)}" for name in ("numba", "numpy")]
    return (
        f"tourney, version {version(DISTRIBUTION)}\n"
        f"machine code: {', '.join(states)}\n"
        f"with {', '.join((f'Python {platform.python_version()}', *used))}"
    )
