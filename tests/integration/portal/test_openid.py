"""Signing in at a provider: honest ones get in, and nothing that was forged or used before does."""

import time
from collections.abc import Iterator
from html import unescape

import httpx
import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import browser
from tourney.portal.database import set_setting

from .portals import Browser, Portal
from .provider import ANOTHER, CLIENT, Provider, provided
from .served import wait_until
from .test_live import port, web

__all__ = ["browser", "port", "web"]  # fixtures


@pytest.fixture
def provider(portal: Portal) -> Iterator[Provider]:
    """A provider that the portal's administrator has named."""
    with provided() as started:
        set_setting(portal.database, "openid_issuer", started.issuer)
        set_setting(portal.database, "openid_client", CLIENT)
        yield started


def begun(browser: Browser) -> str:
    """Begin to sign in; give the provider's address that the browser is sent to."""
    return sent_to(browser.post("/sign-in/openid", {"back": "/account"}))


def sent_to(answer: httpx.Response) -> str:
    """Give the address that a page sends the browser to by itself, without a script."""
    assert answer.status_code == 200, answer.text
    return unescape(answer.text.partition('content="0; url=')[2].partition('"')[0])


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
    assert "the provider did not send a usable answer" in answer.text


def begun_joining(browser: Browser) -> str:
    """Begin to join an identity; give the provider's address that the browser is sent to."""
    return sent_to(browser.post("/account/provider"))


def with_password(portal: Portal, who: str) -> Browser:
    """Give the browser of somebody with a password."""
    sql = "UPDATE accounts SET password = ? WHERE id = ?"
    portal.database.execute(sql, ("some hash", portal.people[who]))
    return portal.browser(who)


def test_an_account_is_joined_and_signs_in_there_from_then_on(
    portal: Portal, provider: Provider
) -> None:
    """With its courses; and leaves again, by its password."""
    browser = with_password(portal, "student")
    answer = came_back(browser, *provider.authorise(begun_joining(browser)))
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert f"You can sign in at {provider.issuer}" in browser.get("/account").text
    there = portal.browser()
    assert came_back(there, *provider.authorise(begun(there))).status_code == 303
    assert "student@example.org" in there.get("/account").text
    assert there.get("/c/cards").status_code == 200
    fields = {"issuer": provider.issuer}
    assert browser.post("/account/provider/leave", fields).status_code == 303
    assert browser.post("/account/provider/leave", fields).status_code == 422
    acts = portal.database.read(iter, "SELECT act, about FROM audit WHERE act LIKE 'identity%'")
    about = f'{{"issuer": "{provider.issuer}"}}'
    assert list(acts) == [("identity joined", about), ("identity left", about)]


def test_who_has_no_password_does_not_leave(portal: Portal, provider: Provider) -> None:
    """Nobody could sign in any more."""
    browser = portal.browser()
    came_back(browser, *provider.authorise(begun(browser)))
    answer = browser.post("/account/provider/leave", {"issuer": provider.issuer})
    assert answer.status_code == 422
    assert "ask for a link" in answer.text
    assert portal.database.first("SELECT count(*) FROM identities") == (1,)


def test_one_identity_is_of_one_account(portal: Portal, provider: Provider) -> None:
    """And an account has one of a provider, and nobody's sign-in becomes somebody else's."""
    student, mate = with_password(portal, "student"), with_password(portal, "mate")
    came_back(student, *provider.authorise(begun_joining(student)))
    answer = came_back(mate, *provider.authorise(begun_joining(mate)))
    assert answer.status_code == 422
    assert "already belongs to another account" in " ".join(answer.text.split())
    provider.claims = {"sub": "subject-2"}
    assert came_back(student, *provider.authorise(begun_joining(student))).status_code == 422
    rows = portal.database.read(iter, "SELECT subject, account FROM identities")
    assert list(rows) == [("subject-1", portal.people["student"])]


def test_an_answer_joins_once_and_in_the_session_that_asked(
    portal: Portal, provider: Provider
) -> None:
    """Not in that of whoever uses the browser next, nor after signing out."""
    student = with_password(portal, "student")
    code, state = provider.authorise(begun_joining(student))
    another = portal.browser("mate")
    another.cookies.set("tourney-openid", student.cookies["tourney-openid"])
    assert came_back(another, code, state).status_code == 422
    code, state = provider.authorise(begun_joining(student))
    nobody = portal.browser()
    nobody.cookies.set("tourney-openid", student.cookies["tourney-openid"])
    assert came_back(nobody, code, state).status_code == 422
    code, state = provider.authorise(begun_joining(student))
    assert came_back(student, code, state).status_code == 303
    assert came_back(student, code, state).status_code == 422
    rows = portal.database.read(iter, "SELECT account FROM identities")
    assert list(rows) == [(portal.people["student"],)]


def test_joining_is_grave(portal: Portal, provider: Provider) -> None:
    """Whoever finds a browser open does not make it a way in for themselves."""
    browser = with_password(portal, "student")
    portal.database.execute("UPDATE sessions SET proved = '2020-01-01T00:00:00+00:00'")
    for path in ("/account/provider", "/account/provider/leave"):
        answer = browser.post(path, {"issuer": provider.issuer})
        assert answer.status_code == 403
        assert "Confirm your password to continue." in answer.text
    other = {"sec-fetch-site": "cross-site"}
    assert portal.browser("student").post("/account/provider", **other).status_code == 403


def test_an_account_that_is_locked_is_so_there_too(portal: Portal, provider: Provider) -> None:
    """Whatever the provider says; an administrator takes the sign-in off."""
    browser, admin = with_password(portal, "student"), portal.browser("admin")
    came_back(browser, *provider.authorise(begun_joining(browser)))
    path = f"/admin/accounts/{portal.people['student']}"
    admin.post(path, {"act": "lock"})
    there = portal.browser()
    assert came_back(there, *provider.authorise(begun(there))).status_code == 422
    assert there.get("/account").status_code == 303
    assert admin.post(path, {"act": "identities"}).status_code == 303
    assert portal.database.first("SELECT 1 FROM identities") is None


@pytest.mark.usefixtures("web")
def test_a_browser_goes_there_and_comes_back(
    portal: Portal, provider: Provider, browser: Chromium, port: int
) -> None:
    """Chromium, to another site; the portal's own policy for forms does not hold it up."""
    provider.issuer = provider.issuer.replace("127.0.0.1", "localhost")
    set_setting(portal.database, "openid_issuer", provider.issuer)
    page = browser.visit(f"http://127.0.0.1:{port}/sign-in?back=/account")
    browser.run("[...document.querySelectorAll('button')].at(-1).click()")

    assert wait_until(lambda: "Your account" in browser.titles()), page.complaints
    assert "ada@university.example" in browser.run("document.body.textContent")
    assert page.complaints == []
