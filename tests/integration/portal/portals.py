"""A portal with people of every kind, and browsers of theirs, in this process."""

import asyncio
from collections.abc import Mapping, MutableMapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import httpx

from tourney.portal import accounts, sessions
from tourney.portal.accounts import Role
from tourney.portal.database import open_database
from tourney.portal.places import Places
from tourney.portal.web.server import application
from tourney.sqlite.database import Database

HOME = "http://portal.test"
PEOPLE: Mapping[str, tuple[str, Role] | None] = {
    "admin": None,
    "lecturer": ("cards", "lecturer"),
    "assistant": ("cards", "assistant"),
    "student": ("cards", "student"),
    "mate": ("cards", "student"),
    "spectator": ("cards", "spectator"),
    "stranger": ("other", "lecturer"),
    "outsider": ("other", "student"),
}
"""Everybody with an account, and who they are in which course."""


@dataclass
class Portal:
    """A portal in a folder, and the application that answers for it."""

    places: Places
    database: Database
    runner: asyncio.Runner
    courses: dict[str, int] = field(default_factory=dict)
    people: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the application in this thread, which alone may use its database."""
        self.app = application(self.places)

    def answer_at(self, url: str) -> None:
        """Answer as a portal that is told its address."""
        self.app.state.site.database.close()
        self.app = application(self.places, url)

    def close(self) -> None:
        """Close both databases."""
        self.database.close()
        self.app.state.site.database.close()

    def browser(
        self, who: str = "", *, has_second: bool = True, address: str = "127.0.0.1"
    ) -> "Browser":
        """Give a browser in which somebody is signed in; without a name, in which nobody is."""
        cookies = httpx.Cookies()
        if who:
            code = sessions.begin(self.database, self.people[who], "a test", has_second=has_second)
            cookies.set("tourney", code, domain="portal.test")
        return Browser(self, cookies, address)


@dataclass
class Browser:
    """Sends what a browser sends, and keeps its cookies."""

    portal: Portal
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)
    address: str = "127.0.0.1"

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Ask for a page."""
        return self.send("GET", path, headers=headers)

    def begin(self, path: str, **headers: str) -> httpx.Response:
        """Ask for a stream, and leave when it has begun."""
        return self.portal.runner.run(self.read(path, 0.1, headers))

    async def read(
        self, path: str, seconds: float, headers: Mapping[str, str] = MappingProxyType({})
    ) -> httpx.Response:
        """Ask for a stream, and leave some time after it has begun."""
        begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        body = bytearray()

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                begun.set_result(message["status"])
            else:
                body.extend(message.get("body", b""))

        async def receive() -> MutableMapping[str, Any]:
            if begun.done():
                await asyncio.sleep(seconds)
                return {"type": "http.disconnect"}
            await asyncio.sleep(0)
            return {"type": "http.request"}

        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "scheme": "http",
            "server": ("portal.test", 80),
            "root_path": "",
            "http_version": "1.1",
            "client": ("127.0.0.1", 1),
            "headers": [
                (b"host", b"portal.test"),
                (b"cookie", cookies.encode()),
                *((name.encode(), value.encode()) for name, value in headers.items()),
            ],
        }
        await self.portal.app(scope, receive, send)
        return httpx.Response(begun.result(), content=bytes(body))

    def post(
        self,
        path: str,
        fields: Mapping[str, str] | None = None,
        files: Mapping[str, tuple[str, bytes]] | None = None,
        **headers: str,
    ) -> httpx.Response:
        """Send a form of the portal's own."""
        ours = {"sec-fetch-site": "same-origin", **headers}
        return self.send("POST", path, headers=ours, data=fields or {}, files=files)

    def send(self, method: str, path: str, **how: object) -> httpx.Response:
        """Send anything."""
        return self.portal.runner.run(self.send_async(method, path, **how))

    async def send_async(self, method: str, path: str, **how: object) -> httpx.Response:
        """Send anything beside other requests."""
        transport = httpx.ASGITransport(app=self.portal.app, client=(self.address, 1))
        async with httpx.AsyncClient(
            transport=transport, base_url=HOME, cookies=self.cookies
        ) as client:
            answer = await client.request(method, path, **how)  # type: ignore[arg-type]  # what httpx takes
            self.cookies = client.cookies
            return answer


def make_portal(folder: Path, runner: asyncio.Runner) -> Portal:
    """Make a portal with two courses, and people of every kind."""
    places, (data, courses, people) = Places(folder), _people()
    places.root.mkdir(exist_ok=True)
    places.inbox.mkdir()
    places.database.write_bytes(data)
    return Portal(places, open_database(places), runner, dict(courses), dict(people))


@cache
def _people() -> tuple[bytes, Mapping[str, int], Mapping[str, int]]:
    """Give a database with everybody in it, which is made once, and the numbers of who is there."""
    with TemporaryDirectory() as folder:
        places = Places(Path(folder))
        with closing(open_database(places)) as database:
            people = {
                who: accounts.add_account(
                    database, f"{who}@example.org", who.title(), is_admin=who == "admin"
                )
                for who in PEOPLE
            }
            courses = {
                slug: accounts.add_course(database, slug, slug.title())
                for slug in ("cards", "other")
            }
            for who, part in PEOPLE.items():
                if part:
                    slug, role = part
                    name = who.title() if role == "student" else ""
                    accounts.add_member(
                        database, courses[slug], people[who], role, person=name, name=name
                    )
        return places.database.read_bytes(), courses, people
