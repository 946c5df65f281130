"""What is sent to harm the portal: too much, in pieces, from elsewhere, to lead elsewhere.

Beside it: markup in `test_markup`, uploads in `test_handing_abuse` and `test_handed_attacks`,
floods in `test_flood`, requests without sense in `test_fuzzed`, codes that serve once in
`test_people`, providers in `test_openid`.
"""

from collections.abc import AsyncIterator, Mapping
from itertools import product

import pyotp
import pytest

from tourney.portal.passwords import hash_password
from tourney.portal.web.pages import Page
from tourney.portal.web.server import PAGES

from .addresses import addressed, asker
from .furnished import furnish
from .portals import HOME, Portal

PASSWORD = "four words in a row"  # noqa: S105 - of nobody
POSTS = [page for page in PAGES if page.method == "POST"]
UNREAD = {
    "export-data", "join-provider", "openid", "sign-out", "end-token", "choose-version",
    "final-cancel", "final-stop", "final-go-on",
    "final-tell", "final-publish", "final-exclude", "final-put-back", "match-agree",
    "match-decline",
    "match-withdraw", "tournament", "sources-copies", "team-accept", "team-end", "team-leave",
}  # fmt: skip
"""Pages that read nothing of what is sent with them."""
PARTS = b'--x\r\ncontent-disposition: form-data; name="a"%s\r\n\r\nb\r\n'
MULTIPART = {"content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "same-origin"}
FORM = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}
FORM_ALONE = {"content-type": FORM["content-type"]}
ELSEWHERE = (
    "https://evil.example/", "//evil.example", "///evil.example", "/\\evil.example",
    "\\\\evil.example", "/%2fevil.example", "/%5cevil.example", "%2f%2fevil.example",
    "/\t/evil.example", "\n//evil.example", "javascript:alert(1)", "data:text/html,x",
    "http:evil.example", "https:/evil.example", "//evil%2eexample", "/account@evil.example",
    "/.evil.example", "//\u2044evil.example", "/account\r\nlocation: //evil.example",
)  # fmt: skip
FOREIGN: tuple[Mapping[str, str], ...] = (
    {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"sec-fetch-site": "none"},
    {"origin": "https://evil.example"}, {"origin": "null"}, {"origin": f"{HOME}.evil.example"},
    {"origin": HOME.replace("http", "https")}, {"origin": f"{HOME}:8080"}, {"origin": "http://["},
    {"referer": HOME}, {},
)  # fmt: skip


@pytest.mark.parametrize(
    "page", [page for page in POSTS if page.name not in UNREAD], ids=lambda page: page.name
)
def test_more_than_a_page_takes_is_too_large(portal: Portal, page: Page) -> None:
    """Whether its length is told or not, and whatever it is said to be."""
    path = addressed(page, furnish(portal))
    size = page.most_bytes + 70_000
    form, multipart = b"a=" + b"b" * size, PARTS % b"" + b"b" * size

    async def pieces(whole: bytes) -> AsyncIterator[bytes]:
        for at in range(0, len(whole), 60_000):
            yield whole[at : at + 60_000]

    for headers, whole in ((FORM, form), (MULTIPART, multipart)):
        for content in (whole, pieces(whole)):
            browser = portal.browser(asker(page))
            answer = browser.send("POST", path, content=content, headers=headers)
            assert answer.status_code == 413


@pytest.mark.parametrize(
    "parts",
    [
        PARTS % b"" * 700,
        PARTS % b'; filename="c"' * 2,
        PARTS % b'; filename="c"' * 500,
        PARTS % (b"\r\nx: " + b"y" * 40_000),
        PARTS % (b"\r\nx: y" * 5_000),
        PARTS % (b'; filename="' + b"c" * 30_000 + b'"'),
        b"--x\r\n" * 9_000,
        b"-" * 60_000,
        b"--x\r\n\r\n\r\n",
    ],
    ids=["fields", "2 files", "files", "header", "headers", "name", "bounds", "no bound", "bare"],
)
@pytest.mark.parametrize("path", ["/sign-in", "/c/cards/hand-in", "/account/tokens"])
def test_a_form_of_many_parts_is_refused(portal: Portal, parts: bytes, path: str) -> None:
    """At once, in words, and nothing of it is kept."""
    browser = portal.browser("student")
    answer = browser.send("POST", path, content=parts + b"--x--\r\n", headers=MULTIPART)
    assert answer.status_code in {400, 401, 413, 422}
    assert "Traceback" not in answer.text
    assert not list(portal.places.inbox.iterdir())


def test_a_form_of_many_fields_is_refused(portal: Portal) -> None:
    """Before they are gone through."""
    body = "&".join(f"a{number}=" for number in range(8_000))[:60_000].encode()
    answer = portal.browser("student").send("POST", "/account/tokens", content=body, headers=FORM)
    assert answer.status_code in {400, 413, 422}


@pytest.mark.parametrize("page", POSTS, ids=lambda page: page.name)
def test_no_form_counts_that_another_site_has_sent(portal: Portal, page: Page) -> None:
    """Whatever the browser says of where it is from; the least that changes changes nothing."""
    path = addressed(page, furnish(portal))
    before = rows(portal)
    for headers in FOREIGN:
        browser = portal.browser(asker(page))
        answer = browser.send("POST", path, content=b"title=a", headers={**FORM_ALONE, **headers})
        assert answer.status_code == 403, headers
    assert rows(portal) == before


def rows(portal: Portal) -> list[int]:
    """Count what there is."""
    tables = ("accounts", "members", "jobs", "tokens", "audit", "codes", "invites", "overrides")
    found = [portal.database.first(f"SELECT count(*) FROM {each}") for each in tables]  # noqa: S608 - names of ours
    return [row[0] for row in found if row]


@pytest.mark.parametrize("back", ELSEWHERE)
def test_nobody_is_led_elsewhere(portal: Portal, back: str) -> None:
    """Not after a sign-in, nor after a second factor."""
    hashed = portal.runner.run(hash_password(PASSWORD))
    portal.database.execute("UPDATE accounts SET password = ?", (hashed,))
    student, secret = portal.browser("student"), pyotp.random_base32()
    told = {"login": "student@example.org", "password": PASSWORD, "back": back}
    answers = [
        portal.browser().post("/sign-in", told),
        student.post(
            "/account/second", told | {"secret": secret, "code": pyotp.TOTP(secret).now()}
        ),
    ]
    for answer in answers:
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert "evil" not in str(answer.headers)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_an_address_is_asked_in_its_own_ways_alone(portal: Portal, page: Page) -> None:
    """Any other way is refused, to whoever asks, and changes nothing."""
    path, browser = addressed(page, furnish(portal)), portal.browser(asker(page))
    known = {each.method for each in PAGES if each.path == page.path}
    before = rows(portal)
    ways = sorted(known | {"HEAD"}) if "GET" in known else ["POST"]
    for method in {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"} - known:
        answer = browser.send(method, path, content=b"title=a", headers=FORM)
        assert answer.status_code == 405, method
        assert answer.headers["allow"] == ", ".join(ways)
        assert answer.headers["content-security-policy"]
    assert rows(portal) == before


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"x-forwarded-host": "evil.example", "x-forwarded-proto": "http"},
        {"forwarded": "host=evil.example;proto=http", "x-forwarded-prefix": "//evil.example"},
    ],
)
def test_links_lead_to_where_the_portal_is_said_to_be(
    portal: Portal, headers: dict[str, str]
) -> None:
    """Whatever a request says; so does what a form may be sent from."""
    portal.answer_at("http://portal.test")
    lecturer = portal.browser("lecturer")
    form = {"account": str(portal.people["student"])}
    answer = lecturer.post("/c/cards/people/reset", form, **headers)
    assert "http://portal.test/reset?code=" in answer.text
    assert "evil" not in answer.text
    forged = {**headers, "origin": "http://evil.example", "content-type": FORM["content-type"]}
    assert lecturer.send("POST", "/sign-out", headers=forged).status_code == 403


def test_a_forged_address_gives_no_more_guesses(portal: Portal) -> None:
    """Who asks is who is connected, unless a trusted proxy says something else."""
    wrong = {"login": "student@example.org", "password": "a wrong one"}
    for number, name in product(range(3), ("x-forwarded-for", "x-real-ip", "client-ip")):
        answer = portal.browser().post("/sign-in", wrong, **{name: f"192.0.2.{number}"})
        assert answer.status_code == 401
    line = portal.app.state.site.passwords.line
    key = f"account {portal.people['student']} from 127.0.0.1"
    assert 8 < line.known.source.wrong(key, line.clock()) <= 9
    assert len(line.known.source) == 2  # the address and its network


@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml", "application/zip", '"><script>'])
def test_what_a_file_is_said_to_be_decides_nothing(portal: Portal, kind: str) -> None:
    """What is kept is its bytes, under a name of the portal's."""
    portal.places.course("cards").mkdir(parents=True)
    files = {"file": ("a.py", b"x = 1", kind)}
    answer = portal.browser("student").send(
        "POST", "/c/cards/hand-in", files=files, headers={"sec-fetch-site": "same-origin"}
    )
    assert answer.status_code == 303
    (kept,) = portal.places.inbox.iterdir()
    assert (kept.suffix, kept.read_bytes()) == ("", b"x = 1")
