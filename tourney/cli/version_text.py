"""What `tourney --version` says: which program this is, so that a report can name it."""

import platform
from importlib.metadata import version

from tourney.errors import DISTRIBUTION
from tourney.game.machine.compile_cache import state_of
from tourney.plugins.loading import load_plugins


def version_words() -> str:
    """Give the version, which after a tag names the commit, and the state of the machine code.

    That state is a digest of all code that a game's machine code depends on, of any version.
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
