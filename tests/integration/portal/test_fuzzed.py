"""Requests that no browser sends: whatever is asked in whatever way, the portal has an answer.

Every page is asked with numbers, names, fields and headers that make no sense, one of them at a
time in a request that else does. A status of 500, or an error that nothing catches, is a fault of
the portal. Some are asked every day, all with `--prove`.
"""

import random
import re
from collections.abc import Iterator, Mapping
from itertools import product
from urllib.parse import quote_from_bytes, urlencode

import pytest

from tourney.portal import course_jobs, jobs, worker
from tourney.portal.guesses import Buckets
from tourney.portal.web.pages import Page
from tourney.portal.web.server import PAGES

from .addresses import addressed, asker
from .forms import fields_of
from .furnished import furnish
from .hands import make_course
from .portals import Portal

ASKERS = ("student", "lecturer", "admin", "")
NUMBERS = ("0", "-1", "9" * 19, "9" * 30, "9" * 5000, "%D9%A3", "1.5", "1e9", "0x1", "%00")
NAMES = (
    b"..", b"%2e%2e", b"\0", b"\xed\xa0\x80", b"\xff\xfe", b"a" * 5000, b"caf\xc3\xa9", b"x/../y",
)  # fmt: skip
VALUES = (
    b"", b" ", b"\0", b"a\0b", b"\xed\xa0\x80", b"\xff", b"x" * 60_000, b"9" * 19, b"9" * 5000,
    b"-1", b"\xc2\xb2", b"\xd9\xa3", b"0001-01-01T00:00+23:59", b"9999-12-31T23:59-23:59",
    b"2026-12-01T12:00", b"2026-W01-1", b"//evil.example", b"/\\evil.example", b"javascript:0",
    b"%2f%2fevil.example", b"'; DROP TABLE accounts; --", b"{{ 7 * 7 }}", b"\r\nset-cookie: a=b",
    b"[1", b"../../etc/passwd", b"\xe2\x80\xae\xf0\x9f\x92\xa3", b"=1+1", b"<script>",
)  # fmt: skip
HEADERS = (
    {"host": "evil.example"}, {"host": "["}, {"host": "a:b:c"}, {"host": ""},
    {"host": "evil.example:99999999"}, {"origin": "http://["}, {"origin": "null"},
    {"cookie": "tourney=\xff"}, {"cookie": "tourney=" + "a" * 5000}, {"cookie": "=;;;=,"},
    {"authorization": "Bearer"}, {"authorization": "Bearer \xff"}, {"authorization": "Basic !"},
    {"x-forwarded-for": "evil, 1"}, {"x-forwarded-proto": "javascript"}, {"forwarded": "for=[::"},
    {"content-type": "multipart/form-data"}, {"content-type": "multipart/form-data; boundary="},
    {"content-type": "application/json"}, {"content-type": "\xff/\xff; charset=\xff"},
    {"content-type": "application/x-www-form-urlencoded; charset=utf-7"}, {"range": "bytes=9-1,,"},
    {"if-none-match": '"' * 99}, {"accept": "application/json;q=\xff"}, {"user-agent": "\xff\x01"},
    {"if-modified-since": "never"}, {"content-encoding": "gzip"}, {"content-length": "9" * 5000},
    {"cookie": "; ".join(f"a{number}=b" for number in range(2000))}, {"expect": "\xff"},
)  # fmt: skip
CHARSETS = (
    "utf-8",
    "utf-7",
    "utf-16",
    "idna",
    "punycode",
    "raw_unicode_escape",
    "rot13",
    "zip",
    "none",
)
METHODS = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "CONNECT", "BREW")
PARTS = 4
"""Portals that share what is asked, at the same time; each grows with what it accepts."""
A_DAY = 150
"""What is asked of a portal without `--prove`."""

Ask = tuple[str, str, str, bytes, Mapping[str, str]]
"""Who, method, path, body and headers."""
FORM = {"content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin"}


def asks(
    pages: Mapping[str, Page], filled: dict[str, dict[str, str]], numbers: Mapping[str, int]
) -> Iterator[Ask]:
    """Give everything that is asked."""
    for page in pages.values():
        path, who = addressed(page, numbers), asker(page)
        fields = filled.get(path, {})
        body = urlencode(fields).encode()
        yield from in_address(page, numbers, who, body)
        for name, value in product(fields, VALUES):
            others = urlencode({each: fields[each] for each in fields if each != name})
            mutated = f"{others}&{name}={quote_from_bytes(value)}".encode()
            yield who, page.method, path, mutated, FORM
            if page.method == "GET":
                yield who, "GET", f"{path}?{mutated.decode()}", b"", {}
        for headers in HEADERS:
            yield who, page.method, path, body, {**FORM, **headers}
        if page.method == "POST":
            for charset in CHARSETS:
                yield who, "POST", path, *multipart(fields, charset)
        for method in METHODS:
            yield who, method, path, body, FORM


def in_address(page: Page, numbers: Mapping[str, int], who: str, body: bytes) -> Iterator[Ask]:
    """Ask for what is not there, by numbers, names and queries; the other parts are there."""
    path = addressed(page, numbers)
    for part, kind in re.findall(r"\{(\w+)(:\w+)?\}", page.path):
        values = NUMBERS if kind == ":int" else [quote_from_bytes(each) for each in NAMES]
        for value in values:
            yield who, page.method, addressed(page, numbers, **{part: value}), body, FORM
    for name, value in product(("back", "code", "state"), VALUES):
        if page.method == "GET" and len(value) < 10_000:
            yield who, "GET", f"{path}?{name}={quote_from_bytes(value)}", b"", {}


def multipart(fields: Mapping[str, str], charset: str) -> tuple[bytes, Mapping[str, str]]:
    """Give a form as browsers send files, in letters that are none."""
    text = b"+2AA-\\ud800\xff\0xn--\xd8"
    parts = b"".join(
        b'--x\r\ncontent-disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), text)
        for name in fields
    )
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    return parts + b"--x--\r\n", {"content-type": kind, "sec-fetch-site": "same-origin"}


@pytest.mark.prove
@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_that_is_asked_ends_in_an_error(
    portal: Portal, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    """Every answer says what it is about, by its status; none is 500."""
    monkeypatch.setattr(Buckets, "take", lambda *_: None)  # nobody guesses too often
    numbers = dict(furnish(portal))
    filled: dict[str, dict[str, str]] = {}
    for who in ASKERS:
        filled |= fields_of(portal, who, numbers)
    pages = {page.name: page for page in PAGES if not page.path.endswith("/events")}
    every = list(asks(pages, filled, numbers))[part::PARTS]
    assert len(every) > 10 * A_DAY
    if not request.config.getoption("--prove"):
        every = random.Random(part).sample(every, A_DAY)
    faults = []
    for ask in every:
        fault = fault_of(portal, ask)
        if fault:
            faults.append((fault, ask[:3], ask[3][:80], ask[4]))
    assert not faults, f"{len(faults)}\n" + "\n".join(map(str, faults[:40]))


def fault_of(portal: Portal, ask: Ask) -> str:
    """Ask, and give what is wrong with the answer; empty if nothing is."""
    who, method, path, body, headers = ask
    told = {name: value.encode("latin-1") for name, value in headers.items()}
    try:
        answer = portal.browser(who).send(method, path, content=body, headers=told)
    except Exception as error:  # noqa: BLE001 - whatever nothing caught
        return repr(error)[:200]
    is_said = answer.status_code == 507 or path.startswith("/healthz")
    if answer.status_code >= 500 and not is_said:
        return str(answer.status_code)
    to = answer.headers.get("location", "/")
    if not re.match(r"/(?![/\\])", to):
        return f"sent to {to}"
    return "" if "set-cookie: a=b" not in str(answer.headers) else "headers of somebody else's"


@pytest.mark.parametrize("name", course_jobs.SETTINGS)
def test_whatever_is_typed_into_terms_is_answered(portal: Portal, name: str) -> None:
    """By the process that opens the folder, at the first try: kept, or refused in words."""
    make_course(portal)
    course = portal.courses["cards"]
    for value in VALUES:
        settings = {name: value.decode("utf-8", "replace")}
        job = jobs.add(portal.database, "terms", {"settings": settings}, course=course)
        worker.do_all(portal.places, course_jobs.HANDLERS)
        done = jobs.get(portal.database, job.id)
        assert (done.state, done.tries) == ("done", 1), (value[:40], done.result)
        assert done.result["status"] == "kept" or done.result["reason"]
