"""Strangers neither lock people out nor have the portal work for them; they are in turn.

How guesses are paced is in `test_guesses`, how connections are bounded in `test_connections`, and
what floods cost a real process in `test_exhaustion`.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import httpx
import pyotp
import pytest

from tourney.portal import passwords
from tourney.portal.database import set_setting
from tourney.portal.guesses import ASKED, Pace
from tourney.portal.invites import make_code
from tourney.portal.passwords import hash_password
from tourney.portal.sessions import (
    BROWSER_COOKIE_SECONDS,
    browser_cookie,
    find_browser,
    read_signed,
    sign,
)
from tourney.portal.web import admission, live
from tourney.portal.web.admission import Turns

from .portals import HOME, Browser, Portal
from .provider import CLIENT, provided
from .test_boards import final_run
from .test_people import invited

PASSWORD, COOKIE = "four words in a row", "tourney-browser"
FORM = {"sec-fetch-site": "same-origin"}


@pytest.fixture
def people(portal: Portal) -> Portal:
    """A portal in which everybody has the same password."""
    hashed = portal.runner.run(hash_password(PASSWORD))
    portal.database.execute("UPDATE accounts SET password = ?", (hashed,))
    return portal


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count what Argon2 is asked for."""
    counted, hasher = Counter[str](), passwords._hasher()

    class Counting:
        def hash(self, password: str) -> str:
            counted["hash"] += 1
            return hasher.hash(password)

        def verify(self, kept: str, password: str) -> bool:
            counted["verify"] += 1
            return hasher.verify(kept, password)

    monkeypatch.setattr(passwords, "_hasher", Counting)
    return counted


def login_of(who: str, password: str = PASSWORD) -> dict[str, str]:
    """Give what somebody types to sign in."""
    return {"login": f"{who}@example.org", "password": password}


def send_all(
    portal: Portal, path: str, forms: list[dict[str, str]], address: str = "127.0.0.1"
) -> Counter[int]:
    """Send forms, twenty at once, as a program would; count the statuses."""

    async def sent() -> Counter[int]:
        transport = httpx.ASGITransport(app=portal.app, client=(address, 1))
        most = asyncio.Semaphore(20)
        async with httpx.AsyncClient(transport=transport, base_url=HOME) as client:

            async def one(form: dict[str, str]) -> int:
                async with most:
                    return (await client.post(path, data=form, headers=FORM)).status_code

            return Counter(await asyncio.gather(*map(one, forms)))

    return portal.runner.run(sent())


def test_a_network_of_guessers_keeps_nobody_out(people: Portal) -> None:
    """Wrong passwords for accounts that do not exist, and right ones of others beside them."""
    forms = [login_of(f"nobody{number}", "wrong") for number in range(700)]
    assert send_all(people, "/sign-in", forms) == {401: 700}
    for who in ("student", "lecturer", "mate"):
        assert people.browser().post("/sign-in", login_of(who)).status_code == 303


def test_guesses_at_an_account_keep_its_owner_out_nowhere(people: Portal) -> None:
    """Neither from elsewhere, nor from the same address."""
    forms = [login_of("lecturer", f"wrong {number}") for number in range(30)]
    assert send_all(people, "/sign-in", forms) == {401: 30}
    for address in ("127.0.0.1", "192.0.2.1"):
        answer = people.browser(address=address).post("/sign-in", login_of("lecturer"))
        assert answer.status_code == 303


def test_wrong_second_codes_keep_the_right_one_out_nowhere(people: Portal) -> None:
    """In another browser, and in the one that has sent them."""
    secret, known = pyotp.random_base32(), people.app.state.site.second_codes.known
    known.source.pace = known.account.pace = Pace(0.001, 1, 60)  # or the test would wait as long
    people.database.execute("UPDATE accounts SET totp = ? WHERE login LIKE 'lec%'", (secret,))
    for _ in range(2):
        browser = people.browser("lecturer", has_second=False)
        for number in range(9):
            assert browser.post("/account/second", {"code": f"{number}"}).status_code == 422
        people.database.execute("UPDATE accounts SET totp_last = 0")
        right = {"code": pyotp.TOTP(secret).now()}
        assert browser.post("/account/second", right).status_code == 303


def test_wrong_old_passwords_keep_the_right_one_out_nowhere(people: Portal) -> None:
    """In the account's own pages."""
    browser, new = people.browser("student"), "another few words"
    for _ in range(9):
        wrong = browser.post("/account/password", {"old": "wrong", "new": new})
        assert wrong.status_code == 422
    answer = browser.post("/account/password", {"old": PASSWORD, "new": new})
    assert answer.status_code == 303


def test_wrong_invites_keep_no_class_from_joining(portal: Portal, hashes: Counter[str]) -> None:
    """However many somebody sends from the address that it sits behind; no password is hashed."""
    typed = {"name": "Ada", "login": "ada@example.org", "password": PASSWORD}
    assert send_all(portal, "/join", [typed | {"code": f"x{n}"} for n in range(700)]) == {422: 700}
    assert not hashes
    answer = portal.browser().post("/join", typed | {"code": invited(portal)})
    assert answer.status_code == 303
    assert hashes == {"hash": 1}


@pytest.mark.parametrize("path", ["/reset", "/set-up"])
def test_a_link_is_looked_at_before_a_password_is_hashed(
    portal: Portal, hashes: Counter[str], path: str
) -> None:
    """Wrong ones cost no hash, in any number, and the right one serves afterwards."""
    typed = {"password": PASSWORD, "login": "root", "name": "Root"}
    forms = [typed | {"code": f"wrong {number}"} for number in range(60)]
    assert send_all(portal, path, forms) == {422: 60}
    assert not hashes
    purpose, account = ("reset", portal.people["mate"]) if path == "/reset" else ("set-up", None)
    code = make_code(portal.database, purpose, account)  # type: ignore[arg-type]  # one of the two
    assert portal.browser().post(path, typed | {"code": code}).status_code == 303
    assert hashes == {"hash": 1}


def test_an_account_that_does_not_exist_is_answered_in_the_same_way(
    people: Portal, hashes: Counter[str]
) -> None:
    """With the same page, after the same work."""
    pages, work = [], []
    for who in ("student", "nobody"):
        hashes.clear()
        answer = people.browser().post("/sign-in", login_of(who, "wrong"))
        assert answer.status_code == 401
        pages.append(answer.text.replace(who, "X"))
        work.append(hashes["verify"])
        people.app.state.site.passwords.line._sampled = float("-inf")
    assert pages[0] == pages[1]
    assert work == [1, 1]


def test_a_flood_of_names_that_do_not_exist_costs_few_hashes(
    people: Portal, hashes: Counter[str]
) -> None:
    """As each of the others takes no turn from anybody."""
    forms = [login_of(f"nobody{number}", "wrong") for number in range(300)]
    assert send_all(people, "/sign-in", forms) == {401: 300}
    assert hashes["verify"] < 100


# The cookie of a browser in which somebody has signed in before.


def known(portal: Portal, who: str = "student") -> Browser:
    """Give a browser in which somebody has signed in and out."""
    browser = portal.browser()
    assert browser.post("/sign-in", login_of(who)).status_code == 303
    browser.post("/sign-out")
    return browser


def trusts(portal: Portal, browser: Browser, who: str = "student") -> bool:
    """Say whether a guess of a browser waits for its own wrong ones only."""
    before = len(portal.app.state.site.passwords.line.known.account)
    assert browser.post("/sign-in", login_of(who, "wrong")).status_code == 401
    tables = portal.app.state.site.passwords.line.known
    own = any("browser" in key for key in tables.source._kept)
    tables.source._kept.clear()
    return own and len(tables.account) == before


def test_a_known_browser_waits_for_no_stranger(people: Portal) -> None:
    """And is no way in by itself."""
    browser = known(people)
    assert trusts(people, browser)
    assert not trusts(people, people.browser())
    assert browser.get("/account").status_code == 303  # to sign in


def test_the_cookie_of_a_known_browser_is_kept_from_scripts_and_sites(people: Portal) -> None:
    """With TLS under a name that no sibling can set, and to TLS."""
    answer = people.browser().post("/sign-in", login_of("student"))
    (cookie,) = [each for each in answer.headers.get_list("set-cookie") if COOKIE in each]
    told = cookie.casefold()
    assert all(each in told for each in ("httponly", "samesite=lax", "path=/"))
    assert f"max-age={BROWSER_COOKIE_SECONDS}" in told
    assert "student" not in told
    people.answer_at(HOME.replace("http", "https"))
    answer = people.browser().post("/sign-in", login_of("student"))
    (cookie,) = [each for each in answer.headers.get_list("set-cookie") if COOKIE in each]
    assert cookie.startswith(f"__Host-{COOKIE}=")
    assert "; Secure" in cookie


@pytest.mark.parametrize("how", ["password", "reset", "erased", "old", "forged", "another"])
def test_a_cookie_that_counts_no_more_is_a_strangers(people: Portal, how: str) -> None:
    """After a new password, a reset link, by another account, changed, or too old."""
    browser = known(people)
    number = people.people["student"]
    if how == "password":
        people.browser("student").post("/account/password", {"old": PASSWORD, "new": PASSWORD})
    elif how == "reset":
        code = make_code(people.database, "reset", number)
        assert browser.post("/reset", {"code": code, "password": PASSWORD}).status_code == 303
    elif how == "erased":
        people.database.execute("UPDATE accounts SET erased = 'now' WHERE id = ?", (number,))
    elif how == "old":
        told = dict(read_signed(people.database, "browser", browser.cookies[COOKIE]) or {})
        cookie = sign(people.database, "browser", told | {"until": 0})
        browser.cookies.set(COOKIE, cookie, domain="portal.test")
    elif how == "forged":
        cookie = browser.cookies[COOKIE]
        swapped = cookie.replace(".", "e30.", 1)
        for each in (swapped, cookie[:-1], "", ".", "a.b", "\u00e9", cookie + "0", "9" * 9000):
            assert find_browser(people.database, each) is None
        browser.cookies.set(COOKIE, swapped, domain="portal.test")
    if how == "another":
        assert not trusts(people, browser, "mate")
    else:
        assert find_browser(people.database, browser.cookies[COOKIE]) is None
        assert not trusts(people, browser) if how != "erased" else True


def test_a_stolen_password_makes_no_browser_known_for_second_codes(people: Portal) -> None:
    """Only who has shown one before is trusted with the next, until it is reset."""
    number, secret = people.people["lecturer"], pyotp.random_base32()
    people.database.execute("UPDATE accounts SET totp = ? WHERE id = ?", (secret, number))
    browser = people.browser()
    browser.post("/sign-in", login_of("lecturer"))
    found = find_browser(people.database, browser.cookies[COOKIE])
    assert found
    assert not found.has_second
    browser.post("/account/second", {"code": pyotp.TOTP(secret).now()})
    for _ in range(2):  # a later sign-in by password leaves it as it is
        found = find_browser(people.database, browser.cookies[COOKIE])
        assert found
        assert found.has_second
        browser.post("/sign-out")
        browser.post("/sign-in", login_of("lecturer"))
    people.database.execute("UPDATE accounts SET totp = '' WHERE id = ?", (number,))
    assert find_browser(people.database, browser.cookies[COOKIE]) is None


def test_a_key_that_somebody_reads_in_a_backup_signs_nobody_in(people: Portal) -> None:
    """Whoever can sign cookies gains the patience of a known browser, and no session."""
    number = people.people["admin"]
    browser = people.browser()
    cookie = browser_cookie(people.database, number, has_second=True)
    for name in ("tourney", COOKIE):
        browser.cookies.set(name, cookie, domain="portal.test")
    assert browser.get("/account").status_code == 303


# Who is answered when.


def test_strangers_begin_one_in_a_round_in_turn_by_source() -> None:
    """A single one passes a thousand of another source, and known people are served in between."""

    async def order() -> list[str]:
        turns, done = Turns(), []

        async def stranger(key: str) -> None:
            await turns.turn(key)
            done.append(key)

        async def known_person() -> None:
            for _ in range(5):
                await asyncio.sleep(0)  # a round of the loop
                done.append("known")

        tasks = [asyncio.create_task(stranger("flood")) for _ in range(1000)]
        tasks += [asyncio.create_task(stranger("single"))]
        await asyncio.sleep(0)
        tasks += [asyncio.create_task(known_person())]
        await asyncio.gather(*tasks)
        return done

    done = asyncio.run(order())
    assert done.index("single") < 15
    assert done.index("known") < 5
    assert len([each for each in done[: done.index("single")] if each == "flood"]) <= 3
    assert len(done) == 1006


def test_a_turn_of_somebody_who_left_is_lost_to_nobody() -> None:
    """The others go on."""

    async def ends() -> int:
        turns = Turns()
        tasks = [asyncio.create_task(turns.turn(f"{number % 3}")) for number in range(60)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.01)
        await asyncio.wait_for(turns.turn("again"), 10)
        return sum(each is None for each in found)

    assert asyncio.run(ends()) >= 30


Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


async def asked(
    portal: Portal, receive: Receive, *, cookie: str = "", address: str = "127.0.0.1"
) -> tuple[int, Mapping[bytes, bytes]]:
    """Send a form as slowly as `receive` does; give the status and the headers."""
    found: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        found.append(message)

    headers = [(b"host", b"portal.test"), (b"sec-fetch-site", b"same-origin")]
    headers += [(b"content-type", b"application/x-www-form-urlencoded")]
    headers += [(b"cookie", cookie.encode())]
    scope = {
        "type": "http", "method": "POST", "path": "/sign-in", "raw_path": b"/sign-in",
        "query_string": b"", "scheme": "http", "server": ("portal.test", 80), "root_path": "",
        "http_version": "1.1", "client": (address, 1), "headers": headers,
    }  # fmt: skip
    await portal.app(scope, receive, send)
    return found[0]["status"], dict(found[0]["headers"])


async def never() -> MutableMapping[str, Any]:
    """Send nothing."""
    await asyncio.sleep(3600)
    return {}


def test_a_stranger_sends_a_form_in_time(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it trickles in."""
    monkeypatch.setattr(admission, "BODY_SECONDS", 0.2)

    async def trickle() -> MutableMapping[str, Any]:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"a", "more_body": True}

    for receive in (never, trickle):
        assert portal.runner.run(asked(portal, receive))[0] == 499


@pytest.mark.parametrize("who", ["source", "strangers", "account"])
def test_so_many_requests_are_answered_at_once(
    portal: Portal, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """Of a source, of strangers in all, and of an account; others are served meanwhile."""
    monkeypatch.setattr(admission, "OF_SOURCE", 3 if who == "source" else 100)
    monkeypatch.setattr(admission, "OF_STRANGERS", 3 if who == "strangers" else 100)
    monkeypatch.setattr(admission, "OF_ONE", 3)
    cookie = f"tourney={portal.browser('student').cookies['tourney']}" if who == "account" else ""

    async def statuses() -> tuple[tuple[int, Mapping[bytes, bytes]], int]:
        waiting = [
            asyncio.create_task(
                asked(portal, never, cookie=cookie, address=f"192.0.2.{n * (who == 'strangers')}")
            )
            for n in range(3)
        ]
        await asyncio.sleep(0.05)
        refused = await asked(portal, never, cookie=cookie, address="192.0.2.0")
        transport = httpx.ASGITransport(app=portal.app, client=("192.0.2.77", 1))
        mate = {"tourney": portal.browser("mate").cookies["tourney"]}
        async with httpx.AsyncClient(
            transport=transport, base_url=HOME, cookies=mate if who == "strangers" else None
        ) as client:
            other = (await client.get("/")).status_code
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return refused, other

    (status, headers), other = portal.runner.run(statuses())
    assert status == (503 if who == "strangers" else 429)
    assert headers[b"retry-after"] == b"5"
    assert other == 200
    assert portal.browser().get("/sign-in").status_code == 200


def test_whoever_asks_too_much_is_a_stranger_for_that_time(portal: Portal) -> None:
    """An account over its allowance, and a known browser; others are not."""
    site, seen = portal.app.state.site, []
    turns = Turns.turn

    async def noted(self: Turns, key: str) -> None:
        seen.append(key)
        await turns(self, key)

    number = portal.people["student"]
    cookie = browser_cookie(portal.database, number, has_second=False)
    browser = portal.browser()
    browser.cookies.set(COOKIE, cookie, domain="portal.test")
    student = portal.browser("student")
    Turns.turn = noted  # type: ignore[method-assign]  # put back below
    try:
        for each in (browser, student):
            assert each.get("/sign-in").status_code == 200
        assert not seen
        site.asked.clock = lambda: 0.0
        found = find_browser(portal.database, cookie)
        assert found
        for key in (f"{number}", f"browser {found.id}"):
            site.asked.take(key, ASKED)
        for each in (browser, student):
            each.get("/sign-in")
        assert seen == [f"browser {found.id}", f"account {number}"]
    finally:
        Turns.turn = turns  # type: ignore[method-assign]  # as it was


def test_strangers_leave_streams_to_people_who_are_signed_in(portal: Portal) -> None:
    """However many they open, from one source or from many."""
    run = final_run(portal, "Ada")
    path, watcher = f"/c/cards/final/{run.id}/events", portal.app.state.watcher
    watcher.streams["127.0.0.1"] = live.MOST_OF_SOURCE
    assert portal.browser().begin(path).status_code == 429
    assert portal.browser("student").begin(path).status_code == 200
    watcher.streams["127.0.0.1"] = 0
    for number in range(live.MOST_OF_STRANGERS):
        watcher.streams[f"192.0.2.{number}"] = 1
    assert portal.browser().begin(path).status_code == 429
    assert portal.browser("student").begin(path).status_code == 200


@pytest.mark.parametrize("path", ["/static/live.js", "/style/site.css"])
def test_a_file_is_sent_whole_or_not_at_all(portal: Portal, path: str) -> None:
    """Ranges, of which there could be thousands, are not looked at."""
    whole = portal.browser().get(path)
    parts = ",".join(f"{number}-{number + 1}" for number in range(1000))
    ranged = portal.browser().get(path, range=f"bytes={parts}")
    assert (ranged.status_code, ranged.content) == (200, whole.content)
    again = portal.browser().get(path, **{"if-none-match": whole.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert re.search("javascript|css", whole.headers["content-type"])
    for name in ("%2e%2e%2fserving.py", "nothing.js", ""):
        assert portal.browser().get(f"/static/{name}").status_code == 404


def test_a_sign_in_that_is_begun_at_a_provider_writes_nothing(portal: Portal) -> None:
    """And the provider is asked a few times at once, not by each of a flood."""
    with provided() as provider:
        set_setting(portal.database, "openid_issuer", provider.issuer)
        set_setting(portal.database, "openid_client", CLIENT)
        before = portal.database.first("SELECT total_changes(), (SELECT max(rowid) FROM audit)")
        statuses = send_all(portal, "/sign-in/openid", [{} for _ in range(20)])
        assert statuses == {200: 20}
        after = portal.database.first("SELECT total_changes(), (SELECT max(rowid) FROM audit)")
        assert portal.database.first("SELECT count(*) FROM sign_ins") == (0,)
        assert before == after
        slots = portal.app.state.site.provider
        slots._count["127.0.0.1"] = slots.each
        answer = portal.browser().post("/sign-in/openid", {})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        elsewhere = portal.browser(address="192.0.2.1")
        assert elsewhere.post("/sign-in/openid", {}).status_code == 200
