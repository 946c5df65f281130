"""Those who wait: for a check in a long queue, by streams that cost little and are not too many."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from tourney.portal import jobs
from tourney.portal.jobs import progress_of
from tourney.portal.web.live import LOOK_EVERY, MOST, MOST_EACH, Watcher
from tourney.sqlite.database import Database

from .hands import bold, hand_in, make_course, number_of
from .portals import Portal

STREAMS = 300
LONG = 500
"""Jobs that wait."""


@dataclass
class _Counting:
    """Passes on what is asked of a database, and counts it."""

    database: Database
    asked: list[str] = field(default_factory=list)

    def first(self, sql: str, *parameters: Any) -> Any:
        """Ask for a row."""
        self.asked.append(sql)
        return self.database.first(sql, *parameters)

    def read(self, reader: Any, sql: str, *parameters: Any) -> Any:
        """Ask for rows."""
        self.asked.append(sql)
        return self.database.read(reader, sql, *parameters)


def _wait(portal: Portal, count: int, who: str = "student") -> list[jobs.Job]:
    course, account = portal.courses["cards"], portal.people[who]
    return [
        jobs.add(portal.database, "check", {"file": "none"}, course=course, account=account)
        for _ in range(count)
    ]


@pytest.mark.prove
def test_a_class_that_watches_its_checks_costs_a_few_queries_a_look(portal: Portal) -> None:
    """However many streams there are; each hears of its own job, and ends with it."""
    waiting = _wait(portal, STREAMS)
    counting = _Counting(portal.app.state.watcher.database)
    watcher = Watcher(counting)  # type: ignore[arg-type]  # it stands in for a database
    heard: dict[int, list[str]] = {job.id: [] for job in waiting}

    async def listen(job: jobs.Job) -> None:
        async for progress in watcher.progress(job.id, job.id):
            if progress:
                heard[job.id].append(f"{progress.job.state} {progress.place} {progress.lines}")

    async def all_of_them() -> list[int]:
        costs = []
        tasks = [asyncio.create_task(listen(job)) for job in waiting]
        await asyncio.sleep(3 * LOOK_EVERY)
        for job in waiting:
            if job in waiting[:2]:
                counting.asked.clear()
                jobs.say(portal.database, job.id, "compiled")
                await asyncio.sleep(3 * LOOK_EVERY)
                costs.append(len([each for each in counting.asked if "data_version" not in each]))
            jobs.finish(portal.database, job.id, {})
        await asyncio.gather(*tasks)
        return costs

    assert max(portal.runner.run(all_of_them())) <= 2 * 5  # looks in which something is new
    assert all(lines[0].startswith("queued") for lines in heard.values())
    assert "compiled" in "".join(heard[waiting[0].id])
    assert all(lines[-1].startswith("done 0") for lines in heard.values())
    assert not watcher.streams.total()


def test_what_the_web_process_writes_itself_is_heard_too(portal: Portal) -> None:
    """A newer upload takes the older one's place: whoever watches that one is told."""
    make_course(portal)
    student = portal.browser("student")
    older = number_of(hand_in(student, bold()))

    async def states() -> list[str]:
        watcher: Watcher = portal.app.state.watcher
        told = watcher.progress(older, 1)
        first = await anext(told)
        course, account = portal.courses["cards"], portal.people["student"]
        newer = {"course": course, "account": account, "name": "Student", "replaces": True}
        jobs.add(watcher.database, "check", {"file": "none"}, **newer)  # type: ignore[arg-type]  # mixed
        second = await anext(told)
        await told.aclose()
        assert first
        assert second
        return [first.job.state, second.job.state]

    assert portal.runner.run(states()) == ["queued", "replaced"]


def test_streams_beyond_an_accounts_are_told_to_look_again_later(portal: Portal) -> None:
    """The oldest stay; the page itself says the same, and others are let in."""
    make_course(portal)
    student = portal.browser("student")
    path = f"/c/cards/handed/{number_of(hand_in(student, bold()))}"
    watcher: Watcher = portal.app.state.watcher
    watcher.streams[portal.people["student"]] = MOST_EACH
    refused = student.begin(f"{path}/events")
    assert refused.status_code == 429
    assert "try again later" in refused.text
    assert "Place 1 in the queue" in student.get(path).text
    assert portal.browser("lecturer").begin(f"{path}/events").status_code == 200
    watcher.streams[0] = MOST - MOST_EACH
    assert portal.browser("lecturer").begin(f"{path}/events").status_code == 429
    watcher.streams[0] = 0
    watcher.streams[portal.people["student"]] -= 1
    assert student.begin(f"{path}/events").status_code == 200


def test_a_long_queue_still_takes_uploads_and_says_place_and_time(portal: Portal) -> None:
    """By how long the latest took; whoever has fewer done is next, so a flood is nobody's wait."""
    make_course(portal)
    _wait(portal, LONG, "mate")
    student = portal.browser("student")
    number = number_of(hand_in(student, bold()))
    assert "Place 501 in the queue." in student.get(f"/c/cards/handed/{number}").text
    done = jobs.add(portal.database, "check", {})
    jobs.finish(portal.database, done.id, {})
    portal.database.execute(
        "UPDATE jobs SET started = '2026-05-01T12:00:00.000000+00:00', "
        "finished = '2026-05-01T12:00:03.000000+00:00' WHERE id = ?",
        (done.id,),
    )
    page = student.get(f"/c/cards/handed/{number}").text
    assert "Place 501 in the queue, about 25 minutes left." in page
    told = student.get(f"/c/cards/handed/{number}", accept="application/json").json()
    assert (told["place"], told["wait"]) == (501, "about 25 minutes")
    jobs.take(portal.database, ["check"])
    progress = progress_of(portal.database, [number])[number]
    assert (progress.place, progress.wait) == (1, "less than a minute")
