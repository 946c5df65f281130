"""What people hand in on a portal, and the course that takes it."""

import json
import re
from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import httpx

from tourney.portal import worker
from tourney.portal.checker import Checks
from tourney.portal.jobs import Job, add, finish, get
from tourney.portal.versions import Version, keep, versions_of
from tourney.portal.worker import Handler

from .portals import Browser, Portal

PLAYER = """\
from tourney import Player


class Bold(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < TOTAL
"""
BROKEN = "from tourney import Player\n\n\nclass Bold(Player):\n    def bet(self, bankroll, min"
TERMS = "game: ve280\nroster: roster.csv\n"
ROSTER = "person,as\nStudent,Student\nMate,Mate\nOutsider,Outsider\n"


def bold(total: int = 16) -> bytes:
    """Write a competitor that draws below a total."""
    return PLAYER.replace("TOTAL", str(total)).encode()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Pack files."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return made.getvalue()


def make_course(portal: Portal, slug: str = "cards", terms: str = "", **told: object) -> None:
    """Make a course's folder, and tell the pages of it."""
    folder = portal.places.course(slug)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "submissions.yaml").write_text(TERMS + terms)
    (folder / "roster.csv").write_text(ROSTER)
    portal.database.execute("UPDATE courses SET told = ? WHERE slug = ?", (json.dumps(told), slug))


def hand_in(
    browser: Browser, content: bytes, title: str = "bold.py", slug: str = "cards", **headers: str
) -> httpx.Response:
    """Hand a file in by the form."""
    return browser.post(f"/c/{slug}/hand-in", files={"file": (title, content)}, **headers)


def number_of(answer: httpx.Response) -> int:
    """Give the job that an answer leads to."""
    assert answer.status_code == 303, answer.text
    found = re.fullmatch(r"/c/\w+/handed/(\d+)", answer.headers["location"])
    assert found, answer.headers
    return int(found[1])


def add_handed_in(portal: Portal, who: str = "student", slug: str = "cards") -> tuple[int, int]:
    """Write down a version of somebody as if it had been checked; give its job and its number."""
    course = portal.courses[slug]
    job = add(
        portal.database,
        "check",
        {"file": "check-0", "title": "bold.py", "author": who.title()},
        course=course,
        account=portal.people[who],
        name=who.title(),
    )
    finish(portal.database, job.id, {"status": "accepted", "digest": "3f" * 16, "reason": ""})
    report = {"passed": True, "score": 1.5, "margin": 0.5, "findings": [], "measured": []}
    made = Version(
        name=who.title(),
        digest="3f" * 16,
        received=job.received,
        status="accepted",
        reason="",
        plays=True,
        report=report,
    )
    keep(portal.database, course, made.name, [(made, [("bold.py", bold().decode())])])
    return job.id, versions_of(portal.database, course, made.name)[0].id


def handlers() -> Mapping[str, Handler]:
    """Give what checks, as the process `checker` does it."""
    return Checks.load().handlers


def do_checks(portal: Portal) -> int:
    """Do what waits, and give how many jobs that were."""
    return worker.do_all(portal.places, handlers())


def handed(portal: Portal, content: bytes, title: str = "bold.py", who: str = "student") -> Job:
    """Hand a file in, let it be checked, and give its job."""
    job = number_of(hand_in(portal.browser(who), content, title))
    do_checks(portal)
    return get(portal.database, job)
