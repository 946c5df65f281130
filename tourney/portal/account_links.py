"""Links that whoever owns the machine gives: to set a portal up, and to get into an account."""

from contextlib import closing

from tourney.errors import PortalError
from tourney.portal.accounts import login_of
from tourney.portal.admin_actions import reset_code, reset_second
from tourney.portal.codes import make_code
from tourney.portal.database import open_database
from tourney.portal.places import Places


def set_up_link(places: Places, address: str) -> str:
    """Give the link of the first set-up, a new one at every start; empty once it is done."""
    with closing(open_database(places)) as database:
        if database.first("SELECT 1 FROM accounts WHERE is_admin = 1"):
            return ""
        with database.transaction():
            return f"{address}/set-up?code={make_code(database, 'set-up')}"


def reset_link(places: Places, login: str, address: str, *, with_second: bool) -> str:
    """Give a link by which somebody chooses a new password, whoever they are.

    Args:
        places: Of the portal, which may be in use.
        login: Of the account.
        address: At which people reach the portal.
        with_second: Whether the second factor is reset, too.
    Raises: PortalError, if there is no portal, or no such account.
    """
    if not places.database.is_file():
        raise PortalError(f"{places.root}: expected the folder of a portal, got none")
    with closing(open_database(places)) as database, database.transaction():
        sql = "SELECT id FROM accounts WHERE login = ? AND erased IS NULL"
        row = database.first(sql, (login_of(login),))
        if row is None:
            raise PortalError(f"--login: expected that of an account, got {login!r}")
        if with_second:
            reset_second(database, row[0], None)
        return f"{address.rstrip('/')}/reset?code={reset_code(database, row[0], None)}"
