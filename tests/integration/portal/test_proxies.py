"""The examples for proxies, as written but for ports and certificates: what they pass on."""

import asyncio
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest
import uvicorn

from tourney.portal import sessions
from tourney.portal.web.connections import Connection
from tourney.portal.web.server import application

from .portals import Portal
from .served import free_port, wait_until

EXAMPLES = Path(__file__).parents[3] / "examples" / "portal"
HOST = "cards.example.edu"
CLIENT = "127.0.0.2"
"""Where the browser comes from; the proxy itself is at 127.0.0.1."""
NGINX = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {server}
}}
"""


class _Behind:
    """The portal, with three more addresses that say what a proxy passes on."""

    def __init__(self, portal: Portal) -> None:
        """Take whose it is; the application is made in the thread that serves it."""
        self._portal = portal
        self._app: Any = None
        self.may_end = Event()

    def serve(self, server: uvicorn.Server) -> None:
        """Serve until somebody says to leave."""
        server.run()
        if self._app:
            self._app.state.site.database.close()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Answer."""
        if scope.get("path") not in {"/who", "/stream", "/swallow"}:
            self._app = self._app or application(self._portal.places, f"https://{HOST}")
            await self._app(scope, receive, send)
            return
        size, more = 0, scope["method"] == "POST"
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            size, more = size + len(message["body"]), message["more_body"]
        told = {"client": scope["client"][0], "scheme": scope["scheme"], "size": size}
        await send({"type": "http.response.start", "status": 200, "headers": []})
        first = json.dumps(told).encode()
        is_stream = scope["path"] == "/stream"
        await send({"type": "http.response.body", "body": first, "more_body": is_stream})
        if is_stream:
            while not self.may_end.is_set():  # noqa: ASYNC110 - of another thread
                await asyncio.sleep(0.02)
            await send({"type": "http.response.body", "body": b"end"})


@pytest.fixture
def behind(portal: Portal) -> Iterator[tuple[_Behind, int]]:
    """Serve as `tourney serve --proxy 127.0.0.1` does."""
    app, port = _Behind(portal), free_port()
    config = uvicorn.Config(
        app,
        port=port,
        http=Connection,
        log_config=None,
        lifespan="off",
        proxy_headers=True,
        forwarded_allow_ips=["127.0.0.1"],
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = Thread(target=app.serve, args=(server,), daemon=True)
    thread.start()
    assert wait_until(lambda: server.started)
    yield app, port
    server.should_exit = True
    thread.join(30)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except OSError:
        return False
    return True


@contextmanager
def _caddy(folder: Path, behind: int, port: int) -> Iterator[str]:
    text = (EXAMPLES / "Caddyfile").read_text()
    assert text.startswith(f"{HOST} {{")
    text = text.replace(HOST, f"http://{HOST}:{port}", 1).replace(
        "127.0.0.1:8080", f"127.0.0.1:{behind}"
    )
    file = folder / "Caddyfile"
    file.write_text(f"{{\n admin off\n auto_https off\n default_bind 127.0.0.1\n}}\n{text}")
    command = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
    homes = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with _running(command, folder, port, homes):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _nginx(folder: Path, behind: int, port: int) -> Iterator[str]:
    text = (EXAMPLES / "nginx.conf").read_text()
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    made += ["-nodes", "-subj", f"/CN={HOST}", "-keyout", f"{folder}/key", "-out", f"{folder}/pem"]
    subprocess.run(made, check=True, capture_output=True)
    for old, new in (
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("127.0.0.1:8080", f"127.0.0.1:{behind}"),
        (f"/etc/ssl/{HOST}.pem", f"{folder}/pem"),
        (f"/etc/ssl/{HOST}.key", f"{folder}/key"),
    ):
        assert old in text
        text = text.replace(old, new)
    file = folder / "nginx.conf"
    file.write_text(NGINX.format(folder=folder, server=text))
    with _running(["nginx", "-c", str(file), "-e", f"{folder}/error.log"], folder, port, {}):
        yield f"https://127.0.0.1:{port}"


@contextmanager
def _running(command: list[str], folder: Path, port: int, more: dict[str, str]) -> Iterator[None]:
    with (folder / "said").open("w") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env={**os.environ, **more})
    try:
        assert wait_until(lambda: _answers(port)), (folder / "said").read_text()
        yield
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(params=["caddy", "nginx"])
def proxied(
    request: pytest.FixtureRequest, tmp_path: Path, behind: tuple[_Behind, int]
) -> Iterator[httpx.Client]:
    """Give a browser behind a proxy."""
    needed = {"caddy": ["caddy"], "nginx": ["nginx", "openssl"]}[request.param]
    if missing := [each for each in needed if not shutil.which(each)]:
        pytest.skip(f"not installed here: {', '.join(missing)}")
    folder = tmp_path / "proxy"
    folder.mkdir()
    start = {"caddy": _caddy, "nginx": _nginx}[request.param]
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    transport = httpx.HTTPTransport(verify=context, local_address=CLIENT)
    with (
        start(folder, behind[1], free_port()) as url,
        httpx.Client(
            base_url=url, transport=transport, headers={"host": HOST}, timeout=30
        ) as browser,
    ):
        yield browser


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks from a second address")


@pytest.mark.parametrize("forged", ["", "127.0.0.1", "203.0.113.9, 127.0.0.1"])
def test_the_portal_learns_who_asks_whatever_is_forged(proxied: httpx.Client, forged: str) -> None:
    """The address that the proxy saw, by which scheme; and no figures for anybody behind it."""
    headers = {"x-forwarded-for": forged} if forged else {}
    told = proxied.get("/who", headers=headers).json()
    assert told["client"] == CLIENT
    assert told["scheme"] == proxied.base_url.scheme
    assert proxied.get("/metrics", headers=headers).status_code == 404
    assert proxied.get("/healthz", headers=headers).status_code == 503


def test_streams_come_at_once_and_uploads_are_bounded(
    proxied: httpx.Client, behind: tuple[_Behind, int]
) -> None:
    """An event is there before the next is made; 1.1 MB pass, and 3 MB do not."""
    with proxied.stream("GET", "/stream") as stream:
        parts = stream.iter_raw()
        assert b"client" in next(parts)
        behind[0].may_end.set()
        assert b"end" in b"".join(parts)
    passed = proxied.post("/swallow", content=b"x" * 1_100_000)
    assert (passed.status_code, passed.json()["size"]) == (200, 1_100_000)
    refused = proxied.post("/swallow", content=b"x" * 3_000_000)
    assert refused.status_code in {413, 502}  # Caddy before 2.7 has no better word for it


def test_somebody_signs_in_through_it(proxied: httpx.Client, portal: Portal) -> None:
    """Forms of the portal's own pages are known as such, and the cookie comes back."""
    code = sessions.begin(portal.database, portal.people["student"], "a test")
    known = {"cookie": f"__Host-tourney={code}", "origin": f"https://{HOST}"}
    assert proxied.get("/c/cards", headers=known).status_code == 200
    with closing(proxied.post("/sign-out", headers=known)) as left:
        assert left.status_code == 303
    assert proxied.get("/c/cards", headers=known).status_code == 303
