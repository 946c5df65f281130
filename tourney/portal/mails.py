"""Mails: the portal's mail server and sender, a notice as a mail, and the connection.

The portal sends no mails until an administrator names a server. No header holds a text that a user
typed, except the title of the course and of the portal, which are reduced to one printable line.
"""

import smtplib
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from urllib.parse import unquote, urlsplit

from tourney.errors import PortalError
from tourney.portal import audit
from tourney.portal.database import set_setting, setting
from tourney.portal.notices import Notice
from tourney.portal.providers import HERE, secret_in
from tourney.sqlite.database import Database

SCHEMES: Mapping[str, int] = {"smtp": 25, "smtps": 465}
"""Schemes of a mail server's address, with their ports; `smtp` uses STARTTLS if offered."""
TIMEOUT_SECONDS = 20.0
ACCEPTED = 250
"""Reply of a mail server that accepts a command."""
LONGEST_ADDRESS, LONGEST_FAULT = 200, 200
LONGEST_TITLE = 80
FORBIDDEN = frozenset(' ,;:<>()[]\\"')
"""Characters that a plain mail address does not have."""
FIELDS = ("server", "sender", "secret_file")
"""Settings of the mail server, each stored with `mail_` before its name."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server, and the sender of the portal's mails."""

    scheme: str
    host: str
    port: int
    user: str  # empty to send without a login
    password: str
    sender: str


def mail_server(database: Database) -> MailServer | None:
    """Give the portal's mail server; `None` if mails are off.

    Raises: PortalError, if the file with the password cannot be read.
    """
    values = [setting(database, f"mail_{each}") for each in FIELDS]
    return server_of(*values) if values[0] else None


def server_of(address: str, sender: str, path: str) -> MailServer:
    """Give a mail server from typed fields.

    Args:
        address: Such as `smtp://mail.example.edu` or `smtps://portal@mail.example.edu:465`.
        sender: A mail address.
        path: A file with the password of the user in the address; empty to send without a login.
    Raises: PortalError, if a field is invalid.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or SCHEMES.get(parts.scheme, 0)
    except ValueError:
        host, port, parts = "", 0, urlsplit("")
    is_fit = host and port and address.isprintable() and " " not in address
    is_fit = is_fit and not parts.path.strip("/") and not parts.query and not parts.password
    if not is_fit or parts.scheme not in SCHEMES or len(address) > LONGEST_ADDRESS:
        raise PortalError(
            f"mail server: {address[:60]!r} is not possible; use smtp://HOST:PORT or "
            "smtps://HOST:PORT, without a password"
        )
    if not is_address(sender):
        raise PortalError(
            f"sender: {sender[:60]!r} is no mail address; enter one such as cards@example.edu"
        )
    if bool(parts.username) != bool(path):
        raise PortalError(
            "mail server: a login needs both the user in the address, as in "
            "smtp://USER@HOST, and a password file"
        )
    user = unquote(parts.username or "")
    return MailServer(parts.scheme, host, port, user, secret_in(path), sender)


def name_mail_server(database: Database, typed: Mapping[str, str], by: int) -> None:
    """Store the mail server, in a transaction of the caller; an empty address turns mails off.

    Raises: PortalError, if a field is invalid.
    """
    values = dict(typed) if typed["server"] else dict.fromkeys(FIELDS, "")
    if values["server"]:
        server_of(*(values[each] for each in FIELDS))
    for each in FIELDS:
        set_setting(database, f"mail_{each}", values[each])
    audit.note(database, "mail server named", account=by, server=values["server"])


def try_server(server: MailServer) -> None:
    """Connect to a mail server and offer it the sender, without sending a mail.

    Raises: PortalError, with the reason, if it does not accept them.
    """
    try:
        with connected(server) as connection:
            code, reply = connection.mail(server.sender)
            if code != ACCEPTED:
                raise smtplib.SMTPSenderRefused(code, reply, server.sender)
            connection.rset()
    except (OSError, smtplib.SMTPException) as error:
        fix = "check the address, the sender and the password"
        if isinstance(error, ssl.SSLCertVerificationError):
            fix = "use the host name of the certificate, or make this machine trust its issuer"
        raise PortalError(f"mail server: it cannot be used: {fault_of(error)}; {fix}") from error


def fault_of(error: OSError | smtplib.SMTPException) -> str:
    """Give the reason why a mail server cannot be used, as one line."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not valid ({error.verify_message.rstrip('.')})"
    return one_line(str(error), LONGEST_FAULT)


def is_address(text: str) -> bool:
    r"""Give whether a text is a plain mail address.

    >>> is_address("ada@example.org"), is_address("ada"), is_address("a@b.org\nBcc: c@d.org")
    (True, False, False)
    """
    local, at, domain = text.rpartition("@")
    is_plain = text.isascii() and text.isprintable() and not set(text) & FORBIDDEN
    if not (local and at and domain and is_plain) or len(text) > LONGEST_ADDRESS:
        return False
    try:
        Address(addr_spec=text)
    except (ValueError, MessageError):
        return False
    return True


def mail_of(notice: Notice, server: MailServer, to: str, portal: str, address: str) -> EmailMessage:
    """Write the mail of a notice.

    Args:
        notice: The notice.
        server: With the sender.
        to: The address of the person.
        portal: The title of the portal.
        address: The public address of the portal.
    """
    where = one_line(notice.title or portal)
    mail = EmailMessage(SMTP.clone(cte_type="7bit"))
    mail["Subject"] = f"{where}: {one_line(notice.subject, 2 * LONGEST_TITLE)}"
    mail["From"] = Address(addr_spec=server.sender)
    mail["To"] = Address(addr_spec=to)
    mail["Date"] = format_datetime(datetime.fromisoformat(notice.made))
    # The same for each try, so that a mail that arrives twice is recognised.
    mail["Message-ID"] = f"<notice-{notice.id}@{server.sender.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    page = f"notices/{notice.id}" if notice.account else "join"
    end = f" Turn mails off: {address}/notices" if notice.account else ""
    mail.set_content(
        f"{notice.sentence}\n\nLook here: {address}/{page}\n\n-- \n"
        f"{one_line(portal)} sent this mail.{end}\n"
    )
    return mail


@contextmanager
def connected(server: MailServer) -> Iterator[smtplib.SMTP]:
    """Connect to a mail server and log in; encrypted if another machine offers it.

    Raises: OSError or smtplib.SMTPException, if that fails; a password leaves the machine only
        encrypted.
    """
    context = ssl.create_default_context()
    is_safe = server.scheme == "smtps" or server.host in HERE
    with _opened(server, context) as connection:
        connection.ehlo()
        if not is_safe and connection.has_extn("starttls"):
            connection.starttls(context=context)
            connection.ehlo()
            is_safe = True
        if server.user and not is_safe:
            raise smtplib.SMTPNotSupportedError("the server offers no encryption for a login")
        if server.user:
            connection.login(server.user, server.password)
        yield connection


def _opened(server: MailServer, context: ssl.SSLContext) -> smtplib.SMTP:
    if server.scheme == "smtps":
        return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_SECONDS, context=context)
    return smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_SECONDS)


def one_line(text: str, longest: int = LONGEST_TITLE) -> str:
    r"""Reduce a text to one printable line, so that it cannot begin another header.

    >>> one_line("Cards\r\nBcc: eve@example.org")
    'Cards Bcc: eve@example.org'
    """
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:longest]
