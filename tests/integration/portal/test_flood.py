"""Many at once, against the portal as people start it: it takes no more memory, and serves others.

What others wait is written down (`pytest -s` shows it), since a busy machine would fail a limit.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from secrets import token_hex

import httpx
import pytest
from argon2 import PasswordHasher

from tests.support.proving import with_more
from tourney.portal.accounts import add_account
from tourney.portal.database import open_database
from tourney.portal.places import Places
from tourney.portal.sessions import begin
from tourney.portal.web.admission import OF_SOURCE

from .served import LONGEST, Served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a portal stands on Linux")

PASSWORD = "four words in a row"  # noqa: S105 - of nobody
MOST_MEGABYTES = 200
MOST_TRIES = 5
OURS = {"sec-fetch-site": "same-origin"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A portal that answers."""
    made = Served(tmp_path_factory.mktemp("flood") / "portal").start()
    yield made
    made.end()


def people(served: Served, count: int) -> tuple[Sequence[str], str]:
    """Make accounts with one password; give their logins, and the cookie of one more."""
    hashed = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1).hash(PASSWORD)
    with closing(open_database(Places(served.folder))) as database, database.transaction():
        logins = [f"{token_hex(8)}@example.org" for _ in range(count)]
        for login in logins:
            add_account(database, login, login, hashed)
        other = add_account(database, f"{token_hex(8)}@example.org", "Other", hashed)
        return logins, begin(database, other, "a test")


async def flood(
    served: Served, forms: Sequence[dict[str, str]], cookie: str
) -> tuple[list[int], list[float]]:
    """Send all forms at once, and meanwhile look at a page; give statuses, and what pages took."""
    limits = httpx.Limits(max_connections=None)
    client = httpx.AsyncClient(base_url=served.url, limits=limits, timeout=10 * LONGEST)
    async with client, httpx.AsyncClient(base_url=served.url, cookies={"tourney": cookie}) as other:
        sent = [
            asyncio.create_task(client.post("/sign-in", data=each, headers=OURS)) for each in forms
        ]
        took = []
        while not took or not all(each.done() for each in sent):
            began = time.perf_counter()
            page = await other.get("/account", timeout=LONGEST)
            took.append(time.perf_counter() - began)
            assert page.status_code == 200
            await asyncio.sleep(0.05)
        return [(await each).status_code for each in sent], took


def most_megabytes(served: Served) -> float:
    """Give the most memory that the web process had so far."""
    lines = Path(f"/proc/{served.children()['web']}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


@pytest.mark.prove
@pytest.mark.parametrize("count", with_more([60], [500]))
def test_many_wrong_passwords_at_once_take_no_memory(served: Served, count: int) -> None:
    """Each is refused, some at once, and who is signed in gets pages meanwhile."""
    _, cookie = people(served, 0)
    forms = [{"login": f"nobody{number}", "password": "wrong"} for number in range(count)]
    statuses, took = asyncio.run(flood(served, forms, cookie))
    assert set(statuses) <= {401, 429}
    assert statuses.count(401) >= min(count, OF_SOURCE)
    assert most_megabytes(served) < MOST_MEGABYTES
    tell(served, took)


def tell(served: Served, took: Sequence[float]) -> None:
    """Write down what others waited, and the memory that it took."""
    p99 = sorted(took)[int(0.99 * (len(took) - 1))]
    sys.stdout.write(f"p99 of others' pages {p99:.3f} s, {most_megabytes(served):.0f} MB\n")


@pytest.mark.parametrize("count", with_more([30], [500]))
def test_a_class_signs_in_from_one_address(served: Served, count: int) -> None:
    """All of it at the same moment: each is let in, or told to wait and then let in."""
    logins, cookie = people(served, count)
    forms = [{"login": login, "password": PASSWORD} for login in logins]
    for _ in range(MOST_TRIES):
        statuses, took = asyncio.run(flood(served, forms, cookie))
        assert set(statuses) <= {303, 429, 503}
        tell(served, took)
        forms = [each for each, status in zip(forms, statuses, strict=True) if status != 303]
        if not forms:
            break
    assert not forms
    assert signed_in(served, logins) == count
    assert most_megabytes(served) < MOST_MEGABYTES


def signed_in(served: Served, logins: Sequence[str]) -> int:
    """Count who of some have a session."""
    with closing(open_database(Places(served.folder))) as database:
        row = database.first(
            "SELECT count(DISTINCT account) FROM sessions JOIN accounts ON accounts.id = account "
            "WHERE login IN (SELECT value FROM json_each(?))",
            (json.dumps(logins),),
        )
    assert row
    return int(row[0])
