"""Handing in through pages: what is checked, filed, shown and chosen."""

import asyncio
import html
import json
import re
import shutil
import time
from collections import Counter
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import browser
from tests.sandbox.cpp import twins
from tourney.course.folder import Submissions
from tourney.errors import PortalError
from tourney.games.blackjack.check import matches
from tourney.portal import jobs, tournament_file, worker
from tourney.portal.jobs import get, progress_of
from tourney.portal.versions import keep, versions_of
from tourney.sandbox.levels import Level, probe

from .classes import STRAIGHTS_PLAYER
from .hands import (
    BROKEN,
    bold,
    do_checks,
    hand_in,
    handed,
    handlers,
    make_course,
    number_of,
    zipped,
)
from .portals import HOME, Portal
from .served import wait_until
from .test_every_page import Shown, answering

__all__ = ["browser"]  # a fixture

pytestmark = pytest.mark.skipif(
    probe() is Level.UNSAFE, reason="this machine cannot confine players"
)


@pytest.fixture(autouse=True)
def _few_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play a match of a tenth of the length."""
    monkeypatch.setattr(matches, "TABLES", 20)


@pytest.fixture(autouse=True)
def _course(portal: Portal) -> None:
    """Begin with a course that has a game."""
    make_course(portal, per_day=5)


def test_a_good_player_is_accepted_and_its_report_shown(portal: Portal) -> None:
    """Line by line, then as a whole; the folder holds it with the time of its receipt."""
    student = portal.browser("student")
    answer = hand_in(student, bold())
    number = number_of(answer)
    waiting = student.get(f"/c/cards/handed/{number}").text
    assert "Place 1 in the queue." in waiting
    assert do_checks(portal) == 1
    job = get(portal.database, number)
    assert (job.state, job.result["status"]) == ("done", "accepted")
    lines = jobs.said(portal.database, number)
    heads = [line.partition(":")[0] for line in lines]
    assert heads[:6] == ["read", "Game", "Sandbox", "Loading", "Situations", "Start-up"]
    assert lines[-1].startswith(f"accepted as Student, version {job.result['digest'][:12]}")
    page = student.get(f"/c/cards/handed/{number}").text
    assert '<strong class="good">Accepted</strong>' in page
    assert all(line.partition(":")[0] in page for line in lines)
    (filed,) = Submissions(portal.places.course("cards")).versions()
    assert (filed.name, filed.author, filed.status) == ("Student", "Student", "accepted")
    assert filed.time == datetime.fromisoformat(job.received)


def test_a_broken_player_is_told_where_and_how_to_mend_it(portal: Portal) -> None:
    """The version is filed as rejected."""
    job = handed(portal, BROKEN.encode())
    assert job.result["status"] == "rejected"
    assert job.result["findings"][0]["place"] == "bold.py:5"
    page = portal.browser("student").get(f"/c/cards/handed/{job.id}").text
    assert "<code>bold.py:5</code>" in page
    assert "How to fix it:" in page


def test_a_text_that_is_pasted_is_a_file(portal: Portal) -> None:
    """With a name of its author's, and line ends as a browser sends them."""
    fields = {"title": "typed.py", "text": bold().decode().replace("\n", "\r\n")}
    answer = portal.browser("student").post("/c/cards/hand-in", fields)
    do_checks(portal)
    job = get(portal.database, number_of(answer))
    assert job.result["status"] == "accepted"
    assert job.payload["title"] == "typed.py"


def test_a_zip_is_taken_apart_by_the_checker(portal: Portal) -> None:
    """What lies beside the competitor is left out, and that is said."""
    packed = zipped({"mine/bold.py": bold(), "mine/README.md": b"read me", "__MACOSX/x": b""})
    job = handed(portal, packed, "bold.zip")
    assert job.result["status"] == "accepted"
    said = jobs.said(portal.database, job.id)
    assert "left out: mine/README.md: a read-me, which does not compete" in said


@pytest.mark.skipif(not shutil.which("g++"), reason="nothing can be compiled here")
def test_a_project_in_cpp_is_built_and_checked(portal: Portal) -> None:
    """A zip of it, and a file whose fault the compiler tells."""
    project = {f"mine/{name}": text.encode() for name, text in twins.SEVERAL.items()}
    packed = zipped({**project, "mine/a.out": b"\xff", "mine/main.cpp": b"int main() { }"})
    job = handed(portal, packed, "mine.zip")
    assert job.result["status"] == "accepted", job.result
    said = jobs.said(portal.database, job.id)
    assert any(each.startswith("Compiling: g++ ") for each in said)
    assert "left out: a.out: no part of a program in C++" in said
    broken = twins.HEAP.replace("seen->size()", "seen->length()").encode()
    job = handed(portal, broken, "player.cpp")
    assert job.result["status"] == "rejected"
    assert job.result["findings"][0]["place"].startswith("player.cpp:")


def test_what_is_no_competitor_is_refused_and_costs_no_try(portal: Portal) -> None:
    """The refusal is kept in the course's folder, too."""
    for _ in range(7):
        job = handed(portal, b"%PDF-1.7", "essay.pdf")
    assert job.result["status"] == "refused"
    assert "essay.pdf: expected" in job.result["reason"]
    assert "essay.pdf" in (portal.places.course("cards") / "refusals.jsonl").read_text()
    assert handed(portal, bold()).result["status"] == "accepted"


def test_an_accepted_version_asks_for_practice_once(portal: Portal) -> None:
    """However many versions come before somebody has practised with them."""
    handed(portal, bold(12))
    handed(portal, bold(14), who="mate")
    handed(portal, BROKEN.encode())
    found = jobs.of_course(portal.database, portal.courses["cards"], ["practice"])
    assert [each.state for each in found].count("queued") == 1


def test_a_newer_upload_takes_the_place_of_ones_own_that_waits(portal: Portal) -> None:
    """In its turn, before who came between."""
    student, mate = portal.browser("student"), portal.browser("mate")
    first = number_of(hand_in(student, bold(12)))
    other = number_of(hand_in(mate, bold(13)))
    second = number_of(hand_in(student, bold(14)))
    assert get(portal.database, first).state == "replaced"
    assert "replaced this one in the queue" in student.get(f"/c/cards/handed/{first}").text
    found = progress_of(portal.database, [second, other])
    places = [found[number].place for number in (second, other)]
    assert places == [1, 2]


def test_the_time_of_receipt_counts_for_the_deadline(portal: Portal) -> None:
    """A check that comes a day later does not make a version late."""
    make_course(portal, terms="deadline: '2026-05-01 12:00+00:00'\n")
    late = number_of(hand_in(portal.browser("student"), bold(12)))
    punctual = number_of(hand_in(portal.browser("mate"), bold(13)))
    for number, clock in ((late, "12:00:01"), (punctual, "11:59:59")):
        portal.database.execute(
            "UPDATE jobs SET received = ? WHERE id = ?",
            (f"2026-05-01T{clock}.000000+00:00", number),
        )
    do_checks(portal)
    assert get(portal.database, late).result["status"] == "refused"
    assert "deadline" in get(portal.database, late).result["reason"]
    assert get(portal.database, punctual).result["status"] == "accepted"


def test_an_exception_lifts_a_limit_with_its_reason(portal: Portal) -> None:
    """For one person, until a time; it is kept with the version."""
    make_course(portal, terms="deadline: '2026-05-01 12:00+00:00'\nper_day: 1\n", per_day=1)
    portal.database.execute(
        "INSERT INTO overrides (course, person, name, limits, because, until) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (
            portal.courses["cards"],
            "Student",
            "Student",
            '["deadline", "per_day"]',
            "ill",
            "2999-01-01T00:00:00+00:00",
        ),
    )
    for total in (12, 14):
        job = handed(portal, bold(total))
        assert job.result["status"] == "accepted"
    filed = Submissions(portal.places.course("cards")).versions("Student")[-1]
    assert filed.override == "deadline and per_day overridden: ill"
    assert handed(portal, bold(13), who="mate").result["status"] == "refused"


def test_a_check_that_is_done_twice_files_once(portal: Portal) -> None:
    """Good or broken; the process may end between filing and saying so."""
    for content in (bold(), BROKEN.encode()):
        job = handed(portal, content)
        before = Submissions(portal.places.course("cards")).versions()
        portal.database.execute("UPDATE jobs SET state = 'queued' WHERE id = ?", (job.id,))
        do_checks(portal)
        assert Submissions(portal.places.course("cards")).versions() == before
        assert get(portal.database, job.id).result == job.result


def test_the_daily_limit_names_the_player_as_it_is_called(portal: Portal) -> None:
    """A sentence that begins with a name in small letters would change it."""
    make_course(portal, per_day=1)
    portal.database.execute("UPDATE members SET name = 'mchen' WHERE name = 'Student'")
    student = portal.browser("student")
    jobs.finish(portal.database, number_of(hand_in(student, bold())), {"status": "accepted"})
    answer = hand_in(student, bold(14))
    assert "The player mchen has used its 1 submission of today (UTC)" in answer.text


def test_fifty_uploads_at_once_count_five(portal: Portal) -> None:
    """Even if each is begun before the next, so that none takes another's place."""
    portal.app.state.site.database.execute(
        "CREATE TEMP TRIGGER begun AFTER INSERT ON jobs WHEN new.kind = 'check' "
        "BEGIN UPDATE jobs SET state = 'running' WHERE id = new.id; END"
    )
    cookies = portal.browser("student").cookies

    async def send_all() -> Counter[int]:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=portal.app), base_url=HOME, cookies=cookies
        ) as client:
            sent = (
                client.post(
                    "/c/cards/hand-in",
                    files={"file": ("bold.py", bold(number))},
                    headers={"sec-fetch-site": "same-origin"},
                )
                for number in range(50)
            )
            return Counter(each.status_code for each in await asyncio.gather(*sent))

    counted = portal.runner.run(send_all())
    assert counted[303] == 5
    assert set(counted) <= {303, 422, 429}  # too many of the day, or too many requests at once
    assert len(list(portal.places.inbox.iterdir())) == 5


def test_own_versions_are_listed_and_their_source_given_back(portal: Portal) -> None:
    """As plain text that a browser keeps and never runs."""
    job = handed(portal, bold())
    student = portal.browser("student")
    listed = student.get("/c/cards/versions").text
    assert job.result["digest"][:12] in listed
    assert "accepted, competes" in listed
    assert "Game" in student.get("/c/cards/versions/1").text
    given = student.get("/c/cards/versions/1/source")
    assert given.content == bold()
    assert given.headers["content-type"] == "text/plain; charset=utf-8"
    assert given.headers["content-disposition"].startswith("attachment; ")
    assert given.headers["x-content-type-options"] == "nosniff"


def test_hidden_characters_of_a_source_are_shown_as_escapes(portal: Portal) -> None:
    """In the report and beside the link to the source, which is given back as it is."""
    text = bold() + "# user\u202e \u2066\n".encode()
    handed(portal, text)
    student = portal.browser("student")
    page = student.get("/c/cards/versions/1").text
    assert "hidden character U+202E RIGHT-TO-LEFT OVERRIDE at line" in page
    assert "<code># user\\u202e \\u2066</code>" in page
    assert "\u202e" not in page
    assert student.get("/c/cards/versions/1/source").content == text


def test_a_version_is_chosen_where_the_rule_allows_it(portal: Portal) -> None:
    """Elsewhere the page says which one plays."""
    handed(portal, bold(12))
    handed(portal, bold(14))
    student = portal.browser("student")
    answer = student.post("/c/cards/versions/1/choose")
    assert answer.status_code == 422
    assert "its rule is &#39;last&#39;" in answer.text
    make_course(portal, terms="submission_rule: pinned\n", submission_rule="pinned")
    assert "Let version" in student.get("/c/cards/versions/1").text
    number = number_of(student.post("/c/cards/versions/1/choose"))
    do_checks(portal)
    assert get(portal.database, number).result["status"] == "chosen"
    assert "Chosen" in student.get(f"/c/cards/handed/{number}").text
    playing = Submissions(portal.places.course("cards")).playing("Student")
    assert playing
    assert playing.digest == get(portal.database, number).result["digest"]
    assert "it competes" in student.get("/c/cards/versions/1").text


def test_the_portals_own_failure_costs_no_try(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again, then given up with a word on whose fault it is."""

    def broken(context: worker.Context) -> dict[str, object]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(time, "sleep", lambda _: None)
    make_course(portal, per_day=1)
    student = portal.browser("student")
    number = number_of(hand_in(student, bold()))
    worker.do_all(portal.places, {**handlers(), "check": broken})
    assert get(portal.database, number).state == "failed"
    assert (
        "This was not your fault and does not use up an attempt."
        in student.get(f"/c/cards/handed/{number}").text
    )
    assert handed(portal, bold()).result["status"] == "accepted"


def test_a_limit_counts_the_days_of_the_class(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which in New York end at five in the morning of UTC."""
    make_course(portal)

    def add(moment: str) -> bool:
        monkeypatch.setattr(jobs, "now", lambda: moment)
        how = {"course": 1, "name": "Ada", "per_day": 1, "time_zone": "America/New_York"}
        try:
            jobs.add(portal.database, "check", {}, **how)  # type: ignore[arg-type]  # as named
        except PortalError:
            return False
        return True

    taken = [
        add(f"2026-12-{moment}:00.000000+00:00")
        for moment in ("01T23:00", "02T04:59", "02T05:00", "02T23:00")
    ]
    assert taken == [True, False, True, False]


def test_events_tell_the_same_as_the_page(portal: Portal) -> None:
    """And end when the job is over."""
    job = handed(portal, bold())
    answer = portal.browser("student").get(f"/c/cards/handed/{job.id}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    first, last = answer.text.strip().split("\n\n")
    told = json.loads(first.removeprefix("data: "))
    assert told["lines"] == list(jobs.said(portal.database, job.id))
    assert told["result"]["status"] == "accepted"
    assert last.startswith("event: over")


def test_a_fault_of_the_courses_tournament_is_no_fault_of_a_file(portal: Portal) -> None:
    """Who hands in is told whose it is, staff where it is, and nobody a path of the machine."""
    folder = portal.places.course("cards")
    (folder / "submissions.yaml").write_text("game: ve280\ntournament: tournament.yaml\n")
    (folder / "tournament.yaml").write_text("name: CS 101: Cards\ngame: ve280\n")
    job = handed(portal, bold())
    page = portal.browser("student").get(f"/c/cards/handed/{job.id}").text
    assert job.state == "failed"
    assert "Failed: the course&#39;s tournament has a fault" in page
    assert str(portal.places.root) not in page
    lecturer = portal.browser("lecturer")
    answer = lecturer.post("/c/cards/tournament")
    worker.do_all(portal.places, tournament_file.HANDLERS)
    page = lecturer.get(answer.headers["location"]).text
    assert "tournament.yaml:1:13: " in page
    assert str(portal.places.root) not in page


def shown_text(portal: Portal, job: int) -> str:
    """Give the text of the page about an upload, as the student sees it."""
    page = portal.browser("student").get(f"/c/cards/handed/{job}").text
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", page)).split())


def test_an_accepted_upload_leads_on(portal: Portal) -> None:
    """The page says that it competes, how well it plays, what to improve and what comes next."""
    job = handed(portal, bold(21))
    (found,) = versions_of(portal.database, portal.courses["cards"], "Student")
    text, page = (
        shown_text(portal, job.id),
        portal.browser("student").get(f"/c/cards/handed/{job.id}").text,
    )
    assert "It competes for Student." in text
    figure = f"{found.report['score']:+.1f} ± {found.report['margin']:.1f}".replace(
        "-", "\N{MINUS SIGN}"
    )
    assert f"Compared with simple: {figure} minimum bets per 100 rounds" in text
    first, third, fourth = (found.report["mistakes"][at]["situation"] for at in (0, 2, 3))
    assert f"{first}: " in text
    assert f"{third}: " in text
    assert f"{fourth}: " not in text
    assert 'href="/c/cards/board"' in page
    assert "It plays the practice tables now." in text
    assert "You may submit again at any time." in text
    version = portal.browser("student").get(f"/c/cards/versions/{found.id}").text
    assert version.index("Compared with simple") < version.index("<details>"), "it is not folded"


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("last", "a later submission does"),
        ("best", "another submission has a better check score"),
        ("pinned", "another submission is chosen"),
    ],
)
def test_an_accepted_upload_that_does_not_compete_has_the_reason(
    portal: Portal, rule: str, words: str
) -> None:
    """With a link to the submission that competes, and where it may be chosen, a button."""
    make_course(portal, submission_rule=rule)
    job = handed(portal, bold(12))
    course = portal.courses["cards"]
    (first,) = versions_of(portal.database, course, "Student")
    files = [("bold.py", bold().decode())]
    other = replace(first, digest="3f" * 16)
    keep(portal.database, course, "Student", [(replace(first, plays=False), files), (other, files)])
    text = shown_text(portal, job.id)
    assert f"It does not compete: {words}. The competing submission" in text
    assert ("Let version" in text) == (rule == "pinned")


def test_a_player_of_another_game_is_told_the_game_of_the_course(portal: Portal) -> None:
    """The portal has no option for another game."""
    player = STRAIGHTS_PLAYER.format(first=0).encode()
    text = shown_text(portal, handed(portal, player).id)
    assert "How to fix it: this course plays ve280; submit a player for blackjack" in text
    assert "--game" not in text


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_file_is_named(portal: Portal, content: bytes) -> None:
    """Rather than asked for, as if none was chosen."""
    answer = hand_in(portal.browser("student"), content, "empty.py")
    assert answer.status_code == 422
    assert "Not done. The file empty.py is empty; save your code in it" in answer.text


def test_a_file_beside_pasted_code_is_no_guess(portal: Portal) -> None:
    """The student says which of both it is; the code stays in the form."""
    files = {"file": ("bold.py", b"a = 1")}
    fields = {"title": "player.py", "text": "b = 2"}
    answer = portal.browser("student").post("/c/cards/hand-in", fields, files=files)
    assert answer.status_code == 422
    assert "Not done. The form has the file bold.py and pasted code;" in answer.text
    assert "b = 2</textarea>" in answer.text


def test_pasted_code_needs_a_name_with_an_ending(portal: Portal) -> None:
    """Which says the language; the check would find it out minutes later."""
    fields = {"title": "player", "text": "b = 2"}
    answer = portal.browser("student").post("/c/cards/hand-in", fields)
    assert answer.status_code == 422
    assert "name player has no ending; use one that says the language, such as player.py" in (
        html.unescape(answer.text)
    )


def test_a_folder_or_a_changed_file_is_named_before_it_is_sent(
    portal: Portal, browser: Chromium, tmp_path: Path
) -> None:
    """A browser would send nothing, and say that the site cannot be reached."""
    file, folder = tmp_path / "bold.py", tmp_path / "project"
    file.write_bytes(bold())
    folder.mkdir()
    field = "document.querySelector('[type=file]')"

    def choose(path: Path) -> None:
        root = browser.ask("DOM.getDocument")["root"]["nodeId"]
        node = browser.ask("DOM.querySelector", nodeId=root, selector="[type=file]")["nodeId"]
        browser.ask("DOM.setFileInputFiles", nodeId=node, files=[str(path)])

    def says(words: str) -> bool:
        return wait_until(lambda: browser.run(f"{field}.validationMessage").startswith(words))

    with answering(portal.places) as url:
        Shown(portal, browser, url, {}).sit_down("student")
        browser.visit(f"{url}/c/cards/hand-in")
        choose(folder)
        assert says("project is a folder")
        choose(file)
        assert wait_until(lambda: browser.run(f"{field}.checkValidity()"))
        file.write_bytes(bold(14) + b"\n")
        browser.run("dispatchEvent(new Event('focus'))")
        assert says("bold.py is a folder, is empty, or has changed since")
        choose(file)
        assert wait_until(lambda: browser.run(f"{field}.checkValidity() && {field}.value"))
