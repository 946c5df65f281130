"""The names under which a portal answers, and addresses that name no file."""

import asyncio
from itertools import product

import httpx
import pytest

from tourney.portal.web.guard import Hosts, KnownHosts

from .portals import Portal
from .test_access import some_final

LOOPBACK = Hosts(8080)
PUBLIC = Hosts(8080, "https://cards.example.edu")
LOCAL_NETWORK = Hosts(8080, is_loopback=False)


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "LOCALHOST:8080"]
)
@pytest.mark.parametrize("hosts", [LOOPBACK, PUBLIC, LOCAL_NETWORK])
def test_loopback_names_are_served(hosts: Hosts, host: str) -> None:
    """A browser on this machine, a proxy and a health check use one of these."""
    assert hosts.serves(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8080", "127.0.0.1.evil.example:8080",
        "localhost.evil.example",
        "127.0.0.1:81", "localhost:80800", "", "[", "]", "[::1", "a:b:c", "evil@127.0.0.1:8080",
        "127.0.0.1:8080 ", "localhost:8080,evil.example", "\xff", "127.0.0.1:8080@evil.example",
    ],
)  # fmt: skip
@pytest.mark.parametrize("hosts", [LOOPBACK, PUBLIC, LOCAL_NETWORK])
def test_the_name_of_a_stranger_is_refused(hosts: Hosts, host: str) -> None:
    """A stranger can make any name point to this machine, but not change what is allowed."""
    assert not hosts.serves(host)


def test_an_address_is_served_where_it_is_listened_to() -> None:
    """An IP address cannot be made to point elsewhere; only its own port is served."""
    assert LOCAL_NETWORK.serves("192.0.2.7:8080")
    assert LOCAL_NETWORK.serves("[2001:db8::7]:8080")
    assert not LOCAL_NETWORK.serves("192.0.2.7:8081")
    assert not LOOPBACK.serves("192.0.2.7:8080")
    assert not PUBLIC.serves("192.0.2.7:8080")


@pytest.mark.parametrize(
    ("url", "served", "refused"),
    [
        ("https://cards.example.edu", "cards.example.edu:443", "cards.example.edu:80"),
        ("http://cards.example.edu", "cards.example.edu:80", "cards.example.edu:443"),
        ("https://cards.example.edu:8443", "cards.example.edu:8443", "cards.example.edu"),
    ],
)
def test_a_given_url_is_the_one_name(url: str, served: str, refused: str) -> None:
    """With the port that belongs to it."""
    hosts = Hosts(8080, url)
    assert hosts.serves(served)
    assert not hosts.serves(refused)


def test_a_request_to_a_stranger_is_answered_before_the_portal(portal: Portal) -> None:
    """It reads no cookie, and quotes nothing of the request."""
    guarded = KnownHosts(portal.app, hosts=LOOPBACK)

    async def ask(host: str) -> httpx.Response:
        transport = httpx.ASGITransport(app=guarded)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as asks:
            return await asks.get("/", headers={"host": host})

    assert portal.runner.run(asyncio.wait_for(ask("127.0.0.1:8080"), 30)).status_code == 200
    answer = portal.runner.run(asyncio.wait_for(ask("<b>evil.example"), 30))
    assert answer.status_code == 421
    assert "evil" not in answer.text


NO_FILES = (
    "%00",
    "index.html%00",
    "a%00/b",
    "%2e%2e/%2e%2e/portal.db",
    "a" * 5000,
    "%ff",
    "%0d%0a",
)


@pytest.mark.parametrize(("place", "name"), list(product(("/static", "/style", "site"), NO_FILES)))
def test_an_address_that_names_no_file_is_not_found(portal: Portal, place: str, name: str) -> None:
    """Neither of the portal's own files, nor of a published site."""
    folder = f"/c/cards/site/{some_final(portal)}" if place == "site" else place
    assert portal.browser("student").get(f"{folder}/{name}").status_code == 404
