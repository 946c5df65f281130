"""A mail server that tests start, and a notifier of a portal that uses it."""

import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tourney.portal.database import open_database, set_setting
from tourney.portal.notifier import Notifier

from .portals import Portal
from .served import free_port

ADDRESS = "https://cards.example.edu"
SENDER = "cards@example.edu"
OK = "250 OK"


@dataclass
class Inbox:
    """What a mail server has taken, and how it answers."""

    mails: list[tuple[str, EmailMessage]] = field(default_factory=list)
    replies: dict[str, str] = field(default_factory=dict)  # to a recipient, in place of OK
    logins: list[tuple[bytes, bool]] = field(default_factory=list)  # passwords; is it encrypted
    encrypted: list[bool] = field(default_factory=list)  # of each mail

    async def handle_RCPT(  # noqa: N802 - a name of aiosmtpd
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient, or not."""
        del server, session, options
        if address in self.replies:
            return self.replies[address]
        envelope.rcpt_tos.append(address)
        return OK

    async def handle_DATA(  # noqa: N802 - a name of aiosmtpd
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Take a mail."""
        del server
        self.encrypted.append(session.ssl is not None)
        content = envelope.content
        assert isinstance(content, bytes)
        made = cast("EmailMessage", message_from_bytes(content, policy=default))
        self.mails += [(to, made) for to in envelope.rcpt_tos]
        return OK

    def to(self, address: str) -> list[EmailMessage]:
        """Give the mails to an address."""
        return [mail for to, mail in self.mails if to == address]


@contextmanager
def serving(
    inbox: Inbox, port: int = 0, *, password: str = "", tls: ssl.SSLContext | None = None
) -> Iterator[int]:
    """Serve mail on loopback; give the port.

    Args:
        inbox: Takes the mails.
        port: A free one, if it is 0.
        password: Of every user; empty to offer no login.
        tls: Offers STARTTLS with its certificate.
    """

    def is_right(server: object, session: Session, *arguments: object) -> AuthResult:
        del server
        login = arguments[-1]
        assert isinstance(login, LoginPassword)
        inbox.logins.append((login.password, session.ssl is not None))
        return AuthResult(success=login.password == password.encode(), handled=False)

    controller = Controller(
        inbox,
        hostname="127.0.0.1",
        port=port or free_port(),
        authenticator=is_right if password else None,
        auth_require_tls=False,
        tls_context=tls,
    )
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def use(portal: Portal, port: int) -> None:
    """Name a mail server to a portal."""
    set_setting(portal.database, "mail_server", f"smtp://127.0.0.1:{port}")
    set_setting(portal.database, "mail_sender", SENDER)


def look(portal: Portal) -> None:
    """Let the notifier look once, as a new process does."""
    with closing(open_database(portal.places)) as database:
        Notifier(portal.places, database, ADDRESS).look()
