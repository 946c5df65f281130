"""What one machine holds of a portal: load, bursts, and how long one upload takes.

    python benchmarks/portal.py load [--minutes 10] [--people 300] [--pages 20] [--uploads 5]
    python benchmarks/portal.py burst [--people 300] [--count 200] [--seconds 60]
    python benchmarks/portal.py idle [--count 30]
    python benchmarks/portal.py attack [--seconds 6] [--only KIND ...]

`load` keeps a stream open for everybody, with a board as large as the class that changes every
second, asks for pages and hands in; a static file of the same server is asked for in the same run,
so that a figure can be told from the machine's own. Everything runs on this machine, so what asks
takes its share of the processor, too.

`attack` sends each kind of flood of `tests/integration/portal/floods.py` for some seconds, and then
several at once from several addresses. Meanwhile people who are signed in look at pages, and others
sign in with a right password in a browser that is new to the portal.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests, which serve a portal

from benchmarks.crowd import (
    COURSE,
    Answers,
    Crowd,
    Frames,
    Stream,
    ask,
    at_rate,
    forget_peak_memory_of,
    hand_in,
    jobs_by_state,
    make_crowd,
    memory_of,
    peak_memory_of,
    processor_of,
    served,
    sign_in_at,
    spread,
    with_passwords,
    write_board,
)
from tests.integration.portal.floods import KINDS
from tests.integration.portal.served import Served

PAGES = ("", "/board", "/versions", "/hand-in", "/final/{final}", "/final/{final}/board.json")
STATIC = "/static/live.js"
LONGEST = 30.0  # seconds that a client waits for an answer
DRAINED_WITHIN = 3600  # seconds
ASKED_EVERY = 0.05
WAITING = ("queued", "running")


def client_of(portal: Served) -> httpx.AsyncClient:
    """Give a client with as many connections as a class has."""
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
    return httpx.AsyncClient(base_url=portal.url, timeout=LONGEST, limits=limits)


async def load(crowd: Crowd, portal: Served, asked: argparse.Namespace) -> None:
    """Everything at once, for minutes."""
    seconds = 60.0 * asked.minutes
    frames, pages, static, uploads = Frames(), Answers(), Answers(), Answers()
    web, taken, memory = portal.children()["web"], [], [0.0]
    people, paths = cycle(crowd.people), cycle(PAGES)
    loop = asyncio.get_running_loop()
    streams = []
    for _, cookie in crowd.people:
        path = f"/c/{COURSE}/final/{crowd.final}/events"
        make = partial(Stream, frames, path, cookie, "127.0.0.1")
        streams.append((await loop.create_connection(make, "127.0.0.1", portal.port))[1])
    begun, used = time.perf_counter(), processor_of(web)

    async with client_of(portal) as client:

        async def page(number: int) -> None:
            cookie = next(people)[1]
            if number % 10 == 0:
                await ask(client, static, STATIC, cookie)
            path = next(paths).format(final=crowd.final)
            await ask(client, pages, f"/c/{COURSE}{path}", cookie)

        async def upload(_: int) -> None:
            taken.append(await hand_in(client, uploads, *next(people)))

        async def tick() -> None:
            number = 0
            while time.perf_counter() - begun < seconds:
                number += 1
                await asyncio.to_thread(write_board, crowd, number)
                frames.written[number] = time.time()
                memory.append(memory_of(web))
                await asyncio.sleep(max(0.0, begun + number - time.perf_counter()))

        await asyncio.gather(
            tick(), at_rate(asked.pages, seconds, page), at_rate(asked.uploads, seconds, upload)
        )
    took = time.perf_counter() - begun
    print(f"pages    {pages.text()}")
    print(f"static   {static.text()}")
    print(f"uploads  {uploads.text()}")
    print(f"frames   {len(frames.ages):6d}  {spread(frames.ages)}  {frames.lost} streams lost")
    print(f"sent by streams: {frames.received / 1e6:.0f} MB in {took:.0f} s")
    share = (processor_of(web) - used) / took
    print(f"web process: {max(memory):.0f} MB at most, {share:.0%} of a core")
    for error, count in Counter(pages.errors + static.errors + uploads.errors).most_common(10):
        print(f"  {count} x {error}")
    for stream in streams:
        stream.end()
    await drain(crowd, [each for each in taken if each])


async def drain(crowd: Crowd, taken: list[int]) -> None:
    """Wait until no check waits, and say what became of all that were promised."""
    begun = time.perf_counter()
    states = jobs_by_state(crowd)
    waiting = sum(states.get(state, 0) for state in WAITING)
    for _ in range(DRAINED_WITHIN):
        if not any(states.get(state) for state in WAITING):
            break
        await asyncio.sleep(1.0)
        states = jobs_by_state(crowd)
    print(
        f"backlog at the end: {waiting}, drained in {time.perf_counter() - begun:.0f} s; "
        f"promised {len(taken)}, there {sum(states.values())}: {states}"
    )


async def burst(crowd: Crowd, portal: Served, asked: argparse.Namespace) -> None:
    """Many uploads in a minute: when the last is checked."""
    answers = Answers()
    people, taken = cycle(crowd.people), []
    begun = time.perf_counter()
    async with client_of(portal) as client:

        async def upload(_: int) -> None:
            taken.append(await hand_in(client, answers, *next(people)))

        await at_rate(asked.count / asked.seconds, asked.seconds, upload)
    print(f"uploads  {answers.text()}")
    await drain(crowd, [each for each in taken if each])
    print(f"all checked {time.perf_counter() - begun:.0f} s after the first came")


async def idle(crowd: Crowd, portal: Served, asked: argparse.Namespace) -> None:
    """One upload after the other: until its report, and until it stands on the practice board."""
    answers, reports, places = Answers(), [], []
    async with client_of(portal) as client:
        for name, cookie in crowd.people[: asked.count]:
            begun = time.perf_counter()
            job = await hand_in(client, answers, name, cookie)
            path = f"/c/{COURSE}/handed/{job}"
            await _until(client, path, cookie, lambda told: told["state"] not in WAITING)
            reports.append(time.perf_counter() - begun)
            await _until(client, f"/c/{COURSE}/board/me", cookie, lambda told: told.get("row"))
            places.append(time.perf_counter() - begun)
    print(f"to the report  {spread(reports)}")
    print(f"to the board   {spread(places)}")


PASSWORD = "four words in a row"  # noqa: S105 - of nobody
TOGETHER = (
    "links",
    "sign-in of nobody",
    "sign-in of a class",
    "pages",
    "half headers",
    "unread pages",
    "small chunks",
    "streams",
)
PAGES_A_SECOND, SIGN_INS_A_SECOND = 20, 1


async def attack(crowd: Crowd, portal: Served, asked: argparse.Namespace) -> None:
    """One flood after the other, and then several together."""
    await asyncio.to_thread(write_board, crowd, 1, "public")
    people = with_passwords(crowd, PASSWORD)
    await _attacked(crowd, portal, people, (), asked.seconds)
    for kind in asked.only or KINDS:
        await _attacked(crowd, portal, people, (kind,), asked.seconds)
    if not asked.only:
        await _attacked(crowd, portal, people, TOGETHER, asked.seconds)


async def _attacked(
    crowd: Crowd, portal: Served, people: Sequence[str], kinds: Sequence[str], seconds: float
) -> None:
    """Send floods, and print what people waited meanwhile and the memory that it took."""
    web = portal.children()["web"]
    pages, sign_ins = Answers(), Answers()
    forget_peak_memory_of(web)
    used, begun = processor_of(web), time.perf_counter()
    floods = [
        await _flood(crowd, portal, kind, f"127.0.{number + 1}.1", seconds)
        for number, kind in enumerate(kinds)
    ]
    askers, paths, logins = cycle(crowd.people), cycle(PAGES), cycle(people)
    async with client_of(portal) as client:

        async def page(_: int) -> None:
            path = next(paths).format(final=crowd.final)
            await ask(client, pages, f"/c/{COURSE}{path}", next(askers)[1])

        async def sign_in(_: int) -> None:
            async with client_of(portal) as other:  # without cookies
                await sign_in_at(other, sign_ins, next(logins), PASSWORD)

        await asyncio.gather(
            at_rate(PAGES_A_SECOND, seconds, page), at_rate(SIGN_INS_A_SECOND, seconds, sign_in)
        )
    for flood in floods:
        await flood.wait()
    share = (processor_of(web) - used) / (time.perf_counter() - begun)
    name = " + ".join(kinds) or "no flood"
    print(f"{name}: {peak_memory_of(web):.0f} MB at most, {share:.0%} of a core")
    print(f"  pages     {pages.text()}")
    print(f"  sign-ins  {sign_ins.text()}")
    for error, count in Counter(pages.errors + sign_ins.errors).most_common(3):
        print(f"  {count} x {error}")


async def _flood(
    crowd: Crowd, portal: Served, kind: str, source: str, seconds: float
) -> asyncio.subprocess.Process:
    final = f"/c/{COURSE}/final/{crowd.final}"
    path = f"{final}/events" if kind == "streams" else final
    command = ["-m", "tests.integration.portal.floods", kind, str(portal.port), str(seconds)]
    return await asyncio.create_subprocess_exec(
        *(sys.executable, *command, "--path", path, "--source", source),
        cwd=Path(__file__).parents[1],
        stdout=asyncio.subprocess.DEVNULL,
    )


async def _until(
    client: httpx.AsyncClient, path: str, cookie: str, is_so: Callable[[dict[str, Any]], object]
) -> None:
    """Ask for a page again and again, as a program does, until it says something."""
    headers = {"cookie": f"tourney={cookie}", "accept": "application/json"}
    for _ in range(int(LONGEST / ASKED_EVERY)):
        answer = await client.get(path, headers=headers)
        if answer.status_code == 200 and is_so(answer.json()):
            return
        await asyncio.sleep(ASKED_EVERY)
    raise SystemExit(f"{path}: nothing came of it in {LONGEST:.0f} s")


MODES = {"load": load, "burst": burst, "idle": idle, "attack": attack}


def main() -> None:
    """Serve a portal, ask of it what its people would, and print what came."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--pages", type=float, default=20, help="a second")
    parser.add_argument("--uploads", type=float, default=5, help="a second")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, help="60, or 6 of each flood")
    parser.add_argument("--only", nargs="*", choices=KINDS, help="kinds of floods")
    asked = parser.parse_args()
    asked.seconds = asked.seconds or (6.0 if asked.mode == "attack" else 60.0)
    with TemporaryDirectory() as name:
        crowd = make_crowd(Path(name) / "portal", asked.people)
        portal = served(crowd)
        try:
            asyncio.run(MODES[asked.mode](crowd, portal, asked))
        finally:
            portal.end()


if __name__ == "__main__":
    main()
