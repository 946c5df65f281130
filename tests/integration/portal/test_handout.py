"""The material next to the form to submit: rules, contract, limits and starter files."""

import json

import pytest

from tourney.portal import tournament_file, worker
from tourney.portal.course_jobs import told_of
from tourney.portal.handouts import MOST_CHARACTERS
from tourney.portal.jobs import get

from .classes import CONFINED
from .hands import TERMS, do_checks, hand_in, make_course, number_of
from .portals import Portal

TOURNAMENT = """\
name: Cards
game: ve280
bankroll: 1000
minimum: 25
format: {kind: duplicate, tables: 6, rounds: 20}
entrants: [{submissions: .}]
"""


def furnish(portal: Portal, terms: str = "") -> None:
    """Make a course, and store what the checker stores of it."""
    make_course(portal, terms=terms)
    told = told_of(portal.places.course("cards"))
    portal.database.execute("UPDATE courses SET told = ? WHERE slug = 'cards'", (json.dumps(told),))


@pytest.mark.parametrize(("who", "path"), [("student", "hand-in"), ("spectator", "game")])
def test_members_read_the_rules_and_the_contract(portal: Portal, who: str, path: str) -> None:
    """A student finds them next to the form."""
    furnish(portal)
    page = portal.browser(who).get(f"/c/cards/{path}").text
    assert "Decks in the shoe, or &#34;infinite&#34;." in page
    assert "draw(self, dealer: Card, player: Hand) -&gt; bool" in page
    assert "100 µs a decision" in page
    assert "class First(Player):" in page


@CONFINED
def test_the_starter_file_is_accepted_as_it_is(portal: Portal) -> None:
    """It is a download, and it plays."""
    furnish(portal)
    student = portal.browser("student")
    given = student.get("/c/cards/starter/0")
    assert given.headers["content-disposition"] == 'attachment; filename="first.py"'
    assert given.headers["x-content-type-options"] == "nosniff"
    number = number_of(hand_in(student, given.content, "first.py"))
    do_checks(portal)
    assert get(portal.database, number).result["status"] == "accepted"
    assert student.get("/c/cards/starter/9").status_code == 404


def test_starter_code_of_the_course_comes_in_place_of_the_platforms(portal: Portal) -> None:
    """A file or a folder, as the submission rules name it."""
    folder = portal.places.course("cards")
    (folder / "code").mkdir(parents=True)
    (folder / "code" / "mine.py").write_text("# begin <here>\n")
    furnish(portal, "starter: code\n")
    page = portal.browser("student").get("/c/cards/hand-in").text
    assert "# begin &lt;here&gt;" in page
    assert "class First" not in page


@pytest.mark.parametrize("size", [0, MOST_CHARACTERS + 1])
def test_staff_read_why_starter_code_is_left_out(portal: Portal, size: int) -> None:
    """It does not exist, or is too long for a page; the rules are shown anyway."""
    folder = portal.places.course("cards")
    folder.mkdir(parents=True)
    if size:
        (folder / "code.py").write_text("#" * size)
    furnish(portal, "starter: code.py\n")
    pages = {who: portal.browser(who).get("/c/cards/game").text for who in ("lecturer", "student")}
    assert "starter: code.py" in pages["lecturer"]
    assert "starter: code.py" not in pages["student"]
    assert "Decks in the shoe" in pages["student"]


def test_the_limits_follow_the_tournament(portal: Portal) -> None:
    """Also after its file is changed in the browser."""
    folder = portal.places.course("cards")
    folder.mkdir(parents=True)
    (folder / "tournament.yaml").write_text(TOURNAMENT)
    furnish(portal, "tournament: tournament.yaml\n")
    lecturer = portal.browser("lecturer")
    assert "wagers from 25; " in lecturer.get("/c/cards/game").text
    answer = lecturer.post("/c/cards/tournament")
    worker.do_all(portal.places, tournament_file.HANDLERS)
    before = get(portal.database, int(answer.headers["location"].rpartition("/")[2]))
    fields = {"text": TOURNAMENT.replace("25", "30"), "before": before.result["digest"]}
    lecturer.post("/c/cards/tournament/change", fields)
    worker.do_all(portal.places, tournament_file.HANDLERS)
    assert "wagers from 30; " in lecturer.get("/c/cards/game").text


def test_a_course_without_a_game_says_so(portal: Portal) -> None:
    """There is nothing to show yet."""
    folder = portal.places.course("cards")
    make_course(portal)
    (folder / "submissions.yaml").write_text(TERMS.replace("game: ve280\n", ""))
    told = told_of(folder)
    assert told["handout"] == {}
    portal.database.execute("UPDATE courses SET told = ?", (json.dumps(told),))
    assert "The course has no game yet." in portal.browser("student").get("/c/cards/game").text
