"""Playing blocks of any game by declarations. To import this page loads numba."""

from collections.abc import Callable, Collection, Sequence

from tourney.engine.compiled.play import play_blocks
from tourney.engine.compiled.straights import play_straights_blocks
from tourney.games import Rules
from tourney.games.blackjack.declaration import Declaration
from tourney.games.straights.declaration import StraightsDeclaration
from tourney.games.straights.rules import StraightsRules
from tourney.kernels.kept import Part
from tourney.kernels.parts import EVERY
from tourney.ledger import BlockResult
from tourney.players import Declared
from tourney.schedule import Block


def play_compiled(
    blocks: Sequence[Block],
    declared: Callable[[int, Rules], Declared],
    ways: Collection[Part] = EVERY,
) -> list[BlockResult]:
    """Play blocks: a pure function of the blocks and the declarations.

    Args:
        blocks: Those that are eligible; see `eligible`.
        declared: Gives what an entrant declares for a game.
        ways: Those to play by.
    Returns: Their results, in any order, but for those that none of these ways can play.
    """
    results: list[BlockResult] = []
    for rules, alike in _by_rules(blocks).items():
        entrants = {seat.entrant for block in alike for seat in block.seats}
        found = {entrant: declared(entrant, rules) for entrant in sorted(entrants)}
        if isinstance(rules, StraightsRules):
            straights = {
                entrant: each
                for entrant, each in found.items()
                if isinstance(each, StraightsDeclaration)
            }
            results += play_straights_blocks(alike, straights)
        else:
            blackjack = {
                entrant: each for entrant, each in found.items() if isinstance(each, Declaration)
            }
            results += play_blocks(alike, blackjack.__getitem__, ways)
    return results


def _by_rules(blocks: Sequence[Block]) -> dict[Rules, list[Block]]:
    alike: dict[Rules, list[Block]] = {}
    for block in blocks:
        alike.setdefault(block.rules, []).append(block)
    return alike
