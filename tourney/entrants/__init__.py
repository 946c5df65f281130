"""How names become objects: plugins found, checked and registered, and competitors' files.

The only home of pluggy. Hooks are for discovery: a strategy decides through bound methods.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.entrants.discovery import PLATFORM
    from tourney.entrants.files import load_competitor
    from tourney.entrants.language import Language, OneFile
    from tourney.entrants.loading import (
        installed_languages,
        installed_plugins,
        language_of,
        load_plugins,
        plugin_words,
    )
    from tourney.entrants.packages import load_package
    from tourney.entrants.registry import Format, Game, Plugin, Registry, Strategy
    from tourney.entrants.reloading import reload
    from tourney.entrants.sources import digest_of, sources_of
    from tourney.entrants.spec import hookimpl
    from tourney.entrants.versions import version_of
    from tourney.jail.frames import Submitted
else:
    __getattr__ = exports(__name__)
