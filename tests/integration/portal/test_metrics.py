"""`/metrics`: every figure, in the text format, to nobody but who looks after the portal."""

import asyncio
import re
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tourney.portal import accounts, jobs, sessions
from tourney.portal.database import open_database
from tourney.portal.places import Places
from tourney.portal.worker import ROLES

from .portals import Portal
from .served import Served, wait_until

LINE = re.compile(
    r'(tourney_\w+?)(_bucket|_sum|_count)?(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? (\S+)'
)


def _figures(text: str) -> dict[str, float]:
    """Read the text format: each sample stands below the type of its family, and only once."""
    told: dict[str, float] = {}
    family = kind = ""
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, family, kind = line.split(" ")
            assert kind in {"counter", "gauge", "histogram"}
            continue
        found = LINE.fullmatch(line)
        assert found, line
        name = line.rpartition(" ")[0]
        assert name.startswith(family)
        assert bool(found[2]) == (kind == "histogram")
        assert name not in told
        told[name] = float(found[5])
    assert text.endswith("\n")
    return told


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A portal behind a proxy on this machine, which is trusted."""
    made = Served(tmp_path / "portal").start(
        *("--proxy", "127.0.0.1", "--url", "https://cards.example.edu")
    )
    yield made
    made.end(signal.SIGKILL)


def _ask(served: Served, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.get(f"{served.url}/metrics", headers=named)


@pytest.mark.prove
def test_programs_on_this_machine_read_it_and_nobody_that_a_proxy_passes_on(served: Served) -> None:
    """Whatever somebody forges: that they were passed on is enough to be told nothing."""
    assert _ask(served).status_code == 200
    for forged in ("127.0.0.1", "::1", "localhost", "127.0.0.1, 127.0.0.1", "", "203.0.113.5"):
        assert _ask(served, x_forwarded_for=forged).status_code == 404
        assert _ask(served, x_forwarded_for=forged, host="127.0.0.1").status_code == 404
    assert _ask(served, forwarded="for=127.0.0.1").status_code == 404
    assert _ask(served, x_real_ip="127.0.0.1").status_code == 404
    assert _ask(served, host="cards.example.edu:443").status_code == 404
    for host in ("127.0.0.1.example.edu", "", "[", "8080", "evil:127.0.0.1"):
        assert _ask(served, host=host).status_code == 421


@pytest.mark.prove
def test_an_administrators_token_opens_it_from_anywhere(served: Served) -> None:
    """Nobody else's, and none in a cookie."""
    with closing(open_database(Places(served.folder))) as database:
        told = {}
        for who in ("ada", "eve"):
            number = accounts.add_account(database, who, who, is_admin=who == "ada")
            told[who] = sessions.add_token(database, number, "watching", "metrics")
            told[f"{who} in a browser"] = sessions.begin(database, number, "a test")
    for who, code in told.items():
        known = {"cookie": f"tourney={code}"}
        if "browser" not in who:
            known = {"authorization": f"Bearer {code}"}
        answer = _ask(served, host="cards.example.edu:443", x_forwarded_for="203.0.113.5", **known)
        assert answer.status_code == (200 if who == "ada" else 404)


@pytest.mark.prove
def test_it_tells_how_the_processes_do(served: Served) -> None:
    """Each one's starts, and whether it is well; the database, the disk and what was asked."""
    assert wait_until(lambda: served.health().status_code == 200)
    httpx.get(f"{served.url}/nowhere")
    answer = _ask(served)
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    told = _figures(answer.text)
    for role in ROLES:
        assert told[f'tourney_process_well{{process="{role}"}}'] == 1
        assert told[f'tourney_process_starts_total{{process="{role}"}}'] == 1
    assert told["tourney_database_bytes"] > 10_000
    assert told["tourney_disk_free_bytes"] > 0
    assert told['tourney_requests_total{page="none",status="4xx"}'] == 1
    counts = [value for name, value in told.items() if "_total{page" in name]
    assert sum(counts) == told["tourney_request_seconds_count"]
    assert told['tourney_request_seconds_bucket{le="+Inf"}'] == sum(counts)
    buckets = [value for name, value in told.items() if "_bucket" in name]
    assert buckets == sorted(buckets)
    old = served.children()["follower"]
    served.kill("follower")
    assert wait_until(lambda: served.children().get("follower", old) != old)
    name = 'tourney_process_starts_total{process="follower"}'
    assert wait_until(lambda: _figures(_ask(served).text)[name] == 2)


def test_it_tells_of_jobs_and_streams(portal: Portal) -> None:
    """By kind and state; those that may not begin yet do not wait."""
    database = portal.database
    first = jobs.add(database, "check", {})
    jobs.add(database, "check", {})
    jobs.add(database, "final", {}, not_before="2999-01-01")
    jobs.finish(database, jobs.add(database, "practice", {}).id, {})
    database.execute(
        "UPDATE jobs SET received = '2026-01-01T00:00:00+00:00' WHERE id = ?", (first.id,)
    )
    token = sessions.add_token(database, portal.people["admin"], "watching", "metrics")
    known = {"authorization": f"Bearer {token}"}

    async def listening() -> dict[str, float]:
        stream = portal.app.state.watcher.progress(first.id, 1)
        await anext(stream)
        transport = httpx.ASGITransport(app=portal.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://portal.test") as asks:
            answer = await asks.get("/metrics", headers=known)
        await stream.aclose()
        return _figures(answer.text)

    told = portal.runner.run(asyncio.wait_for(listening(), 30))
    assert told["tourney_open_streams"] == 1
    assert told['tourney_jobs{kind="check",state="queued"}'] == 2
    assert told['tourney_jobs{kind="practice",state="done"}'] == 1
    assert told['tourney_oldest_waiting_seconds{kind="check"}'] > 0
    assert 'tourney_oldest_waiting_seconds{kind="final"}' not in told
