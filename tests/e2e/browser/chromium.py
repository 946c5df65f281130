"""Chromium without a window, spoken to over a pipe in the DevTools protocol.

Keeps what a page complains of, and every request that leaves the disk. Only what tests need:
Python's standard library and Debian's `chromium`.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from time import monotonic
from types import TracebackType
from typing import Any, Self

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
TRAMPOLINE = """
import fcntl, os, sys
read, write = (fcntl.fcntl(int(each), fcntl.F_DUPFD, 10) for each in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
PATIENCE = 60.0
"""Seconds for an answer, on a machine that is busy."""


def find_chromium() -> str | None:
    """Give the program; None if it is not installed."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


@dataclass
class Page:
    """What was seen of a page so far."""

    complaints: list[str] = field(default_factory=list)  # on the console, or thrown
    requests: list[str] = field(default_factory=list)  # addresses


class Chromium:
    """A browser with one page.

    Args:
        program: Its path.
    """

    def __init__(self, program: str) -> None:
        self._folder = TemporaryDirectory(prefix="tourney-browser-")
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # It reads from file 3 and writes to file 4, whatever numbers the pipes have here.
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", TRAMPOLINE, str(to_read), str(to_write), program),
                *("--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"),
                *("--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run"),
                f"--user-data-dir={self._folder.name}",
                "about:blank",
            ],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_read)
        os.close(to_write)
        self._left = b""
        self._number = 0
        self._session = ""
        self.page = Page()
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        shutil.rmtree(self._folder.name, ignore_errors=True)  # it may write to the last
        self._folder.cleanup()

    def open(self, path: Path, fragment: str = "") -> Page:
        """Open a page from disk, wait until it stands, and give what was seen of it."""
        return self.visit(path.resolve().as_uri() + fragment)

    def visit(self, address: str) -> Page:
        """Open a page by its address, wait until it stands, and give what was seen of it."""
        here = self.run("location.href.split('#')[0]")
        # Else another round is the same page, and what a live one asks for is taken for the next's.
        if address.partition("#")[0] == here or here.startswith("http"):
            self._loaded = False
            self.ask("Page.navigate", url="about:blank")
            self._wait_for(lambda: self._loaded)
        self.page = Page()
        self._loaded = False
        self.ask("Page.navigate", url=address)
        self._wait_for(lambda: self._loaded)
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self.page

    def reload_without_scripts(self) -> None:
        """Open the same page again as one who lets no page run scripts; ours still run."""
        self._loaded = False
        self.ask("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.ask("Page.reload")
            self._wait_for(lambda: self._loaded)
        finally:
            self.ask("Emulation.setScriptExecutionDisabled", value=False)

    def run(self, script: str) -> Any:
        """Run a script on the page and give its value."""
        answer = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def screen(self, width: int, height: int, *, is_dark: bool = False) -> None:
        """Choose the size of the window, and light or dark."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = "dark" if is_dark else "light"
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", features=features)

    def press(self, key: str, number: int = 0) -> None:
        """Press a key and let it go; by its number the browser itself does what it is for."""
        about = {"key": key, "code": key, "windowsVirtualKeyCode": number}
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, **about)

    def titles(self) -> list[str]:
        """Give the titles of its pages, on whose way to another site no script would last."""
        return [each["title"] for each in self.ask("Target.getTargets")["targetInfos"]]

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the browser something and give its answer."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        answers: list[dict[str, Any]] = []
        self._answers = {number: answers}
        self._wait_for(lambda: bool(answers))
        assert "error" not in answers[0], (method, answers[0]["error"])
        found: dict[str, Any] = answers[0]["result"]
        return found

    def _begin(self) -> None:
        self._loaded = False
        targets = self.ask("Target.getTargets")["targetInfos"]
        target = next(each["targetId"] for each in targets if each["type"] == "page")
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = session["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def _wait_for(self, is_there: Callable[[], bool]) -> None:
        end = monotonic() + PATIENCE
        while not is_there():
            ready, _, _ = select([self._read], [], [], max(0.0, end - monotonic()))
            assert ready, "the browser does not answer"
            data = os.read(self._read, 1 << 20)
            assert data, "the browser is gone"
            *messages, self._left = (self._left + data).split(b"\0")
            for message in messages:
                self._take(json.loads(message))

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers.get(message["id"], []).append(message)
            return
        told = message.get("params", {})
        match message["method"]:
            case "Page.loadEventFired":
                self._loaded = True
            case "Network.requestWillBeSent":
                self.page.requests.append(told["request"]["url"])
            case "Runtime.exceptionThrown":
                details = told["exceptionDetails"]
                thrown = details.get("exception", {}).get("description", "")
                self.page.complaints.append(f"{details['text']} {thrown}")
            case "Runtime.consoleAPICalled" if told["type"] in {"error", "warning", "assert"}:
                self.page.complaints.append(str(told["args"]))
            case "Log.entryAdded" if told["entry"]["level"] in {"error", "warning"}:
                self.page.complaints.append(told["entry"]["text"])
