"""Running a file of tests by itself, where no test runner is installed.

Knows functions and classes whose names begin with `test` and `Test`, no more; pytest, which does
far better, runs the same files.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from traceback import format_exc
from typing import Any


def run_tests(names: Mapping[str, Any]) -> None:
    """Run the tests of a file, print what failed, and end with status 1 if anything did.

    Args:
        names: All that the file defines: `globals()`.
    """
    tests = list(_tests(names))
    failed = sum(not _passes(name, test) for name, test in tests)
    sys.stdout.write(f"{len(tests) - failed} passed" + (f", {failed} failed" * bool(failed)) + "\n")
    sys.exit(1 if failed or not tests else 0)


def _tests(names: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Give the tests of a file by name; each method has an object of its own."""
    for name, value in names.items():
        if name.startswith("Test") and isinstance(value, type):
            for method in sorted(each for each in dir(value) if each.startswith("test")):
                yield f"{name}.{method}", getattr(value(), method)
        elif name.startswith("test") and callable(value):
            yield name, value


def _passes(name: str, test: Callable[[], object]) -> bool:
    try:
        test()
    except Exception:  # noqa: BLE001 - a test may fail in any way
        sys.stdout.write(f"{name} failed:\n{format_exc()}\n")
        return False
    return True
