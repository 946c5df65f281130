"""What tests of submissions hand in, and where to."""

import linecache
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tourney.checks.report import CheckReport, Finding
from tourney.checks.source import Source
from tourney.course.folder import Submissions
from tourney.course.records import Submission

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)

Take = Callable[..., Submission]


def competitor(total: int) -> Source:
    """Write a competitor that differs from others by a number."""
    text = (
        "from tourney import Player\n\n\nclass Bold(Player):\n"
        "    def bet(self, bankroll, minimum):\n        return minimum\n\n"
        f"    def draw(self, dealer, player):\n        return player.total < {total}\n"
    )
    return Source("file", (("bold.py", text),))


def passes(source: Source) -> CheckReport:
    """Find nothing."""
    return CheckReport(passed=True)


def fails(source: Source) -> CheckReport:
    """Find a fault."""
    finding = Finding("expected a class, got 3", "bold.py:7", "write a class")
    return CheckReport(passed=False, findings=(finding,))


def scores(score: float) -> Callable[[Source], CheckReport]:
    """Find how good it is."""
    return lambda source: CheckReport(passed=True, score=score)


@pytest.fixture
def desk(tmp_path: Path) -> Submissions:
    """Open a folder that is not there yet."""
    return Submissions(tmp_path / "desk", reserved=("simple",))


@pytest.fixture
def take(desk: Submissions) -> Take:
    """Give what hands in as Ada, an hour after the last time."""
    clock = [NOON]

    def take(total: int, check: object = passes, **changes: object) -> Submission:
        now = clock[0]
        clock[0] += timedelta(hours=1)
        given: dict[str, object] = {"name": "Ada", "author": "ada", "now": now, "check": check}
        return desk.take(competitor(total), **{**given, **changes})  # type: ignore[arg-type]  # as named

    return take


@pytest.fixture(autouse=True)
def _forget_files(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget competitors' files and their lines, which other tests have under the same names."""
    monkeypatch.setattr(linecache, "cache", {})
    modules = set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if name.startswith("_competitor"):
            del sys.modules[name]
