"""The page of a course for its staff: idle students, the queue, decisions and recent activity."""

import pytest

from tourney.portal import boards, jobs
from tourney.portal.accounts import course_of, remove_member
from tourney.portal.class_overview import Overview, overview_of

from .hands import add_handed_in, make_course
from .portals import Portal

DEADLINE = "2999-12-01T23:59:00+00:00"


def roster(*names: str, **changes: object) -> list[dict[str, object]]:
    """Give the entries of a roster."""
    return [
        {"person": each, "name": each, "groups": ["001"], "excluded": "", **changes}
        for each in names
    ]


def overview(portal: Portal) -> Overview:
    """Give the overview of the course."""
    return overview_of(portal.database, course_of(portal.database, portal.courses["cards"]))


def upload(portal: Portal, who: str, **result: str) -> jobs.Job:
    """Record an upload; with a result, also its end."""
    job = jobs.add(
        portal.database,
        "check",
        {"file": "check-1", "title": "bold.py", "author": who.title()},
        course=portal.courses["cards"],
        account=portal.people[who],
        name=who.title(),
    )
    if result:
        state = "failed" if result["status"] == "failed" else "done"
        jobs.finish(portal.database, job.id, result, state=state)
    return job


def reasons(portal: Portal) -> dict[str, str]:
    """Give the reasons why students do not compete."""
    return {each.name: each.reason for each in overview(portal).idle}


def test_each_idle_student_has_the_latest_reason(portal: Portal) -> None:
    """From a student without an account to an accepted submission."""
    people = [*roster("Student", "Mate", "Absent"), *roster("Gone", excluded="left")]
    make_course(portal, people=people, deadline=DEADLINE)
    start = dict.fromkeys(("Student", "Mate"), "no submission")
    assert reasons(portal) == {**start, "Absent": "has not joined the course"}
    job = upload(portal, "student")
    assert reasons(portal)["Student"] == "waits for its check"
    jobs.finish(portal.database, job.id, {"status": "refused", "reason": "2 days late"})
    assert reasons(portal)["Student"] == "refused: 2 days late"
    add_handed_in(portal)
    assert set(reasons(portal)) == {"Mate", "Absent"}
    assert overview(portal).students == 3
    change = "UPDATE versions SET plays = 0, status = 'withdrawn', reason = 'a copy'"
    portal.database.execute(change)
    assert reasons(portal)["Student"] == "withdrawn: a copy"


@pytest.mark.parametrize("who", ["lecturer", "assistant"])
def test_staff_see_who_does_not_compete_and_why(portal: Portal, who: str) -> None:
    """By section, if they choose one; a name is text."""
    markup = "<b>Eve</b>"
    people = [*roster("Student"), *roster(markup, groups=["002"])]
    make_course(portal, people=people, deadline=DEADLINE)
    browser = portal.browser(who)
    page = browser.get("/c/cards").text
    assert "<strong>0 of 2</strong>" in page
    assert "&lt;b&gt;Eve&lt;/b&gt;" in page
    assert markup not in page
    page = browser.get("/c/cards?section=001").text
    assert "Student</td>" in page
    assert "Eve" not in page


def test_the_queue_counts_jobs_that_wait_now(portal: Portal) -> None:
    """By kind; a job for later, and one of another course, are not in it."""
    make_course(portal, people=roster("Student", "Mate"))
    course = portal.courses["cards"]
    first = upload(portal, "student")
    upload(portal, "mate")
    portal.database.execute("UPDATE jobs SET state = 'running' WHERE id = ?", (first.id,))
    jobs.add(portal.database, "final", {}, course=course, not_before="2999-01-01T00:00:00+00:00")
    jobs.add(portal.database, "check", {}, course=portal.courses["other"])
    (waiting,) = overview(portal).queue
    assert (waiting.words, waiting.queued, waiting.running) == ("checks of submissions", 1, 1)
    assert waiting.oldest == first.received
    assert (
        "checks of submissions: 1 queued, 1 running"
        in portal.browser("lecturer").get("/c/cards").text
    )


def test_decisions_of_a_new_course_lead_to_its_settings(portal: Portal) -> None:
    """First the roster, then the deadline, then people who have not joined."""
    make_course(portal)
    (decision,) = overview(portal).decisions
    assert (decision.words, decision.page) == (
        "The course has no roster yet: upload one.",
        "organise",
    )
    make_course(portal, people=roster("Student", "Absent"))
    assert [(each.words, each.page) for each in overview(portal).decisions] == [
        ("The course has no deadline.", "organise"),
        ("1 student has not joined the course.", "people"),
    ]
    make_course(portal, people=roster("Student", "Mate"), deadline=DEADLINE)
    assert not overview(portal).decisions
    remove_member(portal.database, portal.courses["cards"], portal.people["mate"])
    (decision,) = overview(portal).decisions
    assert decision.words == "1 student has not joined the course."
    assert reasons(portal)["Mate"] == "has not joined the course"
    make_course(portal, people=roster("Student"), deadline=DEADLINE)
    assert "Nothing to decide." in portal.browser("lecturer").get("/c/cards").text


def test_faults_and_previews_need_a_decision(portal: Portal) -> None:
    """Until a newer upload or a newer roster settles them."""
    handout = {"problems": ["starter: code does not exist"]}
    make_course(portal, people=roster("Student"), deadline=DEADLINE, handout=handout)
    failed = upload(portal, "student", status="failed", reason="the disk was full")
    course = portal.courses["cards"]
    preview = jobs.add(portal.database, "roster", {}, course=course)
    jobs.finish(portal.database, preview.id, {"status": "shown", "joined": roster("Mate")})
    assert [(each.words, each.job) for each in overview(portal).decisions] == [
        ("A part of the game's material is missing.", 0),
        ("A previewed roster is not saved.", preview.id),
        ("The portal failed at an upload of Student.", failed.id),
    ]
    page = portal.browser("lecturer").get("/c/cards").text
    assert f'href="/c/cards/doing/{preview.id}"' in page
    assert f'href="/c/cards/handed/{failed.id}"' in page
    kept = jobs.add(portal.database, "roster", {}, course=course)
    jobs.finish(portal.database, kept.id, {"status": "kept"})
    upload(portal, "student")
    same = jobs.add(portal.database, "roster", {}, course=course)
    jobs.finish(portal.database, same.id, {"status": "shown", "joined": []})
    assert [each.page for each in overview(portal).decisions] == ["game"]


def test_a_final_that_waits_for_its_lecturer_needs_a_decision(portal: Portal) -> None:
    """It is stopped, or frozen without a time of its reveal."""
    make_course(portal, people=roster("Student"), deadline=DEADLINE)
    course = portal.courses["cards"]
    for number, (title, settings, until) in enumerate(
        (
            ("Stopped", {"stopped": True}, ""),
            ("Frozen", {}, ""),
            ("Timed", {}, "2999-01-01T00:00:00+00:00"),
        ),
        1,
    ):
        run = boards.note_run(portal.database, course, "final", number, title, settings=settings)
        shown = {"state": "sealed", "until": until, "rows": [], "columns": []}
        boards.show_board(portal.database, run.id, "course", shown, {})
        if title != "Stopped":
            boards.finish_run(portal.database, run)
    assert sorted(each.words for each in overview(portal).decisions) == [
        "Frozen is over and frozen: reveal its results.",
        "Stopped is stopped: resume it.",
    ]
    run = next(each for each in boards.runs_of(portal.database, course, "final") if each.finished)
    shown = {"state": "revealing", "until": "", "rows": [], "columns": []}
    boards.show_board(portal.database, run.id, "course", shown, {})
    words = [each.words for each in overview(portal).decisions]
    assert f"{run.title} has hidden places: reveal the rest." in words


def test_the_page_lists_recent_uploads_and_actions(portal: Portal) -> None:
    """Newest first, and none of another course."""
    make_course(portal, people=roster("Student", "Newcomer"), time_zone="Europe/Berlin")
    upload(portal, "student", status="rejected", reason="it raised")
    lecturer = portal.browser("lecturer")
    lecturer.post("/c/cards/codes", {"role": "student"})
    page = lecturer.get("/c/cards").text
    assert 'Student: <code>bold.py</code></a>, <span class="bad">rejected</span>' in page
    assert "Lecturer: codes made, " in page
    assert "Europe/Berlin" in page
    assert "codes made" not in portal.browser("stranger").get("/c/other").text
    assert "codes made" not in portal.browser("spectator").get("/c/cards").text
