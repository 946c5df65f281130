"""The thread of the process `follower` that adds notices of near deadlines and sends mails.

Once a minute it also looks for changes that commands have made in folders (`folder_watch`).

The table of notices is the queue. A mail that cannot be sent stays in it and is tried again, less
and less often, for a week; its notice stays in the list in any case. No other work waits for a mail
server. After a kill between sending and recording, a mail is sent again with the same message ID.
"""

import logging
import smtplib
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

from tourney.course.class_folder import ROSTER
from tourney.course.roster import Roster
from tourney.course.roster_file import read_roster
from tourney.errors import PortalError, StoreError, TourneyError
from tourney.portal import notices
from tourney.portal.accounts import courses, login_of
from tourney.portal.database import now, open_database, setting, time_text
from tourney.portal.folder_watch import FolderWatch
from tourney.portal.mails import (
    LONGEST_FAULT,
    MailServer,
    connected,
    fault_of,
    is_address,
    mail_of,
    mail_server,
    one_line,
)
from tourney.portal.notices import Notice
from tourney.portal.places import Places
from tourney.sqlite.database import Database

LOOK_EVERY = 1.0
DEADLINES_EVERY = timedelta(minutes=1)
NEAR = timedelta(hours=24)
BATCH = 50
"""Most mails of one connection."""
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)
"""Pause after the first failed try of a mail, doubled after each further one, and its limit."""
PERMANENT = 500
"""Replies of a mail server from here on say that another try is of no use."""
REFUSED = "the mail server refuses the address"
ROSTER_FAULT = "the roster of the course has a fault"
log = logging.getLogger("tourney.portal")


@dataclass(slots=True)
class Notifier:
    """Adds notices that are due, and sends the mails of notices.

    Args:
        places: Of the portal.
        database: Opened by the thread that uses it.
        address: The portal's public address, for links in mails.
    """

    places: Places
    database: Database
    address: str
    _looked: datetime | None = None
    _rosters: dict[str, Roster | None] = field(default_factory=dict)

    def look(self) -> None:
        """Add the notices of near deadlines, and try the mails that are due."""
        moment = datetime.now(UTC)
        if self._looked is None or moment - self._looked >= DEADLINES_EVERY:
            self._looked = moment
            add_near_deadlines(self.database, moment)
            _give_up(self.database, moment)
        due = self._due()
        if not due:
            return
        try:
            server = mail_server(self.database)
        except PortalError as error:  # the password file was removed or changed
            self._postpone(due, str(error))
            return
        self._rosters.clear()
        addressed = [(each, to) for each in due if (to := self._address_of(each, server))]
        if addressed and server:
            self._send(server, addressed)

    def _due(self) -> tuple[Notice, ...]:
        return tuple(
            self.database.read(
                notices.read,
                f"{notices.SELECT} WHERE mail = 'waiting' AND not_before <= ? "
                "ORDER BY notices.id LIMIT ?",
                (now(), BATCH),
            )
        )

    def _address_of(self, notice: Notice, server: MailServer | None) -> str:
        """Give the address of a notice's person; without one, its mail is settled or postponed."""
        try:
            account, to = self._person_of(notice)
        except TourneyError as error:
            log.warning("course %s: no mails, because of its roster: %s", notice.slug, error)
            self._postpone([notice], ROSTER_FAULT)
            return ""
        if account != notice.account:
            self._settle(notice, account=account)
        # An account with the login of a listed address may belong to another person, so it does not
        # turn off the mail about a code.
        wants = notice.kind == "code" or not account or notices.has_mails(self.database, account)
        if server is None or not to or not wants:
            self._settle(notice, mail="none")
            return ""
        return to

    def _person_of(self, notice: Notice) -> tuple[int | None, str]:
        """Give the account and the mail address of a notice's person, as far as they are known.

        The address on the roster comes first, because staff vouch for it; then a login that is one.

        Raises: TourneyError, if the roster cannot be read.
        """
        person, name, login = notice.person, notice.name, ""
        if notice.account:
            row = self.database.first(
                "SELECT login, coalesce(own.person, ''), coalesce(own.name, '') "
                "FROM accounts LEFT JOIN memberships AS own ON own.account = accounts.id "
                "AND own.course = ? AND removed IS NULL WHERE accounts.id = ?",
                (notice.course, notice.account),
            )
            assert row
            login, person, name = row
        listed = self._listed_address(notice.slug, person, name)
        to = listed or login
        account = notice.account
        if account is None and listed:
            row = self.database.first(
                "SELECT id FROM accounts WHERE login = ? AND erased IS NULL", (login_of(listed),)
            )
            account = row[0] if row else None
        return account, to if is_address(to) else ""

    def _listed_address(self, slug: str, person: str, name: str) -> str:
        """Give the mail address of a person on the roster of a course; empty without one."""
        if not slug or not person:
            return ""
        if slug not in self._rosters:
            path = self.places.course(slug) / ROSTER
            self._rosters[slug] = read_roster(path) if path.is_file() else None
        roster = self._rosters[slug]
        people = roster.people if roster else ()
        found = [each for each in people if each.person == person and name in each.names]
        listed = found[0].email.strip() if len(found) == 1 else ""
        return listed if is_address(listed) else ""

    def _send(self, server: MailServer, mails: Sequence[tuple[Notice, str]]) -> None:
        """Send mails over one connection; the rest waits if it breaks."""
        portal, waiting = setting(self.database, "title", "tourney"), list(mails)
        try:
            with connected(server) as connection:
                while waiting:
                    notice, to = waiting[0]
                    mail = mail_of(notice, server, to, portal, self.address)
                    try:
                        connection.send_message(mail, server.sender, [to])
                    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
                        self._not_taken(notice, error)
                    else:
                        self._settle(notice, mail="sent", fault="")
                    waiting.pop(0)
        except (OSError, smtplib.SMTPException) as error:
            words = one_line(f"{notices.NO_ANSWER}: {fault_of(error)}", LONGEST_FAULT)
            log.warning("%d mails wait: %s", len(waiting), type(error).__name__)
            self._postpone([notice for notice, _ in waiting], words)

    def _not_taken(
        self, notice: Notice, error: smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError
    ) -> None:
        """Record that the server did not take a mail, for now or for good."""
        code = _code_of(error)
        if code >= PERMANENT and isinstance(error, smtplib.SMTPRecipientsRefused):
            self._settle(notice, mail="failed", fault=f"{REFUSED} (reply {code})")
        else:
            self._postpone([notice], f"the mail server did not take the mail (reply {code})")

    def _postpone(self, those: Sequence[Notice], fault: str) -> None:
        """Let mails wait, each longer than before."""
        moment = datetime.now(UTC)
        with self.database.transaction():
            for each in those:
                wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(each.tries, 10))
                self.database.execute(
                    "UPDATE notices SET tries = tries + 1, not_before = ?, fault = ? WHERE id = ?",
                    (time_text(moment + wait), fault, each.id),
                )

    def _settle(self, notice: Notice, **values: object) -> None:
        columns = ", ".join(f"{each} = :{each}" for each in values)
        self.database.execute(
            f"UPDATE notices SET {columns} WHERE id = :id",  # noqa: S608 - columns of ours
            {**values, "id": notice.id},
        )


def add_near_deadlines(database: Database, moment: datetime) -> None:
    """Add a notice, once per deadline, for each student with less than 24 hours left."""
    for course in courses(database):
        near = {
            (each["person"], each["name"]): until
            for each in course.students
            if (until := each.get("deadline"))
            and moment < datetime.fromisoformat(until) <= moment + NEAR
        }
        if course.is_archived or not near:
            continue
        for account, person, name in notices.enrolled(database, course.id):
            if until := near.get((person, name)):
                seconds = datetime.fromisoformat(until).timestamp()
                notices.add(
                    database,
                    "deadline near",
                    account=account,
                    course=course.id,
                    once=f"near {course.id} {account} {seconds:.0f}",
                    until=until,
                    zone=str(course.told.get("time_zone") or ""),
                )


def address_of(arguments: Namespace) -> str:
    """Give the portal's public address from the arguments of its processes."""
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    return str(arguments.url or f"http://{host}:{arguments.port}")


def keep_notifying(places: Places, address: str, leaving: Event) -> None:
    """Notify in a thread from now on, until an event is set."""
    Thread(target=_keep_notifying, args=(places, address, leaving), daemon=True).start()


def _keep_notifying(places: Places, address: str, leaving: Event) -> None:
    folders = FolderWatch(places)
    while not leaving.is_set():
        try:
            with closing(open_database(places)) as database:
                notifier = Notifier(places, database, address.rstrip("/"))
                while not leaving.wait(LOOK_EVERY):
                    notifier.look()
                    folders.look_if_due(database)
        except StoreError:  # such as a full disk; the mails stay in the queue
            log.exception("notices could not be recorded")
        except Exception:  # a fault of the portal must not end the boards of this process
            log.exception("notices failed")
        leaving.wait(float(LOOK_EVERY * 10))


def _give_up(database: Database, moment: datetime) -> None:
    """Give up the mails of old notices; the notices stay in the list.

    Staff of a course see the reason, so it does not keep the words of the mail server.
    """
    database.execute(
        "UPDATE notices SET mail = 'failed', "
        "fault = iif(fault = '' OR fault LIKE :none || ':%', :none, fault) "
        "WHERE mail = 'waiting' AND made < :before",
        {"none": notices.NO_ANSWER, "before": time_text(moment - notices.MAIL_KEPT)},
    )


def _code_of(error: smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError) -> int:
    """Give the reply code of a refused mail."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return int(max(code for code, _ in error.recipients.values()))
    return int(error.smtp_code)
