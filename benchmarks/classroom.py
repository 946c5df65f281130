"""A generated class goes from its gradebook to its marks: how long each command takes.

    python benchmarks/classroom.py [--students 300] [--platform Canvas] [--tables 20] [--rounds 20]

The class is that of `tests/e2e/course/generated.py`, with the oddities of three platforms, and the
commands are those of `docs/how-to/run-a-class.md`. The exit status says whether everybody has a
page that says what became of them, and whether only marks and comments changed.
"""

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests, which generate the class

from tests.e2e.course.generated import PLATFORMS, class_of
from tests.e2e.course.walking import check, walk


def main() -> None:
    """Go the way, print how long each step took, and see what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--platform", choices=PLATFORMS)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=20)
    asked = parser.parse_args()
    students = class_of(asked.students)
    for platform in [asked.platform] if asked.platform else PLATFORMS:
        print(f"{platform}: {len(students)} students, {os.cpu_count()} cores")
        with TemporaryDirectory() as name:
            folder = Path(name)
            for step in walk(folder, students, platform, asked.tables, asked.rounds):
                print(f"{step.seconds:7.1f} s {step.processor:7.1f} s  {step.command}", flush=True)
            check(folder, students, platform)
        print("everybody has a page; nothing but marks and comments changed")


if __name__ == "__main__":
    main()
