"""What was uploaded, until its job has filed it."""

import os
from datetime import UTC, datetime, timedelta
from secrets import token_hex

from tourney.errors import PortalError
from tourney.portal.places import Places

KEPT = timedelta(days=2)
"""How long leftovers of killed processes stay."""


def keep_upload(places: Places, content: bytes) -> str:
    """Write an upload down, on the disk for sure; give the name by which its job finds it.

    Raises: PortalError, if there is no room for it: then nothing is kept.
    """
    name = token_hex(16)
    path = places.inbox / name
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        path.unlink(missing_ok=True)
        raise PortalError(
            f"the portal's disk cannot keep this now ({error.strerror}); nothing was taken and no "
            "try is lost: try again later, and tell your lecturer"
        ) from error
    return name


def forget_upload(places: Places, name: str) -> None:
    """Delete an upload that was filed."""
    (places.inbox / name).unlink(missing_ok=True)


def tidy(places: Places, wanted: frozenset[str]) -> None:
    """Delete old uploads that no job wants."""
    oldest = (datetime.now(UTC) - KEPT).timestamp()
    for path in places.inbox.iterdir():
        if path.name not in wanted and path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
