"""What a declared player of hit-or-stand blackjack does, as plain numbers.

Leaves out how a strategy comes to it; see `tourney.games.blackjack.players.declared_strategies`.
"""

from dataclasses import dataclass
from typing import Literal

from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL

Rounding = Literal["down", "to-zero", "nearest"]
"""How points per deck become whole: towards minus infinity, towards zero, or halves up."""

ROUNDINGS: tuple[Rounding, ...] = ("down", "to-zero", "nearest")
TOTALS, VALUES = BEST_TOTAL + 1, ACE_VALUE + 1

NEVER = 1 << 40
"""No count is as high: a hand that stands from here on always hits."""


def cell(total: int, soft: bool, upcard: int) -> int:  # noqa: FBT001 - a hand's value
    """Give the place of a decision in `Declaration.stand_from`.

    Args:
        total: Of the hand, not bust.
        soft: Whether an ace in it counts 11.
        upcard: Value of the dealer's upcard, 11 for an ace.
    """
    return (soft * TOTALS + total) * VALUES + upcard


CELLS = 2 * TOTALS * VALUES

PAIRS_FROM = 2 * TOTALS
"""Rows of `Declaration.moves` below it are hands, `soft * 22 + total`; those above, pairs."""
MOVE_ROWS, MOVE_COLUMNS, MOVE_MASKS = PAIRS_FROM + VALUES, 2 * TOTALS, 8
SPLIT_ACES_ROW = PAIRS_FROM + 1
"""The row of two aces from a split that may be split again, and else must stand."""
BY_COUNT = 0
"""Stands in `Declaration.moves` where `Declaration.stand_from` and the count decide."""

DEVIATIONS_FROM = 8
"""No action has such a number: where one stands in `Declaration.moves`, the count decides between
two moves, by the place in `Declaration.deviations` that is this much lower."""
MOST_DEVIATIONS = 256 - DEVIATIONS_FROM


def move_cell(row: int, dealer: int, mask: int) -> int:
    """Give the place of a decision in `Declaration.moves`.

    Args:
        row: `soft * 22 + total` of the hand, or 44 and the value of a card of a pair; two cards
            of equal value are a pair, whether they may be split or not. Or SPLIT_ACES_ROW.
        dealer: `soft * 22 + total` of the dealer's cards that lie face up; 33 for an ace.
        mask: What is legal besides to hit and to stand: 1 to double, 2 to split, 4 to surrender.
    """
    return (row * MOVE_COLUMNS + dealer) * MOVE_MASKS + mask


MOVE_CELLS = MOVE_ROWS * MOVE_COLUMNS * MOVE_MASKS


@dataclass(frozen=True, slots=True)
class Declaration:
    """Everything a player will ever decide."""

    stand_from: tuple[int, ...]  # points from which it stands, by `cell`; at NEVER it always hits
    tags: tuple[int, ...]  # what a seen card adds to the running count, by code
    decks: int  # of the shoe it takes the true count of; 0 if it takes the running count
    rounding: Rounding
    first: int  # points that the first of `units` is for
    units: tuple[int, ...]  # minimums it wagers, point by point; the ends go on for ever
    bets_rest: bool  # wagers all it may where it may not wager that; or else the minimum
    own_bet: str = ""  # why its wagers are not declared, if they are not
    moves: bytes = b""  # an action by `move_cell`; empty where it is only asked to draw
    insure_from: int = NEVER  # points from which it takes insurance
    deviations: tuple[tuple[int, int, int], ...] = ()
    """Points, the action below them, and the action from them on; see DEVIATIONS_FROM."""

    @property
    def counts(self) -> bool:
        """Whether it has to see cards."""
        return any(self.tags)

    @property
    def deviates(self) -> bool:
        """Whether its hands are played by the count."""
        by_count = bool(self.deviations) or any(abs(each) < NEVER for each in self.stand_from)
        return self.counts and by_count
