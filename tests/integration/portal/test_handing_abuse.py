"""What people hand in to harm the portal or each other."""

from collections.abc import AsyncIterator, Mapping

import httpx
import pytest

from tourney.games.blackjack.check import matches
from tourney.portal import jobs, sessions
from tourney.portal.jobs import get
from tourney.sandbox.levels import Level, probe

from .hands import (
    add_handed_in,
    bold,
    do_checks,
    hand_in,
    handed,
    make_course,
    number_of,
    zipped,
)
from .portals import HOME, Portal

MARKUP = "<script>alert(1)</script>"

OTHERS = {
    "": "303",
    "admin": "404",
    "lecturer": "200",
    "assistant": "200",
    "student": "200",
    "mate": "404",
    "spectator": "404",
    "stranger": "404",
    "outsider": "404",
}
"""Who sees what the student has handed in."""

confined = pytest.mark.skipif(probe() is Level.UNSAFE, reason="nobody can be confined here")


@pytest.fixture(autouse=True)
def _course(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin with courses that have a game, and short matches."""
    monkeypatch.setattr(matches, "TABLES", 20)
    make_course(portal)
    make_course(portal, "other")


@pytest.mark.parametrize("who", OTHERS)
def test_other_peoples_jobs_and_versions_are_not_there(portal: Portal, who: str) -> None:
    """Not by any number, and not by way of another course."""
    job, version = add_handed_in(portal)
    browser = portal.browser(who)
    paths = (
        f"handed/{job}",
        f"handed/{job}/events",
        f"versions/{version}",
        f"versions/{version}/source",
    )
    got = [str(browser.get(f"/c/cards/{path}").status_code) for path in paths]
    assert got == [OTHERS[who]] * len(paths)
    elsewhere = [browser.get(f"/c/other/{path}").status_code for path in paths]
    assert set(elsewhere) <= ({303} if who == "" else {404})


def test_another_ones_version_cannot_be_chosen(portal: Portal) -> None:
    """Whatever the rule."""
    make_course(portal, terms="submission_rule: pinned\n", submission_rule="pinned")
    _, version = add_handed_in(portal, "mate")
    answer = portal.browser("student").post(f"/c/cards/versions/{version}/choose")
    assert answer.status_code == 404
    assert "Mate" not in portal.browser("student").get("/c/cards/versions").text


@pytest.mark.parametrize("number", ["0", "99", str(2**63), "9" * 400])
def test_a_number_that_nothing_has_is_not_there(portal: Portal, number: str) -> None:
    """However large."""
    student = portal.browser("student")
    for path in ("handed", "versions"):
        assert student.get(f"/c/cards/{path}/{number}").status_code == 404


def test_three_megabytes_are_too_large(portal: Portal) -> None:
    """With the length told or not; nothing is kept of it."""
    cookies = portal.browser("student").cookies
    content = b"#" * 3_000_000

    async def pieces() -> AsyncIterator[bytes]:
        yield b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.py"\r\n\r\n'
        for _ in range(300):
            yield b"#" * 10_000
        yield b"\r\n--x--\r\n"

    async def answers() -> list[httpx.Response]:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=portal.app),
            base_url=HOME,
            cookies=cookies,
            headers={"sec-fetch-site": "same-origin"},
        ) as client:
            told = await client.post("/c/cards/hand-in", files={"file": ("a.py", content)})
            kind = {"content-type": "multipart/form-data; boundary=x"}
            chunked = await client.post("/c/cards/hand-in", content=pieces(), headers=kind)
            return [told, chunked]

    for answer in portal.runner.run(answers()):
        assert answer.status_code == 413
        assert "larger than 1,100,000 bytes" in answer.text
        assert '<a href="/c/cards/hand-in">Back to the form</a>' in answer.text
        assert "<span>Student ·</span>" in answer.text
    assert not list(portal.places.inbox.iterdir())
    assert not jobs.of_course(portal.database, portal.courses["cards"], ["check"])


@pytest.mark.parametrize(
    ("referer", "back"),
    [("http://portal.test/c/cards", "/c/cards"), ("http://[", "/c/cards/hand-in"), ("/no", "")],
)
def test_a_refusal_leads_back_to_the_form(portal: Portal, referer: str, back: str) -> None:
    """As the browser says, if that is a page of ours."""
    answer = hand_in(portal.browser("student"), b"#" * 1_200_000, referer=referer)
    assert answer.status_code == 413
    assert ("Back to the form" in answer.text) == bool(back)
    assert f'<a href="{back}">' in answer.text or not back


def test_a_full_disk_refuses_an_upload_in_words(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And promises nothing."""
    portal.places.inbox.rmdir()
    answer = hand_in(portal.browser("student"), bold())
    assert answer.status_code == 507
    assert "inform your lecturer" in answer.text
    assert not jobs.of_course(portal.database, portal.courses["cards"], ["check"])


def test_markup_in_names_and_reports_is_text(portal: Portal) -> None:
    """In the title, the lines and the findings, and in what a token is called."""
    student = portal.browser("student")
    number = number_of(hand_in(student, bold(), f"{MARKUP.replace('/', '')}.py"))
    jobs.say(portal.database, number, MARKUP)
    finding = {"message": MARKUP, "place": MARKUP, "remedy": MARKUP, "is_warning": False}
    result = {"status": "rejected", "reason": MARKUP, "findings": [finding]}
    for _ in range(2):
        page = student.get(f"/c/cards/handed/{number}").text
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page
        jobs.finish(portal.database, number, result)
    student.post("/account/tokens", {"title": MARKUP})
    assert "<script>alert" not in student.get("/account/tokens").text
    (made,) = sessions.tokens_of(portal.database, portal.people["student"])
    assert made.title == MARKUP


def many() -> Mapping[str, bytes]:
    """Give files that are small packed, and not unpacked."""
    return {f"{number}.py": b"#" * 900_000 for number in range(100)}


@confined
@pytest.mark.parametrize(
    ("title", "content", "words"),
    [
        ("bomb.zip", zipped(many()), "bytes when unpacked"),
        ("up.zip", zipped({"../../bold.py": b"x"}), "path leads out of the zip"),
        ("root.zip", zipped({"/etc/bold.py": b"x"}), "path leads out of the zip"),
        (
            "inner.zip",
            zipped({"a.zip": zipped({"bold.py": b"x"})}),
            "an archive within the download",
        ),
        ("text.zip", bold(), "text.zip cannot be read as a zip file"),
        ("zip.py", zipped({"bold.py": bold()}), "is not UTF-8"),
        ("two.zip", zipped({"a.py": b"1", "b.py": b"2"}), "these are 2 files (a.py, b.py)"),
        ("run.exe", b"MZ", "got compiled code"),
    ],
)
def test_what_pretends_to_be_a_competitor_is_refused(
    portal: Portal, title: str, content: bytes, words: str
) -> None:
    """In words, with what its author calls it and without where the portal keeps it."""
    job = handed(portal, content, title)
    assert job.result["status"] == "refused"
    assert words in job.result["reason"]
    assert str(portal.places.root) not in job.result["reason"]
    assert not list(portal.places.course("cards").glob("*/*/record.json"))


@confined
@pytest.mark.parametrize("title", ["../../evil.py", "..\\..\\evil.py", "/etc/evil.py"])
def test_a_path_in_a_name_leads_nowhere(portal: Portal, title: str) -> None:
    """Its last part is the file's name."""
    job = handed(portal, bold(), title)
    assert (job.result["status"], job.payload["title"]) == ("accepted", "evil.py")


@confined
def test_a_name_that_is_none_is_refused(portal: Portal) -> None:
    """At once, or by who reads it."""
    student = portal.browser("student")
    for title in ("a" * 200 + ".py", "bold\u202e.py", " "):
        assert hand_in(student, bold(), title).status_code == 422
    number = number_of(hand_in(student, bold(), ".hidden.py"))
    do_checks(portal)
    assert get(portal.database, number).result["status"] == "refused"
