"""A worker of a cluster loads machine code before its first task, as a local one does."""

import pytest

from tourney.execution.workers.cluster import remote_task
from tourney.execution.workers.cluster.remote_task import Preparation, own_versions, play_there
from tourney.execution.workers.task import Task
from tourney.game.rules import Rules
from tourney.games.blackjack.rules import EASYBJ, BlackjackRules


@pytest.mark.parametrize("is_compiled", [False, True])
def test_a_worker_loads_compiled_code_once(
    monkeypatch: pytest.MonkeyPatch, *, is_compiled: bool
) -> None:
    """Code that this machine would have to compile first is left to the background."""
    loaded: list[tuple[Rules, bool]] = []

    def note(rules: Rules, *, is_long: bool) -> None:
        loaded.append((rules, is_long))

    monkeypatch.setattr(remote_task, "warm_up", note)
    monkeypatch.setattr(remote_task, "is_there", lambda *_, **__: is_compiled)
    monkeypatch.setattr(remote_task, "SECONDS_TO_SETTLE", 0.0)
    rules = EASYBJ if is_compiled else BlackjackRules()  # other cases have settled in this process
    for _ in range(2):
        played = play_there(Task((), (), "auto"), own_versions(), Preparation(rules, is_long=True))
        assert played == ()
    assert loaded == ([(rules, True)] if is_compiled else [])
