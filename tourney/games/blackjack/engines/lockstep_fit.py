"""Which blocks and seats machine code can play together with players that are asked."""

from dataclasses import replace

from tourney.game.blocks import Block
from tourney.game.declaration_result import Declared
from tourney.game.ledger import BlockResult, SeatResult
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.engines.compiled_fit import WORD, why_not, why_not_here

MOST_STAKES = 17
"""Wagers that a seat can have on the table: eight hands, doubled, and insurance."""
SWING = 2
"""No stake wins more than so many times itself."""
ROOM = WORD // 4


def why_not_in_lockstep(block: Block) -> str:
    """Say why a block cannot be played in lockstep, whoever plays it; empty if it can."""
    if reason := why_not_here(block):
        return reason
    swing = SWING * MOST_STAKES * max(block.minimum, block.maximum)
    bankroll = max(seat.bankroll for seat in block.seats)
    if bankroll + (block.key.first_round + block.rounds) * swing >= ROOM:
        return "sums of chips could need more than 64 bits"
    return ""


def is_declared(block: Block, seat: int, declared: Declared) -> bool:
    """Say whether a seat can be played by its declaration, so that nobody need be asked."""
    alone = replace(block, seats=(block.seats[seat],))
    return isinstance(declared, Declaration) and not why_not(alone, [declared])


def could_overflow(block: Block) -> bool:
    """Say whether `may_have_overflowed` could be true of a block, however its players wager."""
    staked = block.rounds * MOST_STAKES * max(block.minimum, block.maximum)
    highest = max(seat.bankroll for seat in block.seats) + SWING * staked
    return min(block.rounds * highest**2, (SWING * staked) ** 2) >= WORD


def may_have_overflowed(result: BlockResult) -> bool:
    """Say whether the squares of a seat's net results may have been too large to be added up.

    How much a player wagers is not known before, and most of those who may wager a thousand
    million chips never do; so this is asked afterwards.
    """
    return any(_most_squares(seat) >= WORD for seat in result.seats)


def _most_squares(seat: SeatResult) -> int:
    # A net result is at most twice what was staked for it, and never more than anybody had.
    return min(seat.rounds * seat.highest**2, (SWING * seat.handle) ** 2)
