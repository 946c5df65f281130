"""A whole course, from its gradebooks to its grades: `python benchmarks/rehearsal.py`.

    python benchmarks/rehearsal.py [--students 300] [--others 30] [--uploads 1500] [--minutes 20]
                                   [--attackers 20] [--seed 1] [--keep DIR]

Goes the way of `docs/explanation/rehearsal.md` with real processes, requests and commands: the five
courses' programs, a portal with a week of uploads in minutes, whose machine is lost in the middle,
two deadlines with extensions, practice, an evening of knockout, a final that was committed to, a
board that is frozen and revealed in a ceremony, feedback, grades in three gradebooks, a second
assignment with a team, courses of the other games and of a plugin's, a season, and an outsider with
nothing but what was published. The exit status says whether no
upload was lost, no mark is wrong, nobody honest was blamed, and all that was published verifies.
"""

import argparse
import asyncio
import csv
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from time import perf_counter
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests, which generate the class

from benchmarks.rehearsed import GAMES, LEDUC, Member, Version, members, packages
from tests.e2e.course.generated import COLUMNS, PLATFORMS, gradebook
from tests.integration.portal.served import Served
from tourney.course.submission_rules import read_terms
from tourney.portal import boards, sessions
from tourney.portal.accounts import add_account, add_course, add_member
from tourney.portal.database import open_database, set_setting
from tourney.portal.places import Places
from tourney.store.store import Store

COURSE = "cards"
PACKAGES = 10
WATCHERS = 60
MOST_VERIFIED = 4
"""Least number of parts that an outsider verifies: commitments, pages, board and hands."""
HOME = {"sec-fetch-site": "same-origin"}
JSON = {"accept": "application/json", **HOME}
WAITING = {"queued", "running"}
LONGEST = 900.0
"""Longest wait for a single result, in seconds."""
CUP = """\
name: {name}
game: {{preset: ve280, shuffle: uniform}}
bankroll: 1000
minimum: 5
format: {format}
entrants:
  - submissions: .
  - {{strategy: simple, group: handout}}
{more}"""
FORMATS = {
    "final": "{kind: duplicate, tables: 40, rounds: 50}",
    "evening": "{kind: knockout, seats: 4, rounds: 20}",
    "committed": "{kind: duplicate, tables: 20, rounds: 50}",
}
SEASON = "name: Autumn\nruns:\n{runs}"


@dataclass
class Report:
    """The steps with their times, and the faults."""

    rows: list[tuple[str, float, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @contextmanager
    def step(self, name: str) -> Iterator[list[str]]:
        """Time a step, and print the findings that it adds to the list."""
        begun, found = perf_counter(), list[str]()
        yield found
        self.rows.append((name, perf_counter() - begun, "; ".join(found)))
        print(f"{self.rows[-1][1]:7.1f} s  {name}: {self.rows[-1][2]}", flush=True)

    def hold(self, what: str, *, is_so: bool) -> None:
        """Note a fault unless the condition holds."""
        if not is_so:
            self.wrong.append(what)
            print(f"   WRONG  {what}", flush=True)


@dataclass
class Handed:
    """An upload that the portal has taken."""

    member: Member
    version: Version
    job: int
    is_late: bool


def tourney(folder: Path, words: str, *more: str | Path, status: Sequence[int] = (0,)) -> str:
    """Run a command in a process of its own; give its output.

    Raises: SystemExit, if it ends in another way than expected.
    """
    command = [Path(sys.executable).with_name("tourney"), *words.split(), *more]
    done = subprocess.run(  # noqa: S603 - this very program
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode not in status or "Traceback" in done.stderr:
        sys.exit(f"tourney {words}: status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout + done.stderr


def done_by(is_done: Callable[[], object], what: str) -> None:
    """Wait until something is so.

    Raises: SystemExit, if it never is.
    """
    until = time.monotonic() + LONGEST
    while not is_done():
        if time.monotonic() > until:
            sys.exit(f"{what}: expected it within {LONGEST:.0f} s")
        time.sleep(0.2)


class Course:
    """A course on a portal, and its lecturer's browser."""

    def __init__(self, folder: Path, own: Sequence[Member]) -> None:
        """Make the portal and the accounts; the roster comes from a gradebook, as it does."""
        self.places = Places(folder)
        self.places.root.mkdir(parents=True)
        self.places.inbox.mkdir()
        self.own = own
        self.cookies: dict[str, str] = {}  # by mail address
        self.names: dict[str, str] = {}  # to play under, by mail address
        self.people: dict[str, str] = {}  # names on the roster, by mail address
        with closing(open_database(self.places)) as database:
            set_setting(database, "second_factor", "off")
            with database.transaction():
                self.number = add_course(database, COURSE, "Cards")
                practice = json.dumps({"tables": 10, "rounds": 50})
                set_setting(database, f"practice {self.number}", practice)
                self.account = add_account(database, "lecturer", "The lecturer", is_admin=True)
                add_member(database, self.number, self.account, "lecturer")
        self.served = Served(folder)

    def start(self) -> None:
        """Serve it."""
        self.served.start()
        self.sign_in()

    def sign_in(self) -> None:
        """Sign the lecturer in with a second factor, which grave actions need."""
        with closing(open_database(self.places)) as database:
            code = sessions.begin(database, self.account, "a rehearsal", has_second=True)
        self.lecturer = httpx.Client(
            base_url=self.served.url, cookies={"tourney": code}, headers=HOME, timeout=120
        )

    def post(
        self, path: str, fields: Mapping[str, str] | None = None, slug: str = COURSE, **more: Any
    ) -> str:
        """Send a form of the lecturer's; give where it leads.

        Raises: SystemExit, if it was refused.
        """
        answer = self.lecturer.post(f"/c/{slug}/{path}", data=fields, **more)
        leads = str(answer.headers.get("location", ""))
        if answer.status_code != 303 or leads.startswith("/prove"):
            sys.exit(f"{path}: status {answer.status_code} {leads}\n{answer.text[:2000]}")
        return leads

    def ask(self, path: str, fields: Mapping[str, str] | None = None, **more: Any) -> int:
        """Ask for something that a job does, and wait for it; give the job."""
        job = int(self.post(path, fields, **more).rpartition("/")[2])
        done_by(lambda: self.job(job)[0] not in WAITING, path)
        state, result = self.job(job)
        if state != "done" or result.get("reason"):
            sys.exit(f"{path}: {state}, {result}")
        return job

    def job(self, number: int) -> tuple[str, dict[str, Any]]:
        """Give state and result of a job."""
        with closing(open_database(self.places)) as database:
            row = database.first("SELECT state, result FROM jobs WHERE id = ?", (number,))
        assert row, f"job {number} is lost"
        return str(row[0]), json.loads(row[1] or "{}")

    def enrol(self) -> None:
        """Import the class from its gradebook, and let all students join."""
        book = gradebook([each.student for each in self.own], "Canvas").encode()
        file = {"gradebook": ("grades.csv", book)}
        shown = self.ask("roster", {"game": "ve280"}, files=file)
        self.ask("roster/keep", {"job": str(shown)})
        roster = read_terms(self.places.course(COURSE)).roster
        assert roster
        with closing(open_database(self.places)) as database, database.transaction():
            for person, member in zip(roster.people, self.own, strict=True):
                login = member.student.email
                account = add_account(database, login, member.student.name)
                add_member(
                    database, self.number, account, "student",
                    person=person.person, name=person.names[0],
                )  # fmt: skip
                self.cookies[login] = sessions.begin(database, account, "a rehearsal")
                self.names[login], self.people[login] = person.names[0], person.person

    def option_of(self, email: str) -> str:
        """Give the value of a student in the list of a form."""
        person, name = self.people[email], self.names[email]
        return f"student {person} ({name})" if person != name else f"student {name}"

    def end_with_the_machine(self) -> None:
        """Kill everything at once, as a machine that stops does."""
        assert self.served.process
        everybody = [self.served.process.pid, *self.served.children().values()]
        for each in everybody:
            os.kill(each, signal.SIGKILL)
        self.served.process.wait()


async def upload(
    course: Course, client: httpx.AsyncClient, member: Member, number: int, slug: str = COURSE
) -> tuple[Version, int]:
    """Submit a version to an assignment; give it with its job.

    Raises: SystemExit, if it is not taken.
    """
    version = member.version(number)
    answer = await client.post(
        f"/c/{slug}/hand-in",
        files={"file": (version.filename, version.content)},
        headers={"cookie": f"tourney={course.cookies[member.student.email]}", **JSON},
    )
    if answer.status_code != 202:
        sys.exit(f"{member.student.name} handed in: {answer.status_code} {answer.text[:300]}")
    return version, int(answer.json()["job"])


async def week(
    course: Course, uploads: Sequence[tuple[float, Member, int]], is_late: bool
) -> list[Handed]:
    """Submit at the given times, in seconds from now."""
    limits = httpx.Limits(max_connections=50)
    begun = perf_counter()
    async with httpx.AsyncClient(base_url=course.served.url, limits=limits, timeout=120) as client:

        async def one(at: float, member: Member, number: int) -> Handed:
            await asyncio.sleep(max(0.0, begun + at - perf_counter()))
            version, job = await upload(course, client, member, number)
            return Handed(member, version, job, is_late)

        return list(await asyncio.gather(*(one(*each) for each in uploads)))


def drained(course: Course) -> None:
    """Wait until no check waits."""

    def is_empty() -> bool:
        with closing(open_database(course.places)) as database:
            waits = "SELECT 1 FROM jobs WHERE state IN ('queued', 'running') AND kind = 'check'"
            return not database.first(waits)

    done_by(is_empty, "all checks")


class Rehearsal:
    """The course, step by step."""

    def __init__(self, folder: Path, asked: argparse.Namespace) -> None:
        """Choose the students and their kinds."""
        self.folder, self.asked = folder, asked
        self.report = Report()
        self.chance = random.Random(asked.seed)
        self.own = members("ve280", asked.students, asked.attackers, asked.seed)
        # A team is complete before its first submission, so these two miss the first assignment.
        self.team = [each for each in self.own if each.kind == "python"][-2:]
        self.active = [each for each in self.own if each not in self.team]
        self.course = Course(folder / "portal", self.own)
        self.handed: list[Handed] = []
        self.counts: Counter[str] = Counter()
        self.published: list[tuple[str, Path]] = []  # sites that an outsider has

    def run(self) -> Report:
        """Go all the way."""
        self.play_programs()
        self.install()
        try:
            self.open_course()
            self.hand_in()
            self.practise()
            self.hold_evening()
            self.hold_final()
            self.grade()
            self.assign_again()
        finally:
            self.course.served.end()
        self.play_committed()
        for game in GAMES:
            self.play_other(game)
        self.sum_up_season()
        self.look_from_outside()
        return self.report

    def play_programs(self) -> None:
        """Run the five courses' programs against their recorded outputs."""
        with self.report.step("the courses' programs") as found:
            words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/golden"]
            ran = subprocess.run(  # noqa: S603 - this very Python
                [sys.executable, *words, "--deselect", "tests/golden/test_digests.py"],
                cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False,
            )  # fmt: skip
            found.append(f"{ran.stdout.count('.')} goldens" if not ran.returncode else ran.stdout)
            self.report.hold("goldens", is_so=not ran.returncode)

    def install(self) -> None:
        """Some come as packages, which pip installs."""
        site = self.folder / "site"
        with self.report.step("packages") as found:
            made = packages(self.folder / "packages", PACKAGES)
            words = ("-m", "pip", "install", "--quiet", "--no-deps")
            folders = [str(LEDUC), *(str(path) for path, _ in made)]
            command = [sys.executable, *words, "--target", str(site), *folders]
            subprocess.run(command, check=True)  # noqa: S603 - as above
            self.installed = [name for _, name in made]
            found.append(f"{len(folders)} installed by pip")
        before = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = f"{site}{os.pathsep}{before}".rstrip(os.pathsep)

    def open_course(self) -> None:
        """The portal is up, and the class is in."""
        with self.report.step("portal up, class taken in") as found:
            self.course.start()
            self.course.enrol()
            sections = {each.student.section for each in self.own}
            found.append(f"{len(self.own)} students in {len(sections)} sections")

    def hand_in(self) -> None:
        """A week of uploads, two deadlines, and the loss of the machine."""
        seconds, count = 60.0 * self.asked.minutes, self.asked.uploads
        late = max(4, count // 50)
        parts = {"first days": 0.35, "until the first deadline": 0.25}
        for name, share in parts.items():
            self._upload(name, int(count * share), share * seconds)
            if name == "first days":
                self._lose_machine()
        self._set_deadline_now()
        excused = self._after_deadline(late)
        self._set_deadline(datetime.now(UTC) + timedelta(days=1))
        rest = max(0, count - sum(self.counts.values()) - late)
        self._upload("until the second deadline", rest, 0.4 * seconds)
        self._set_deadline_now()
        self._upload("too late", late, 5.0, excused=excused)
        with self.report.step("everything checked") as found:
            drained(self.course)
            found.append(self._judge())

    def _upload(
        self, name: str, count: int, seconds: float, *, excused: set[str] | None = None
    ) -> None:
        with self.report.step(f"uploads: {name}") as found:
            # Everybody once, and then more of whoever happens to work; most of it near the end.
            if name == "first days":
                more = self.chance.choices(self.active, k=max(0, count - len(self.active)))
                chosen = [*self.active, *more]
            else:
                punctual = [
                    each for each in self.active if each.student.email not in (excused or ())
                ]
                chosen = self.chance.choices(punctual, k=count)
            times = sorted(seconds * self.chance.betavariate(2, 1) for _ in chosen)
            uploads = []
            for at, member in zip(times, chosen, strict=True):
                uploads.append((at, member, self.counts[member.student.email]))
                self.counts[member.student.email] += 1
            self.handed += asyncio.run(week(self.course, uploads, is_late=excused is not None))
            found.append(f"{len(uploads)} taken")

    def _lose_machine(self) -> None:
        """It stops in the middle of checks; its backup of a moment ago begins on another."""
        old, backup = self.course.places, self.folder / "backup.tar.gz"
        with self.report.step("machine lost, backup restored elsewhere") as found:
            waiting = sum(self._state(each)[0] in WAITING for each in self.handed)
            tourney(self.folder, "serve backup", old.root, backup)
            self.course.end_with_the_machine()
            self.course.places = Places(self.folder / "other-machine" / "portal")
            tourney(self.folder, "serve restore", backup, self.course.places.root)
            self.course.served = Served(self.course.places.root)
            self.course.start()
            found.append(f"{waiting} checks were waiting")

    def _set_deadline_now(self) -> None:
        """Set one that everything up to now has met, and let it pass."""
        self._set_deadline(datetime.now(UTC) + timedelta(seconds=1))
        time.sleep(2.0)

    def _set_deadline(self, moment: datetime) -> None:
        self.course.ask("terms", {"time_zone": "UTC", "past": "on", **_time_fields(moment)})

    def _after_deadline(self, count: int) -> set[str]:
        """Submit late, half with an extension; give the addresses of that half."""
        late = self.chance.sample(self.active, count)
        excused = {each.student.email for each in late[::2]}
        for email in excused:
            whom = {"whom": self.course.option_of(email), "kind": "deadline"}
            until = _time_fields(datetime.now(UTC) + timedelta(hours=1))
            self.course.ask("extensions", {**whom, "because": "was ill", **until})
        with self.report.step("after the first deadline") as found:
            uploads = [(0.0, each, self.counts[each.student.email]) for each in late]
            for each in late:
                self.counts[each.student.email] += 1
            taken = asyncio.run(week(self.course, uploads, is_late=True))
            for each in taken:
                each.is_late = each.member.student.email not in excused
            self.handed += taken
            drained(self.course)
            found.append(f"{len(excused)} of {len(late)} excused")
        return excused

    def _state(self, handed: Handed) -> tuple[str, dict[str, Any]]:
        return self.course.job(handed.job)

    def _judge(self) -> str:
        """Compare the status of every upload with the expected one; give their numbers."""
        told: Counter[str] = Counter()
        for each in self.handed:
            state, result = self._state(each)
            status = result.get("status", state)
            expected = "refused" if each.is_late else each.version.expected
            told[status] += 1
            name = f"{each.member.student.name} ({each.member.kind} {each.member.attack})"
            is_right = status == expected or status == state == "replaced"
            self.report.hold(f"{name}: expected {expected}, got {status} {result}", is_so=is_right)
        self.counts.clear()
        return ", ".join(f"{count} {status}" for status, count in sorted(told.items()))

    def practise(self) -> None:
        """Wait until the practice board has all accepted students."""
        accepted = {
            each.member.student.email
            for each in self.handed
            if self._state(each)[1].get("status") == "accepted"
        }
        with self.report.step("practice board") as found:

            def is_whole() -> bool:
                return len(self._rows("board.json")) >= len(accepted)

            done_by(is_whole, "the practice board")
            found.append(f"{len(self._rows('board.json'))} rows")
        self.accepted = accepted

    def _rows(self, path: str, client: httpx.Client | None = None) -> list[Any]:
        answer = (client or self.course.lecturer).get(f"/c/{COURSE}/{path}")
        return list(answer.json().get("rows", [])) if answer.status_code == 200 else []

    def _write_tournament(self, name: str) -> None:
        """Write the file that a final is played by."""
        strategies = "".join(
            f"  - {{strategy: {each}, group: guests}}\n" for each in self.installed
        )
        text = CUP.format(name=name.title(), format=FORMATS[name], more=strategies)
        (self.course.places.course(COURSE) / "tournament.yaml").write_text(text, encoding="utf-8")

    def _begin_final(self, name: str, **fields: str) -> int:
        """Start a final; give its number once its commitment is published."""
        self._write_tournament(name)
        before = {run.id for run in self._runs()}
        self.course.sign_in()
        self.course.post(
            "finals/new",
            {"title": name.title(), "audience": "public", "names": "names", **fields},
        )
        done_by(lambda: self._has_begun(before), f"the {name} begins")
        return max(run.id for run in self._runs())

    def _has_begun(self, before: set[int]) -> bool:
        """Give whether there is another final.

        Raises: SystemExit, if it was refused.
        """
        with closing(open_database(self.course.places)) as database:
            row = database.first("SELECT result FROM jobs WHERE kind = 'final' ORDER BY id DESC")
        if row and row[0] and json.loads(row[0]).get("status") == "refused":
            sys.exit(f"final: {row[0]}")
        return bool({run.id for run in self._runs()} - before)

    def _runs(self) -> Sequence[boards.PortalRun]:
        with closing(open_database(self.course.places)) as database:
            return list(boards.finals(database))

    def _is_over(self, run: int) -> bool:
        return any(each.id == run and each.finished for each in self._runs())

    def hold_evening(self) -> None:
        """Play a knockout with a public live board."""
        with self.report.step("knockout, watched live") as found:
            run = self._begin_final("evening")
            frames = asyncio.run(self._watch(run))
            rows = self._rows(f"final/{run}/board.json")
            found.append(f"{WATCHERS} watchers, {frames} frames, {len(rows)} rows")
            self.report.hold("live frames", is_so=frames >= WATCHERS)
        self._publish(run, "evening")

    async def _watch(self, run: int) -> int:
        """Follow the board as spectators until the end; give the number of frames."""
        frames = 0
        url, path = self.course.served.url, f"/c/{COURSE}/final/{run}/events"

        async def one(client: httpx.AsyncClient) -> None:
            nonlocal frames
            try:
                async with client.stream(
                    "GET", path, headers={"accept": "text/event-stream"}
                ) as told:
                    async for line in told.aiter_lines():
                        frames += line.startswith("data:")
            except httpx.HTTPError:
                return  # which it does when its watching is over

        async with httpx.AsyncClient(base_url=url, timeout=LONGEST) as client:
            watching = [asyncio.ensure_future(one(client)) for _ in range(WATCHERS)]
            await asyncio.to_thread(done_by, lambda: self._is_over(run), "the evening")
            await asyncio.sleep(2.0)
            for each in watching:
                each.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
        return frames

    def hold_final(self) -> None:
        """Play a final that is committed, frozen, revealed and published."""
        outsider = httpx.Client(base_url=self.course.served.url, timeout=60)
        with self.report.step("final, frozen") as found:
            run = self._begin_final("final", freeze="2026-01-01T00:00")
            self.report.hold(
                "commitment is public",
                is_so="tourney" in outsider.get(f"/c/{COURSE}/commitments").text,
            )
            done_by(lambda: self._is_over(run), "the final")
            shown = self._rows(f"final/{run}/board.json", outsider)
            self.report.hold("frozen board shows nothing", is_so=not shown)
            found.append("its board tells nothing")
        with self.report.step("revealed") as found:
            # Each change of the number of places, as the lecturer's keys send them.
            for before, act in ((0, "step"), (1, "step"), (2, "undo"), (1, "step"), (2, "step")):
                count = before + (1 if act == "step" else -1)
                done_by(
                    lambda before=before, act=act: self._has_stepped(run, before, act), "a step"
                )
                done_by(
                    lambda count=count: (
                        len(self._rows(f"final/{run}/board.json", outsider)) == count
                    ),
                    "its row",
                )
            self.course.post(f"final/{run}/tell", {"sure": "on"})
            done_by(lambda: len(self._rows(f"final/{run}/board.json", outsider)) > 3, "all told")
            rows = self._rows(f"final/{run}/board.json", outsider)
            found.append(f"{len(rows)} rows are told")
        self.final = run
        self._publish(run, "final")
        self._judge_final()

    def _has_stepped(self, run: int, before: int, act: str) -> bool:
        """Press a key of the ceremony, which is refused until all is counted."""
        path = f"/c/{COURSE}/final/{run}/ceremony/{act}"
        return self.course.lecturer.post(path, data={"revealed": str(before)}).status_code == 303

    def _judge_final(self) -> None:
        """Find verdicts on accepted competitors, which are false ones."""
        with Store.open(self.course.places.final_store(COURSE), create=False) as store:
            numbers = [each.number for each in store.runs()]
        verdicts = ""
        for number in numbers:
            verdicts += tourney(
                self.folder,
                f"verdicts {number} --store",
                self.course.places.final_store(COURSE),
                status=(0, 1),
            )
        blamed = [
            line
            for line in verdicts.splitlines()
            if re.search(r"\b(illegal|raised|cpu|stalled)\b", line)
        ]
        self.report.hold(f"nobody is blamed: {blamed[:5]}", is_so=not blamed)

    def _publish(self, run: int, name: str) -> None:
        """Wait for the pages of a run, and take them from the portal as a browser does."""
        with self.report.step(f"pages of the {name}") as found:
            outsider = httpx.Client(base_url=self.course.served.url, timeout=60)
            home = f"/c/{COURSE}/site/{run}/"
            done_by(lambda: outsider.get(f"{home}index.html").status_code == 200, "pages")
            done_by(lambda: outsider.get(f"{home}data.json").status_code == 200, "data")
            there = self.course.places.site(COURSE, run)
            done_by(lambda: not self._writes(), "pages are written")
            saved = self.folder / "outside" / name
            files = [path.relative_to(there) for path in there.rglob("*") if path.is_file()]
            for path in files:
                answer = outsider.get(f"{home}{path.as_posix()}")
                assert answer.status_code == 200, path
                target = saved / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(answer.content)
            self.published.append((name, saved))
            found.append(f"{len(files)} files")

    def _writes(self) -> bool:
        with closing(open_database(self.course.places)) as database:
            waits = "SELECT 1 FROM jobs WHERE state IN ('queued', 'running') AND kind = 'publish'"
            return bool(database.first(waits))

    def grade(self) -> None:
        """Read all feedback pages, and fill a gradebook of each section and platform."""
        course = self.course.places.course(COURSE)
        store = self.course.places.final_store(COURSE)
        with self.report.step("feedback on the portal") as found:
            there = 0
            for member in self.own:
                cookie = {"cookie": f"tourney={self.course.cookies[member.student.email]}"}
                path = f"/c/{COURSE}/final/{self.final}/feedback"
                answer = httpx.get(f"{self.course.served.url}{path}", headers=cookie)
                there += answer.status_code == 200 and "Feedback" in answer.text
            found.append(f"{there} of {len(self.own)} have a page")
            self.report.hold("everybody has feedback", is_so=there == len(self.own))
        run = next(each.number for each in self._runs() if each.id == self.final)
        said = tourney(
            self.folder, f"leaderboard {run} --format json --store", store, status=(0, 1)
        )
        board = json.JSONDecoder().raw_decode(said)[0]  # what else it says follows
        played = {row["entrant"] for row in board}
        for section, platform in zip(("001", "002", "003"), PLATFORMS, strict=True):
            with self.report.step(f"grades of section {section} into {platform}") as found:
                students = [each for each in self.own if each.student.section == section]
                book = self.folder / f"{platform}.csv"
                before = gradebook([each.student for each in students], platform)
                book.write_bytes(before.encode())
                tourney(
                    self.folder, f"grades {run} --marks-by rank --absent 0 --write --store", store,
                    "--gradebook", book, "--roster", course, "--fill-column", COLUMNS[platform],
                )  # fmt: skip
                filled = self.folder / f"{platform}-grades.csv"
                marks = _marks(filled, platform)
                for member in students:
                    mark = marks[member.student.email]
                    name = self.course.names[member.student.email]
                    is_in = any(name.casefold() == each.casefold() for each in played)
                    if not is_in:
                        is_in = member.student.email in self.accepted
                    is_right = float(mark) >= 0 if is_in else mark == "0"
                    self.report.hold(f"mark of {name}: {mark!r}", is_so=bool(mark) and is_right)
                same = gradebook(
                    [each.student for each in students], platform,
                    {each.student.number: marks[each.student.email] for each in students},
                )  # fmt: skip
                self.report.hold("only marks changed", is_so=filled.read_bytes() == same.encode())
                found.append(f"{len(students)} marks")

    def assign_again(self) -> None:
        """A second assignment of the same class, at the game of a plugin, with a team of two."""
        others = [each for each in self.active if each.kind == "python"][:20]
        first, mate = (each.student.email for each in self.team)
        with self.report.step("second assignment: leduc, a team") as found:
            self.course.ask("terms", {"largest_team": "2"})
            names = {"first": "Blackjack", "assignment": "Poker", "short": "poker"}
            until = _time_fields(datetime.now(UTC) + timedelta(days=1))
            self.course.ask("assignments/new", {**names, "game": "leduc", **until})
            slug = f"{COURSE}-poker"
            terms = {"tables": "4", "rounds": "20", "days": "1"}
            self.course.post("practice-terms", terms, slug=slug)
            team = self._form_team(slug, first, mate)
            uploads = asyncio.run(self._submit_again(slug, [self.team[0], *others]))
            drained(self.course)
            for name, (job, expected) in uploads.items():
                status = self.course.job(job)[1].get("status")
                self.report.hold(f"{slug}, {name}: got {status}", is_so=status == expected)
            path = f"/c/{slug}/board.json"

            def rows() -> list[Any]:
                answer = self.course.lecturer.get(path)
                return list(answer.json().get("rows", [])) if answer.status_code == 200 else []

            done_by(lambda: len(rows()) >= len(uploads), "the board of the second assignment")
            self.report.hold(f"{team} is on the board", is_so=team in json.dumps(rows()))
            found.append(f"{len(uploads)} submit; {team} play together")

    def _form_team(self, slug: str, first: str, mate: str) -> str:
        """Form a team by invitation; give its name."""

        def send(email: str, path: str, fields: Mapping[str, str] | None = None) -> None:
            cookie = {"cookie": f"tourney={self.course.cookies[email]}", **HOME}
            url = f"{self.course.served.url}/c/{slug}/team/{path}"
            answer = httpx.post(url, data=fields, headers=cookie)
            if answer.status_code != 303:
                sys.exit(f"team/{path}: {answer.status_code}\n{answer.text[:2000]}")

        with closing(open_database(self.course.places)) as database:
            row = database.first("SELECT id FROM accounts WHERE login = ?", (mate,))
            assert row
            send(first, "invite", {"mate": str(row[0])})
            invite = database.first("SELECT max(id) FROM team_invites")
            assert invite
        send(mate, f"{invite[0]}/accept")
        team = " and ".join(self.course.names[each] for each in (first, mate))

        def is_made() -> bool:
            with closing(open_database(self.course.places)) as database:
                made = database.first("SELECT 1 FROM memberships WHERE name = ?", (team,))
            return made is not None

        done_by(is_made, "the team")
        return team

    async def _submit_again(self, slug: str, own: Sequence[Member]) -> dict[str, tuple[int, str]]:
        """Submit one file of each; give its job and its expected status by name."""
        found = {}
        async with httpx.AsyncClient(base_url=self.course.served.url, timeout=120) as client:
            for each in own:
                member = Member(each.student, "leduc", "python")
                version, job = await upload(self.course, client, member, 0, slug)
                found[each.student.name] = (job, version.expected)
        return found

    def play_committed(self) -> None:
        """Play a run whose anchor is published before its first card."""
        course = self.course.places.course(COURSE)
        with self.report.step("a run that was anchored") as found:
            self._write_tournament("committed")
            tourney(course, "commit tournament.yaml --anchor anchor.json")
            anchor = self.folder / "outside" / "anchor.json"
            shutil.copy(course / "anchor.json", anchor)
            tourney(course, "run tournament.yaml --anchor anchor.json", status=(0, 1))
            site = self.folder / "outside" / "committed"
            tourney(course, "publish --anchor anchor.json --output", site)
            self.published.append(("committed", site))
            found.append("played, published")

    def play_other(self, game: str) -> None:
        """A course of another game, on the command line."""
        folder = self.folder / game
        folder.mkdir()
        own = members(game, self.asked.others, 0, self.asked.seed)
        with self.report.step(f"a course of {game}") as found:
            accepted = 0
            for member in own:
                version = member.version(0)
                file = folder / version.filename
                file.write_bytes(version.content)
                name = member.student.name.replace(",", "").rstrip(".")  # names end in a letter
                words = f"submit {version.filename} --to autumn --game {game} --as"
                said = tourney(folder, words, name, status=(0, 1))
                is_in = "accepted as" in said
                accepted += is_in
                self.report.hold(
                    f"{game}, {member.student.name} ({member.kind}): {said[-300:]}",
                    is_so=is_in == (version.expected == "accepted"),
                )
            # Everybody meets every other at Straights, which takes many tables of long rounds.
            rounds = 4 if game == "straights" else 20
            shape = f"{{kind: duplicate, tables: 12, rounds: {rounds}}}"
            if game == "leduc":  # for two seats
                shape = "{kind: roundrobin, rounds: 20, times: 2}"
            text = (
                f"name: {game}\ngame: {game}\nformat: {shape}\nentrants:\n  - submissions: autumn\n"
            )
            if game != "straights":
                text += f"bankroll: 1000\nminimum: {1 if game == 'leduc' else 5}\n"
            cup = folder / "cup.yaml"
            cup.write_text(text, encoding="utf-8")
            said = tourney(folder, "plan cup.yaml", status=(0, 2))
            if tables := re.search(r"tables: 12 is not a multiple of .*; use (\d+)", said):
                cup.write_text(text.replace("tables: 12", f"tables: {tables[1]}"))
            tourney(folder, "run cup.yaml", status=(0, 1))
            said = tourney(folder, "verify", status=(0,))
            site = self.folder / "outside" / game
            tourney(folder, "publish --output", site)
            self.published.append((game, site))
            kinds = Counter(each.kind for each in own)
            found.append(", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
            found.append(f"{accepted} play")

    def sum_up_season(self) -> None:
        """Three runs make a season."""
        with self.report.step("season of three runs") as found:
            store = self.course.places.final_store(COURSE)
            local = self.course.places.course(COURSE) / "tourney.db"
            runs = [f"  - {{run: {number}, store: '{store}'}}\n" for number in (1, 2)]
            runs.append(f"  - {{run: 'Committed', store: '{local}'}}\n")
            (self.folder / "season.yaml").write_text(SEASON.format(runs="".join(runs)))
            said = tourney(self.folder, "season season.yaml --format csv")
            found.append(f"{len(list(csv.reader(io.StringIO(said))))} lines")

    def look_from_outside(self) -> None:
        """Verify all sites with only the published files."""
        for name, site in self.published:
            with self.report.step(f"outsider verifies {name}") as found:
                empty = self.folder / "nothing-else"
                empty.mkdir(exist_ok=True)
                anchor = ["--anchor", self.folder / "outside" / "anchor.json"]
                more = anchor if name == "committed" else []
                said = tourney(empty, "verify --site", site, *more)
                lines = [each.split(": ")[1:] for each in said.splitlines()]
                held = {each[0]: each[1] for each in lines if len(each) > 1}
                found += [
                    held[each].partition(",")[0] for each in ("pages", "hands") if each in held
                ]
                is_whole = said.count("verified: ") - said.count("not verified: ") >= MOST_VERIFIED
                self.report.hold(f"{name} verifies: {said[-600:]}", is_so=is_whole)


def _time_fields(moment: datetime) -> dict[str, str]:
    """Give the fields of a form for a time of UTC."""
    return {"date": f"{moment:%Y-%m-%d}", "time": f"{moment:%H:%M:%S}"}


def _marks(path: Path, platform: str) -> dict[str, str]:
    """Give the marks that stand in a gradebook, by address."""
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"))))
    return {
        email: row[COLUMNS[platform]]
        for row in rows
        if (email := row.get("SIS Login ID") or row.get("Email address") or row.get("Email"))
    }


def main() -> int:
    """Rehearse, and print the findings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--others", type=int, default=30)
    parser.add_argument("--uploads", type=int, default=1500)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--attackers", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a new folder, which stays")
    asked = parser.parse_args()
    folder = asked.keep or Path(mkdtemp(prefix="rehearsal-"))
    folder.mkdir(exist_ok=True)
    begun = perf_counter()
    try:
        report = Rehearsal(folder.resolve(), asked).run()
    finally:
        if not asked.keep:
            shutil.rmtree(folder)
    print(f"{(perf_counter() - begun) / 60:.1f} minutes; {len(report.wrong)} things are wrong")
    return int(bool(report.wrong))


if __name__ == "__main__":
    sys.exit(main())
