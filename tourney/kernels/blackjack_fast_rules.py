"""The rules of one seat and what its player declares, as numbers: what the fast ways go by.

Every entry is asked of the rules' own functions. Leaves out what the fast ways do not play: see
`is_fast`.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.cards.card import CARDS, RANKS
from tourney.games.blackjack.choices import LEAST_DOUBLED, MOST_DOUBLED
from tourney.games.blackjack.declaration import MOVE_CELLS, NEVER, TOTALS, Declaration
from tourney.games.blackjack.opening import opening_of
from tourney.games.blackjack.rules import ODDS, BlackjackRules
from tourney.kernels.blackjack_tables import HANDS, tables_of

Numbers = NDArray[np.int64]

BUST = 2 * TOTALS
DOUBLE_BIT, SPLIT_BIT, SURRENDER_BIT = 1, 2, 4
"""What is legal besides to hit and to stand, as `move_cell` has it."""


class Game(NamedTuple):
    """The rules and a declaration."""

    ends_at_once: bool  # a dealer's natural does
    stands_on_21: bool
    shows_both: bool
    always_turned: bool
    offers_insurance: bool
    most_stakes: int  # wagers a seat must have, to be able to do all but to split twice
    watches: bool  # whether anything but wagers depends on a count
    splits_by_rank: bool
    hands: int  # that a seat may hold
    plays_split_aces: bool
    odds: int
    odds_to: int
    insure_from: int
    places: Numbers  # (4,) of the opening cards: upcard, hole card, first and second of the seat
    masks: Numbers  # (2 * 2 * 23,) what is legal, by `mask_cell`
    values: Numbers  # (16,) by rank, two of 0
    after: Numbers  # (HANDS * 12,) the hand after a card, by hand and value
    draws: Numbers  # (HANDS,) whether the dealer does
    signs: Numbers  # (HANDS, HANDS) what a chip wins, by the seat's hand and the dealer's
    stand_from: Numbers  # (528,)
    moves: NDArray[np.uint8]  # (MOVE_CELLS,)


UPCARD, HOLE, FIRST, SECOND = range(4)


def mask_cell(is_split: int, may_split: int, total: int) -> int:
    """Give the place in `Game.masks` of two cards of a seat that can stake enough.

    Args:
        is_split: 1 for a hand that comes from a split.
        may_split: 1 for a pair that the rules let be split, were there not too many hands.
        total: Of the hand.
    """
    return (2 * is_split + may_split) * (TOTALS + 1) + total


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
    house = tables_of(rules)
    moves = declaration.moves or bytes(MOVE_CELLS)
    return Game(
        ends_at_once=rules.dealer_natural == "wins-at-once",
        stands_on_21=rules.stands_on_21,
        shows_both=rules.dealer_shows == "both",
        always_turned=rules.hole_card == "always",
        offers_insurance=rules.insurance == "offered",
        most_stakes=1 if rules.is_hit_or_stand else 2,
        watches=declaration.deviates or declaration.insure_from < NEVER,
        splits_by_rank=rules.split == "by-rank",
        hands=rules.hands,
        plays_split_aces=rules.split_aces == "played",
        odds=ODDS[rules.natural][0],
        odds_to=ODDS[rules.natural][1],
        insure_from=declaration.insure_from,
        places=_places(rules),
        masks=_masks(rules),
        values=np.array([card.value for card in CARDS[:RANKS]] + [0] * (16 - RANKS), np.int64),
        after=house.after,
        draws=house.draws,
        signs=house.signs,
        stand_from=np.array(declaration.stand_from, np.int64),
        moves=np.frombuffer(moves, np.uint8),
    )


def _places(rules: BlackjackRules) -> Numbers:
    opening = opening_of(rules.dealing, 1)
    return np.array([opening.upcard, opening.hole, *opening.seats[0]], np.int64)


def _masks(rules: BlackjackRules) -> Numbers:
    masks = np.zeros(4 * (TOTALS + 1), np.int64)
    for is_split, may_split, total in product((0, 1), (0, 1), range(TOTALS)):
        doubles = rules.double != "never" and (rules.double_after_split or not is_split)
        if doubles and LEAST_DOUBLED[rules.double] <= total <= MOST_DOUBLED[rules.double]:
            masks[mask_cell(is_split, may_split, total)] |= DOUBLE_BIT
        if rules.split != "never" and rules.hands > 1 and may_split:
            masks[mask_cell(is_split, may_split, total)] |= SPLIT_BIT
        if rules.surrender == "first" and not is_split:
            masks[mask_cell(is_split, may_split, total)] |= SURRENDER_BIT
    return masks


assert HANDS == BUST + 1
