"""The README, the tutorial and the how-to, done as a reader does them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from tests.support.proving import with_more

from .console import ROOT, Command, Session, masked

PAGES = (
    "README.md",
    "docs/tutorial/first-competitor.md",
    "docs/tutorial/first-competitor-in-cpp.md",
    "docs/tutorial/train-a-policy.md",
    "docs/explanation/engines.md",
    "docs/explanation/exact.md",
    "docs/how-to/add-a-column.md",
    "docs/how-to/analyse-hands.md",
    "docs/how-to/add-a-format.md",
    "docs/how-to/add-a-language.md",
    "docs/how-to/add-a-game.md",
    "docs/how-to/declare-a-strategy.md",
    "docs/how-to/answer-every-student.md",
    "docs/how-to/check-a-competitor.md",
    "docs/how-to/check-a-run.md",
    "docs/how-to/give-grades.md",
    "docs/how-to/run-a-class.md",
    "docs/how-to/grade-test-files.md",
    "docs/how-to/judge-a-fault.md",
    "docs/how-to/measure-a-strategy.md",
    "docs/how-to/organise-a-class-tournament.md",
    "docs/how-to/plan-an-event.md",
    "docs/how-to/play-casino-rules.md",
    "docs/how-to/play-easy-blackjack.md",
    "docs/how-to/play-on-a-cluster.md",
    "docs/how-to/prove-a-run-fair.md",
    "docs/how-to/publish-a-leaderboard.md",
    "docs/how-to/play-strangers-code.md",
    "docs/how-to/play-the-table.md",
    "docs/how-to/run-a-season.md",
    "docs/how-to/run-straights.md",
    "docs/how-to/solve-small-games.md",
    "docs/how-to/take-in-submissions.md",
    "docs/how-to/train-any-game.md",
    "docs/how-to/two-weeks-of-one-class.md",
    "docs/how-to/watch-a-run.md",
    "docs/how-to/work-in-python.md",
)

LONG = (
    "docs/tutorial/first-competitor-in-cpp.md",
    "docs/tutorial/train-a-policy.md",
    "docs/explanation/engines.md",
    "docs/how-to/add-a-column.md",
    "docs/how-to/add-a-format.md",
    "docs/how-to/add-a-game.md",
    "docs/how-to/add-a-language.md",
    "docs/how-to/analyse-hands.md",
    "docs/how-to/declare-a-strategy.md",
    "docs/how-to/measure-a-strategy.md",
    "docs/how-to/plan-an-event.md",
    "docs/how-to/play-casino-rules.md",
    "docs/how-to/play-easy-blackjack.md",
    "docs/how-to/run-straights.md",
    "docs/how-to/solve-small-games.md",
    "docs/how-to/train-any-game.md",
    "docs/how-to/work-in-python.md",
)
"""Those whose commands compute for more than two seconds: for `make prove`."""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Seat a reader in a folder of their own; forget afterwards what was loaded from there."""
    site = tmp_path / "site"
    site.mkdir()
    before = set(sys.modules)
    yield Session(tmp_path / "work", site)
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", with_more([page for page in PAGES if page not in LONG], LONG))
def test_every_command_of_a_page_prints_what_it_shows(page: str, session: Session) -> None:
    """Files are written, commands run in order, and outputs compared, all but times and secrets."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if "\n```cpp " in text and not which("g++"):
        pytest.skip("nothing can be compiled here")
    for command, output in session.read(text):
        assert command.explains(output), (
            f"{page}: $ {command.text}: expected\n{masked(command.shown)}\ngot\n{masked(output)}\n"
            f"to write the outputs anew: python -m tests.docs.console {page}"
        )


def test_an_output_that_differs_is_noticed() -> None:
    """Only what varies from run to run is masked, and only a line of its own may be left out."""
    assert Command("tourney run", "commitment 00000000000000000000000000000000\n").explains(
        "commitment 0123456789abcdef0123456789abcdef\n"
    )
    assert Command("tourney list", "first\n…\nlast\n").explains("first\nsecond\nlast\n")
    assert not Command("tourney list", "first\nlast\n").explains("first\nsecond\nlast\n")
    assert not Command("tourney run", "1  simple  890.4\n").explains("1  simple  890.5\n")
