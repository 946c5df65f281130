"""How names become objects: plugins found, checked and registered, and competitors' files.

The only home of pluggy. Hooks are for discovery: a strategy decides through bound methods.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.confine.seating import Submitted
    from tourney.plugins.anew import load_anew
    from tourney.plugins.files import load_competitor
    from tourney.plugins.language import Language, OneFile
    from tourney.plugins.loading import (
        installed_languages,
        installed_plugins,
        language_of,
        load_plugins,
    )
    from tourney.plugins.packages import load_package
    from tourney.plugins.registry import Format, Game, Plugin, Registry, Strategy
    from tourney.plugins.sources import digest_of, sources_of
    from tourney.plugins.spec import hookimpl
    from tourney.plugins.versions import version_of
else:
    __getattr__ = exports(__name__)

__all__ = [
    "Format",
    "Game",
    "Language",
    "OneFile",
    "Plugin",
    "Registry",
    "Strategy",
    "Submitted",
    "digest_of",
    "hookimpl",
    "installed_languages",
    "installed_plugins",
    "language_of",
    "load_anew",
    "load_competitor",
    "load_package",
    "load_plugins",
    "sources_of",
    "version_of",
]
