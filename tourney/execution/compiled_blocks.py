"""Playing blocks with machine code, by the declarations of their players."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from tourney.game.blocks import Block
from tourney.game.declaration_result import Declared
from tourney.game.ledger import BlockResult
from tourney.game.machine.compile_cache import CodeUnit
from tourney.game.rules import Rules


def why_not_compiled(block: Block, declared: Sequence[Declared]) -> str:
    """Explain why a block cannot be played with machine code; empty if it can.

    Args:
        block: The block.
        declared: The declarations of its players, seat by seat.
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
        blocks: Blocks that machine code can play.
        declared: Returns the declaration of an entrant for a game.
        ways: Parts of the machine code to use; all of them by default.
    Returns: Their results, in any order, without those that these parts cannot play.
    """
    results: list[BlockResult] = []
    for rules, alike in _by_rules(blocks).items():
        kernels = rules.game.kernels()
        assert kernels, "only called for a game that has kernels"
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
