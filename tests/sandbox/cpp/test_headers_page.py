"""The page of headers: its table is that of the contracts, and its players play."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.cpp.tables import CONTRACTS, blackjack, pool, straights
from tourney.execution.engine_selection import play_batch
from tourney.game.accelerators import NativeContract
from tourney.game.blocks import Batch
from tourney.game.lineup import Lineup
from tourney.games.blackjack.rules import SIX_DECKS_H17
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.native.compilation import build
from tourney.sandbox.native.source_selection import contract_of

PAGE = (Path(__file__).parents[3] / "docs/reference/cpp-headers.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```cpp\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda each: each.header)
def test_every_contract_has_its_line(contract: NativeContract) -> None:
    """With its class and all functions that give a player."""
    (line,) = (each for each in PAGE.splitlines() if each.startswith(f"| `{contract.header}` |"))
    assert f"| `{contract.player}` |" in line
    assert re.findall(r"`(get_\w+)`", line) == list(contract.functions)


def never(*_: object) -> Any:
    """Fail: nobody sits here but the program."""
    raise AssertionError


@pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)
@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.split('"')[1])
def test_every_example_is_built_without_a_warning_and_plays(text: str) -> None:
    """At tables of its own game, with a fault nowhere."""
    files = (("player.cpp", text),)
    contract = contract_of(files, CONTRACTS)
    assert build(files, CONTRACTS).warnings == ""
    blocks = straights(3) if contract.game == "straights" else blackjack(SIX_DECKS_H17, 5)
    game = blocks[0].rules.game
    lineup = Lineup(make=never, declared=never, confined=lambda _: pool(game, text))
    results = play_batch(Batch(0, 0, tuple(blocks)), lineup).results
    assert all(each.rounds for each in results)
    assert not any(seat.verdict for each in results for seat in each.seats)
