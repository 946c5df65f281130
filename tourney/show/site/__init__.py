"""A leaderboard as a static site: pages that work from disk, made of one JSON file."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.show.site.building import (
        check_folder,
        read_data,
        schema_json,
        site_files,
        write_site,
        write_site_files,
    )
    from tourney.show.site.model import SiteData
else:
    __getattr__ = exports(__name__)
