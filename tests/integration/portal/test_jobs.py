"""A job that fails is given up soon; one whose processes die, late, and never in others' way."""

import pytest

from tourney.portal import jobs
from tourney.portal.jobs import MOST_DEATHS, MOST_TRIES

from .portals import Portal

KIND = "check"


def dies(portal: Portal, number: int) -> None:
    """Have a process take a job and die, and its successor wait as long as it has to."""
    taken = jobs.take(portal.database, [KIND])
    assert taken
    assert taken.id == number
    jobs.release(portal.database, [KIND])
    portal.database.execute("UPDATE jobs SET not_before = ''")


def test_deaths_are_not_a_job_s_failures(portal: Portal) -> None:
    """It is begun again more often than one that fails, and in the end given up."""
    job = jobs.add(portal.database, KIND, {})
    for _ in range(MOST_DEATHS):
        dies(portal, job.id)
    assert jobs.take(portal.database, [KIND]) is None
    assert jobs.get(portal.database, job.id).state == "failed"


def test_a_job_that_gets_on_outlives_any_number_of_deaths(portal: Portal) -> None:
    """As a final does, which a kill costs the batch that was played."""
    job = jobs.add(portal.database, KIND, {})
    for _ in range(2 * MOST_DEATHS):
        dies(portal, job.id)
        assert not jobs.gets_on(portal.database, job.id, "it gets on")  # another's by now
    assert jobs.get(portal.database, job.id).state == "queued"


def test_a_job_that_fails_is_given_up_soon(portal: Portal) -> None:
    """Deaths in between change nothing about it."""
    job = jobs.add(portal.database, KIND, {})
    for _ in range(MOST_TRIES):
        dies(portal, job.id)
        assert jobs.take(portal.database, [KIND])
        portal.database.execute("UPDATE jobs SET state = 'queued'")
    assert jobs.take(portal.database, [KIND]) is None
    assert jobs.get(portal.database, job.id).state == "failed"


def test_others_are_done_while_a_deadly_job_waits(portal: Portal) -> None:
    """From its second death on it waits for longer and longer."""
    deadly = jobs.add(portal.database, KIND, {}, account=portal.people["student"])
    for _ in range(2):
        assert jobs.take(portal.database, [KIND])
        jobs.release(portal.database, [KIND])
    other = jobs.add(portal.database, KIND, {}, account=portal.people["mate"])
    taken = jobs.take(portal.database, [KIND])
    assert taken
    assert taken.id == other.id
    assert jobs.get(portal.database, deadly.id).state == "queued"


@pytest.mark.parametrize("is_begun", [False, True])
def test_only_what_nobody_has_begun_is_taken_back(portal: Portal, is_begun: bool) -> None:
    """Though its process died over it."""
    course = portal.courses["cards"]
    job = jobs.add(portal.database, "final", {}, course=course)
    if is_begun:
        assert jobs.take(portal.database, ["final"])
        jobs.release(portal.database, ["final"])
    with portal.database.transaction():
        assert jobs.withdraw(portal.database, job.id, course, "final") is not is_begun


@pytest.mark.parametrize("state", ["waits", "runs", "died", "done"])
def test_only_what_was_begun_and_is_not_over_is_stopped(portal: Portal, state: str) -> None:
    """Also while it waits to be begun again; it then waits for whoever has it go on."""
    course = portal.courses["cards"]
    job = jobs.add(portal.database, "final", {}, course=course)
    if state != "waits":
        assert jobs.take(portal.database, ["final"])
    if state == "died":
        jobs.release(portal.database, ["final"])
    elif state == "done":
        jobs.finish(portal.database, job.id, {"status": "played"})
    is_stopped = state in {"runs", "died"}
    assert jobs.stop(portal.database, job.id, course, "final", "enough") is is_stopped
    assert not jobs.stop(portal.database, job.id, course, "final", "enough")
    assert jobs.get(portal.database, job.id).fault == ("enough" if is_stopped else "")
    jobs.release(portal.database, ["final"])
    assert (jobs.take(portal.database, ["final"]) is None) is (state != "waits")
    assert jobs.begin_again(portal.database, job.id) is is_stopped
