"""Reads the blocks of a page, writes its files, runs its commands and compares what they print.

A block whose fence names a file (```` ```yaml first.yaml ````) is that file. In a `console`
block a line with `$ ` is a command, and the lines below it are its output; a line `…` stands
for any lines. What differs from run to run is masked. `python -m tests.docs.console PAGE`
writes the outputs of a page anew.
"""

import linecache
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from tourney import cli

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"(?ms)^```(?P<kind>\w+)(?: (?P<name>\S+))?\n(?P<body>.*?)^```$")
ANYTHING = "…"
HOME = "/home/ada/cards"  # what pages show as the reader's folder
MASKS = (
    (re.compile(r"\b[0-9a-f]{32,}\b"), "HEX"),  # commitments, secrets, salts
    (re.compile(r"\(tourney (?:\d[\w.+]*|…)\)"), "(tourney VERSION)"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00"), "TIME"),
    (re.compile(r"about .* on \d+ workers?"), "about TIME on WORKERS"),
    (re.compile(r"\d+\.\d MB"), "SIZE MB"),  # of a site with secret shoes
    (re.compile(r"in [\d.]+ s: [\d,]+ a second"), "in TIME: SPEED"),
    (re.compile(r"[\d,.]+ (?:µs|ms|s)(?= (?:to load the file|for|a decision))"), "COMPUTING"),
    (re.compile(r"got [\d,.]+ s: COMPUTING for each, enough for [\d,]+ "), "got COMPUTING: "),
    (re.compile(r"(?m)^\.+ +\[100%\]\n\d+ passed in [\d.]+s"), "PASSED"),
    # A check plays fewer tables of who is slow.
    (re.compile(r"in ([\d,]+) of \1 decisions"), "in ALL decisions"),
    (re.compile(r"\d+ tables played again, every"), "TABLES played again, every"),
    (re.compile(r"(?m) +$"), ""),
    # Where it takes its time.
    (re.compile(r"(?m)^(?:loading|making) (?:the )?machine code.*\n"), ""),
    (re.compile(r"(?m)^[\d,]+ of [\d,]+ (?:batches played|hands dealt again)\n"), ""),
)
PLAYING = frozenset({"run", "resume", "verify", "ev"})
SOLVED = frozenset({"kuhn", "leduc"})
"""Games whose `ev` is a distance to optimal play, which no worker plays."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a page with the output that the page shows."""

    text: str
    shown: str

    def explains(self, output: str) -> bool:
        """Say whether the page shows this output."""
        parts = [re.escape(part) for part in masked(self.shown).split(f"{ANYTHING}\n")]
        return re.fullmatch("(?:.*\n)*".join(parts), masked(output)) is not None


def masked(text: str) -> str:
    """Replace what differs from run to run."""
    for pattern, word in MASKS:
        text = pattern.sub(word, text)
    return text


def blocks(page: str) -> Iterator[re.Match[str]]:
    """Give the fenced blocks of a page, in order."""
    return FENCE.finditer(page)


def commands(body: str) -> Iterator[Command]:
    """Give the commands of a console block with their outputs."""
    for part in re.split(r"(?m)^\$ ", body)[1:]:
        text, _, shown = part.partition("\n")
        yield Command(text, shown)


@dataclass(slots=True)
class Session:
    """A reader at a console, in a folder of their own beside a checkout of the platform."""

    folder: Path
    site: Path  # where `pip install` puts things
    status: int = 0
    _has_installed: bool = False
    _environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make ready the folder and the path on which programs are found."""
        linecache.clearcache()  # a file of another page may have the same name
        self.folder.mkdir(parents=True)
        shutil.copytree(
            ROOT / "examples",
            self.folder.parent / "tourney" / "examples",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        shutil.copytree(ROOT / "configs", self.folder / "configs")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        paths = f"{self.site}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        changed = {"PATH": path, "PYTHONPATH": paths.rstrip(os.pathsep)}
        # What goes to two streams is shown in the order in which it was said.
        self._environment = {**os.environ, **changed, "PYTHONUNBUFFERED": "1"}
        self._environment["PYTHONDONTWRITEBYTECODE"] = "1"

    def read(self, page: str) -> Iterator[tuple[Command, str]]:
        """Do what a page says; give every command with what it really prints."""
        for block in blocks(page):
            if block["name"]:
                path = self.folder / block["name"]
                path.parent.mkdir(exist_ok=True)
                path.write_text(block["body"], encoding="utf-8")
            elif block["kind"] == "console":
                for command in commands(block["body"]):
                    yield command, self.run(command.text)

    def run(self, text: str) -> str:
        """Run a command and give what it prints, as a terminal shows it."""
        words = shlex.split(text)
        if text == "echo $?":
            return f"{self.status}\n"
        is_played = words[1:2] and words[1] in PLAYING and not SOLVED & {*words}
        if words[0] == "tourney" and is_played and ">" not in words:
            text = f"{text} --workers 1"  # which comes to the same
        is_here = words[:2] != ["tourney", "check"]  # which may compile nothing ever after
        if words[0] == "tourney" and ">" not in words and is_here and not self._has_installed:
            return self._tourney(shlex.split(text)[1:])
        if words[:2] == ["pip", "install"]:
            return self._install(self.folder / words[2])
        done = subprocess.run(
            ["sh", "-c", text],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.status = done.returncode
        return self._shown(done.stdout)

    def _shown(self, output: str) -> str:
        """Give a reader's folder in place of the temporary one."""
        return output.replace(str(self.folder.resolve()), HOME).replace(str(self.folder), HOME)

    def _tourney(self, arguments: list[str]) -> str:
        """Run the command line in this process, which saves its start.

        It could not see what has been installed since, as no process does.
        """
        seen = StringIO()
        with chdir(self.folder), redirect_stdout(seen), redirect_stderr(seen):
            self.status = cli.main(arguments)
        return self._shown(seen.getvalue())

    def _install(self, package: Path) -> str:
        """Do what matters of `pip install`; tests/examples does all of it."""
        project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        plugins = project["entry-points"]["tourney"]
        info = self.site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir(parents=True)
        metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}"
        (info / "METADATA").write_text(f"{metadata}\n", encoding="utf-8")
        lines = "".join(f"{name} = {module}\n" for name, module in plugins.items())
        (info / "entry_points.txt").write_text(f"[tourney]\n{lines}", encoding="utf-8")
        for module in plugins.values():
            shutil.copy(package / f"{module}.py", self.site)
        self._has_installed, self.status = True, 0
        return ""


def rewritten(page: str, session: Session) -> str:
    """Give a page with the outputs that its commands print now."""
    for command, output in session.read(page):
        if not command.explains(output):
            before = f"$ {command.text}\n{command.shown}"
            page = page.replace(before, f"$ {command.text}\n{output}", 1)
    return page


def main() -> None:
    """Write the outputs of a page anew."""
    path = Path(sys.argv[1])
    with TemporaryDirectory() as name:
        site = Path(name) / "site"
        site.mkdir()
        session = Session(Path(name) / "work", site)
        path.write_text(rewritten(path.read_text(encoding="utf-8"), session), encoding="utf-8")


if __name__ == "__main__":
    main()
