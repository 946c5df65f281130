"""Machine code is loaded by playing a round of every kind of declared player."""

import pytest

from tourney.execution.engine_selection import why_not_compiled
from tourney.execution.warm_up import failures_printed, usual_block
from tourney.game.accelerators import Kernels
from tourney.game.lineup import declare
from tourney.game.machine.compile_cache import CodeUnit
from tourney.plugins.loading import installed_plugins

GAMES = dict.fromkeys(each.rules.game for each in installed_plugins().games.values())
KERNELS = [kernels for game in GAMES if (kernels := game.kernels())]
PARTS = [(kernels, part) for kernels in KERNELS for part in kernels.parts]


@pytest.mark.parametrize(("kernels", "part"), PARTS, ids=[part.name for _, part in PARTS])
def test_all_kinds_can_be_played_by_machine_code(kernels: Kernels, part: CodeUnit) -> None:
    """Or else their functions would not be loaded; every part says what it is loaded by."""
    rules, kinds, _ = kernels.usual(part)
    block = usual_block(rules)
    assert kinds
    for make in kinds:
        declared = declare(make, rules)
        assert why_not_compiled(block, [declared] * len(block.seats)) == ""


def test_parts_for_a_block_are_parts_of_the_game() -> None:
    """Nothing else can be made, and names of parts are their own."""
    for kernels, part in PARTS:
        assert set(kernels.parts_for(usual_block(kernels.usual(part).rules))) <= set(kernels.parts)
    assert len({part.name for _, part in PARTS}) == len(PARTS)


def test_an_error_of_a_warm_up_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The run goes on, and its author sees the cause."""
    with failures_printed():
        raise OSError("disk full")
    assert capsys.readouterr().err == (
        "warning: machine code could not be loaded before play: OSError: disk full\n"
    )
