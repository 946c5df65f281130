"""Handing in by a program: tokens, and `tourney submit --to` at a portal that really serves."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest

from tourney.course.commands import upload
from tourney.course.folder import Submissions
from tourney.portal import accounts, jobs, sessions
from tourney.portal.database import open_database
from tourney.portal.places import Places
from tourney.sandbox.levels import Level, probe

from .hands import BROKEN, TERMS, add_handed_in, bold, hand_in, make_course
from .portals import Browser, Portal
from .served import wait_until
from .test_every_page import answering

JSON = "application/json"


def token(portal: Portal, who: str = "student") -> str:
    """Make a token by the page."""
    answer = portal.browser(who).post("/account/tokens", {"title": "my laptop"})
    found = re.search(r"tourney_[\w-]+", answer.text)
    assert found, answer.text
    return found[0]


def program(portal: Portal) -> Browser:
    """Give what has no cookies."""
    return portal.browser()


def test_a_token_hands_in_and_sees_its_job(portal: Portal) -> None:
    """And is shown once: the page lists it by its title alone."""
    make_course(portal)
    code = token(portal)
    asks = {"authorization": f"Bearer {code}", "accept": JSON}
    answer = hand_in(program(portal), bold(), **asks)
    assert answer.status_code == 202
    told = answer.json()
    assert (told["state"], told["place"], told["lines"]) == ("queued", 1, [])
    assert program(portal).get(told["address"], **asks).json() == told
    page = portal.browser("student").get("/account/tokens").text
    assert "my laptop" in page
    assert code not in page


def test_a_token_is_nobody_elses_and_opens_nothing_else(portal: Portal) -> None:
    """Not another's job, not a page without programs, and nothing once it is ended."""
    make_course(portal)
    job, _ = add_handed_in(portal, "mate")
    code = token(portal)
    asks = {"authorization": f"Bearer {code}", "accept": JSON}
    assert program(portal).get(f"/c/cards/handed/{job}", **asks).status_code == 404
    for path in ("/account/tokens", "/c/cards/versions", "/c/cards", "/c/cards/hand-in"):
        assert program(portal).get(path, **asks).status_code == 401
    (own,) = sessions.tokens_of(portal.database, portal.people["student"])
    assert portal.browser("mate").post(f"/account/tokens/{own.id}/end").status_code == 404
    assert portal.browser("student").post(f"/account/tokens/{own.id}/end").status_code == 303
    assert hand_in(program(portal), bold(), **asks).status_code == 401


def test_nobody_has_tokens_without_end(portal: Portal) -> None:
    """Ten; and each has a title."""
    for _ in range(sessions.MOST_TOKENS):
        token(portal)
    answer = portal.browser("student").post("/account/tokens", {"title": "one more"})
    assert answer.status_code == 422
    assert "You already have 10 tokens" in answer.text


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Places, str, str]]:
    """A portal that serves on loopback: its folder, the address of its course and a token."""
    places = Places(tmp_path / "portal")
    places.course("cards").mkdir(parents=True)
    places.inbox.mkdir()
    (places.course("cards") / "submissions.yaml").write_text(TERMS)
    (places.course("cards") / "roster.csv").write_text("person,as\nAda,Ada\n")
    with closing(open_database(places)) as database:
        ada = accounts.add_account(database, "ada@example.org", "Ada")
        course = accounts.add_course(database, "cards", "Cards")
        accounts.add_member(database, course, ada, "student", person="Ada", name="Ada")
        code = sessions.add_token(database, ada, "a test")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (sys.executable, "-m", "tourney", "serve", str(places.root), "--port", str(port))
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address)
            yield places, f"{address}/c/cards", code
        finally:
            process.send_signal(signal.SIGTERM)


def wait_for(address: str) -> None:
    """Wait until a portal answers."""
    for _ in range(600):
        try:
            httpx.get(f"{address}/healthz")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"expected an answer at {address}, got none")


def submit(path: Path, to: str, code: str) -> "subprocess.CompletedProcess[str]":
    """Hand a file in by the command."""
    return subprocess.run(
        (sys.executable, "-m", "tourney", "submit", str(path), "--to", to),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TOURNEY_TOKEN": code},
    )


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("http://cards.example.edu/c/cs101", "use https://"),
        ("https://cards.example.edu/", "is not the address of a course"),
        ("https://ada@cards.example.edu/c/cs101", "is not the address of a course"),
    ],
)
def test_an_address_that_is_none_is_sent_nothing(tmp_path: Path, place: str, words: str) -> None:
    """Least of all the token."""
    path = tmp_path / "bold.py"
    path.write_bytes(bold())
    sent = submit(path, place, "tourney_some")
    assert (sent.returncode, words in sent.stderr) == (2, True), sent.stderr


def test_the_token_follows_no_redirect(tmp_path: Path) -> None:
    """A portal that sends elsewhere is told of, and elsewhere hears nothing."""
    heard: list[str] = []

    class Sly(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(self.path)
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(307)
            self.send_header("location", "/c/elsewhere/hand-in")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Be quiet."""

    path = tmp_path / "bold.py"
    path.write_bytes(bold())
    with HTTPServer(("127.0.0.1", 0), Sly) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        sent = submit(path, f"http://127.0.0.1:{server.server_port}/c/cards", "tourney_some")
        server.shutdown()
        thread.join()
    assert sent.returncode == 2
    assert "status 307" in sent.stderr
    assert heard == ["/c/cards/hand-in"]


def checker_of(places: Places) -> int | None:
    """Find the process of a portal that checks."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().decode().split("\0")
            except (OSError, UnicodeDecodeError):
                continue
            if words[2:5] == ["tourney.portal.processes", "checker", str(places.root)]:
                return int(entry.name)
    return None


@pytest.mark.prove
@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
def test_the_command_hands_in_at_a_portal_whose_checker_is_killed(
    served: tuple[Places, str, str], tmp_path: Path
) -> None:
    """Its lines come, its status says what became of it, and a kill costs nothing."""
    places, address, code = served
    good, bad = tmp_path / "bold.py", tmp_path / "broken.py"
    good.write_bytes(bold())
    bad.write_text(BROKEN)
    with closing(open_database(places)) as database:
        # Found before, so that it is killed as soon as it is in the midst of its check.
        assert wait_until(lambda: checker_of(places) is not None)
        killed = checker_of(places)
        assert killed is not None
        command = (sys.executable, "-m", "tourney", "submit", str(good), "--to", address)
        sending = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TOURNEY_TOKEN": code}
        )
        running = "SELECT 1 FROM jobs WHERE state = 'running'"
        assert wait_until(lambda: bool(database.first(running))), sending.communicate()[0]
        os.kill(killed, signal.SIGKILL)
        out, _ = sending.communicate(timeout=120)
        assert sending.returncode == 0, out
        assert "accepted as Ada, version" in out
        (job,) = jobs.of_course(database, 1, ["check"])
        assert (job.state, job.result["status"]) == ("done", "accepted")
        assert database.first("SELECT deaths FROM jobs WHERE id = ?", (job.id,)) == (1,)
    (filed,) = Submissions(places.course("cards")).versions()
    assert len(filed.times) == 1
    rejected = submit(bad, address, code)
    assert rejected.returncode == 1
    assert "broken.py:5" in rejected.stdout
    empty = tmp_path / "empty.py"
    empty.write_text("\n")
    nothing = submit(empty, address, code)
    assert (nothing.returncode, "the file empty.py is empty" in nothing.stderr) == (1, True), (
        nothing.stderr
    )
    refused = submit(good, address, "tourney_wrong")
    assert refused.returncode == 2
    assert "or send a valid token" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_command_sends_a_note_to_the_portal(
    portal: Portal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any letters; it is with the upload, as from the form."""
    make_course(portal)
    code = token(portal)
    path = tmp_path / "bold.py"
    path.write_bytes(bold())

    def finish(_: float) -> None:
        (job,) = jobs.of_course(portal.database, portal.courses["cards"], ["check"])
        jobs.finish(portal.database, job.id, {"status": "accepted"})

    with answering(portal.places) as url:
        monkeypatch.setattr(upload.time, "sleep", finish)
        job = upload.send(f"{url}/c/cards", path, code, lambda _: None, "zählt Asse")
    assert job["state"] == "done"
    (found,) = jobs.of_course(portal.database, portal.courses["cards"], ["check"])
    assert found.payload["note"] == "zählt Asse"
