"""A lecturer looks at the tournament of a course and changes it, in the browser."""

import html
import re

import pytest

from tourney.config.tournament import load
from tourney.course.folder import Submissions
from tourney.plugins.loading import load_plugins
from tourney.portal import jobs, tournament_file, worker
from tourney.tournament.catalog import catalog_of

from .classes import TOURNAMENT, hand_in, make_class, player
from .portals import Browser, Portal
from .test_fuzzed import VALUES

NAME = "tournament.yaml"


@pytest.fixture
def lecturer(portal: Portal) -> Browser:
    """A lecturer whose course has its tournament."""
    make_class(portal)
    return portal.browser("lecturer")


def asked_for(portal: Portal, browser: Browser, path: str, **fields: str) -> str:
    """Ask for something, have it done, and give the page that shows it."""
    answer = browser.post(f"/c/cards/{path}", fields)
    assert answer.status_code == 303, answer.text
    worker.do_all(portal.places, tournament_file.HANDLERS)
    return browser.get(answer.headers["location"]).text


def changed(portal: Portal, browser: Browser, text: str) -> str:
    """Look at the file, write another one, and give the page that says what came of it."""
    page = asked_for(portal, browser, "tournament")
    (before,) = re.findall('name="before" value="([0-9a-f]+)"', page)
    return html.unescape(
        asked_for(portal, browser, "tournament/change", text=text, before=str(before))
    )


def written(portal: Portal) -> str:
    """Give the file as it is."""
    return (portal.places.course("cards") / NAME).read_text(encoding="utf-8")


def test_what_is_typed_is_what_a_final_plays(portal: Portal, lecturer: Browser) -> None:
    """It is shown line by line, and the audit has its digests before and after."""
    assert "<li><code>game: ve280</code></li>" in asked_for(portal, lecturer, "tournament")
    hand_in(Submissions(portal.places.course("cards")), "Student", player())
    text = TOURNAMENT.replace("tables: 6", "tables: 8").replace("Cards", "<b>Cards</b>")
    assert "Saved. Finals that start from now on use it." in changed(
        portal, lecturer, text.replace("\n", "\r\n").rstrip()
    )
    assert written(portal) == text
    config = load(portal.places.course("cards") / NAME, catalog_of(load_plugins()))
    assert config.name == "<b>Cards</b>"
    audited = html.unescape(lecturer.get("/c/cards/audit").text)
    assert re.search(r"<td>tournament changed</td>.*: [0-9a-f]{16}; after: [0-9a-f]{16}<", audited)
    waiting = jobs.of_course(portal.database, portal.courses["cards"], ["practice"])
    assert [each.state for each in waiting] == ["queued"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("tables: 6", "tables: many", f"{NAME}:5:35: format.tables: expected "),
        ("duplicate", "swis", f"{NAME}:5:16: format.kind: expected "),
        ("name: Cards", "name: [", f"{NAME}:3:9: invalid YAML: a bracket"),
        ("submissions: .", "submissions: ../other", f"{NAME}:7:18: entrants[0].submissions: "),
        ("submissions: .", "submissions: /etc", "is outside the course's folder"),
        ("submissions: .", "chart: ../*/x.txt", "is outside the course's folder"),
        (
            "submissions: .",
            "chart: basic.txt",
            "there is no file 'basic.txt' in the course's folder",
        ),
        ("submissions: .", f"chart: {'a' * 300}", "there is no file"),
        ("submissions: .", "strategy: simple\n    count: 99999", f"{NAME}:8:12: "),
        ("ve280", "straights", "game is ve280, and"),
    ],
)
def test_nothing_is_written_that_has_a_fault(
    portal: Portal, lecturer: Browser, old: str, new: str, fault: str
) -> None:
    """It is told as on the command line, with what was typed, to be mended."""
    text = TOURNAMENT.replace(old, new)
    if new == "straights":
        text = text.replace("bankroll: 1000\nminimum: 5\n", "").replace(
            "tables: 6, rounds: 20", "tables: 4, rounds: 3"
        )
    page = changed(portal, lecturer, text)
    assert fault in page
    assert "Not saved." in page
    assert text.partition("\n")[0] in page
    assert str(portal.places.root) not in page
    assert written(portal) == TOURNAMENT
    assert "tournament changed" not in lecturer.get("/c/cards/audit").text


def test_all_faults_are_told_at_once(portal: Portal, lecturer: Browser) -> None:
    """In the order of the file."""
    text = TOURNAMENT.replace("bankroll: 1000", "bankroll: much").replace(": .", ": ../other")
    page = changed(portal, lecturer, text)
    assert page.index(f"{NAME}:3:11: bankroll") < page.index(f"{NAME}:7:18: entrants[0]")


def test_what_somebody_else_has_written_meanwhile_stays(portal: Portal, lecturer: Browser) -> None:
    """In another window, or on the machine."""
    page = asked_for(portal, lecturer, "tournament")
    (before,) = re.findall('name="before" value="([0-9a-f]+)"', page)
    other = TOURNAMENT.replace("Cards", "Others")
    (portal.places.course("cards") / NAME).write_text(other, encoding="utf-8")
    page = asked_for(portal, lecturer, "tournament/change", text=TOURNAMENT, before=str(before))
    assert "changed meanwhile" in page
    assert written(portal) == other


def test_a_final_that_has_begun_keeps_its_file(portal: Portal, lecturer: Browser) -> None:
    """Until it is over; one that waits for its time plays what is written then."""
    text = TOURNAMENT.replace("tables: 6", "tables: 7")
    final = jobs.add(portal.database, "final", {}, course=portal.courses["cards"])
    assert jobs.take(portal.database, ["final"])
    assert "a final that uses this file is running" in changed(portal, lecturer, text)
    assert written(portal) == TOURNAMENT
    jobs.finish(portal.database, final.id, {"status": "played"})
    jobs.add(portal.database, "final", {}, course=portal.courses["cards"], not_before="2100")
    assert "Saved. Finals that start from now on use it." in changed(portal, lecturer, text)


def test_whoever_died_over_it_wrote_it_once(portal: Portal, lecturer: Browser) -> None:
    """What is begun again finds its own file."""
    page = asked_for(portal, lecturer, "tournament")
    (before,) = re.findall('name="before" value="([0-9a-f]+)"', page)
    text = TOURNAMENT.replace("tables: 6", "tables: 7")
    (portal.places.course("cards") / NAME).write_text(text, encoding="utf-8")
    page = asked_for(portal, lecturer, "tournament/change", text=text, before=str(before))
    assert "Saved. Finals that start from now on use it." in page


def test_only_a_lecturer_changes_it(portal: Portal, lecturer: Browser) -> None:
    """An assistant looks at what a lecturer has looked at."""
    answer = lecturer.post("/c/cards/tournament")
    worker.do_all(portal.places, tournament_file.HANDLERS)
    page = portal.browser("assistant").get(answer.headers["location"]).text
    assert "<li><code>game: ve280</code></li>" in page
    assert "tournament/change" not in page


def test_a_course_without_a_class_has_none_yet(portal: Portal) -> None:
    """That is said in words."""
    page = asked_for(portal, portal.browser("lecturer"), "tournament")
    assert "upload its roster first" in page


@pytest.mark.prove
def test_whatever_is_typed_is_answered(portal: Portal, lecturer: Browser) -> None:
    """At the first try, and refused in words."""
    page = asked_for(portal, lecturer, "tournament")
    (before,) = re.findall('name="before" value="([0-9a-f]+)"', page)
    for value in VALUES:
        typed = value.decode("utf-8", "replace")
        for text in (typed, f"entrants: [{{chart: {typed}}}]", f"name: {typed}", "a: " * 9000):
            fields = {"text": f"{text}.", "before": str(before)}
            answer = lecturer.post("/c/cards/tournament/change", fields)
            worker.do_all(portal.places, tournament_file.HANDLERS)
            number = int(answer.headers["location"].rpartition("/")[2])
            done = jobs.get(portal.database, number)
            assert (done.state, done.tries) == ("done", 1), (value[:40], done.result)
            assert done.result["reason"]
            portal.database.execute("DELETE FROM jobs WHERE id = ?", (number,))
    assert written(portal) == TOURNAMENT
