"""Plays from a wheel alone: `python tests/support/from_wheel.py dist/NAME.whl`, as `make dist`
does.

Installs it into an empty environment, away from this tree, and goes the first steps of a newcomer.
Holds what is in it against the tree, and tries `uvx` and `pipx` where they are.
"""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]
STEPS = (
    "--version",
    "list strategies",
    "demo --store demo.db",
    "new tournament",
    "run tournament.yaml --dry-run",
    "run tournament.yaml --workers 1",
    "publish --output site",
    "verify --site site",
    "new competitor mine",
    "check mine.py",
)
"""What somebody does who has nothing but the wheel."""


def missing(wheel: Path) -> list[str]:
    """Name the files of the packages that git knows and the wheel has not, or the other way.

    Without a history nobody knows what belongs to the tree; that is said.
    """
    told = subprocess.run(
        ["git", "ls-files", "tourney", "strategies"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if told.returncode:
        print(f"files not compared, as git says: {told.stderr.strip()}")
        return []
    known = {
        f"tourney/{name}" if name.startswith("strategies/") else name
        for name in told.stdout.split()
    }
    with ZipFile(wheel) as opened:
        held = {name for name in opened.namelist() if ".dist-info/" not in name}
    return sorted(held ^ (known - {"tourney/strategies"}))


def ran(words: list[str], folder: Path) -> str:
    """Run a command, show it, and give what it said; end if it fails."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    print(f"$ {' '.join([Path(words[0]).name, *words[1:]])}", flush=True)
    if done.returncode:
        sys.exit(f"expected exit status 0, got {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Go the steps."""
    (wheel,) = (Path(word).resolve() for word in sys.argv[1:])
    if names := missing(wheel):
        sys.exit(f"expected the files that git knows in {wheel.name}, got others: {names}")
    for name in ("PYTHONPATH", "VIRTUAL_ENV"):
        os.environ.pop(name, None)
    # The same code is compiled already, by `make demo` and the tests.
    os.environ["NUMBA_CACHE_DIR"] = str(ROOT / "tourney" / "game" / "machine" / "__pycache__")
    with TemporaryDirectory() as name:
        folder = Path(name)
        ran([sys.executable, "-m", "venv", "empty"], folder)
        binaries = folder / "empty" / "bin"
        ran([str(binaries / "python"), "-m", "pip", "install", "--quiet", str(wheel)], folder)
        for step in STEPS:
            ran([str(binaries / "tourney"), *step.split()], folder)
            if step == "new tournament":  # a smaller one
                written = (folder / "tournament.yaml").read_text(encoding="utf-8")
                smaller = written.replace("tables: 200, rounds: 1000", "tables: 20, rounds: 100")
                (folder / "tournament.yaml").write_text(smaller, encoding="utf-8")
        if find_spec("mypy"):  # editors and checkers of an author read the types in the wheel
            checker = [sys.executable, "-m", "mypy", "--strict", "--config-file="]
            ran([*checker, "--python-executable", str(binaries / "python"), "mine.py"], folder)
        else:
            print("mypy is not here: the types are not tried")
        for tool, words in (("uvx", ["--from"]), ("pipx", ["run", "--spec"])):
            if shutil.which(tool):
                ran([tool, *words, str(wheel), "tourney", "--version"], folder)
            else:
                print(f"{tool} is not here: not tried")
    print(f"{wheel.name} plays by itself")


if __name__ == "__main__":
    main()
