"""Mails over STARTTLS: what is encrypted, and which certificate the portal accepts."""

import smtplib
import ssl
import subprocess
from pathlib import Path

import pytest

from tourney.errors import PortalError
from tourney.portal.database import set_setting
from tourney.portal.mails import MailServer, connected, server_of, try_server
from tourney.portal.notices import add

from .mail_servers import SENDER, Inbox, look, serving, use
from .portals import Portal

PASSWORD = "right"  # noqa: S105 - of nobody
NAME = "localhost"


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the portal take this machine for another one."""
    monkeypatch.setattr("tourney.portal.mails.HERE", frozenset())


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Make a certificate, with its key in the same file, for two host names."""
    folder, made = tmp_path_factory.mktemp("certificates"), {}
    for name in (NAME, "mail.example.edu"):
        made[name] = folder / f"{name}.pem"
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        files = ["-keyout", f"{name}.key", "-out", f"{name}.crt", "-days", "2"]
        subject = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
        command = ["openssl", "req", "-x509", *key, *files, *subject]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
        parts = [(folder / f"{name}.{end}").read_text() for end in ("crt", "key")]
        made[name].write_text("".join(parts))
    return made


def tls_of(certificate: Path) -> ssl.SSLContext:
    """Give what a server needs to encrypt."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    return context


def trust(monkeypatch: pytest.MonkeyPatch, certificate: Path) -> None:
    """Let this machine trust a certificate, and no other."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setenv("SSL_CERT_DIR", "/nonexistent")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Write the password file."""
    path = tmp_path / "password"
    path.write_text(PASSWORD)
    path.chmod(0o600)
    return path


def at(port: int, secret: Path) -> MailServer:
    """Give the server on a port, with a login."""
    return server_of(f"smtp://portal@{NAME}:{port}", SENDER, str(secret))


def name_server(portal: Portal, port: int, secret: Path) -> None:
    """Name the server with a login to a portal."""
    use(portal, port)
    set_setting(portal.database, "mail_server", f"smtp://portal@{NAME}:{port}")
    set_setting(portal.database, "mail_secret_file", str(secret))


def test_login_and_mails_are_encrypted(
    portal: Portal,
    monkeypatch: pytest.MonkeyPatch,
    certificates: dict[str, Path],
    secret: Path,
) -> None:
    """By a server that offers STARTTLS, with a certificate for its name that is trusted."""
    trust(monkeypatch, certificates[NAME])
    inbox = Inbox()
    with serving(inbox, password=PASSWORD, tls=tls_of(certificates[NAME])) as port:
        try_server(at(port, secret))
        name_server(portal, port, secret)
        add(portal.database, "password", account=portal.people["student"])
        look(portal)
    assert inbox.logins == [(PASSWORD.encode(), True)] * 2
    assert inbox.encrypted == [True]
    assert [to for to, _ in inbox.mails] == ["student@example.org"]


def test_a_password_is_not_sent_in_clear(secret: Path) -> None:
    """A server elsewhere that offers no encryption gets none, and the error says why."""
    inbox = Inbox()
    with serving(inbox, password=PASSWORD) as port:
        with pytest.raises(PortalError, match="the server offers no encryption for a login"):
            try_server(at(port, secret))
        with pytest.raises(smtplib.SMTPNotSupportedError), connected(at(port, secret)):
            pass
    assert inbox.logins == []


@pytest.mark.parametrize(
    ("shown", "trusted", "reason"),
    [
        (NAME, "mail.example.edu", "self-signed certificate"),
        ("mail.example.edu", "mail.example.edu", "certificate is not valid for 'localhost'"),
    ],
    ids=["unknown issuer", "other name"],
)
def test_a_wrong_certificate_ends_the_connection(
    portal: Portal,
    monkeypatch: pytest.MonkeyPatch,
    certificates: dict[str, Path],
    secret: Path,
    shown: str,
    trusted: str,
    reason: str,
) -> None:
    """Before the login; the error names the certificate, and the mails wait."""
    trust(monkeypatch, certificates[trusted])
    inbox = Inbox()
    with serving(inbox, password=PASSWORD, tls=tls_of(certificates[shown])) as port:
        with pytest.raises(PortalError, match="its certificate is not valid") as found:
            try_server(at(port, secret))
        assert reason in str(found.value)
        assert "use the host name of the certificate" in str(found.value)
        name_server(portal, port, secret)
        add(portal.database, "password", account=portal.people["student"])
        look(portal)
    assert (inbox.logins, inbox.mails) == ([], [])
    state, fault = portal.database.first("SELECT mail, fault FROM notices") or ()
    assert state == "waiting"
    assert reason in fault


def test_a_server_without_a_login_is_used_in_clear(portal: Portal) -> None:
    """If it offers no encryption; no mail holds a secret."""
    inbox = Inbox()
    add(portal.database, "password", account=portal.people["student"])
    with serving(inbox) as port:
        use(portal, port)
        look(portal)
    assert inbox.encrypted == [False]
