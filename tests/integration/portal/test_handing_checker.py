"""How the process that checks begins."""

import logging
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest

from tourney.config.model import GameConfig
from tourney.games.blackjack.check import matches
from tourney.portal import (
    checker,
    course_jobs,
    erasure,
    folder_erasure,
    grade_jobs,
    jobs,
    team_jobs,
    tournament_file,
)
from tourney.portal.checker import Checks
from tourney.portal.places import Places
from tourney.sandbox.levels import Level, probe

from .hands import bold, do_checks, hand_in, make_course
from .portals import Portal


def test_nothing_is_checked_where_nobody_can_be_confined(
    portal: Portal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Uploads wait, what organisers ask is done, and the log says why."""
    done: dict[str, object] = {}
    monkeypatch.setattr(checker, "probe", lambda: Level.UNSAFE)
    monkeypatch.setattr(checker, "work", lambda *given, **_: done.update(given[-1]))
    with caplog.at_level(logging.ERROR):
        checker.main(portal.places, Namespace(role="checker"))
    assert set(done) == {
        *course_jobs.HANDLERS,
        *tournament_file.HANDLERS,
        *grade_jobs.HANDLERS,
        *team_jobs.HANDLERS,
        *folder_erasure.HANDLERS,
        erasure.KIND,
        erasure.FOLDER,
    }
    assert "this machine has no working sandbox; uploads wait" in caplog.text


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
def test_a_course_whose_terms_are_broken_keeps_no_checker_from_its_work(
    portal: Portal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log names it, and the other courses are made ready."""
    monkeypatch.setattr(matches, "TABLES", 20)
    make_course(portal)
    make_course(portal, "other", terms="per_day: many\n")
    Checks.load().warm(portal.places)
    assert "other: " in caplog.text
    assert "per_day" in caplog.text


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
def test_before_the_first_course_the_default_game_is_made_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the first student does not wait for compiled code."""
    monkeypatch.setattr(matches, "TABLES", 20)
    checked = []

    def noted(game: GameConfig, *rest: object, **named: object) -> Callable[[object], None]:
        del rest, named
        return lambda source: checked.append((game.preset, source))

    monkeypatch.setattr(checker, "intake_check", noted)
    places = Places(tmp_path / "portal")
    places.root.mkdir()
    Checks.load().warm(places)
    ((preset, source),) = checked
    assert preset == "ve280"
    assert source.name == "first.py"


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
def test_the_inbox_keeps_what_is_waited_for_and_nothing_else(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is checked is removed by the next check, what has just come is left."""
    monkeypatch.setattr(matches, "TABLES", 20)
    make_course(portal)
    hand_in(portal.browser("student"), bold(12))
    do_checks(portal)
    left = jobs.put(portal.places, b"its job is just being written down")
    jobs.sweep(portal.places, portal.database)
    assert len(list(portal.places.inbox.iterdir())) == 2
    monkeypatch.setattr(jobs, "BETWEEN", -1.0)
    hand_in(portal.browser("student"), bold(14))
    jobs.sweep(portal.places, portal.database)
    (waiting,) = portal.places.inbox.iterdir()
    assert waiting != left
    assert waiting.read_bytes() == bold(14)
