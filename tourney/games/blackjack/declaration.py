"""The declaration of a blackjack player as plain numbers, and the cells of its chart.

`tourney.games.blackjack.players.declaration_request` creates it.

Source of the chart: [EASYBJ], section Automatic Mode, in docs/sources.md.
"""

from dataclasses import dataclass
from typing import Literal

from tourney.games.blackjack.action import Action
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


Cell = tuple[Action, ...]
"""Moves in order of preference: the first legal one is made."""

LETTERS = {
    "H": Action.HIT,
    "S": Action.STAND,
    "D": Action.DOUBLE,
    "P": Action.SPLIT,
    "R": Action.SURRENDER,
}
LETTER_OF = {action: letter for letter, action in LETTERS.items()}
CELL_WORDS = "one of H, S, D, P, R, optionally followed by others in lower case, such as H or Dh"

HARD = range(4, BEST_TOTAL)
SOFT = range(13, BEST_TOTAL)
SOFT_TWELVE = 12  # two aces
LAST_SOFT_COLUMN = 17  # the dealer plays a soft 18 or more as a hard one

PAIRS = ("22", "33", "44", "55", "66", "77", "88", "99", "TT", "AA")
ROWS = (*map(str, HARD), *PAIRS, *(f"A{total - ACE_VALUE}" for total in SOFT))
BOTH_CARDS = (*map(str, HARD), "AA", "A2", "A3", "A4", "A5", "A6")
UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")

FIRST_PAIR = len(HARD)
FIRST_SOFT = FIRST_PAIR + len(PAIRS)


def pair_row(total: int, soft: bool) -> int:  # noqa: FBT001 - a hand's value
    """Return the row of two cards of one value.

    >>> ROWS[pair_row(16, False)], ROWS[pair_row(12, True)], ROWS[pair_row(12, False)]
    ('88', 'AA', '66')
    """
    return FIRST_SOFT - 1 if soft else FIRST_PAIR + total // 2 - 2


def total_row(total: int, soft: bool) -> int:  # noqa: FBT001 - a hand's value
    """Return the row of a hard total from 4 to 20 or a soft one from 13 to 20.

    >>> ROWS[total_row(16, False)], ROWS[total_row(18, True)]
    ('16', 'A7')
    """
    return FIRST_SOFT + total - SOFT[0] if soft else total - HARD[0]


def both_column(total: int, soft: bool) -> int:  # noqa: FBT001 - a hand's value
    """Return the column of a dealer's two cards; a natural counts as 20, the highest.

    >>> [BOTH_CARDS[both_column(*value)] for value in ((16, False), (17, True), (18, True))]
    ['16', 'A6', '18']
    """
    if soft and total <= LAST_SOFT_COLUMN:
        return len(HARD) + total - SOFT_TWELVE
    return min(total, HARD[-1]) - HARD[0]


def upcard_column(value: int) -> int:
    """Return the column of an upcard's value, 11 for an ace.

    >>> UPCARDS[upcard_column(11)]
    'A'
    """
    return value - 2


def read_cell(word: str) -> Cell | None:
    """Read a cell; `None` if the word is not a cell.

    >>> read_cell("Dh")
    (<Action.DOUBLE: 3>, <Action.HIT: 1>)
    >>> read_cell("dh") is read_cell("Hh") is read_cell("X") is None
    True
    """
    letters = word.upper()
    if not word or word != letters.capitalize() or len(set(letters)) < len(word):
        return None
    if not all(letter in LETTERS for letter in letters):
        return None
    return tuple(LETTERS[letter] for letter in letters)


def cell_text(cell: Cell) -> str:
    """Write a cell as in charts.

    >>> cell_text((Action.DOUBLE, Action.HIT))
    'Dh'
    """
    return "".join(LETTER_OF[action] for action in cell).capitalize()
