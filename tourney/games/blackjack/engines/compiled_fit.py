"""Which blocks the compiled engine can play, decided before a card is dealt."""

from collections.abc import Sequence

from tourney.game.blocks import Block
from tourney.game.players import Undeclared
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, MOST_DECKS, BlackjackRules

WORD = 1 << 63
"""Sums in kernels lie below this; Python's have no limit."""
SWING = 2
"""No round of one hand wins or loses as many wagers, as long as it is not doubled."""
INSURANCE = 1
"""No insurance wins or loses more wagers."""
LARGEST_ODDS = 6
"""A natural's wager is multiplied by it before it is divided."""


def is_for_kernels(block: Block) -> bool:
    """Say whether a block's game is one that declared players can be played at."""
    return not why_not_here(block)


def why_not_here(block: Block) -> str:
    """Say why nobody could play this block compiled; empty if somebody could."""
    rules = block.rules
    if not isinstance(rules, BlackjackRules):
        return f"{rules.game} is not a game that it plays"
    if not 1 <= block.minimum // rules.unit <= block.maximum // rules.unit:
        return "no wager is legal"
    return ""


def why_not(block: Block, declared: Sequence[Declaration | Undeclared]) -> str:
    """Say why a block cannot be played compiled by these players; empty if it can.

    Args:
        block: One that `is_for_kernels`.
        declared: By its players, seat by seat.
    """
    assert isinstance(block.rules, BlackjackRules)
    for number, (seat, each) in enumerate(zip(block.seats, declared, strict=True)):
        if isinstance(each, Undeclared):
            return f"seat {number + 1}: {each.reason}"
        if each.own_bet and block.rules.wager == "chosen":
            return f"seat {number + 1}: {each.own_bet}"
        if _overflows(block, seat.bankroll, each):
            return f"seat {number + 1}: sums of chips or counts could need more than 64 bits"
    return ""


def _overflows(block: Block, bankroll: int, declared: Declaration) -> bool:
    most = max(declared.units) * block.minimum
    assert isinstance(block.rules, BlackjackRules)
    # Every hand may be doubled.
    wagers = SWING if block.rules.is_hit_or_stand else 2 * block.rules.hands + INSURANCE
    swing = wagers * max(min(most, block.maximum), block.minimum)
    sums = (
        most,
        block.maximum,
        block.key.first_round + block.rounds,
        bankroll + block.rounds * swing,
        block.rounds * swing * swing,
        # A count, scaled to one deck and doubled to be rounded.
        2 * CARDS_IN_A_DECK * max(map(abs, declared.tags)) * CARDS_IN_A_DECK * MOST_DECKS,
        2 * CARDS_IN_A_DECK * declared.decks,
    )
    return LARGEST_ODDS * max(sums) >= WORD
