"""Positions of hands in machine code: the position after a card or a move, and the legal moves.

Positions are numbered as in `tourney.games.blackjack.position`, whose functions give all tables.
"""

import numpy as np

from tourney.game.cards.card import CARDS, DECK_SIZE, RANKS
from tourney.game.machine.jit import Number, Word, inlined
from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.kernels.shoes import Numbers, U, Words
from tourney.games.blackjack.position import (
    AFTER_RANK,
    CLOSED,
    EMPTY,
    GONE,
    NATURAL,
    NUMBER_OF,
    OPEN,
    PAIR,
    POSITIONS,
    RANK_VALUES,
    SURRENDERED,
    acted,
)

OWNS = U(len(POSITIONS))
NO_OWN, NO_MORE = U(NUMBER_OF[EMPTY]), U(NUMBER_OF[GONE])
"""The position before the first card, and the position of a bust hand."""
AT_NATURAL, AT_SURRENDERED = (
    next(number for number, each in enumerate(POSITIONS) if each.status == status)
    for status in (NATURAL, SURRENDERED)
)
HAND_OF = np.array([position.hand for position in POSITIONS], np.int64)
"""The hand's number, by position."""
IS_WAITING = np.array([each.status in (OPEN, CLOSED) and each != GONE for each in POSITIONS])
"""Whether a hand that gets no more cards is compared with the dealer's, by position."""
POSITION, STAKE = range(2)
"""Columns of a hand: its position, and its chips."""
MOST_HANDS = 8
"""Most hands of a seat."""
RANK_BITS = U(4)
STAND_BIT, DOUBLE_BIT, SPLIT_BIT = (
    1 << move for move in (Action.STAND, Action.DOUBLE, Action.SPLIT)
)
MASK_BITS = int(Action.DOUBLE)
"""First bit of the legal moves other than to hit and to stand, as in `move_cell`."""


def _after() -> Words:
    table = np.zeros((len(POSITIONS), 1 << int(RANK_BITS)), np.uint64)
    table[:, :RANKS] = AFTER_RANK
    return table.reshape(-1)


def _acted() -> Words:
    """Return the position after each move, by action and position; illegal moves change nothing."""
    table = np.tile(np.arange(len(POSITIONS), dtype=np.uint64), (ACTION_CODES, 1))
    for number, position in enumerate(POSITIONS):
        if position.cards >= PAIR and position.status == OPEN:
            for action in Action:
                if action is not Action.SPLIT or position.is_pair:
                    table[action, number] = NUMBER_OF[acted(position, action)]
    return table.reshape(-1)


AFTER, ACTED = _after(), _acted()
RANK_OF = np.array([code % RANKS for code in range(DECK_SIZE)], np.uint64)
"""The rank of a card, 0 for a two, by its code."""
VALUE_OF_RANK = np.array([*RANK_VALUES, *[0] * ((1 << int(RANK_BITS)) - RANKS)], np.int64)
"""The value of a card, by its rank."""
for _table in (HAND_OF, IS_WAITING, AFTER, ACTED, RANK_OF, VALUE_OF_RANK):
    _table.setflags(write=False)


@inlined
def after_card(own: Number, rank: Word) -> Word:
    """Return a hand's position after a card."""
    return AFTER[(U(own) << RANK_BITS) + rank]


@inlined
def after_move(own: Number, action: Number) -> Word:
    """Return a hand's position after a move."""
    return ACTED[U(action) * OWNS + U(own)]


@inlined
def moves_of(
    legal: Numbers, most_hands: Number, own: Number, can_stake: Number, held: Number
) -> Number:
    """Return the legal moves of a hand: bit i for action number i; 0 if there is no choice.

    Args:
        legal: Moves that the rules allow, by position.
        most_hands: Most hands of a seat.
        own: The hand's position.
        can_stake: Whether its seat can stake its wager again.
        held: Number of hands of its seat.
    """
    moves = legal[own]
    if not can_stake:
        moves &= ~(DOUBLE_BIT | SPLIT_BIT)
    elif held >= most_hands:
        moves &= ~SPLIT_BIT
    # A hand that can only stand has no choice, such as split aces that cannot be split again.
    return moves if moves != STAND_BIT else 0


assert all(card.code % RANKS == card.rank - CARDS[0].rank for card in CARDS)
