"""The progress of finals and practice on the page of a course, for those who may know it."""

from typing import Any

import pytest

from tourney.portal import boards, jobs, practice, runner, worker
from tourney.portal.course_runs import record_progress
from tourney.tournament import tournament
from tourney.tournament.tournament import Play

from .classes import CONFINED, hand_in, make_class, player
from .portals import Portal
from .test_finals import ask, look, the_final

pytestmark = CONFINED
FROZEN = {"title": "Cup", "freeze": "2026-01-01T00:00:00+00:00"}


def pages_while_playing(
    portal: Portal, patch: pytest.MonkeyPatch, batch: int, **wanted: str
) -> dict[str, str]:
    """Play a final, and give the course page of each person while a batch of it is counted."""
    ask(portal, **wanted)
    pages = {}

    def count(context: worker.Context, play: Play) -> None:
        record_progress(context, play)
        if play.batches_done == batch:
            look(portal)
            pages.update({each: text_of(portal, each) for each in ("lecturer", "student")})

    patch.setattr(runner, "record_progress", count)
    worker.do_all(portal.places, runner.HANDLERS)
    return pages


def text_of(portal: Portal, who: str) -> str:
    """Give the course page of somebody, without its line ends."""
    return " ".join(portal.browser(who).get("/c/cards").text.split())


def test_a_final_that_plays_shows_its_batches_and_the_time_left(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To everybody in the course, until it is over."""
    pages = pages_while_playing(portal, monkeypatch, 2, title="Cup")
    line = f'<a href="/c/cards/final/{the_final(portal).id}">Cup</a>: 2 of '
    for page in pages.values():
        assert "Now playing" in page
        assert line in page
        assert " batches played, less than a minute left</li>" in page
    look(portal)
    assert "Now playing" not in text_of(portal, "student")


def test_only_staff_sees_the_progress_of_a_frozen_final(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of batches would be a change that others can see."""
    pages = pages_while_playing(portal, monkeypatch, 2, **FROZEN)
    assert "Cup</a>: 2 of " in pages["lecturer"]
    assert "Now playing" not in pages["student"]


def test_practice_that_plays_shows_its_progress(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From its start, and its batches as they are played."""
    course = make_class(portal)
    hand_in(course, "Student", player(14))
    jobs.add(portal.database, "practice", {}, course=portal.courses["cards"])
    pages = []

    def record(context: worker.Context, play: Play) -> None:
        pages.append(text_of(portal, "student"))
        record_progress(context, play)
        pages.append(text_of(portal, "student"))

    monkeypatch.setattr(practice, "record_progress", record)
    worker.do_all(portal.places, {"practice": practice.practise})
    assert '<a href="/c/cards/board">Practice</a>: starting</li>' in pages[0]
    assert ">Practice</a>: 1 of " in pages[1]
    assert boards.runs_of(portal.database, portal.courses["cards"], "practice")
    assert "Now playing" not in text_of(portal, "student")


class Played:
    """The facts of a run that `Play.seconds_left` reads."""

    def __init__(self, **facts: Any) -> None:
        """Keep them."""
        vars(self).update(facts)


@pytest.mark.parametrize(
    ("done", "stored", "expected", "left"),
    [(10, 0, 40, 180.0), (10, 9, 40, 1800.0), (9, 9, 40, None), (10, 0, None, None)],
)
def test_the_time_left_follows_from_what_was_played_here(
    monkeypatch: pytest.MonkeyPatch, done: int, stored: int, expected: int | None, left: float
) -> None:
    """Batches of an earlier start are stored, so they took none of this time."""
    monkeypatch.setattr(tournament, "monotonic", lambda: 100.0)
    play = Played(batches_done=done, batches_stored=stored, batches=expected, _begun=40.0)
    assert Play.seconds_left.fget(play) == left  # type: ignore[attr-defined]  # of the property
