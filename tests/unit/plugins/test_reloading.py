"""Loading a strategy anew: nothing it kept is left."""

import sys
from pathlib import Path

import pytest

from tourney import Player
from tourney.competitors.sources import reload
from tourney.plugins.loading import load_plugins
from tourney.strategies.counting import Counting

KEEPER = '''
from helper_of_keeper import memory
from tourney import Player


class Keeper(Player):
    """Keeps things where its other players find them."""

    seen: list[int] = []

    def bet(self, bankroll: int, minimum: int) -> int:
        self.seen.append(bankroll)
        memory.append(bankroll)
        return minimum

    def draw(self, dealer, player) -> bool:
        return False
'''


@pytest.fixture
def keeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[Player]:
    """A strategy that keeps things in its class and in a module beside it."""
    (tmp_path / "keeper.py").write_text(KEEPER, encoding="utf-8")
    (tmp_path / "helper_of_keeper.py").write_text("memory: list[int] = []\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "keeper", raising=False)
    monkeypatch.delitem(sys.modules, "helper_of_keeper", raising=False)
    import keeper as module

    kind: type[Player] = module.Keeper
    return kind


def test_what_a_class_kept_is_gone(keeper: type[Player]) -> None:
    """Attributes of the class, and of the modules beside it."""
    keeper().bet(100, 5)
    anew = reload(keeper)
    assert anew is not keeper
    assert anew.seen == []  # type: ignore[attr-defined]  # an attribute of the class above
    anew().bet(200, 5)
    assert keeper.seen == [100]  # type: ignore[attr-defined]  # an attribute of the class above


def test_python_keeps_the_modules_it_had(keeper: type[Player]) -> None:
    """Whoever imports the strategy again gets the class that was there before."""
    module = sys.modules["keeper"]
    reload(keeper)
    assert sys.modules["keeper"] is module


def test_a_bundled_strategy_is_a_player_still() -> None:
    """And the package of the bundled ones is as it was."""
    import tourney.strategies

    anew = reload(Counting)
    assert issubclass(anew, Player)
    assert anew is not Counting
    assert tourney.strategies.counting.Counting is Counting
    assert load_plugins().strategy("counting").make is Counting


def test_a_class_that_no_import_reaches_is_given_as_it_is() -> None:
    """Such as one within a function."""

    class Local(Counting):
        """Nobody can import this."""

    assert reload(Local) is Local
