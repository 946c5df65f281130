"""From a stored run to the data of its published leaderboard; see `leaderboard.site` for pages."""

from tourney.publish.collect import Wanted, collect

__all__ = ["Wanted", "collect"]
