"""Naming a provider: what nobody could sign in at is said so, and the secret stays in its file."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tourney.errors import PortalError
from tourney.portal import providers
from tourney.portal.database import setting
from tourney.portal.providers import check_address, provider_of

from .portals import Portal
from .provider import CLIENT, provided

SECRET = "a secret of the provider"  # noqa: S105 - of nobody
ISSUER = "https://login.example.edu"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file with the secret, as it has to be."""
    path = tmp_path / "openid-secret"
    path.write_text(f"{SECRET}\n")
    path.chmod(0o600)
    return path


def sent(portal: Portal, act: str, issuer: str, path: object = "") -> httpx.Response:
    """Send the form."""
    fields = {"issuer": issuer, "client": CLIENT, "secret_file": str(path), "act": act}
    return portal.browser("admin").post("/admin/provider", fields)


def test_a_provider_is_tried_and_kept(portal: Portal, secret: Path) -> None:
    """What came is said in words; trying keeps nothing."""
    with provided() as provider:
        tried = sent(portal, "try", provider.issuer, secret)
        assert tried.status_code == 200
        for words in (
            "with the issuer",
            "publishes 1 signature key.",
            "The portal can read the secret",
        ):
            assert words in tried.text
        assert provider_of(portal.database) is None
        assert sent(portal, "keep", provider.issuer, secret).status_code == 303
        kept = provider_of(portal.database)
        assert kept
        assert (kept.issuer, kept.client, kept.secret) == (provider.issuer, CLIENT, SECRET)
    assert sent(portal, "keep", "").status_code == 303
    assert provider_of(portal.database) is None


def test_the_secret_is_in_its_file_and_nowhere_else(portal: Portal, secret: Path) -> None:
    """Neither in the database, the audit log, nor on a page."""
    assert sent(portal, "keep", ISSUER, secret).status_code == 303
    text = portal.browser("admin").get("/admin/provider").text
    assert str(secret) in text
    portal.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for held in (text.encode(), portal.places.database.read_bytes()):
        assert SECRET.encode() not in held
    row = portal.database.first("SELECT account, about FROM audit WHERE act = 'provider named'")
    assert row == (portal.people["admin"], json.dumps({"issuer": ISSUER, "client": CLIENT}))


@pytest.mark.parametrize("fault", ["mode", "lines", "empty", "long", "bytes", "folder", "none"])
def test_a_file_that_will_not_do_is_one_clear_message(
    portal: Portal, secret: Path, fault: str
) -> None:
    """The same for all, so that nobody learns what else is on the machine."""
    match fault:
        case "mode":
            secret.chmod(0o640)
        case "lines":
            secret.write_text("one\ntwo")
        case "empty":
            secret.write_text("\n")
        case "long":
            secret.write_text("x" * 2000)
        case "bytes":
            secret.write_bytes(b"\xff\xfe")
    path = {"folder": secret.parent, "none": secret.parent / "none"}.get(fault, secret)
    answer = sent(portal, "keep", ISSUER, path)
    assert answer.status_code == 422
    assert "with mode 600" in answer.text
    assert setting(portal.database, "openid_issuer") == ""
    assert sent(portal, "keep", ISSUER, "secret").status_code == 422


@pytest.mark.parametrize(
    "address",
    [
        "http://login.example.edu",
        "ftp://login.example.edu",
        "javascript:alert(1)",
        "https://",
        "https://me@login.example.edu",
        "https://login.example.edu/#there",
        "https://[",
        "http://127.0.0.1.example.edu",
        "https://login.example.edu\\@127.0.0.1",
        "file:///etc/passwd",
        None,
    ],
)
def test_an_address_that_is_not_asked(portal: Portal, address: str | None) -> None:
    """Neither as the issuer nor as what a provider names."""
    with pytest.raises(PortalError, match="is not possible; use https"):
        check_address(address, ISSUER)
    for act in ("try", "keep"):
        if address:
            assert sent(portal, act, address).status_code == 422


def test_a_provider_elsewhere_names_nothing_on_this_machine() -> None:
    """Or the portal would ask its own neighbours for it."""
    for address in ("http://127.0.0.1:9/keys", "https://localhost/keys", "http://[::1]/keys"):
        with pytest.raises(PortalError, match="is not possible; use https"):
            check_address(address, ISSUER)
        assert check_address(address, "http://127.0.0.1:8") == address


@contextmanager
def answering(told: dict[str, Any], how: str = "") -> Iterator[str]:
    """Run a provider that answers something; give its issuer."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            home = f"http://{self.headers['host']}"
            ends = {name: f"{home}/{name}" for name in providers.ENDPOINTS}
            body = json.dumps({"issuer": home, **ends, "keys": [{}], **told}).encode()
            self.send_response({"redirect": 302, "missing": 404}.get(how, 200))
            if how == "redirect":
                self.send_header("location", f"{home}/elsewhere")
            self.end_headers()
            if how == "large":
                body = b" " * 2 * providers.MOST_BYTES
            self.wfile.write(b"not JSON" if how == "text" else body)
            if how == "slow":
                self.wfile.flush()
                over.wait(60)

        def log_message(self, *_: object) -> None:
            """Stay silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        over.set()
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("redirect", "it redirects to another address"),
        ("missing", "the answer has status 404"),
        ("large", "the answer is too long"),
        ("text", "the answer is not a JSON object"),
        ("slow", "there is no answer within 0.5 s"),
    ],
)
def test_what_is_no_answer_is_said_in_words(
    portal: Portal, how: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing is waited for, followed or read for ever."""
    monkeypatch.setattr(providers, "SECONDS", 0.5 if how == "slow" else 30.0)
    with answering({}, how) as issuer:
        answer = sent(portal, "try", issuer)
    assert answer.status_code == 422
    assert words in answer.text


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"issuer": "https://<b>another</b>"}, "https://&lt;b&gt;another&lt;/b&gt;"),
        ({"token_endpoint": "http://elsewhere.example"}, "is not possible; use https"),
        ({"jwks_uri": None}, "is not possible; use https"),
        ({"code_challenge_methods_supported": ["plain"]}, "S256"),
        ({"id_token_signing_alg_values_supported": ["HS256", "none"]}, "RS256"),
        ({"keys": []}, "publishes no signature keys"),
        ({}, "People sign in at"),
    ],
)
def test_a_provider_that_nobody_could_sign_in_at(
    portal: Portal, told: dict[str, Any], words: str
) -> None:
    """It is said why; the last is one at which somebody could."""
    with answering(told) as issuer:
        answer = sent(portal, "try", issuer)
    assert answer.status_code == (422 if told else 200)
    assert words in answer.text
