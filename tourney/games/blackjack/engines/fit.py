"""Which blocks the compiled engines can play, and the reason if they cannot."""

from collections.abc import Sequence
from dataclasses import replace

from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult
from tourney.game.lineup import Declared
from tourney.game.players import Undeclared
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.rules import CARDS_IN_A_DECK, MOST_DECKS, BlackjackRules

WORD = 1 << 63
"""Limit of sums in kernels; Python's integers have no limit."""
SWING = 2
"""Most wagers that a hand wins or loses if it is not doubled, and most that a stake wins."""
INSURANCE = 1
"""Most wagers that insurance wins or loses."""
LARGEST_ODDS = 6
"""Largest factor of a natural's wager, applied before the division."""
MOST_STAKES = 17
"""Most wagers of a seat on the table: eight hands, all doubled, and insurance."""
ROOM = WORD // 4
"""Limit of chips in lockstep."""


def why_not_here(block: Block) -> str:
    """Return why no player could play this block compiled; empty if some could."""
    rules = block.rules
    assert isinstance(rules, BlackjackRules)
    if not 1 <= block.minimum // rules.unit <= block.maximum // rules.unit:
        return "no wager is legal"
    return ""


def why_not(block: Block, declared: Sequence[Declaration | Undeclared]) -> str:
    """Return why these players cannot play a block compiled; empty if they can.

    Args:
        block: One for which `why_not_here` is empty.
        declared: The declarations of its players, seat by seat.
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


def why_not_in_lockstep(block: Block) -> str:
    """Return why a block cannot be played in lockstep by any players; empty if it can."""
    if reason := why_not_here(block):
        return reason
    swing = SWING * MOST_STAKES * max(block.minimum, block.maximum)
    bankroll = max(seat.bankroll for seat in block.seats)
    if bankroll + (block.key.first_round + block.rounds) * swing >= ROOM:
        return "sums of chips could need more than 64 bits"
    return ""


def is_declared(block: Block, seat: int, declared: Declared) -> bool:
    """Return whether a seat can be played by its declaration, without asking its player."""
    alone = replace(block, seats=(block.seats[seat],))
    return isinstance(declared, Declaration) and not why_not(alone, [declared])


def could_overflow(block: Block) -> bool:
    """Return whether `may_have_overflowed` could become true of a block for any wagers."""
    staked = block.rounds * MOST_STAKES * max(block.minimum, block.maximum)
    highest = max(seat.bankroll for seat in block.seats) + SWING * staked
    return _squares_overflow(block.rounds, highest, staked)


def may_have_overflowed(result: BlockResult) -> bool:
    """Return whether the sum of squares of a seat's net results may exceed 64 bits.

    This is checked after play, because wagers are not known before, and few players wager as much
    as the table allows.
    """
    return any(_squares_overflow(seat.rounds, seat.highest, seat.handle) for seat in result.seats)


def _squares_overflow(rounds: int, highest: int, staked: int) -> bool:
    # A net result is at most twice its stake, and never more than the highest bankroll.
    return min(rounds * highest**2, (SWING * staked) ** 2) >= WORD


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
        # A count, scaled to one deck and doubled for rounding.
        2 * CARDS_IN_A_DECK * max(map(abs, declared.tags)) * CARDS_IN_A_DECK * MOST_DECKS,
        2 * CARDS_IN_A_DECK * declared.decks,
    )
    return LARGEST_ODDS * max(sums) >= WORD
