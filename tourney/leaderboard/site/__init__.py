"""A leaderboard as a static site: pages that work from disk, made of one JSON file."""

from tourney.leaderboard.site.building import (
    data_json,
    read_data,
    schema_json,
    site_files,
    write_site,
)
from tourney.leaderboard.site.model import SiteData

__all__ = ["SiteData", "data_json", "read_data", "schema_json", "site_files", "write_site"]
