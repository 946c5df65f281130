"""Which blocks of any game the compiled engine can play, decided before a card is dealt."""

from collections.abc import Sequence

from tourney.engine.compiled.fits import why_not, why_not_here
from tourney.games.blackjack.declaration import Declaration
from tourney.games.straights.declaration import StraightsDeclaration
from tourney.games.straights.rules import StraightsRules
from tourney.players import Declared, Undeclared
from tourney.schedule import Block


def why_not_compiled(block: Block, declared: Sequence[Declared]) -> str:
    """Say why a block cannot be played by declarations; empty if it can.

    Args:
        block: What is to be played.
        declared: By its players, seat by seat.
    """
    if isinstance(block.rules, StraightsRules):
        return next((_reason(each) for each in declared if _reason(each)), "")
    blackjack = [each for each in declared if not isinstance(each, StraightsDeclaration)]
    return why_not_here(block) or why_not(block, blackjack)


def _reason(declared: Declared) -> str:
    if isinstance(declared, Declaration):
        return "it declares how it plays another game"
    return declared.reason if isinstance(declared, Undeclared) else ""
