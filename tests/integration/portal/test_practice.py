"""Practice: who has handed in plays the practice tables, and the newest of everybody is ranked."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tourney.portal import boards, jobs, worker
from tourney.portal.database import set_setting
from tourney.portal.practice import HANDLERS
from tourney.store.store import Store
from tourney.tournament.tournament import TournamentResult, play_run

from .classes import (
    CONFINED,
    STRAIGHTS,
    STRAIGHTS_PLAYER,
    TOURNAMENT,
    hand_in,
    make_class,
    player,
)
from .portals import Portal

pytestmark = CONFINED


def practise(portal: Portal, slug: str = "cards", **terms: int) -> jobs.Job:
    """Have a course practise; give the job."""
    course = portal.courses[slug]
    set_setting(
        portal.database, f"practice {course}", json.dumps({"tables": 3, "rounds": 10} | terms)
    )
    job = jobs.add(portal.database, "practice", {}, course=course)
    worker.do_all(portal.places, HANDLERS)
    done = jobs.get(portal.database, job.id)
    assert done.result.get("status") in {"played", "waiting"}, done.result
    return done


def names_on(portal: Portal, audience: boards.Audience = "course") -> list[str]:
    """Give who stands on the newest practice board, in order of names."""
    run = boards.runs_of(portal.database, portal.courses["cards"], "practice")[0]
    board = boards.board_of(portal.database, run.id, audience)
    assert board
    shown = json.loads(board.shown)
    at = [column["name"] for column in shown["columns"]].index("entrant")
    return sorted(row["cells"][at]["text"] for row in shown["rows"])


def test_nobody_has_handed_in(portal: Portal) -> None:
    """Then there is nothing to play, and no fault."""
    make_class(portal)
    assert practise(portal).result["status"] == "waiting"


def test_a_new_version_joins_and_takes_the_place_of_the_one_before(portal: Portal) -> None:
    """Both stay in the run, which plays the new one alone; one is on the board."""
    course = make_class(portal)
    hand_in(course, "Student", player(14))
    hand_in(course, "Mate", player(17))
    first = practise(portal).result
    assert first["status"] == "played"
    hand_in(course, "Student", player(16))
    second = practise(portal).result
    assert second["run"] == first["run"]
    assert names_on(portal) == names_on(portal, "staff") == ["Mate", "Student"]
    with Store.open(portal.places.practice_store("cards"), create=False) as store:
        (summary,) = store.runs()
        assert summary.entrants == 3
        assert summary.status == "finished"


def test_practice_takes_luck_out_whatever_finals_do(portal: Portal) -> None:
    """As private matches do: the setting of the course is for its finals."""
    hand_in(make_class(portal, f"{TOURNAMENT}luck_adjustment: false\n"), "Student", player())
    practise(portal)
    with Store.open(portal.places.practice_store("cards"), create=False) as store:
        (summary,) = store.runs()
        assert "luck_adjustment" not in store.run(summary.number).config


def test_nothing_new_changes_no_board(portal: Portal) -> None:
    """A second look at the same versions shows nobody anything."""
    hand_in(make_class(portal), "Student", player())
    practise(portal)
    before = boards.versions(portal.database)
    practise(portal)
    assert boards.versions(portal.database) == before


def test_shoes_change_when_their_time_is_over(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a new run begins in which everybody's playing version plays."""
    course = make_class(portal)
    hand_in(course, "Student", player(14))
    hand_in(course, "Student", player(16))
    first = practise(portal).result
    in_a_week = datetime.now(UTC) + timedelta(days=7, minutes=1)
    monkeypatch.setattr("tourney.portal.practice._now", lambda: in_a_week)
    second = practise(portal).result
    assert second["run"] != first["run"]
    with Store.open(portal.places.practice_store("cards"), create=False) as store:
        old, new = (store.run(each.number) for each in store.runs())
        assert old.secret != new.secret
        assert len(new.entrants) == 1


def test_at_shared_tables_all_play_anew_when_somebody_is_new(portal: Portal) -> None:
    """Else nothing is played."""
    course = make_class(portal, STRAIGHTS)
    hand_in(course, "Student", STRAIGHTS_PLAYER.format(first=0))
    first = practise(portal, tables=2, rounds=2).result
    assert practise(portal, tables=2, rounds=2).result["run"] == first["run"]
    hand_in(course, "Mate", STRAIGHTS_PLAYER.format(first=-1))
    assert practise(portal, tables=2, rounds=2).result["run"] != first["run"]
    assert set(names_on(portal)) >= {"Mate", "Student"}


def test_practice_that_is_cut_off_goes_on_where_it_was(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever joined plays in the same run, once."""
    course = make_class(portal)
    hand_in(course, "Student", player(14))
    first = practise(portal).result
    hand_in(course, "Mate", player(16))
    cut = iter([True])

    def play(*asked: Any, **how: Any) -> TournamentResult:
        if next(cut, False):
            raise OSError("the machine stops")
        return play_run(*asked, **how)

    monkeypatch.setattr("tourney.portal.practice.play_run", play)
    assert practise(portal).result["run"] == first["run"]
    assert next(cut, None) is None
    assert names_on(portal) == ["Mate", "Student"]
    with Store.open(portal.places.practice_store("cards"), create=False) as store:
        (summary,) = store.runs()
        assert (summary.entrants, summary.status) == (2, "finished")


def test_a_course_with_the_longest_title_practises(portal: Portal) -> None:
    """Its practice has no longer name than any tournament."""
    hand_in(make_class(portal), "Student", player())
    portal.database.execute("UPDATE courses SET title = ? WHERE slug = 'cards'", ("x" * 80,))
    assert practise(portal).result["status"] == "played"
    (run,) = boards.runs_of(portal.database, portal.courses["cards"], "practice")
    assert run.title == f"Practice of {'x' * 67}…"
