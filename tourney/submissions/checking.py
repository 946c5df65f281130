"""The least a check can do: a file must load, and hold a class that keeps its game's contract.

It runs the file with all rights of this process, so it is for those who trust what they check.
"""

import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tourney.errors import PluginError
from tourney.submissions.report import CheckReport, Finding
from tourney.submissions.source import Source


def check_by_loading(source: Source) -> CheckReport:
    """Check whether a source can be loaded as a competitor.

    Args:
        source: What was handed in.
    """
    try:
        with _forgetting():
            source.language.load(source.name, source.files)
    except PluginError as error:
        place, found, message = str(error).partition(": expected ")
        finding = Finding(f"expected {message}", place) if found else Finding(str(error))
        return CheckReport(passed=False, findings=(finding,))
    return CheckReport(passed=True)


@contextmanager
def _forgetting() -> Iterator[None]:
    """Forget what was loaded, or the next file of the same name would be called by another."""
    modules, lines = set(sys.modules), set(linecache.cache)
    try:
        yield
    finally:
        for name in set(sys.modules) - modules:
            if name.startswith("_competitor"):
                del sys.modules[name]
        for name in set(linecache.cache) - lines:
            del linecache.cache[name]
