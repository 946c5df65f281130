"""The first start: the one link by which somebody becomes the portal's administrator."""

from contextlib import closing

from tourney.portal.codes import make_code
from tourney.portal.database import open_database
from tourney.portal.places import Places


def set_up_link(places: Places, address: str) -> str:
    """Give the link of the first set-up, a new one at every start; empty once it is done."""
    with closing(open_database(places)) as database:
        if database.first("SELECT 1 FROM accounts WHERE is_admin = 1"):
            return ""
        return f"{address}/set-up?code={make_code(database, 'set-up')}"
