"""What follows from a final that is told: its pages, and everybody's own answer."""

import html

import pytest
from click.testing import CliRunner

from tourney.cli.commands import tourney
from tourney.portal import runner, worker
from tourney.portal.follower import SHEET
from tourney.portal.jobs import MOST_TRIES

from .classes import CONFINED
from .portals import Portal
from .test_finals import ask, look, the_final

pytestmark = CONFINED
FROZEN = "2026-01-01T00:00:00+00:00"


def told(portal: Portal) -> None:
    """Let the follower look, and do what it asks for."""
    look(portal)
    worker.do_all(portal.places, runner.HANDLERS)


def test_pages_and_answers_come_with_the_reveal_and_not_before(portal: Portal) -> None:
    """Nobody has to ask for them; a lecturer who asks too early gets no answer out either."""
    ask(portal, title="Cup", freeze=FROZEN, audience="public")
    worker.do_all(portal.places, runner.HANDLERS)
    told(portal)
    run, lecturer = the_final(portal), portal.browser("lecturer")
    home, site = f"/c/cards/final/{run.id}", f"/c/cards/site/{run.id}/"
    for count in range(4):
        for who in ("", "student", "mate", "assistant"):
            assert portal.browser(who).get(site).status_code == (200 if count == 3 else 404)
        answer = portal.browser("student").get(f"{home}/feedback")
        assert answer.status_code == (200 if count == 3 else 404)
        assert ("Your feedback" in portal.browser("student").get(home).text) is (count == 3)
        if count < 3:
            revealed = {"revealed": str(count)}
            assert lecturer.post(f"{home}/reveal", revealed).status_code == 303
            told(portal)
    lecturer.post(f"{home}/publish")
    assert worker.do_all(portal.places, runner.HANDLERS) == 1
    told(portal)
    assert "Full results: hands, head to head, floor" in portal.browser().get(home).text


def test_an_answer_asked_for_before_the_reveal_is_not_written(portal: Portal) -> None:
    """Writing the pages by hand tells nobody more than the board does."""
    ask(portal, title="Cup", freeze=FROZEN, audience="public")
    worker.do_all(portal.places, runner.HANDLERS)
    run = the_final(portal)
    assert portal.browser("lecturer").post(f"/c/cards/final/{run.id}/publish").status_code == 303
    worker.do_all(portal.places, runner.HANDLERS)
    assert portal.database.first("SELECT count(*) FROM answers") == (0,)
    assert portal.browser("student").get(f"/c/cards/final/{run.id}/feedback").status_code == 404


def test_everybody_sees_their_own_answer_as_the_command_writes_it(portal: Portal) -> None:
    """And nobody that of somebody else; the pages verify."""
    ask(portal, title="Cup", audience="course")
    worker.do_all(portal.places, runner.HANDLERS)
    told(portal)
    run, course = the_final(portal), portal.places.course("cards")
    path = f"/c/cards/final/{run.id}/feedback"
    site, answers = portal.places.site("cards", run.id), portal.places.root / "answers"
    store = ["--store", str(portal.places.final_store("cards"))]
    made = CliRunner().invoke(
        tourney,
        [
            *("feedback", *store, "--submissions", str(course), "--output", str(answers)),
            *("--site", str(site), "--site-url", f"/c/cards/site/{run.id}"),
        ],
    )
    assert made.exit_code == 0, made.output
    for who in ("student", "mate"):
        (page,) = answers.glob(f"{who}-*.html")
        head, _, rest = page.read_text(encoding="utf-8").partition("<style>")
        body = rest.partition("</style>")[2]
        linked = f'{head}<link rel="stylesheet" href="{SHEET}">{body}'
        assert portal.browser(who).get(path).text == linked
    for who in ("lecturer", "assistant", "spectator", "stranger", "outsider"):
        assert portal.browser(who).get(path).status_code == 404
    checked = CliRunner().invoke(tourney, ["verify", "--site", str(site)])
    assert checked.exit_code == 0, checked.output


def test_pages_that_could_not_be_written_are_told_with_the_reason(portal: Portal) -> None:
    """And written at the next try, when that is mended; here somebody has damaged the roster."""
    ask(portal, title="Cup", audience="course")
    worker.do_all(portal.places, runner.HANDLERS)
    run, lecturer = the_final(portal), portal.browser("lecturer")
    folder = portal.places.course("cards")
    (folder / "submissions.yaml").write_text("game: ve280\nroster: roster.csv\n")
    (folder / "roster.csv").write_text("nothing of the kind\n")
    control = f"/c/cards/final/{run.id}/control"
    look(portal)
    assert "Creating the pages." in lecturer.get(control).text
    worker.do_all(portal.places, runner.HANDLERS)
    page = html.unescape(lecturer.get(control).text)
    assert "The pages could not be created: roster.csv:1:1: expected" in page
    assert "<button>Try again</button>" in page
    assert str(portal.places.root) not in page
    assert "its pages could not be created" in lecturer.get("/c/cards/finals").text
    for who in ("student", "assistant"):
        assert "could not" not in portal.browser(who).get("/c/cards/finals").text
    (folder / "roster.csv").write_text("person,as\nStudent,Student\n")
    assert lecturer.post(f"/c/cards/final/{run.id}/publish").status_code == 303
    told(portal)
    page = lecturer.get(control).text
    assert "could not be created" not in page
    assert "<button>Create the pages</button>" in page
    assert portal.browser("student").get(f"/c/cards/final/{run.id}/feedback").status_code == 200


def test_pages_that_failed_are_told_too(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a fault of the portal's own, after it has tried again."""
    ask(portal, title="Cup", audience="course")
    worker.do_all(portal.places, runner.HANDLERS)

    def fail(*_: object) -> None:
        raise RuntimeError("it is broken")

    with monkeypatch.context() as patched:
        patched.setattr(runner, "publish", fail)
        patched.setattr(worker.time, "sleep", lambda _: None)
        look(portal)
        for _ in range(MOST_TRIES):
            worker.do_all(portal.places, runner.HANDLERS)
    lecturer, home = portal.browser("lecturer"), f"/c/cards/final/{the_final(portal).id}"
    page = lecturer.get(f"{home}/control").text
    assert "The pages could not be created: the portal failed repeatedly" in page
    assert "it is broken" not in page
    lecturer.post(f"{home}/publish")
    worker.do_all(portal.places, runner.HANDLERS)
    assert "could not be created" not in lecturer.get(f"{home}/control").text
