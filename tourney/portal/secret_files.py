"""Secrets of other services, each in a file that the administrator of the machine wrote.

Neither the database nor a page ever holds such a secret.
"""

import os
import stat

from tourney.errors import PortalError

LONGEST_SECRET = 1000


def secret_in(path: str) -> str:
    """Read a secret; empty for an empty path.

    Raises: PortalError, if it is not a file of this user with mode 600 and one line.
    """
    if not path:
        return ""
    try:
        # All faults have the same text, so that the field does not reveal other files.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            is_ours = stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid()
            is_ours = is_ours and not about.st_mode & 0o177
            text = file.read(LONGEST_SECRET + 1).decode().strip() if is_ours else ""
    except (OSError, ValueError):
        text = ""
    if not text or len(text) > LONGEST_SECRET or not text.isprintable():
        raise PortalError(
            "secret file: it cannot be used; name a file of the user that serves the portal, with "
            "mode 600 and the secret on its only line"
        )
    return text
