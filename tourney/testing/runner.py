"""Runs a file of tests where no test runner is installed.

It knows functions named `test…` and classes named `Test…`; pytest runs the same files.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from traceback import format_exc
from typing import Any


def run_tests(names: Mapping[str, Any]) -> None:
    """Run the tests of a file, print failures, and exit with status 1 if there are any.

    Args:
        names: All names of the file: `globals()`.
    """
    tests = list(_tests(names))
    failed = sum(not _passes(name, test) for name, test in tests)
    sys.stdout.write(f"{len(tests) - failed} passed" + (f", {failed} failed" * bool(failed)) + "\n")
    sys.exit(1 if failed or not tests else 0)


def _tests(names: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the tests of a file by name; each method has a new object."""
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
