"""Where hands stand, in machine code: what cards, moves and rules make of a position.

Positions are numbered as in `tourney.games.blackjack.position`; no rule is written here again.
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
"""Where a hand begins, and where no card changes it any more."""
AT_NATURAL, AT_SURRENDERED = (
    next(number for number, each in enumerate(POSITIONS) if each.status == status)
    for status in (NATURAL, SURRENDERED)
)
HAND_OF = np.array([position.hand for position in POSITIONS], np.int64)
"""The hand's number, by position."""
IS_WAITING = np.array([each.status in (OPEN, CLOSED) and each != GONE for each in POSITIONS])
"""Whether a hand that gets no more cards is compared with the dealer's, by position."""
POSITION, STAKE = range(2)
"""Columns of a row for a hand: where it stands, and its chips."""
MOST_HANDS = 8
"""Of a seat."""
RANK_BITS = U(4)
STAND_BIT, DOUBLE_BIT, SPLIT_BIT = (
    1 << move for move in (Action.STAND, Action.DOUBLE, Action.SPLIT)
)
MASK_BITS = int(Action.DOUBLE)
"""What is legal besides to hit and to stand, as `move_cell` has it, begins at this bit."""


def _after() -> Words:
    table = np.zeros((len(POSITIONS), 1 << int(RANK_BITS)), np.uint64)
    table[:, :RANKS] = AFTER_RANK
    return table.reshape(-1)


def _acted() -> Words:
    """Give a hand's position after a move; where nobody can move, it stays where it is."""
    table = np.tile(np.arange(len(POSITIONS), dtype=np.uint64), (ACTION_CODES, 1))
    for number, position in enumerate(POSITIONS):
        if position.cards >= PAIR and position.status == OPEN:
            for action in Action:
                if action is not Action.SPLIT or position.is_pair:
                    table[action, number] = NUMBER_OF[acted(position, action)]
    return table.reshape(-1)


AFTER, ACTED = _after(), _acted()
RANK_OF = np.array([code % RANKS for code in range(DECK_SIZE)], np.uint64)
"""The rank of a card, two of 0, by its code."""
VALUE_OF_RANK = np.array([*RANK_VALUES, *[0] * ((1 << int(RANK_BITS)) - RANKS)], np.int64)
"""What a card counts, by its rank."""
for _table in (HAND_OF, IS_WAITING, AFTER, ACTED, RANK_OF, VALUE_OF_RANK):
    _table.setflags(write=False)


@inlined
def after_card(own: Number, rank: Word) -> Word:
    """Give a hand's position after a card."""
    return AFTER[(U(own) << RANK_BITS) + rank]


@inlined
def after_move(own: Number, action: Number) -> Word:
    """Give a hand's position after a move."""
    return ACTED[U(action) * OWNS + U(own)]


@inlined
def moves_of(
    legal: Numbers, most_hands: Number, own: Number, can_stake: Number, held: Number
) -> Number:
    """Give what is open to a hand: bit i for the action numbered i; 0 if nobody is asked.

    Args:
        legal: What the rules allow, by position.
        most_hands: That a seat may hold.
        own: The hand's position.
        can_stake: Whether its seat can stake its wager once more.
        held: Hands of its seat.
    """
    moves = legal[own]
    if not can_stake:
        moves &= ~(DOUBLE_BIT | SPLIT_BIT)
    elif held >= most_hands:
        moves &= ~SPLIT_BIT
    # Two split aces that cannot be split again stand.
    return moves if moves != STAND_BIT else 0


assert all(card.code % RANKS == card.rank - CARDS[0].rank for card in CARDS)
