"""Turning the flat arrays of a batch of questions into what players are shown.

Everything is made when its question is asked and gone when that is answered: thousands of
objects at a time would set Python's search for garbage off again and again.
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tourney.asking.chair import SHUFFLED, Exposures
from tourney.cards.card import CARDS, Card
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import SeenHand
from tourney.games.blackjack.played import UPCARDS
from tourney.players import TableView
from tourney.players.questions import BANKROLLS, NO_CARD, SEATS, WAGERS, Questions, starts
from tourney.players.questions import SHUFFLED as SHUFFLED_CODE

Places: TypeAlias = NDArray[np.int64]
"""Places in arrays, from 0."""

Whole = TypeVar("Whole", bytes, list[Card | None])

PAIR = 2

SHOWN = np.full(SHUFFLED_CODE + 1, SHUFFLED, object)
SHOWN[: len(CARDS)] = CARDS
"""What a player is shown for a code."""

ORDER = (
    Action.STAND,
    Action.HIT,
    Action.DOUBLE,
    Action.SPLIT,
    Action.SURRENDER,
    Action.DECLINE,
    Action.INSURE,
)
LEGAL = tuple(
    tuple(action for action in ORDER if mask >> action & 1) for mask in range(1 << len(ORDER) + 1)
)
"""The legal actions as players are told them, by the bits of `Questions.legal`."""


@cache
def _openings() -> list[SeenHand]:
    """Give every hand of two cards, by `first * 52 + second`; hands never change."""
    return [SeenHand.opening(first, second) for first in CARDS for second in CARDS]


def hands_in_play(questions: Questions, places: Places) -> Iterator[SeenHand]:
    """Give the hands of some questions; each has two cards or more."""
    stops = questions.card_stops
    firsts = starts(stops)[places]
    numbers = _opening_numbers(questions.cards[firsts], questions.cards[firsts + 1])
    further = pieces(questions.cards.tobytes(), firsts + PAIR, stops[places])
    openings = _openings()
    for number, codes in zip(numbers, further, strict=True):
        hand = openings[number]
        for code in codes:
            hand = hand.with_card(CARDS[code])
        yield hand


def dealers_hands(questions: Questions, places: Places) -> Iterator[SeenHand]:
    """Give the dealer's cards that lie face up, for some questions."""
    upcards, others = questions.dealer[places].T
    numbers = _opening_numbers(upcards, others)
    for upcard, other, number in zip(upcards.tolist(), others.tolist(), numbers, strict=True):
        yield UPCARDS[upcard] if other == NO_CARD else _openings()[number]


def _opening_numbers(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> list[int]:
    return (len(CARDS) * first.astype(np.int64) + second).tolist()  # type: ignore[no-any-return]  # whole numbers


def upcards(questions: Questions, places: Places) -> list[Card]:
    """Give the dealer's upcards for some questions."""
    return SHOWN[questions.dealer[places, 0]].tolist()  # type: ignore[no-any-return]  # cards


def news(questions: Questions) -> Iterator[Exposures]:
    """Give what was exposed since a seat's last question, for every question."""
    stops = questions.exposed_stops
    return pieces(SHOWN[questions.exposed].tolist(), starts(stops), stops)


def pieces(whole: Whole, begins: Places, stops: Places) -> Iterator[Whole]:
    """Cut pieces out of something that is read from left to right."""
    return map(whole.__getitem__, map(slice, begins.tolist(), stops.tolist()))


view_of = partial(tuple.__new__, TableView)
"""Makes a view of its six fields, in half of the time that naming them takes."""


class Sight:
    """Shows the player that is being asked its table; made only when a player looks."""

    def __init__(self) -> None:
        self.place = 0  # of the question that is being asked
        self._table: NDArray[np.int64]
        self._numbers: tuple[int, ...] = ()  # of all rows, as wide as they need be
        self._most_seats = 0

    def lay_out(self, table: NDArray[np.int64]) -> None:
        """Prepare for seats that will be asked.

        Args:
            table: Rows of `Questions.table`.
        """
        self._table = table
        self._numbers = ()

    def look(self) -> TableView:
        """Show the table."""
        if not self._numbers:
            self._read()
        numbers, most = self._numbers, self._most_seats
        at = self.place * (BANKROLLS + 2 * most)
        seat, seats, minimum, maximum, rounds_left = numbers[at : at + BANKROLLS]
        at += BANKROLLS
        bankrolls = numbers[at : at + seats]
        at += most
        wagers = numbers[at : at + seats]
        return view_of((seat, minimum, maximum, rounds_left, bankrolls, wagers))

    def _read(self) -> None:
        # Most tables have few seats, and to turn a number into Python's takes its time.
        table = self._table
        most = self._most_seats = int(table[:, SEATS].max())
        columns = (*range(BANKROLLS + most), *range(WAGERS, WAGERS + most))
        self._numbers = tuple(table[:, columns].ravel().tolist())
