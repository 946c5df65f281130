"""Finals: one run and one commitment whatever is killed, and boards that keep what is sealed."""

import json
import re
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tourney.course.pseudonyms import random_handle, read_key
from tourney.errors import TourneyError
from tourney.execution.workers.cluster import Cluster
from tourney.portal import boards, jobs, runner, worker
from tourney.portal.boards import Audience, PortalRun
from tourney.portal.course_runs import record_progress
from tourney.portal.database import now, open_database
from tourney.portal.follower import Follower
from tourney.sqlite.database import Database
from tourney.store.store import Store
from tourney.tournament.tournament import Play, resume_tournament

from .classes import CONFINED, TOURNAMENT, hand_in, make_class, player
from .portals import Portal
from .test_forms import Forms

pytestmark = CONFINED


def ask(portal: Portal, **wanted: str) -> jobs.Job:
    """Ask for a final of three."""
    course = make_class(portal)
    for name, total in (("Student", 14), ("Mate", 16), ("Third", 18)):
        hand_in(course, name, player(total))
    return jobs.add(portal.database, "final", wanted, course=portal.courses["cards"])


def the_final(portal: Portal) -> PortalRun:
    """Give the one final there is."""
    (run,) = boards.runs_of(portal.database, portal.courses["cards"], "final")
    return run


def look(portal: Portal) -> None:
    """Let the follower look once."""
    with (
        closing(open_database(portal.places)) as database,
        closing(Follower(portal.places, database)) as follower,
    ):
        follower.look()


def told(portal: Portal, audience: Audience) -> dict[str, Any]:
    """Give what an audience was shown last."""
    board = boards.board_of(portal.database, the_final(portal).id, audience)
    assert board
    shown: dict[str, Any] = json.loads(board.shown)
    return shown


def in_form(time: datetime) -> str:
    """Give a time as a field of a form has it."""
    return f"{time:%Y-%m-%dT%H:%M}"


def test_a_lecturer_starts_a_final_and_everybody_sees_its_board(portal: Portal) -> None:
    """The commitment is public; the site follows when it is asked for."""
    ask_no_more = make_class(portal)
    for name, total in (("Student", 14), ("Mate", 16)):
        hand_in(ask_no_more, name, player(total))
    lecturer = portal.browser("lecturer")
    form = {"title": "Cup", "audience": "public", "names": "names"}
    assert lecturer.post("/c/cards/finals/new", form).status_code == 303
    worker.do_all(portal.places, runner.HANDLERS)
    run = the_final(portal)
    look(portal)
    page = portal.browser().get(f"/c/cards/final/{run.id}").text
    assert "Finished." in page
    assert 'data-v="Mate"' in page
    page = portal.browser("student").get(f"/c/cards/final/{run.id}").text
    assert "<span>Place</span>" in page
    ((_, _, made, text),) = boards.committed(portal.database, run.course)
    assert text in portal.browser().get("/c/cards/commitments").text
    with Store.open(portal.places.final_store("cards"), create=False) as store:
        record = store.run(run.number)
        assert not record.rehearsal
        assert record.finished
    assert made <= now()
    assert lecturer.post(f"/c/cards/final/{run.id}/publish").status_code == 303
    worker.do_all(portal.places, runner.HANDLERS)
    site = portal.browser().get(f"/c/cards/site/{run.id}/")
    assert site.status_code == 200
    assert "Mate" in site.text
    assert '<a href="/c/cards">' in site.text


def test_a_final_begins_at_its_time_and_can_be_taken_back_before(portal: Portal) -> None:
    """A time is in UTC."""
    make_class(portal)
    lecturer = portal.browser("lecturer")
    later = datetime.now(UTC) + timedelta(days=1)
    form = {"begins": in_form(later), "audience": "course", "names": "names", "title": ""}
    lecturer.post("/c/cards/finals/new", form)
    assert worker.do_all(portal.places, runner.HANDLERS) == 0
    (job,) = jobs.of_course(portal.database, portal.courses["cards"], ["final"])
    assert "Cancel" in lecturer.get("/c/cards/finals").text
    assert lecturer.post(f"/c/cards/finals/cancel/{job.id}").status_code == 303
    assert lecturer.post(f"/c/cards/finals/cancel/{job.id}").status_code == 422


def test_a_final_that_waits_gets_other_times(portal: Portal) -> None:
    """On the clock of the class, from a form with the present ones; not once it has started."""
    course, zone = portal.courses["cards"], ZoneInfo("America/New_York")
    sql = "UPDATE courses SET told = ? WHERE id = ?"
    portal.database.execute(sql, (json.dumps({"time_zone": str(zone)}), course))
    lecturer = portal.browser("lecturer")
    form = {"title": "Cup", "begins": "2036-05-01T12:00", "freeze": "2036-05-01T13:00",
            "reveal": "2036-05-02T09:30", "audience": "public", "names": "handles"}  # fmt: skip
    lecturer.post("/c/cards/finals/new", form)
    (job,) = jobs.of_course(portal.database, course, ["final"])
    path = f"/c/cards/finals/edit/{job.id}"
    assert f'href="{path}"' in lecturer.get("/c/cards/finals").text
    assert Forms(lecturer.get(path).text).fields[path] == form
    assert lecturer.post(path, form | {"reveal": "2036-05-01T12:30"}).status_code == 422
    changed = form | {"begins": "2036-05-03T12:00", "freeze": "", "reveal": "", "title": "Final"}
    assert lecturer.post(path, changed).headers["location"] == "/c/cards/finals"
    job = jobs.get(portal.database, job.id)
    assert job.not_before == "2036-05-03T16:00:00.000000+00:00"
    assert (job.payload["title"], job.payload["freeze"]) == ("Final", "")
    assert "final changed" in lecturer.get("/c/cards/audit").text
    portal.database.execute("UPDATE jobs SET started = ? WHERE id = ?", (now(), job.id))
    late = lecturer.post(path, form)
    assert (late.status_code, lecturer.get(path).status_code) == (422, 404)
    assert "it has already started" in late.text
    assert jobs.get(portal.database, job.id).payload["title"] == "Final"


def test_a_final_by_pseudonyms_gives_each_student_one(portal: Portal) -> None:
    """At random, by a key that the folder of the course keeps."""
    folder = make_class(portal)
    for name, total in (("Student", 14), ("Mate", 16)):
        hand_in(folder, name, player(total))
    form = {"title": "Cup", "audience": "course", "names": "handles"}
    assert portal.browser("lecturer").post("/c/cards/finals/new", form).status_code == 303
    worker.do_all(portal.places, runner.HANDLERS)
    look(portal)
    key = read_key(portal.places.course("cards"))
    assert key
    page = portal.browser("student").get(f"/c/cards/final/{the_final(portal).id}").text
    assert 'data-entrant="Mate"' not in page
    for name in ("Student", "Mate"):
        assert f'data-entrant="{random_handle(name, key)}"' in page


def test_a_final_hides_all_results_from_its_start(portal: Portal) -> None:
    """By one choice; a time of the freeze beside it is refused."""
    lecturer, course = portal.browser("lecturer"), portal.courses["cards"]
    form = {"begins": "2036-05-01T12:00", "hidden": "on", "audience": "course", "names": "names"}
    path = "/c/cards/finals/new"
    assert lecturer.post(path, form | {"freeze": "2036-05-01T13:00"}).status_code == 422
    assert lecturer.post(path, form).status_code == 303
    assert lecturer.post(path, form | {"begins": ""}).status_code == 303
    now_job, later = jobs.of_course(portal.database, course, ["final"])
    assert later.payload["freeze"] == "2036-05-01T12:00:00+00:00"
    age = datetime.now(UTC) - datetime.fromisoformat(now_job.payload["freeze"])
    assert timedelta() <= age < timedelta(minutes=1)
    assert {each.payload["reveal"] for each in (now_job, later)} == {""}


def test_a_deadline_that_is_still_open_is_named_before_a_final(portal: Portal) -> None:
    """The latest of all students who take part."""
    people = [
        {"person": who, "name": who, "groups": [], "excluded": why, "deadline": f"{year}-05-01"}
        for who, year, why in (("A", 2036, ""), ("B", 2037, ""), ("C", 2038, "left"))
    ]
    for each in people:
        each["deadline"] = f"{each['deadline']}T12:00:00+00:00"
    sql = "UPDATE courses SET told = ? WHERE slug = 'cards'"
    portal.database.execute(sql, (json.dumps({"people": people}),))
    lecturer = portal.browser("lecturer")
    assert "the last deadline is 2037-05-01 12:00" in lecturer.get("/c/cards/finals/new").text
    portal.database.execute(sql, (json.dumps({"people": []}),))
    assert "the last deadline is" not in lecturer.get("/c/cards/finals/new").text


def test_a_final_of_another_course_is_not_changed(portal: Portal) -> None:
    """By the lecturer of this one, whatever number the address has."""
    wanted = {"title": "Cup", "freeze": "", "reveal": "", "audience": "course", "names": "names"}
    other = portal.courses["other"]
    later = "2036-05-01T12:00:00.000000+00:00"
    job = jobs.add(portal.database, "final", wanted, course=other, not_before=later)
    lecturer, path = portal.browser("lecturer"), f"/c/cards/finals/edit/{job.id}"
    form = {"title": "Mine", "audience": "public", "names": "names"}
    assert (lecturer.get(path).status_code, lecturer.post(path, form).status_code) == (404, 422)
    assert jobs.get(portal.database, job.id).payload["title"] == "Cup"


@pytest.mark.parametrize(
    ("field", "value"),
    [("freeze", "soon"), ("reveal", "2026-05-01T12:00"), ("audience", "all"), ("title", "a" * 81)],
)
def test_a_form_that_makes_no_sense_is_refused_in_words(
    portal: Portal, field: str, value: str
) -> None:
    """And nothing is asked for."""
    form = {"audience": "course", "names": "names"} | {field: value}
    answer = portal.browser("lecturer").post("/c/cards/finals/new", form)
    assert answer.status_code == 422
    assert f"Not done. {field.capitalize()}: " in answer.text
    assert not jobs.of_course(portal.database, portal.courses["cards"], ["final"])


@pytest.mark.parametrize(("minutes", "status"), [(-10, 422), (-2, 303), (10, 303)])
def test_a_final_begins_at_no_time_that_has_passed(
    portal: Portal, minutes: int, status: int
) -> None:
    """But for the minutes that it takes to fill a form in."""
    begins = in_form(datetime.now(UTC) + timedelta(minutes=minutes))
    form = {"audience": "course", "names": "names", "title": "", "begins": begins}
    answer = portal.browser("lecturer").post("/c/cards/finals/new", form)
    assert answer.status_code == status
    assert ("Begins: " in answer.text and " has passed" in answer.text) == (status == 422)
    asked = jobs.of_course(portal.database, portal.courses["cards"], ["final"])
    assert len(asked) == (status == 303)


def test_a_board_that_is_told_before_it_is_frozen_is_refused_with_both_times(
    portal: Portal,
) -> None:
    """In UTC, as the form asks for them."""
    form = {"audience": "course", "names": "names", "title": ""}
    times = {"freeze": "2030-05-02T12:00", "reveal": "2030-05-01T12:30"}
    answer = portal.browser("lecturer").post("/c/cards/finals/new", form | times)
    assert "is before the freeze at 2030-05-02 12:00 (UTC)" in answer.text
    assert "Reveal: 2030-05-01 12:30 (UTC) is before" in answer.text


def test_sealed_results_are_told_from_the_bottom(portal: Portal) -> None:
    """Staff sees all; others one row more at each press, the first in the end."""
    ask(portal, title="Cup", freeze="2026-01-01T00:00:00+00:00", audience="public")
    worker.do_all(portal.places, runner.HANDLERS)
    look(portal)
    run, lecturer = the_final(portal), portal.browser("lecturer")
    assert (told(portal, "public")["state"], told(portal, "public")["rows"]) == ("sealed", [])
    everybody = told(portal, "staff")["rows"]
    assert len(everybody) == 3
    at = [column["name"] for column in told(portal, "staff")["columns"]].index("above")
    assert all(row["cells"][at]["text"] for row in everybody[1:])
    assert portal.browser("student").get(f"/c/cards/final/{run.id}/me").json()["row"] is None
    names = [row["cells"][2]["text"] for row in everybody]
    for count in (1, 2, 3):
        revealed = {"revealed": str(count - 1)}
        assert lecturer.post(f"/c/cards/final/{run.id}/reveal", revealed).status_code == 303
        look(portal)
        assert told(portal, "public")["rows"] == told(portal, "course")["rows"]
        rows = told(portal, "public")["rows"]
        assert rows[1:] == everybody[-count:][1:]
        own = boards.board_of(portal.database, run.id, "course")
        assert own
        texts = [each["text"] for each in rows[0]["cells"]]
        assert list(own.own[names[-count]]) == texts
        # From the distance to a row that is not told, its result would follow.
        assert rows[0]["cells"][at] == {"text": "", "value": None}
        assert [*texts[:at], *texts[at + 1 :]] == [
            each["text"] for column, each in enumerate(everybody[-count]["cells"]) if column != at
        ]
    assert told(portal, "public")["state"] == "over"
    assert the_final(portal).settings["opened"]


def test_all_places_are_revealed_only_with_the_ticked_box(portal: Portal) -> None:
    """A form that arrives without it reveals nothing, and says what to do."""
    ask(portal, title="Cup", freeze="2026-01-01T00:00:00+00:00", audience="course")
    worker.do_all(portal.places, runner.HANDLERS)
    look(portal)
    path, lecturer = f"/c/cards/final/{the_final(portal).id}/tell", portal.browser("lecturer")
    answer = lecturer.post(path)
    assert answer.status_code == 422
    assert "Tick the box to reveal all remaining places" in answer.text
    assert "opened" not in the_final(portal).settings
    assert lecturer.post(path, {"sure": "on"}).status_code == 303
    assert the_final(portal).settings["opened"]


def test_a_public_value_is_for_the_command_line(portal: Portal) -> None:
    """Before anything is committed to, the lecturer is told."""
    job = ask(portal)
    path = portal.places.course("cards") / "tournament.yaml"
    value = "public_value: {source: a lottery, after: 2030-05-01T12:00}\n"
    path.write_text(path.read_text(encoding="utf-8") + value, encoding="utf-8")
    worker.do_all(portal.places, runner.HANDLERS)
    assert "a lottery" in jobs.get(portal.database, job.id).result["reason"]
    assert not boards.runs_of(portal.database, portal.courses["cards"], "final")


def test_a_final_that_was_given_up_goes_on_when_its_lecturer_says_so(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cluster that is lost refuses nothing: the run is there, and is played to its end."""
    job = ask(portal)

    def lose(*_: object, **__: object) -> None:
        raise TourneyError("the cluster does not answer")

    with monkeypatch.context() as patched:
        patched.setattr(runner, "play_run", lose)
        patched.setattr(worker.time, "sleep", lambda _: None)
        for _ in range(jobs.MOST_TRIES):
            worker.do_all(portal.places, runner.HANDLERS)
    assert jobs.get(portal.database, job.id).state == "failed"
    lecturer, path = portal.browser("lecturer"), f"/c/cards/final/{the_final(portal).id}"
    assert "The final stopped" in lecturer.get(f"{path}/control").text
    assert lecturer.post(f"{path}/go-on").status_code == 303
    worker.do_all(portal.places, runner.HANDLERS)
    assert jobs.get(portal.database, job.id).result["status"] == "played"
    assert lecturer.post(f"{path}/go-on").status_code == 422
    assert len(boards.committed(portal.database, portal.courses["cards"])) == 1


def test_a_final_that_somebody_else_plays_waits_without_being_given_up(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as the process of a portal that was killed, which plays to the end of what it has."""
    job = ask(portal)
    lecturer = portal.browser("lecturer")

    def stop(*_: object, **__: object) -> None:
        lecturer.post(f"/c/cards/final/{the_final(portal).id}/stop")
        raise worker.JobTakenError

    with monkeypatch.context() as patched:
        patched.setattr(runner, "play_run", stop)
        worker.do_all(portal.places, runner.HANDLERS)
    lecturer.post(f"/c/cards/final/{the_final(portal).id}/go-on")
    with Store.open(portal.places.final_store("cards")) as store, store.held(1):
        for _ in range(jobs.MOST_TRIES + 1):
            portal.database.execute("UPDATE jobs SET not_before = ''")
            assert worker.do_all(portal.places, runner.HANDLERS) == 1
            assert jobs.get(portal.database, job.id).state == "queued"
    portal.database.execute("UPDATE jobs SET not_before = ''")
    worker.do_all(portal.places, runner.HANDLERS)
    assert jobs.get(portal.database, job.id).result["status"] == "played"


LONGER = TOURNAMENT.replace("tables: 6, rounds: 20", "tables: 20, rounds: 20")


def play_and_press(
    portal: Portal, patched: pytest.MonkeyPatch, batch: int, *acts: str
) -> list[int]:
    """Play what waits, and press buttons of a final of cards while a batch of it is counted.

    Returns: The numbers of its batches that were counted.
    """
    counted: list[int] = []
    lecturer = portal.browser("lecturer")

    def press(context: worker.Context, play: Play) -> None:
        if context.job.course == portal.courses["cards"]:
            counted.append(play.batches_done)
            for act in acts if play.batches_done == batch else ():
                path = f"/c/cards/final/{the_final(portal).id}/{act}"
                assert lecturer.post(path).status_code == 303
        record_progress(context, play)

    patched.setattr(runner, "record_progress", press)
    worker.do_all(portal.places, runner.HANDLERS)
    return counted


def is_as_undisturbed(portal: Portal) -> bool:
    """Say whether the final came to what it comes to when it is played at one go."""
    with Store.open(portal.places.final_store("cards"), create=False) as store:
        (summary,) = store.runs()
        record = store.run(summary.number)  # which checks its digest
        again = store.create_run(replace(record, status="running", finished=None, digest=None))
        resume_tournament(again.number, store=store.path)
        return store.run_digest(again.number) == store.run_digest(record.number)


def test_a_lecturer_stops_a_final_and_others_are_played_until_it_goes_on(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody is told that it is stopped; it comes to what it would have come to."""
    job = ask(portal, title="Cup", audience="course")
    course = portal.places.course("cards")
    (course / "tournament.yaml").write_text(LONGER, encoding="utf-8")
    others = make_class(portal, slug="other")
    for name, total in (("Outsider", 14), ("Else", 16)):
        hand_in(others, name, player(total))
    other = jobs.add(portal.database, "final", {}, course=portal.courses["other"])
    with monkeypatch.context() as patched:
        counted = play_and_press(portal, patched, 2, "stop")
    look(portal)
    assert counted == [1, 2]
    assert jobs.get(portal.database, other.id).result["status"] == "played"
    run, lecturer = the_final(portal), portal.browser("lecturer")
    path = f"/c/cards/final/{run.id}"
    page = lecturer.get(f"{path}/control").text
    assert re.search(r"Stopped: 2 of \d+ batches played\.", page)
    assert "The final was stopped by its lecturer; all results so far are kept" in page
    assert "Stop</button>" not in page
    assert "Cup</a>" in lecturer.get("/c/cards/finals").text
    assert ": stopped</li>" in lecturer.get("/c/cards/finals").text
    assert "Stopped: 2 of " in portal.browser("student").get(path).text
    assert "final stopped" in lecturer.get("/c/cards/audit").text
    assert jobs.take(portal.database, ["final"]) is None
    assert lecturer.post(f"{path}/go-on").status_code == 303
    assert "Stop</button>" in lecturer.get(f"{path}/control").text
    worker.do_all(portal.places, runner.HANDLERS)
    look(portal)
    assert jobs.get(portal.database, job.id).result["status"] == "played"
    assert "Finished." in portal.browser("student").get(path).text
    assert is_as_undisturbed(portal)
    assert lecturer.post(f"{path}/stop").status_code == 422
    assert "stopped" not in lecturer.get("/c/cards/finals").text


def test_a_final_that_goes_on_before_its_stop_was_seen_is_played_once(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who played it leaves it, and takes it up again."""
    job = ask(portal, title="Cup", audience="course")
    counted = play_and_press(portal, monkeypatch, 1, "stop", "go-on")
    assert jobs.get(portal.database, job.id).result["status"] == "played"
    assert counted == [*range(1, len(counted) + 1)]
    assert len(counted) > 1


def test_a_stop_after_the_last_batch_comes_too_late(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The final is over, whatever its job was called meanwhile."""
    job, finish = ask(portal, title="Cup", audience="course"), boards.finish_run
    lecturer = portal.browser("lecturer")

    def press(database: Database, run: PortalRun) -> None:
        assert lecturer.post(f"/c/cards/final/{run.id}/stop").status_code == 303
        finish(database, run)

    monkeypatch.setattr(boards, "finish_run", press)
    worker.do_all(portal.places, runner.HANDLERS)
    assert jobs.get(portal.database, job.id).result["status"] == "played"
    page = lecturer.get(f"/c/cards/final/{the_final(portal).id}/control").text
    assert "Finished." in page
    assert "stopped" not in page.lower()


def test_a_final_stays_stopped_though_it_fails_at_that_moment(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not tried again before its lecturer says so."""
    job = ask(portal, title="Cup", audience="course")

    def lose(*_: object, **__: object) -> None:
        path = f"/c/cards/final/{the_final(portal).id}/stop"
        assert portal.browser("lecturer").post(path).status_code == 303
        raise TourneyError("the cluster does not answer")

    with monkeypatch.context() as patched:
        patched.setattr(runner, "play_run", lose)
        patched.setattr(worker.time, "sleep", lambda _: None)
        assert worker.do_all(portal.places, runner.HANDLERS) == 1
    assert jobs.get(portal.database, job.id).fault.startswith("stopped by its lecturer")


@pytest.mark.prove
def test_a_final_is_played_on_a_cluster_as_on_this_machine(portal: Portal) -> None:
    """By its digests."""
    ask(portal)
    handlers = {"final": partial(runner.play_final, cluster=Cluster("local"))}
    worker.do_all(portal.places, handlers)
    assert is_as_undisturbed(portal)


KILLED = """
import sys
from pathlib import Path
import tourney.portal.runner as runner
from tourney.portal import boards, worker
from tourney.portal.places import Places
import os, signal

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

where = sys.argv[2]
if where == "before the run":
    runner.run_record = die
elif where == "before the commitment":
    runner._note = die
elif where == "before the first card":
    runner.enter_again = die
elif where == "in play":
    runner.record_progress = die
elif where == "before the end is noted":
    boards.finish_run = die
worker.do_all(Places(Path(sys.argv[1])), runner.HANDLERS)
"""
POINTS = (
    *("before the run", "before the commitment", "before the first card"),
    *("in play", "before the end is noted", "nowhere"),
)


@pytest.mark.prove
def test_a_final_that_is_killed_anywhere_is_one_run_with_one_commitment(portal: Portal) -> None:
    """And comes to what it would have come to."""
    job = ask(portal)
    for where in POINTS:
        jobs.release(portal.database, ["final"])
        portal.database.execute("UPDATE jobs SET not_before = ''")
        command = (sys.executable, "-c", KILLED, str(portal.places.root), where)
        status = subprocess.run(command, check=False, timeout=60).returncode
        assert status == (0 if where == "nowhere" else -signal.SIGKILL), where
    assert jobs.get(portal.database, job.id).result["status"] == "played"
    run = the_final(portal)
    assert len(boards.committed(portal.database, run.course)) == 1
    assert is_as_undisturbed(portal)


def test_times_of_a_final_are_on_the_clock_of_the_class(portal: Portal) -> None:
    """As the form says, and as messages show them; in an hour that comes twice, the second."""
    told = '{"time_zone": "America/New_York"}'
    portal.database.execute("UPDATE courses SET told = ? WHERE slug = 'cards'", (told,))
    lecturer = portal.browser("lecturer")
    assert (
        "Freeze the board at (America/New_York; empty: never)"
        in lecturer.get("/c/cards/finals/new").text
    )
    fields = {"audience": "course", "names": "names", "begins": "2036-11-02T01:30"}
    answer = lecturer.post("/c/cards/finals/new", {**fields, "freeze": "2036-11-03T12:00"})
    assert answer.status_code == 303
    row = portal.database.first("SELECT not_before, payload FROM jobs WHERE kind = 'final'")
    assert row
    assert row[0].startswith("2036-11-02T06:30")
    assert '"freeze": "2036-11-03T17:00:00+00:00"' in row[1]
    page = " ".join(re.sub("<.*?>", " ", lecturer.get("/c/cards/finals").text).split())
    assert "starts at Sun 2 Nov 2036, 01:30 EST America/New_York" in page
    skipped = lecturer.post("/c/cards/finals/new", fields | {"begins": "2036-03-09T02:30"})
    assert "Begins: clocks in America/New_York skip 02:30 on 2036-03-09" in skipped.text
    past = lecturer.post("/c/cards/finals/new", fields | {"begins": "2020-01-01T12:00"})
    assert "Begins: 2020-01-01 12:00 (America/New_York) has passed" in past.text
