"""What the portal logs: enough to look after it, and nothing that anybody could sign in with."""

import json
import logging
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from tourney.portal import accounts, logs, sessions
from tourney.portal.database import open_database
from tourney.portal.invites import Invite, make_code, make_invites
from tourney.portal.places import Places

from .portals import Portal
from .served import Served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
PASSWORDS = ("four words in a row", "other words in a row", "wrong words in a row")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A portal that answers and logs."""
    made = Served(tmp_path / "portal").start("--log", "json")
    yield made
    made.end(signal.SIGKILL)


def _sign_in(served: Served, password: str) -> httpx.Response:
    fields = {"login": "eve@example.org", "password": password, "back": "/account"}
    return httpx.post(f"{served.url}/sign-in", data=fields, headers={"origin": served.url})


@pytest.mark.prove
def test_nothing_that_opens_anything_stands_in_the_log(served: Served) -> None:
    """Set-up, sign-in, a link for a password, joining and a program's upload, right and wrong."""
    first, new, wrong = PASSWORDS
    ours = {"origin": served.url}
    set_up = served.set_up_code()
    person = {"login": "ada@example.org", "name": "Ada", "password": first}
    httpx.get(f"{served.url}/set-up?code={set_up}")
    answers = [httpx.post(f"{served.url}/set-up", data={"code": set_up, **person}, headers=ours)]
    with closing(open_database(Places(served.folder))) as database:
        eve = accounts.add_account(database, "eve@example.org", "Eve")
        course = accounts.add_course(database, "cards", "Cards")
        with database.transaction():
            ((_, invite),) = make_invites(database, [Invite(course, "student", "Eve", "Eve")])
        reset = make_code(database, "reset", eve)
    httpx.get(f"{served.url}/reset?code={reset}")
    fields = {"code": reset, "password": new}
    answers += [httpx.post(f"{served.url}/reset", data=fields, headers=ours)]
    answers += [_sign_in(served, new), _sign_in(served, wrong)]
    cookies = [each.cookies.get("tourney", "") for each in answers]
    eves = {"tourney": cookies[2]}
    with httpx.Client(base_url=served.url, cookies=eves, headers=ours) as browser:
        browser.get(f"/join?code={invite}")
        answers += [browser.post("/join", data={"code": invite, "name": "Eve"})]
    with closing(open_database(Places(served.folder))) as database:
        token = sessions.add_token(database, eve, "a test")
    program = {"authorization": f"Bearer {token}", "accept": "application/json"}
    for known in (program, {**program, "authorization": "Bearer tourney_wrong-secret"}):
        files = {"file": ("eve.py", b"print('of-the-body')")}
        answers += [httpx.post(f"{served.url}/c/cards/hand-in", files=files, headers=known)]
    assert [each.status_code for each in answers] == [303, 303, 303, 401, 303, 202, 401]
    with socket.create_connection(("127.0.0.1", served.port)) as odd:
        odd.sendall(b"GET /reset?code=half-secret HTTP/9.9\r\n\r\n")
        odd.recv(100)
    served.end()
    log = served.errors.read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    assert all({"time", "level", "process", "event"} <= set(line) for line in lines)
    seen = {(line.get("page"), line.get("status")) for line in lines}
    expected = {
        ("set-up-form", 303),
        ("reset-form", 303),
        ("sign-in-form", 303),
        ("join-form", 303),
    }
    expected |= {("sign-in-form", 401), ("hand-in-form", 202), ("hand-in-form", 401), ("join", 200)}
    assert expected <= seen
    secrets = [*PASSWORDS, *filter(None, cookies), set_up, reset, invite, token, "wrong-secret"]
    secrets += ["half-secret", "of-the-body", "code=", "127.0.0.1", "example.org", "bearer"]
    assert len(secrets) >= 16
    assert [each for each in secrets if each.lower() in log.lower()] == []


@pytest.mark.prove
def test_a_failure_names_the_account_and_no_success_does(served: Served) -> None:
    """By its number."""
    with closing(open_database(Places(served.folder))) as database:
        eve = accounts.add_account(database, "eve@example.org", "Eve")
        accounts.add_member(
            database, accounts.add_course(database, "cards", "Cards"), eve, "student", name="Eve"
        )
        code = sessions.begin(database, eve, "a test")
    cookies = {"tourney": code}
    for path in ("/c/cards", "/c/cards/organise", "/nowhere?code=1"):
        httpx.get(f"{served.url}{path}", cookies=cookies)
    served.end()
    lines = [json.loads(line) for line in served.errors.read_text().splitlines()]
    told = {line["page"]: line for line in lines if line["event"] == "answered"}
    assert told["course"].keys() == {"time", "level", "process", "event", "page", "status", "ms"}
    assert (told["organise"]["status"], told["organise"]["account"]) == (403, eve)
    assert (told[""]["status"], told[""]["level"]) == (404, "warning")
    assert {line["process"] for line in lines} >= {"web"}


def test_an_upload_that_is_given_up_is_no_fault_of_the_portals(
    portal: Portal, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged as what it is, and counted as no failure of ours."""
    caplog.set_level(logging.INFO, "tourney.portal")
    cookies = "; ".join(f"{n}={value}" for n, value in portal.browser("student").cookies.items())
    head = b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.py"\r\n\r\n'
    parts = iter([{"type": "http.request", "body": head, "more_body": True}])
    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "root_path": "",
        "query_string": b"",
        "path": "/c/cards/hand-in",
        "server": ("portal.test", 80),
        "client": ("127.0.0.1", 1),
        "headers": [
            (b"cookie", cookies.encode()),
            (b"sec-fetch-site", b"same-origin"),
            (b"content-type", b"multipart/form-data; boundary=x"),
        ],
    }

    async def receive() -> MutableMapping[str, Any]:
        return next(parts, {"type": "http.disconnect"})

    async def send(_: MutableMapping[str, Any]) -> None:
        """Nobody is there."""

    portal.runner.run(portal.app(scope, receive, send))
    (line,) = (each for each in caplog.records if getattr(each, "told", {}).get("page"))
    assert (line.getMessage(), line.levelname) == ("client left early", "INFO")
    tally = portal.app.state.tally
    assert tally.requests == {("hand-in-form", "4xx"): 1}


@pytest.mark.parametrize("process", ["web", "runner"])
def test_what_a_fault_says_stands_in_no_line_of_the_web_process(process: str) -> None:
    """It may quote what was sent; its kind and place are enough to find it."""
    try:
        int("secret of a form")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "failed\n", (), sys.exc_info())
    told = json.loads(logs.Lines(process, is_json=True).format(record))
    assert told["fault"] == "ValueError"
    assert told["at"][0].startswith(__file__)
    assert ("secret" in json.dumps(told)) is (process == "runner")
    assert logs.Lines(process, is_json=False).format(record).count("\n") == 0


ENDING = """
import atexit, threading
from tourney.portal import logs

logs.set_up("checker", "json")
ending = threading.Event()

def fail(when):
    when and when.wait()
    raise OSError("early" if when is None else "late")

early = threading.Thread(target=fail, args=(None,))
late = threading.Thread(target=fail, args=(ending,), daemon=True)
early.start()
late.start()
atexit.register(late.join)
atexit.register(ending.set)
"""


def test_a_thread_that_the_end_of_its_process_stops_is_no_fault() -> None:
    """It finds its files closed; a fault while the process lives is logged."""
    done = subprocess.run(
        [sys.executable, "-c", ENDING], capture_output=True, text=True, check=True, timeout=60
    )
    assert [json.loads(line)["says"] for line in done.stderr.splitlines()] == ["early"]


def test_nobody_writes_a_line_of_their_own_into_the_log() -> None:
    """Ends of lines are escaped in JSON, and whatever a record says is one line of text."""
    record = logging.LogRecord("x", logging.INFO, "x.py", 1, 'a\n{"event": "b"}', (), None)
    for is_json in (True, False):
        assert "\n" not in logs.Lines("web", is_json=is_json).format(record)


def test_strangers_fill_no_disk_with_lines() -> None:
    """The first are there, the others counted; lines of people who are signed in all stand."""
    passing, clock = logs.OfStrangers(), [0.0]
    passing._bucket.clock = lambda: clock[0]
    records = [logging.makeLogRecord({"told": {"status": 401}}) for _ in range(10_000)]
    assert sum(passing.filter(each) for each in records) == logs.LINES
    noise = logging.makeLogRecord({"name": "uvicorn.error", "levelno": logging.WARNING})
    assert not passing.filter(noise)
    assert passing.filter(logging.makeLogRecord({"told": {"status": 500, "account": 1}}))
    assert passing.filter(logging.makeLogRecord({"levelno": logging.ERROR}))
    clock[0] += 1
    record = logging.makeLogRecord({"told": {"status": 401}})
    assert passing.filter(record)
    assert vars(record)["told"]["lines_left_out"] == 10_001 - logs.LINES
