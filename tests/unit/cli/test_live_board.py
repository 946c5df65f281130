"""What a progress line says besides how far a run has come."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tourney.cli import progress
from tourney.cli.progress import LiveBoard
from tourney.standings.standing import BANKROLL


@pytest.mark.parametrize(("is_made", "words"), [(True, "Demo, compiling"), (False, "Demo")])
def test_it_says_in_a_word_that_machine_code_is_made(
    monkeypatch: pytest.MonkeyPatch, is_made: bool, words: str
) -> None:
    """Else nobody would know why the run gets faster."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress, "is_being_made", lambda: is_made)
    telling: Any = SimpleNamespace(rows=lambda rows: rows)
    play: Any = SimpleNamespace(
        batches_done=1,
        batches=10,
        standings=(),
        tournament=SimpleNamespace(measure=BANKROLL),
    )
    board = LiveBoard("Demo", telling)
    board.draw(play)
    (task,) = board._bar.tasks
    assert (task.description, task.completed, task.total) == (words, 1, 10)
