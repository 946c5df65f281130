"""The declaration of a blackjack player: all its decisions, as plain numbers.

`tourney.games.blackjack.players.declaration_request` creates it.
"""

from dataclasses import dataclass
from typing import Literal

from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL

Rounding = Literal["down", "to-zero", "nearest"]
"""Rounding of points per deck: towards minus infinity, towards zero, or halves up."""

ROUNDINGS: tuple[Rounding, ...] = ("down", "to-zero", "nearest")
TOTALS, VALUES = BEST_TOTAL + 1, ACE_VALUE + 1

NEVER = 1 << 40
"""Greater than any count: a hand that stands from here on always hits."""


def cell(total: int, soft: bool, upcard: int) -> int:  # noqa: FBT001 - a hand's value
    """Return the index of a decision in `Declaration.stand_from`.

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
"""The row of two split aces that may be split again, and otherwise must stand."""
BY_COUNT = 0
"""Value in `Declaration.moves` if `Declaration.stand_from` and the count decide."""

DEVIATIONS_FROM = 8
"""Greater than any action: such a value in `Declaration.moves`, minus this number, is an index in
`Declaration.deviations`, where the count decides between two moves."""
MOST_DEVIATIONS = 256 - DEVIATIONS_FROM


def move_cell(row: int, dealer: int, mask: int) -> int:
    """Return the index of a decision in `Declaration.moves`.

    Args:
        row: `soft * 22 + total` of the hand, or 44 plus the value of a card of a pair; two cards of
            equal value are a pair, even if they may not be split. Or SPLIT_ACES_ROW.
        dealer: `soft * 22 + total` of the dealer's visible cards; 33 for an ace.
        mask: Legal moves other than hit and stand: 1 to double, 2 to split, 4 to surrender.
    """
    return (row * MOVE_COLUMNS + dealer) * MOVE_MASKS + mask


MOVE_CELLS = MOVE_ROWS * MOVE_COLUMNS * MOVE_MASKS


@dataclass(frozen=True, slots=True)
class Declaration:
    """All decisions of a player."""

    stand_from: tuple[int, ...]  # points from which it stands, by `cell`; with NEVER it always hits
    tags: tuple[int, ...]  # addition of a seen card to the running count, by code
    decks: int  # of the shoe, for the true count; 0 for the running count
    rounding: Rounding
    first: int  # points of the first entry of `units`
    units: tuple[int, ...]  # minimums it wagers, per point; constant beyond both ends
    bets_rest: bool  # whether it wagers the maximum if `units` are too many; else the minimum
    own_bet: str = ""  # reason why its wagers are not declared
    moves: bytes = b""  # an action by `move_cell`; empty for a player with only `draw`
    insure_from: int = NEVER  # points from which it takes insurance
    deviations: tuple[tuple[int, int, int], ...] = ()
    """Points, the action below them, and the action from them on; see DEVIATIONS_FROM."""

    @property
    def counts(self) -> bool:
        """Whether it needs to see cards."""
        return any(self.tags)

    @property
    def deviates(self) -> bool:
        """Whether the count changes how its hands are played."""
        by_count = bool(self.deviations) or any(abs(each) < NEVER for each in self.stand_from)
        return self.counts and by_count
