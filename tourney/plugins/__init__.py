"""How names become objects: plugins found, checked and registered, and competitors' files.

The only home of pluggy. Hooks are for discovery: a strategy decides through bound methods.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.plugins.anew import load_anew
    from tourney.plugins.files import load_competitor, read_competitor, read_source
    from tourney.plugins.loading import load_plugins
    from tourney.plugins.packages import (
        entry_of,
        load_package,
        pack,
        parts_of,
        project_of,
        tops_of,
        unpack,
    )
    from tourney.plugins.registry import Format, Game, Plugin, Registry, Strategy
    from tourney.plugins.sources import digest_of, sources_of
    from tourney.plugins.spec import hookimpl
    from tourney.plugins.versions import version_of
else:
    __getattr__ = exports(__name__)

__all__ = [
    "Format",
    "Game",
    "Plugin",
    "Registry",
    "Strategy",
    "digest_of",
    "entry_of",
    "hookimpl",
    "load_anew",
    "load_competitor",
    "load_package",
    "load_plugins",
    "pack",
    "parts_of",
    "project_of",
    "read_competitor",
    "read_source",
    "sources_of",
    "tops_of",
    "unpack",
    "version_of",
]
