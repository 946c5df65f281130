"""A whole course in a browser: a lecturer and three students, from the first link to the marks.

Played on the portal as people start it, with its real processes; every page is a real one in
Chromium, and none complains.
"""

import csv
import io
import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep

import pyotp
import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import browser
from tourney.cli import main
from tourney.sandbox.levels import Level, probe

from .served import Served

__all__ = ["browser"]
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="a portal stands on Linux"),
    pytest.mark.skipif(probe() is not Level.FULL, reason="players cannot be confined here"),
]

PASSWORD = "four words in a row"  # noqa: S105 - of nobody
GRADEBOOK = """\
Student,ID,SIS User ID,SIS Login ID,Section,Project (7)
"    Points Possible",,,,,10
"Lovelace, Ada",101,a1,ada,Section 1,
"Babbage, Charles",102,b2,charles,Section 2,
"Hopper, Grace",103,c3,grace,Section 2,
"""
BROKEN = """\
from tourney import Player


class Ada(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.totl < 16
"""
GOOD = BROKEN.replace("totl", "total")
STUDENTS = {"ada": "Ada Lovelace", "charles": "Charles Babbage", "grace": "Grace Hopper"}
LONGEST = 60.0


@dataclass
class Person:
    """Somebody at the one browser, who takes their own cookies along."""

    chromium: Chromium
    served: Served
    cookies: list[dict[str, object]] = field(default_factory=list)

    def sits_down(self) -> "Person":
        """Bring one's own cookies."""
        self.chromium.visit("about:blank")  # where nothing goes on to ask as whoever sat there
        self.chromium.ask("Network.clearBrowserCookies")
        if self.cookies:
            self.chromium.ask("Network.setCookies", cookies=self.cookies)
        return self

    def gets_up(self) -> None:
        """Take one's cookies along."""
        self.cookies = self.chromium.ask("Network.getCookies", urls=[self.served.url])["cookies"]

    def visits(self, path: str) -> str:
        """Open a page, which must not complain; give its text."""
        page = self.chromium.visit(self.served.url + path)
        assert page.complaints == [], (path, self.text())
        return self.text()

    def text(self) -> str:
        """Give what stands on the page."""
        found: str = self.chromium.run("document.querySelector('main').innerText")
        return found

    def sends(self, action: str, **values: str) -> str:
        """Fill in the form of an action and send it by its button; give the next page's text."""
        # A page's own marks tell it from the next one, which may look the same.
        self.chromium.run(
            f"""(() => {{
            const form = document.querySelector(`form[action$="{action}"]`);
            const values = {json.dumps(values)};
            for (const name in values) {{
                const field = form.elements[name];
                if (field.type === "checkbox") field.checked = true;
                else field.value = values[name];
            }}
            window.isOld = true;
            form.querySelector("button").click();
            }})()"""
        )
        self.waits_for("!window.isOld && document.readyState === 'complete'")
        return self.text()

    def attaches(self, name: str, file: Path) -> None:
        """Choose a file in a field."""
        root = self.chromium.ask("DOM.getDocument")["root"]["nodeId"]
        found = self.chromium.ask("DOM.querySelector", nodeId=root, selector=f"[name={name}]")
        self.chromium.ask("DOM.setFileInputFiles", nodeId=found["nodeId"], files=[str(file)])

    def waits_for(self, script: str) -> None:
        """Wait until a script says true; the page may change meanwhile."""
        for _ in range(int(LONGEST / 0.1)):
            try:
                if self.chromium.run(script):
                    return
            except AssertionError:  # the page was just going
                pass
            sleep(0.1)
        pytest.fail(f"{script}: {self.text()}")

    def waits_to_read(self, words: str) -> None:
        """Wait until a page says something."""
        self.waits_for(f"document.body.innerText.includes({json.dumps(words)})")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A portal that answers."""
    made = Served(tmp_path / "portal").start()
    yield made
    made.end()


def sign_up(lecturer: Person) -> None:
    """Set the portal up and show a second factor."""
    lecturer.visits(f"/set-up?code={lecturer.served.set_up_code()}")
    lecturer.sends("/set-up", name="Dr Turing", login="turing@example.org", password=PASSWORD)
    lecturer.visits("/new-course")
    secret = lecturer.chromium.run("document.querySelector('[name=secret]').value")
    lecturer.sends("/account/second", code=pyotp.TOTP(secret).now())
    lecturer.sends("/new-course", title="Cards 101", slug="cards")


def take_roster(lecturer: Person, folder: Path) -> None:
    """Take a gradebook in."""
    (folder / "gradebook.csv").write_text(GRADEBOOK)
    lecturer.visits("/c/cards/organise")
    lecturer.attaches("gradebook", folder / "gradebook.csv")
    lecturer.sends("/roster")
    lecturer.waits_to_read("Save roster")
    lecturer.sends("/roster/keep")
    lecturer.waits_to_read("Saved.")


def invite(lecturer: Person) -> dict[str, str]:
    """Give the codes of the class, from the file that the browser is sent."""
    lecturer.visits("/c/cards/people")
    sheet = lecturer.chromium.run(
        "fetch('/c/cards/codes', {method: 'POST', body: new URLSearchParams({role: 'student'})})"
        ".then((answer) => answer.text())"
    )
    return {row["plays as"]: row["code"] for row in csv.DictReader(io.StringIO(sheet))}


def hands_in(student: Person, text: str) -> None:
    """Paste a player and see what becomes of it."""
    student.visits("/c/cards/hand-in")
    student.sends("/hand-in", title="player.py", text=text)


def set_deadline(lecturer: Person, moment: datetime) -> None:
    """Set the deadline, as organisers type it."""
    lecturer.visits("/c/cards/organise")
    date, time = moment.date().isoformat(), moment.time().isoformat("minutes")
    if moment < datetime.now(UTC):
        lecturer.sends("/terms", date=date, time=time)
        lecturer.waits_to_read("has already passed")
        lecturer.sends("/terms", past="on")
    else:
        lecturer.sends("/terms", date=date, time=time)
    lecturer.waits_to_read("Saved.")


@pytest.mark.prove
def test_a_course_goes_from_its_first_link_to_its_marks(  # noqa: PLR0915 - it is a long walk
    served: Served, browser: Chromium, tmp_path: Path
) -> None:
    """Nothing is typed anywhere but in the browser, until the marks are filled in."""
    lecturer = Person(browser, served)
    lecturer.sits_down()
    sign_up(lecturer)
    take_roster(lecturer, tmp_path)
    set_deadline(lecturer, datetime.now(UTC) + timedelta(days=1))
    codes = invite(lecturer)
    assert sorted(codes) == sorted(STUDENTS.values())
    lecturer.gets_up()
    folder = served.folder / "courses" / "cards"
    shorten(folder / "tournament.yaml")

    students = {}
    for number, (login, name) in enumerate(STUDENTS.items()):
        student = students[login] = Person(browser, served).sits_down()
        student.visits(f"/join?code={codes[name]}")
        student.sends("/join", name=name, login=f"{login}@example.org", password=PASSWORD)
        if login == "ada":
            hands_in(student, BROKEN)
            student.waits_to_read("Rejected")
            assert "player.py:9" in student.text()
        hands_in(student, GOOD.replace("16", str(14 + number)))
        student.waits_to_read("Accepted")
        student.gets_up()

    ada = students["ada"].sits_down()
    ada.visits("/c/cards/board")
    for name in STUDENTS.values():
        ada.waits_to_read(name)
    assert "practice" in ada.text().lower()
    status = ada.visits("/c/cards")
    assert "Ada Lovelace competes" in status
    assert "of 3 on the practice board" in status
    assert "23 hours" in status  # until the deadline

    set_deadline(lecturer.sits_down(), datetime.now(UTC) - timedelta(minutes=5))
    ada.sits_down()
    hands_in(ada, GOOD.replace("16", "12"))
    ada.waits_to_read("late; the deadline was")

    lecturer.sits_down().visits("/c/cards/finals/new")
    lecturer.sends("/finals/new", title="The final", audience="public", freeze="2026-01-01T00:00")
    lecturer.visits("/c/cards/finals")
    lecturer.waits_for(
        "document.body.innerText.includes('The final (manage)') || location.reload()"
    )
    control = lecturer.chromium.run("document.querySelector('a[href*=control]').pathname")
    lecturer.visits(control)
    lecturer.waits_for("document.body.innerText.includes('Reveal the next') || location.reload()")
    lecturer.gets_up()

    nobody = Person(browser, served).sits_down()
    board = control.replace("/control", "")
    assert "Ada Lovelace" not in nobody.visits(board)
    assert "The final, " in nobody.visits("/c/cards/commitments")

    lecturer.sits_down().visits(control)
    lecturer.sends("/reveal")
    nobody.sits_down().visits(board)
    names = json.dumps(list(STUDENTS.values()))
    nobody.waits_for(f"{names}.some((each) => document.body.innerText.includes(each))")
    shown = [name for name in STUDENTS.values() if name in nobody.text()]
    assert len(shown) == 1
    lecturer.sits_down().visits(control)
    lecturer.sends("/tell", sure="yes")
    lecturer.visits(control)
    lecturer.sends("/publish")
    lecturer.gets_up()
    nobody.sits_down().visits(board)
    for name in STUDENTS.values():
        nobody.waits_to_read(name)
    marks(folder, tmp_path)


def shorten(tournament: Path) -> None:
    """Let a final take seconds; its folder is the organiser's."""
    text = tournament.read_text().replace("tables: 200, rounds: 100", "tables: 20, rounds: 20")
    tournament.write_text(text)


def marks(folder: Path, tmp_path: Path) -> None:
    """Fill the gradebook in and answer everybody, by the commands of a class."""
    shutil.copy(tmp_path / "gradebook.csv", folder / "gradebook.csv")
    store, people = str(folder / "tourney.db"), str(folder)
    graded = [
        *("grades", "1", "--store", store, "--gradebook", str(folder / "gradebook.csv")),
        *("--fill-column", "Project (7)", "--marks-by", "place", "--roster", people, "--write"),
    ]
    answered = [
        *("feedback", "1", "--store", store, "--submissions", people),
        *("--output", str(tmp_path / "answers"), "--show-hidden"),
    ]
    for command in (graded, answered):
        assert main(command) == 0
    filled = (folder / "gradebook-grades.csv").read_text().splitlines()[2:]
    assert all(line.rpartition(",")[2] for line in filled)
    assert len(list((tmp_path / "answers").rglob("*.html"))) >= len(STUDENTS)
