"""A portal with a class of hundreds, and what its people's browsers and programs send it.

Everybody is signed in already and nobody has a password, so that only what is asked for costs time.
"""

import asyncio
import itertools
import json
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import httpx
from argon2 import PasswordHasher

from tests.integration.portal.served import Served
from tourney.config.games import load_game
from tourney.course.class_folder import begin_class
from tourney.course.roster import Person
from tourney.plugins.loading import load_plugins
from tourney.portal import sessions
from tourney.portal.accounts import add_account, add_course, add_member
from tourney.portal.boards import Audience, note_run, show_board
from tourney.portal.course_jobs import told_of
from tourney.portal.database import open_database, set_setting
from tourney.portal.places import Places
from tourney.tournament.catalog import catalog_of

COURSE = "cards"
PRACTICE = {"tables": 10, "rounds": 50}
"""Small, since what is measured is who waits for whom and not how fast hands are played."""
COLUMNS = (
    ("rank", "Place"), ("rank_set", "Ranks"), ("entrant", "Entrant"),
    ("adjusted_profit", "Adjusted a round"), ("profit_per_round", "Profit a round"),
    ("above", "To row above"), ("mean_final_bankroll", "Mean final bankroll (95 %)"),
    ("q05", "5 %"), ("q95", "95 %"), ("ruin", "Ruin"), ("rounds", "Rounds"), ("faults", "Faults"),
)  # fmt: skip
PLAYER = '''\
from tourney import Player


class Mine(Player):
    """Version {number} of {name}."""

    def bet(self, bankroll, minimum):
        return min(bankroll, minimum * {times})

    def draw(self, dealer, player):
        return player.total < {total}
'''


@dataclass(frozen=True, slots=True)
class Crowd:
    """Whoever is in the course: name and the cookie of each, and the lecturer's cookie."""

    places: Places
    people: Sequence[tuple[str, str]]
    lecturer: str
    final: int  # a run whose board is shown


def make_crowd(folder: Path, count: int) -> Crowd:
    """Make a portal with a course of so many students, and a final that is shown."""
    places = Places(folder)
    places.root.mkdir()
    places.inbox.mkdir()
    names = [f"P{number:03d}" for number in range(count)]
    game = load_game("ve280,shuffle=uniform", catalog_of(load_plugins()))
    begin_class(places.course(COURSE), [Person(name, (name,)) for name in names], game, "Load")
    with closing(open_database(places)) as database:
        set_setting(database, "second_factor", "off")
        with database.transaction():
            course = add_course(database, COURSE, "Cards")
            set_setting(database, f"practice {course}", json.dumps(PRACTICE))
            told = json.dumps(told_of(places.course(COURSE)))
            database.execute("UPDATE courses SET told = ? WHERE id = ?", (told, course))
            lecturer = add_account(database, "lecturer", "The lecturer", is_admin=True)
            add_member(database, course, lecturer, "lecturer")
            people = []
            for name in names:
                account = add_account(database, name.lower(), name)
                add_member(database, course, account, "student", person=name, name=name)
                people.append((name, sessions.begin(database, account, "a benchmark")))
            final = note_run(database, course, "final", 1, "Final", settings={"audience": "public"})
            code = sessions.begin(database, lecturer, "a benchmark", has_second=True)
    return Crowd(places, people, code, final.id)


def with_passwords(crowd: Crowd, password: str, count: int = 30) -> Sequence[str]:
    """Give the last of a crowd a password, at which no flood guesses much; give their logins."""
    hashed = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1).hash(password)
    logins = [name.lower() for name, _ in crowd.people[-count:]]
    with closing(open_database(crowd.places)) as database, database.transaction():
        for login in logins:
            database.execute("UPDATE accounts SET password = ? WHERE login = ?", (hashed, login))
    return logins


async def sign_in_at(
    client: httpx.AsyncClient, answers: "Answers", login: str, password: str
) -> None:
    """Sign in, and note how long it took."""
    begun, headers = time.perf_counter(), {"sec-fetch-site": "same-origin"}
    try:
        form = {"login": login, "password": password}
        answer = await client.post("/sign-in", data=form, headers=headers)
    except httpx.HTTPError as error:
        answers.errors.append(f"sign in: {error!r}")
        return
    answers.seconds.append(time.perf_counter() - begun)
    if answer.status_code != 303:
        answers.errors.append(f"sign in: {answer.status_code}")


def write_board(crowd: Crowd, number: int, audience: Audience = "course") -> None:
    """Show everybody another board of the final, as large as the class."""
    rows = [
        {"cells": [_cell(column, name, place, number) for column, _ in COLUMNS], "group": ""}
        for place, (name, _) in enumerate(crowd.people, 1)
    ]
    shown = {
        "title": "Final",
        "state": "goes on",
        "said": [f"{number} batches are played"],
        "groups": [],
        "columns": [
            {"name": name, "title": title, "is_number": name not in {"entrant", "rank_set"}}
            for name, title in COLUMNS
        ],
        "rows": rows,
    }
    own = {
        name: [cell["text"] for cell in row["cells"]]
        for (name, _), row in zip(crowd.people, rows, strict=True)
    }
    with closing(open_database(crowd.places)) as database:
        show_board(database, crowd.final, audience, shown, own)


def _cell(column: str, name: str, place: int, number: int) -> dict[str, str | int | float]:
    if column == "entrant":
        return {"text": name, "value": name}
    if column == "rank_set":
        return {"text": f"{place}-{place + 9}", "value": f"{place} to {place + 9}"}
    value = round((place * 7919 + number * 104_729) % 10_007 / 20_011 - 0.25, 9)
    return {"text": f"{value:.4f} ± {abs(value) / 4:.4f}", "value": value}


@dataclass(slots=True)
class Frames:
    """What 300 browsers that stay were sent, and how old it was when it had come whole."""

    written: dict[int, float] = field(default_factory=dict)  # when, by the version of the board
    ages: list[float] = field(default_factory=list)
    open: int = 0
    lost: int = 0  # streams that ended by themselves
    received: int = 0  # bytes


class Stream(asyncio.Protocol):
    """One open stream; reads no more of it than numbers and ends of frames."""

    def __init__(self, frames: Frames, path: str, cookie: str, host: str) -> None:
        self._frames, self._version, self._is_ending = frames, 0, False
        self._head = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: tourney={cookie}\r\n"
            "Accept: text/event-stream\r\nAccept-Encoding: gzip\r\n\r\n"
        )
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for it."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._head.encode())
        self._frames.open += 1

    def data_received(self, data: bytes) -> None:
        """Take note of a frame that begins or ends; each is compressed by itself."""
        self._frames.received += len(data)
        if not self._version:
            self._version = _version_in(data)
        if data.endswith(b"\x00\x00\xff\xff\r\n") and self._version in self._frames.written:
            self._frames.ages.append(time.time() - self._frames.written[self._version])
            self._version = 0

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        """Count it, if it was not we who ended it."""
        self._frames.open -= 1
        self._frames.lost += not self._is_ending

    def end(self) -> None:
        """Leave."""
        self._is_ending = True
        assert self._transport
        self._transport.abort()


def _version_in(data: bytes) -> int:
    """Give the version of the board whose frame begins in a piece of a stream; 0 for none."""
    for piece in data.split(b"\r\n"):
        try:
            begin = zlib.decompressobj(-zlib.MAX_WBITS).decompress(piece, 40)
        except zlib.error:
            continue
        if begin.startswith(b"id: "):
            return int(begin[4 : begin.index(b"\n")])
    return 0


@dataclass(slots=True)
class Answers:
    """How long answers took, and which were none."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Give count, median, 99th percentile and errors."""
        return f"{len(self.seconds):6d}  {spread(self.seconds)}  {len(self.errors)} errors"


def spread(seconds: Sequence[float]) -> str:
    """Give the median, the 95th and the 99th percentile and the most."""
    if len(seconds) < 2:
        return "too few to tell"
    cuts = quantiles(seconds, n=100, method="inclusive")
    figures = (cuts[49], cuts[94], cuts[98], max(seconds))
    return "  ".join(
        f"{name} {1000 * value:6.0f} ms"
        for name, value in zip(("p50", "p95", "p99", "max"), figures, strict=True)
    )


async def ask(
    client: httpx.AsyncClient, answers: Answers, path: str, cookie: str, expected: int = 200
) -> httpx.Response | None:
    """Ask for a page, and note how long it took."""
    begun = time.perf_counter()
    try:
        answer = await client.get(path, headers={"cookie": f"tourney={cookie}"})
    except httpx.HTTPError as error:
        answers.errors.append(f"{path}: {error!r}")
        return None
    answers.seconds.append(time.perf_counter() - begun)
    if answer.status_code != expected:
        answers.errors.append(f"{path}: {answer.status_code}")
    return answer


_numbers = itertools.count(1)


async def hand_in(
    client: httpx.AsyncClient, answers: Answers, name: str, cookie: str
) -> int | None:
    """Hand in a new version of somebody's; give the number of its job, None if it was not taken."""
    number = next(_numbers)
    text = PLAYER.format(number=number, name=name, total=11 + number % 8, times=1 + number % 3)
    begun = time.perf_counter()
    try:
        answer = await client.post(
            f"/c/{COURSE}/hand-in",
            files={"file": ("mine.py", text.encode(), "text/x-python")},
            headers={
                "cookie": f"tourney={cookie}",
                "accept": "application/json",
                "sec-fetch-site": "same-origin",
            },
        )
    except httpx.HTTPError as error:
        answers.errors.append(f"hand in: {error!r}")
        return None
    answers.seconds.append(time.perf_counter() - begun)
    if answer.status_code != 202:
        answers.errors.append(f"hand in: {answer.status_code} {answer.text[:80]}")
        return None
    return int(answer.json()["job"])


async def at_rate(
    rate: float, seconds: float, act: Callable[[int], "asyncio.Future[None]"]
) -> None:
    """Begin something so many times a second, whether or not what was begun has ended."""
    begun = [
        await _begin_at(start, act, number)
        for number, start in _starts(rate, seconds, time.perf_counter())
    ]
    await asyncio.gather(*begun)


def _starts(rate: float, seconds: float, begun: float) -> Sequence[tuple[int, float]]:
    return [(number, begun + number / rate) for number in range(int(rate * seconds))]


async def _begin_at(
    start: float, act: Callable[[int], "asyncio.Future[None]"], number: int
) -> "asyncio.Future[None]":
    await asyncio.sleep(max(0.0, start - time.perf_counter()))
    return asyncio.ensure_future(act(number))


def memory_of(process: int) -> float:
    """Give the memory that a process alone has and what it shares, in MB (RSS)."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    return 0.0


def forget_peak_memory_of(process: int) -> None:
    """Have the most memory of a process counted anew."""
    Path(f"/proc/{process}/clear_refs").write_text("5")


def peak_memory_of(process: int) -> float:
    """Give the most memory that a process had since it is counted, in MB (RSS)."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1000
    return 0.0


def processor_of(process: int) -> float:
    """Give the processor seconds of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def jobs_by_state(crowd: Crowd, kind: str = "check") -> dict[str, int]:
    """Count the jobs of a kind."""
    with closing(open_database(crowd.places)) as database:
        rows = database.read(
            iter, "SELECT state, count(*) FROM jobs WHERE kind = ? GROUP BY state", (kind,)
        )
        return dict(tuple(rows))


def served(crowd: Crowd) -> Served:
    """Start the portal."""
    return Served(crowd.places.root).start()
