"""The rules of one seat, what its player declares and what it holds, as numbers.

Every entry is asked of the rules' own functions. Leaves out what the fast ways do not play: see
`is_fast`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS, RANKS
from tourney.games.blackjack.declaration import MOVE_CELLS, NEVER, Declaration
from tourney.games.blackjack.kernels.rule_tables import House, deviations_of, tables_of
from tourney.games.blackjack.opening import opening_of
from tourney.games.blackjack.rules import BlackjackRules

Numbers = NDArray[np.int64]


class Game(NamedTuple):
    """The rules and a declaration."""

    house: House
    most_stakes: int  # wagers a seat must have, to be able to do all but to split twice
    watches: bool  # whether anything but wagers depends on a count
    splits_by_rank: bool
    insure_from: int
    places: Numbers  # (4,) of the opening cards: upcard, hole card, first and second of the seat
    values: Numbers  # (16,) by rank, two of 0
    stand_from: Numbers  # (528,)
    moves: NDArray[np.uint8]  # (MOVE_CELLS,)
    deviations: Numbers  # (1 at least, 3)


UPCARD, HOLE, FIRST, SECOND = range(4)
"""Places in `Game.places`."""
MOST_HANDS = 8
POSITION, STAKE = range(2)
"""Rows of `hands`: where the hand stands, see `positions`, and the chips on it."""
PLACE, COUNT, SEEN, WHO, FOLLOWS, LUCK_SUM, DEALER_AT = range(7)
"""Places in `look`: the next card's, the running count, the cards seen, the declaration; whether
luck is followed, that of the round, and the dealer's position."""


def is_fast(rules: BlackjackRules, declaration: Declaration) -> bool:
    """Say whether there is a fast way to play a seat.

    Args:
        rules: Of the table.
        declaration: Of its only player.
    """
    if rules.hole_card == "none" or rules.dealer_natural == "beats-all":
        return False
    if rules.insurance == "offered" and rules.dealer_natural != "wins-at-once":
        return False
    if rules.split_aces == "resplit" and rules.split != "never":
        return False
    has_choices = (rules.double, rules.split, rules.surrender) != ("never",) * 3
    return bool(declaration.moves) or not has_choices


def game_of(rules: BlackjackRules, declaration: Declaration) -> Game:
    """Write down rules and a declaration for which there `is_fast` way."""
    opening = opening_of(rules.dealing, 1)
    places = [opening.upcard, opening.hole, *opening.seats[0]]
    values = [card.value for card in CARDS[:RANKS]] + [0] * (16 - RANKS)
    return Game(
        house=tables_of(rules),
        most_stakes=1 if rules.is_hit_or_stand else 2,
        watches=declaration.deviates or declaration.insure_from < NEVER,
        splits_by_rank=rules.split == "by-rank",
        insure_from=declaration.insure_from,
        places=np.array(places, np.int64),
        values=np.array(values, np.int64),
        stand_from=np.array(declaration.stand_from, np.int64),
        moves=np.frombuffer(declaration.moves or bytes(MOVE_CELLS), np.uint8),
        deviations=deviations_of(declaration),
    )
