"""The installed version of a game, in one line, as it is stored with a run."""

from typing import Any

from tourney.competitors.sources import digest_of, sources_of
from tourney.game import Game
from tourney.plugins.registry import Registry

DIGITS = 12  # of the digest of a source, as it is shown


def version_of(game: Game[Any, Any, Any], registry: Registry) -> str:
    """Return the version of a game.

    Args:
        game: The game.
        registry: Knows the plugin that provides it.
    Returns: Its name and the version of its rules; for a plugin's game also the version of the
        plugin and the digest of its source, which are not part of a strategy's digest.
    Raises: PluginError, if the source of a plugin's game is missing.
    """
    told = f"{game.name} {game.version}"
    sources = sources_of(type(game))
    if not sources:  # the platform's own
        return told
    plugins = (each.plugin for each in registry.games.values() if each.rules.game is game)
    origins = (f" of {each.distribution} {each.version}" for each in plugins)
    return f"{told}{next(origins, '')}, source {digest_of(sources, ()).hex()[:DIGITS]}"
