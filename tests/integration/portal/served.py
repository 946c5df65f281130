"""A portal as people start it: `tourney serve`, with real processes, on loopback."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx

LONGEST = 60.0
"""Seconds that a busy machine may take for what takes two."""
CONTEXT = httpx.create_ssl_context()
"""Of TLS that nobody speaks here: to make one for every question takes as long as ten answers."""


def free_port() -> int:
    """Give a port that nobody listens at."""
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


def wait_until(is_so: Callable[[], bool], seconds: float = LONGEST) -> bool:
    """Wait for something; say whether it came."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_so():
            return True
        time.sleep(0.05)
    return False


@dataclass
class Served:
    """A portal that was started."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def errors(self) -> Path:
        """What it says of itself and of its processes."""
        return self.folder.with_suffix(".log")

    @property
    def said(self) -> Path:
        """What it tells whoever starts it."""
        return self.folder.with_suffix(".said")

    def start(self, *how: str) -> "Served":
        """Start it, and wait until it answers."""
        with self.errors.open("a") as log, self.said.open("a") as said:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "tourney", "serve", str(self.folder)),
                    *("--port", str(self.port), *how),
                ],
                stderr=log,
                stdout=said,
                text=True,
            )
        assert wait_until(self.answers), self.errors.read_text()
        return self

    def answers(self) -> bool:
        """Say whether the web process does, as it is not before the others that it is well."""
        try:
            return httpx.get(f"{self.url}/robots.txt", timeout=5, verify=CONTEXT).status_code == 200
        except httpx.HTTPError:
            return False

    def health(self) -> httpx.Response:
        """Ask whether all processes are well."""
        return httpx.get(f"{self.url}/healthz", timeout=5, verify=CONTEXT)

    def children(self) -> dict[str, int]:
        """Give the processes it has started, by role."""
        assert self.process
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        found = {}
        for number in map(int, listed.split()):
            try:
                words = Path(f"/proc/{number}/cmdline").read_text().split("\0")
            except OSError:
                continue
            if "tourney.portal.processes" in words:
                found[words[words.index("tourney.portal.processes") + 1]] = number
        return found

    def kill(self, role: str) -> None:
        """Kill one of them."""
        os.kill(self.children()[role], signal.SIGKILL)

    def set_up_code(self) -> str:
        """Give the code of the first set-up."""
        assert wait_until(lambda: "code=" in self.said.read_text()), self.said.read_text()
        return re.findall(r"code=(\S+)", self.said.read_text())[-1]

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it, and give its status."""
        assert self.process
        if self.process.poll() is None:
            os.kill(self.process.pid, how)
        return self.process.wait(LONGEST)


def is_there(number: int) -> bool:
    """Say whether a process lives."""
    try:
        return "State:\tZ" not in Path(f"/proc/{number}/status").read_text()
    except OSError:
        return False
