"""How long it takes from `tourney serve --demo` to a first page, in an empty environment.

    python benchmarks/first_page.py [--starts 5]

Builds the wheel, installs it with the extra [serve] and nothing else into a new environment outside
of the project, and starts a new demonstration again and again. The first start compiles Python's
files; machine code of games is compiled by nobody before a first page.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
LONGEST = 60.0


def install(folder: Path) -> Path:
    """Build the wheel and install it; give the program."""
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    subprocess.run((*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT), check=True)  # noqa: S603 - of ours
    (wheel,) = folder.glob("tourney-*.whl")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    subprocess.run((python, *pip[1:], "install", f"{wheel}[serve]"), check=True)  # noqa: S603 - likewise
    return python.with_name("tourney")


def first_page(program: Path, folder: Path) -> float:
    """Start a demonstration, and give the seconds until it answered."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = time.perf_counter()
    with (folder.with_suffix(".log")).open("w") as log:
        process = subprocess.Popen(  # noqa: S603 - likewise
            [program, "serve", folder, "--demo", "--port", str(port)],
            cwd=folder.parent, stderr=log, env={"PATH": os.environ["PATH"]},
        )  # fmt: skip
    try:
        while time.perf_counter() - begun < LONGEST:
            try:
                with urlopen(f"http://127.0.0.1:{port}/sign-in") as answer:
                    assert b"<h1>" in answer.read()
                    return time.perf_counter() - begun
            except URLError:
                time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
    raise SystemExit(folder.with_suffix(".log").read_text())


def main() -> None:
    """Install once, start several times, and print the seconds of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--starts", type=int, default=5)
    asked = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        program = install(folder)
        for number in range(asked.starts):
            print(f"start {number + 1}: {first_page(program, folder / f'portal-{number}'):.1f} s")


if __name__ == "__main__":
    main()
