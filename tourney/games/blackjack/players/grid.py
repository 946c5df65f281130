"""The rows, columns and cells of a strategy chart, by name and by number.

Source: [EASYBJ], section Automatic Mode, in docs/sources.md.
"""

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL

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
