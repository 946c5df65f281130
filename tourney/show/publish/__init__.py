"""From a stored run to the data of its published leaderboard, and from there to what it proves.

The pages are those of `leaderboard.site`.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.show.publish.anchored import with_anchor
    from tourney.show.publish.collecting import Wanted, collect
    from tourney.show.publish.report import SiteReport
    from tourney.show.publish.verifying import verify_site
    from tourney.show.publish.watching import Watching
else:
    __getattr__ = exports(__name__)
