"""Conversion of the arrays of a batch of questions to views and legal answers of players.

Constant objects are created once and looked up: most hands have two cards, and questions reuse
them. All other objects live only until the batch is answered.
"""

from collections.abc import Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS, Card
from tourney.game.view import TableView
from tourney.games.blackjack.action import ACTION_CODES, LISTED, Action
from tourney.games.blackjack.asking.seats import SHUFFLED
from tourney.games.blackjack.hand import PAIR, SeenHand
from tourney.games.blackjack.players.questions import (
    ADVANCE,
    BANKROLLS,
    BUTTON,
    FAULT,
    LEVEL,
    MAXIMUM,
    MINIMUM,
    NO_CARD,
    ROUNDS_LEFT,
    SEAT,
    SEATS,
    WAGERS,
    Call,
    Questions,
    limits,
    starts,
)
from tourney.games.blackjack.players.questions import SHUFFLED as SHUFFLED_CODE
from tourney.games.blackjack.seat_hand import UPCARDS

Places: TypeAlias = NDArray[np.intp]
"""Positions of questions in a batch, from 0."""

SHOWN = np.full(SHUFFLED_CODE + 1, SHUFFLED, object)
SHOWN[: len(CARDS)] = CARDS
"""Object that a player is shown for a code."""

LEGAL = tuple(
    tuple(action for action in LISTED if mask >> action & 1) for mask in range(1 << ACTION_CODES)
)
"""The legal actions as players get them, by the bits of `Questions.legal`."""


@cache
def hands_of_two() -> NDArray[Any]:
    """Return all hands of two cards, by `first * 52 + second`, then all single cards.

    Hands are immutable, so equal hands are the same object.
    """
    pairs = [SeenHand.opening(first, second) for first in CARDS for second in CARDS]
    hands = (*pairs, *UPCARDS)
    found = np.empty(len(hands), object)
    for number, hand in enumerate(hands):
        found[number] = hand  # one by one, because numpy would unpack a hand
    return found


SINGLES = len(CARDS) ** 2
"""Index of the first single card."""


def hands_in_play(questions: Questions, places: Places) -> list[SeenHand]:
    """Return the hands of some questions; each has two or more cards."""
    cards, stops = questions.cards, questions.card_stops[places]
    firsts = starts(questions.card_stops)[places]
    pairs = cards[firsts] * np.int64(len(CARDS)) + cards[firsts + 1]
    hands: list[SeenHand] = hands_of_two()[pairs].tolist()
    further = firsts + PAIR
    larger = (further < stops).nonzero()[0]
    if len(larger):
        codes = cards.tobytes()
        for at, begin, stop in zip(
            larger.tolist(), further[larger].tolist(), stops[larger].tolist(), strict=True
        ):
            hand = hands[at]
            for code in codes[begin:stop]:
                hand = hand.with_card(CARDS[code])
            hands[at] = hand
    return hands


def dealers_hands(questions: Questions, places: Places) -> list[SeenHand]:
    """Return the dealer's visible cards for some questions."""
    ups, others = questions.dealer[places].T
    first = ups.astype(np.int64)
    numbers = np.where(others == NO_CARD, SINGLES + first, first * len(CARDS) + others)
    return hands_of_two()[numbers].tolist()  # type: ignore[no-any-return]  # hands


def upcards(questions: Questions, places: Places) -> list[Card]:
    """Return the dealer's upcards for some questions."""
    return SHOWN[questions.dealer[places, 0]].tolist()  # type: ignore[no-any-return]  # cards


def shown(questions: Questions) -> list[Card | None]:
    """Return the cards exposed since the seats' last questions, seat by seat."""
    return SHOWN[questions.exposed].tolist()  # type: ignore[no-any-return]  # cards and shuffles


view_of = partial(tuple.__new__, TableView)
"""Creates a view from all its fields, twice as fast as with field names."""


class Sight:
    """Shows a player its table; the view is created only when the player looks."""

    def __init__(self) -> None:
        self._table: NDArray[np.int64]
        self._seats: NDArray[np.int32]
        self._rows: dict[int, tuple[Any, ...]] = {}  # by seat

    def lay_out(self, table: NDArray[np.int64], seats: NDArray[np.int32]) -> None:
        """Prepare for seats that will be asked.

        Args:
            table: Rows of `Questions.table`.
            seats: Seats of the rows.
        """
        self._table, self._seats = table, seats
        self._rows = {}

    def look(self, seat: int) -> TableView:
        """Return the table as a seat sees it."""
        if not self._rows:
            self._read()
        return view_of(self._rows[seat])

    def _read(self) -> None:
        table = self._table
        # In the order of TableView's fields.
        numbers = (table[:, each].tolist() for each in (SEAT, MINIMUM, MAXIMUM, ROUNDS_LEFT))
        chips = (self._by_seat(first) for first in (BANKROLLS, WAGERS))
        tournament = (table[:, each].tolist() for each in (BUTTON, LEVEL, ADVANCE))
        rows = zip(*numbers, *chips, *tournament, strict=True)
        self._rows = dict(zip(self._seats.tolist(), rows, strict=True))

    def _by_seat(self, first: int) -> Sequence[tuple[int, ...]]:
        """Return the values by seat of each row, starting at a column."""
        # Most tables have few seats, and conversion to Python integers is slow.
        seats = self._table[:, SEATS]
        most = int(seats.max())
        rows = list(map(tuple, self._table[:, first : first + most].tolist()))
        if int(seats.min()) == most:
            return rows
        return [row[:count] for row, count in zip(rows, seats.tolist(), strict=True)]


LOOK, WAGER, DRAW, ACT = map(int, (Call.LOOK, Call.WAGER, Call.DRAW, Call.ACT))
"""Plain integers; an array compares with them ten times faster."""
HIT, STAND = int(Action.HIT), int(Action.STAND)
"""The least and the greatest answer to DRAW."""
NAMES = {Call.LOOK: "expose", Call.WAGER: "bet", Call.DRAW: "draw", Call.ACT: "act"}
"""Names of the questions in verdicts."""


def illegal_places(
    questions: Questions, answers: NDArray[np.int64], faulted: Sequence[int]
) -> NDArray[np.int64]:
    """Return the positions of answers that a pool could not give.

    Args:
        questions: A batch of n.
        answers: (n,)
        faulted: Positions of the reported faults.
    """
    calls = questions.calls
    known_calls = calls.tobytes()
    is_legal = (answers >= HIT) & (answers <= STAND)
    if WAGER in known_calls:
        _, least, most = limits(questions.table)
        is_wager = (least <= answers) & (answers <= most)
        is_legal = np.where(calls == WAGER, is_wager, is_legal)
    if LOOK in known_calls:
        is_legal |= calls == LOOK
    if ACT in known_calls:
        acts = (calls == ACT).nonzero()[0]
        moves = answers[acts]
        known = (moves >= 0) & (moves < ACTION_CODES)
        bits = questions.legal[acts] >> np.where(known, moves, 0).astype(np.uint8)
        is_legal[acts] = known & (bits & 1).astype(bool)
    if faulted:
        at_fault = list(faulted)
        is_legal[at_fault] = answers[at_fault] == FAULT
    return (~is_legal).nonzero()[0]
