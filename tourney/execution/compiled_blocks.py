"""Which blocks can be played by declarations, and playing them, whatever their game."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from tourney.game.blocks import Block
from tourney.game.declaration_result import Declared
from tourney.game.ledger import BlockResult
from tourney.game.machine.compile_cache import CodeUnit
from tourney.game.rules import Rules


def why_not_compiled(block: Block, declared: Sequence[Declared]) -> str:
    """Say why a block cannot be played by declarations; empty if it can.

    Args:
        block: What is to be played.
        declared: By its players, seat by seat.
    """
    game = block.rules.game
    kernels = game.kernels()
    return kernels.why_not(block, declared) if kernels else f"{game} is not a game that it plays"


def play_compiled(
    blocks: Sequence[Block],
    declared: Callable[[int, Rules], Declared],
    ways: Collection[CodeUnit] | None = None,
) -> list[BlockResult]:
    """Play blocks: a pure function of the blocks and the declarations.

    Args:
        blocks: Those that can be played so.
        declared: Gives what an entrant declares for a game.
        ways: Parts of the machine code to play by; all of them by default.
    Returns: Their results, in any order, but for those that none of these ways can play.
    """
    results: list[BlockResult] = []
    for rules, alike in _by_rules(blocks).items():
        kernels = rules.game.kernels()
        assert kernels, "of a game that has them"
        allowed = kernels.parts if ways is None else ways
        results += kernels.play(alike, partial(_declared, declared, rules), allowed)
    return results


def _declared(declared: Callable[[int, Rules], Declared], rules: Rules, entrant: int) -> Declared:
    return declared(entrant, rules)


def _by_rules(blocks: Sequence[Block]) -> dict[Rules, list[Block]]:
    alike: dict[Rules, list[Block]] = {}
    for block in blocks:
        alike.setdefault(block.rules, []).append(block)
    return alike
