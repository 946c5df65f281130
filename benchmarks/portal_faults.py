"""A portal whose processes are killed again and again loses nothing and does nothing twice.

    python benchmarks/portal_faults.py [--rounds 50] [--people 60] [--uploads 4]

In each round every process of a portal that is handed in to is killed by SIGKILL, one after the
other, and then the supervisor, which is started again. Meanwhile a final is played. In the end each
upload that was promised is filed exactly once, with the time of its receipt, and the final has the
digests of one that nobody disturbed. The exit status says so.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests, which serve a portal

from benchmarks.crowd import COURSE, PLAYER, Answers, Crowd, hand_in, make_crowd, served
from benchmarks.portal import client_of, drain
from tests.integration.portal.served import LONGEST, Served, is_there, wait_until
from tourney.checks.report import CheckReport
from tourney.checks.source import source_of
from tourney.course.folder import Submissions
from tourney.plugins.loading import load_plugins
from tourney.portal import jobs
from tourney.portal.database import open_database
from tourney.portal.supervisor import ROLES
from tourney.store.store import Store
from tourney.tournament.loading import enter_again
from tourney.tournament.tournament import play_run

PLAYERS, LONG_AGO = 8, datetime(2026, 1, 1, tzinfo=UTC)
"""How many play the final, and when they were handed in."""
SECONDS, ENDED = 900.0, ("done", "failed")
"""How long the final may take once nobody disturbs it, and in which state it is over."""
BETWEEN = 0.5
"""Seconds between two kills."""
UNDISTURBED = 2.0
"""Seconds of each round in which all processes live."""
TOURNAMENT = """\
name: Final
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 400, rounds: 400}
entrants:
  - submissions: .
  - strategy: simple
  - strategy: counting
"""


async def hand_in_until(portal: Served, crowd: Crowd, rate: float, ended: asyncio.Event) -> Answers:
    """Hand in, whether the portal answers or not; note the jobs that it promised."""
    answers, people = Answers(), cycle(crowd.people)
    async with client_of(portal) as client:
        while not ended.is_set():
            await hand_in(client, answers, *next(people))
            await asyncio.sleep(1.0 / rate)
    return answers


async def disturb(portal: Served, rounds: int) -> Counter[str]:
    """Kill every process of a portal, and the supervisor, so many times."""
    killed: Counter[str] = Counter()
    for _ in range(rounds):
        for role in ROLES:
            if number := await _child(portal, role):
                os.kill(number, signal.SIGKILL)
                killed[role] += 1
            await asyncio.sleep(BETWEEN)
        children = portal.children().values()
        portal.end(signal.SIGKILL)
        killed["supervisor"] += 1
        assert await asyncio.to_thread(wait_until, lambda c=children: not any(map(is_there, c)))
        await asyncio.to_thread(portal.start)
        await asyncio.sleep(UNDISTURBED)
    return killed


async def _child(portal: Served, role: str) -> int | None:
    """Give the process of a role, once it runs."""
    await asyncio.to_thread(wait_until, lambda: role in portal.children(), LONGEST)
    return portal.children().get(role)


async def run(crowd: Crowd, portal: Served, asked: argparse.Namespace) -> bool:
    """Disturb, wait until all is done, and compare."""
    ended = asyncio.Event()
    handing = asyncio.create_task(hand_in_until(portal, crowd, asked.uploads, ended))
    begun = time.perf_counter()
    killed = await disturb(portal, asked.rounds)
    ended.set()
    answers = await handing
    print(f"killed in {time.perf_counter() - begun:.0f} s: {dict(killed)}")
    print(f"uploads: {len(answers.seconds)} answered, {len(answers.errors)} not")
    await drain(crowd, [])
    is_over = await asyncio.to_thread(wait_until, lambda: _final(crowd)[0] in ENDED, SECONDS)
    print(f"final: {'over' if is_over else 'not over'}, {_final(crowd)}")
    return _each_is_filed_once(crowd) & _final_is_as_undisturbed(crowd)


def _final(crowd: Crowd) -> tuple[str, str]:
    """Give the state of the final's job, and what came of it."""
    with closing(open_database(crowd.places)) as database:
        row = database.first("SELECT state, result FROM jobs WHERE kind = 'final'")
        assert row
        return row[0], row[1]


def _each_is_filed_once(crowd: Crowd) -> bool:
    """Compare what was promised with what is filed in the course's folder."""
    with closing(open_database(crowd.places)) as database:
        told = tuple(
            database.read(iter, "SELECT state, received, result FROM jobs WHERE kind = 'check'")
        )
    done = [
        (datetime.fromisoformat(received), json.loads(result)["status"])
        for state, received, result in told
        if state == "done"
    ]
    promised = {received for received, status in done if status in {"accepted", "rejected"}}
    course = Submissions(crowd.places.course(COURSE))
    filed = Counter(time for each in course.versions() for time in each.times if time != LONG_AGO)
    lost = len(promised - filed.keys())
    twice = sum(count > 1 for count in filed.values())
    extra = len(filed.keys() - promised)
    states, refused = Counter(state for state, *_ in told), len(done) - len(promised)
    print(f"checks: {dict(states)}, {refused} refused")
    print(f"filed: {len(filed)}; lost {lost}, twice {twice}, not promised {extra}")
    return not (lost or twice or extra or refused or states["failed"])


def _final_is_as_undisturbed(crowd: Crowd) -> bool:
    """Play the final's run again, from the same record, with nobody in the way."""
    with (
        Store.open(crowd.places.final_store(COURSE)) as store,
        TemporaryDirectory() as name,
        Store.open(Path(name) / "again.db") as other,
    ):
        runs = store.runs()
        if not runs:
            return False
        again = other.create_run(replace(store.run(runs[0].number), status="running"))
        play_run(enter_again(again, load_plugins()), other, again)
        digests = [
            each.run_digest(runs[0].number if each is store else again.number).hex()
            for each in (store, other)
        ]
    print(f"finals: {len(runs)}; digest of its results and of the same undisturbed: {digests}")
    return len(runs) == 1 and digests[0] == digests[1]


def _file_some(crowd: Crowd) -> None:
    """File players for the final, which begins before anybody has handed in."""
    course = Submissions(crowd.places.course(COURSE))
    for number, (name, _) in enumerate(crowd.people[:PLAYERS]):
        text = PLAYER.format(number=0, name=name, total=11 + number, times=1)
        source = source_of({"mine.py": text.encode()})
        course.take(
            source, name, author=name, now=LONG_AGO,
            check=lambda _: CheckReport(passed=True),
        )  # fmt: skip


def main() -> None:
    """Serve, disturb, compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--uploads", type=float, default=4, help="a second")
    asked = parser.parse_args()
    with TemporaryDirectory() as name:
        crowd = make_crowd(Path(name) / "portal", asked.people)
        (crowd.places.course("cards") / "tournament.yaml").write_text(TOURNAMENT)
        _file_some(crowd)
        with closing(open_database(crowd.places)) as database:
            jobs.add(database, "final", {"title": "Final", "audience": "public"}, course=1)
        portal = served(crowd)
        try:
            is_sound = asyncio.run(run(crowd, portal, asked))
        finally:
            portal.end()
    sys.exit(not is_sound)


if __name__ == "__main__":
    main()
