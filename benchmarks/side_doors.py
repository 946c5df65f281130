"""How much comes through each line between players, and to the world outside, in a long run.

    python benchmarks/side_doors.py [--scale 20] [--times 3] [--lines NAME …]

Sends random bits by attacks of the corpus, with a referee that is root and one that is an ordinary
user, inside bubblewrap. A closed line carries nothing: those who use it have verdicts. The test of
each, in seconds, is `tests/sandbox/attacks/test_lines.py`. Exit status 1, if a closed line
carries anything.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attacks import GIVES, MISSING, ORDINARY, ROOT, sandboxed
from tabulate import tabulate

sys.path.insert(0, str(ROOT))  # for the tests, which hold the corpus

from tests.sandbox.attacks.lines import LINES, OPEN

HEADERS = ("line", "referee", "sent", "came", "right", "seconds", "bits a second", "verdicts")


def measured(user: int, lines: dict[str, int], library: str) -> Iterator[dict[str, Any]]:
    """Send bits as some user, who owns NumPy's files if there is a copy of them."""
    order = {"user": user, "lines": lines}
    command = sandboxed(order, "tests.sandbox.attacks.lines")
    place = command.index(sys.executable)
    if not os.getuid():  # compilers are given a folder, which is removed again
        command[place:place] = [word for right in GIVES for word in ("--cap-add", right)]
    if library:
        command[place:place] = ["--bind", library, library, "--setenv", "PYTHONPATH", library]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - this very program
        assert process.stdout
        for line in process.stdout:
            yield json.loads(line)
    if process.returncode:
        raise SystemExit(f"expected lines that are measured, got exit status {process.returncode}")


def copy_of_numpy(folder: Path, user: int) -> str:
    """Copy NumPy's files to where they belong to a user: only its owner may put pages out."""
    found = find_spec("numpy")
    assert found
    assert found.origin
    site = Path(found.origin).parents[1]
    # The other one, too, beside which NumPy would be looked for.
    for name in ("annotated_types", "numpy", "numpy.libs"):
        if (site / name).exists():
            shutil.copytree(site / name, folder / name)
    folder.chmod(0o755)  # until it becomes that user, root in there is one without rights
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user, user)
    os.sync()  # what is not on the disk yet cannot be put out
    return str(folder)


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=int, default=20, help="times the bits of the short tests")
    parser.add_argument("--times", type=int, default=1, help="runs of each line")
    parser.add_argument("--lines", nargs="+", choices=LINES, default=list(LINES))
    arguments = parser.parse_args()
    if not shutil.which("bwrap"):
        print(MISSING, file=sys.stderr)
        return 2
    bits = {name: LINES[name][1] * arguments.scale for name in arguments.lines}
    rows, carried = [], False
    for user in (0, ORDINARY) if os.getuid() == 0 else (os.getuid(),):
        # Not below /tmp, which is in memory in there and has nothing to be put out of it.
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            library = copy_of_numpy(Path(folder), user) if user == ORDINARY else ""
            for _ in range(arguments.times):
                for came in measured(user, bits, library):
                    sent, heard = len(came["told"]), len(came["heard"])
                    carried |= bool(heard) and came["line"] not in OPEN
                    causes = ", ".join(sorted(set(came["causes"])))
                    told = (sent, heard, came["right"], came["seconds"], came["rate"], causes)
                    rows.append((came["line"], "user" if user else "root", *told))
                    print(*rows[-1], file=sys.stderr)
    print(tabulate(sorted(rows), headers=HEADERS, floatfmt=".1f"))
    return int(carried)


if __name__ == "__main__":
    sys.exit(main())
