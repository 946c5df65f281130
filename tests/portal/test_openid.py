"""Signing in at a provider: honest ones get in, and nothing that was forged or used before does."""

import time
from collections.abc import Iterator

import httpx
import pytest

from tourney.portal.database import set_setting

from .portals import Browser, Portal
from .provider import ANOTHER, CLIENT, Provider, provided


@pytest.fixture
def provider(portal: Portal) -> Iterator[Provider]:
    """A provider that the portal's administrator has named."""
    with provided() as started:
        set_setting(portal.database, "openid_issuer", started.issuer)
        set_setting(portal.database, "openid_client", CLIENT)
        yield started


def begun(browser: Browser) -> str:
    """Begin to sign in; give the provider's address that the browser is sent to."""
    answer = browser.post("/sign-in/openid", {"back": "/account"})
    assert answer.status_code == 303
    return answer.headers["location"]


def came_back(browser: Browser, code: str, state: str, **more: str) -> httpx.Response:
    """Come back from the provider."""
    query = httpx.QueryParams({"code": code, "state": state, **more})
    return browser.get(f"/sign-in/openid?{query}")


def test_whoever_signs_in_there_is_known_here(portal: Portal, provider: Provider) -> None:
    """The first time with a new account, later with the same."""
    for _ in range(2):
        browser = portal.browser()
        answer = came_back(browser, *provider.authorise(begun(browser)))
        assert (answer.status_code, answer.headers["location"]) == (303, "/account")
        assert "ada@university.example" in browser.get("/account").text
    found = portal.database.first("SELECT count(*) FROM accounts WHERE name = 'Ada Lovelace'")
    assert found == (1,)


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://another.example"},
        {"aud": "another portal"},
        {"nonce": "another"},
        {"exp": int(time.time()) - 3600},
        {"sub": None},
    ],
    ids=lambda claims: next(iter(claims)),
)
def test_what_was_said_of_another_sign_in_is_refused(
    portal: Portal, provider: Provider, claims: dict[str, object]
) -> None:
    """Whoever signed it."""
    provider.claims = claims
    browser = portal.browser()
    assert came_back(browser, *provider.authorise(begun(browser))).status_code == 422
    assert browser.get("/account").status_code == 303


def test_another_key_opens_nothing(portal: Portal, provider: Provider) -> None:
    """Even under the name of the right one."""
    provider.key = ANOTHER
    browser = portal.browser()
    assert came_back(browser, *provider.authorise(begun(browser))).status_code == 422


def test_an_answer_counts_once_and_in_the_browser_that_asked(
    portal: Portal, provider: Provider
) -> None:
    """Neither its state nor its code serves again, or elsewhere."""
    browser, another = portal.browser(), portal.browser()
    code, state = provider.authorise(begun(browser))
    begun(another)
    assert came_back(another, code, state).status_code == 422
    assert came_back(portal.browser(), code, state).status_code == 422
    assert came_back(browser, code, state).status_code == 303
    assert came_back(browser, code, state).status_code == 422
    _, fresh = provider.authorise(begun(browser))
    assert came_back(browser, code, fresh).status_code == 422


def test_an_answer_of_another_provider_is_refused(portal: Portal, provider: Provider) -> None:
    """As it calls itself in the address."""
    browser = portal.browser()
    code, state = provider.authorise(begun(browser))
    assert came_back(browser, code, state, iss="https://another.example").status_code == 422


def test_a_mail_address_there_takes_over_no_account_here(
    portal: Portal, provider: Provider
) -> None:
    """Whoever has it here signs in with its password."""
    provider.claims = {"email": "lecturer@example.org"}
    browser = portal.browser()
    answer = came_back(browser, *provider.authorise(begun(browser)))
    assert answer.status_code == 422
    assert "sign in instead" in answer.text
    assert browser.get("/c/cards").status_code == 303


def test_a_provider_that_is_not_there_is_said_so(portal: Portal) -> None:
    """And nothing of it is a traceback."""
    set_setting(portal.database, "openid_issuer", "http://127.0.0.1:9")
    answer = portal.browser().post("/sign-in/openid", {})
    assert answer.status_code == 422
    assert "expected an answer of the provider" in answer.text
