"""Retention times, and the daily sweep that removes expired data.

Expired sessions and tokens are removed at the next sweep; for other data the administrator sets
days. The audit log and commitments are only ever added to, and never removed.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from tourney.errors import PortalError
from tourney.portal import inbox, jobs
from tourney.portal.database import setting, time_text
from tourney.portal.erasure import FOLDER, NAMING, ask_again, erase
from tourney.portal.sessions import IDLE, LONGEST
from tourney.portal.worker import Context
from tourney.sqlite.database import Database

KIND = "sweep"
A_DAY = timedelta(days=1)
LONGEST_DAYS = 3650
KEPT: Mapping[str, int] = {
    "keep_lines_days": 180,
    "keep_codes_days": 30,
    "keep_grades_days": 30,
    "keep_feedback_days": 365,
    "keep_notices_days": 180,
    "keep_accounts_days": 0,
}
"""Default days of retention: lines of finished jobs; used or expired codes and invites; filled
gradebooks, previewed rosters, requested extensions and found copies, with all their names;
feedback, after the end of a final; notices; and accounts without a course, after their last
activity. 0 keeps the data as long as the portal.
"""


def days(database: Database, name: str) -> int:
    """Give the days of retention of an entry of `KEPT`; 0 means as long as the portal."""
    return int(setting(database, name, str(KEPT[name])))


def sweep(context: Context) -> Mapping[str, object]:
    """Remove expired data, and schedule the next sweep."""
    database, moment = context.database, datetime.now(UTC)
    with database.transaction():
        ask_again(database)
        _end_what_is_over(database, moment)
        if kept := days(database, "keep_lines_days"):
            database.execute(
                "DELETE FROM lines WHERE job IN (SELECT id FROM jobs WHERE finished < ?)",
                (time_text(moment - kept * A_DAY),),
            )
        if kept := days(database, "keep_codes_days"):
            _forget_codes(database, time_text(moment - kept * A_DAY))
        if kept := days(database, "keep_grades_days"):
            _forget_gradebooks(database, time_text(moment - kept * A_DAY))
        if kept := days(database, "keep_feedback_days"):
            database.execute(
                "DELETE FROM answers WHERE run IN (SELECT id FROM runs WHERE finished < ?)",
                (time_text(moment - kept * A_DAY),),
            )
        if kept := days(database, "keep_notices_days"):
            database.execute(
                "DELETE FROM notices WHERE made < ?", (time_text(moment - kept * A_DAY),)
            )
        sql = "DELETE FROM jobs WHERE kind IN (?, ?) AND state IN ('done', 'replaced')"
        database.execute(sql, (KIND, FOLDER))
    if kept := days(database, "keep_accounts_days"):
        _erase_unseen(context, time_text(moment - kept * A_DAY))
    inbox.sweep(context.places, database)
    # Otherwise the data would stay in the write-ahead log.
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ask(database, time_text(moment + A_DAY))
    return {"status": "swept"}


def ask(database: Database, not_before: str = "") -> None:
    """Schedule a sweep, replacing a waiting one; the checker does this at its start."""
    with database.transaction():
        database.execute("DELETE FROM jobs WHERE kind = ? AND state = 'queued'", (KIND,))
        jobs.insert(database, KIND, {}, not_before=not_before)


def _end_what_is_over(database: Database, moment: datetime) -> None:
    """Remove expired sessions, tokens and sign-ins."""
    database.execute(
        "DELETE FROM sessions WHERE seen < ? OR made < ?",
        (time_text(moment - IDLE), time_text(moment - LONGEST)),
    )
    for table in ("tokens", "sign_ins"):
        database.execute(f"DELETE FROM {table} WHERE expires < ?", (time_text(moment),))  # noqa: S608 - names of ours


def _forget_codes(database: Database, before: str) -> None:
    """Remove codes and invites that were used or expired before a time."""
    for table in ("codes", "invites"):
        database.execute(f"DELETE FROM {table} WHERE used < ? OR expires < ?", (before, before))  # noqa: S608 - names of ours


def _forget_gradebooks(database: Database, before: str) -> None:
    """Remove jobs with names of a roster that finished before a time."""
    old = f"SELECT id FROM jobs WHERE kind IN {NAMING} AND finished < ?"  # noqa: S608 - ours
    database.execute(f"DELETE FROM lines WHERE job IN ({old})", (before,))  # noqa: S608 - ours
    database.execute(f"DELETE FROM jobs WHERE id IN ({old})", (before,))  # noqa: S608 - ours


def _erase_unseen(context: Context, before: str) -> None:
    """Erase accounts without a course that were inactive since a time."""
    database = context.database
    rows = database.read(
        iter,
        "SELECT id FROM accounts WHERE erased IS NULL AND is_admin = 0 AND made < :before "
        "AND NOT EXISTS (SELECT 1 FROM members WHERE account = accounts.id AND removed IS NULL) "
        "AND NOT EXISTS (SELECT 1 FROM audit WHERE account = accounts.id AND time >= :before) "
        "AND NOT EXISTS (SELECT 1 FROM sessions WHERE account = accounts.id) "
        "AND NOT EXISTS (SELECT 1 FROM tokens WHERE account = accounts.id AND seen >= :before)",
        {"before": before},
    )
    for (number,) in tuple(rows):
        with suppress(PortalError), database.transaction():  # another process erased it
            erase(database, number, None)
