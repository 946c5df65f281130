"""Turning the flat arrays of a batch of questions into what players are shown and may answer.

What never changes is made once and picked from tables: most hands have two cards, and no question
makes one of those. Whatever else is made is gone once the batch is answered. Batches may be small,
so they are read as Python's own numbers: a loop over sixty costs less than NumPy's calls.
"""

from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS, Card
from tourney.game.view import TableView
from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.asking.occupant import SHUFFLED
from tourney.games.blackjack.hand import SeenHand
from tourney.games.blackjack.played import UPCARDS
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
)
from tourney.games.blackjack.players.questions import SHUFFLED as SHUFFLED_CODE

PAIR = 2

SHOWN = (*CARDS, *[SHUFFLED] * (SHUFFLED_CODE + 1 - len(CARDS)))
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
def hands_of_two() -> tuple[SeenHand, ...]:
    """Give every hand of two cards, by `first * 52 + second`, then every single card.

    Hands never change, so whoever holds the same cards is shown the same hand.
    """
    pairs = [SeenHand.opening(first, second) for first in CARDS for second in CARDS]
    return (*pairs, *map(UPCARDS.__getitem__, range(len(CARDS))))


SINGLES = len(CARDS) ** 2
"""Where single cards begin."""


def hands_in_play(questions: Questions, places: Iterable[int]) -> list[SeenHand]:
    """Give the hands of some questions; each has two cards or more."""
    pairs, count = hands_of_two(), len(CARDS)
    codes = questions.cards.tobytes()
    ends = [0, *questions.card_stops.tolist()]
    hands: list[SeenHand] = []
    for place in places:
        begin, stop = ends[place], ends[place + 1]
        hand = pairs[count * codes[begin] + codes[begin + 1]]
        if stop - begin > PAIR:
            for code in codes[begin + PAIR : stop]:
                hand = hand.with_card(CARDS[code])
        hands.append(hand)
    return hands


def dealers_hands(questions: Questions, places: Iterable[int]) -> list[SeenHand]:
    """Give the dealer's cards that lie face up, for some questions."""
    pairs, count = hands_of_two(), len(CARDS)
    codes = questions.dealer.tobytes()
    return [
        pairs[SINGLES + up if other == NO_CARD else count * up + other]
        for up, other in ((codes[PAIR * place], codes[PAIR * place + 1]) for place in places)
    ]


def upcards(questions: Questions, places: Iterable[int]) -> list[Card]:
    """Give the dealer's upcards for some questions."""
    codes = questions.dealer.tobytes()
    return [CARDS[codes[PAIR * place]] for place in places]


def shown(questions: Questions) -> list[Card | None]:
    """Give what was exposed since the seats' last questions, seat by seat."""
    return list(map(SHOWN.__getitem__, questions.exposed.tobytes()))


view_of = partial(tuple.__new__, TableView)
"""Makes a view of all its fields, in half of the time that naming them takes."""


class Sight:
    """Shows a player that is being asked its table; made only when a player looks."""

    def __init__(self) -> None:
        self._table: NDArray[np.int64]
        self._seats: NDArray[np.int32]
        self._rows: dict[int, tuple[Any, ...]] = {}  # by seat

    def lay_out(self, table: NDArray[np.int64], seats: NDArray[np.int32]) -> None:
        """Prepare for seats that will be asked.

        Args:
            table: Rows of `Questions.table`.
            seats: Whose they are.
        """
        self._table, self._seats = table, seats
        self._rows = {}

    def look(self, seat: int) -> TableView:
        """Show the table to a seat."""
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
        """Give what is counted by seat, for every row, from its first column on."""
        # Most tables have few seats, and to turn a number into Python's takes its time.
        seats = self._table[:, SEATS]
        most = int(seats.max())
        rows = list(map(tuple, self._table[:, first : first + most].tolist()))
        if int(seats.min()) == most:
            return rows
        return [row[:count] for row, count in zip(rows, seats.tolist(), strict=True)]


LOOK, WAGER, DRAW, ACT = map(int, (Call.LOOK, Call.WAGER, Call.DRAW, Call.ACT))
"""Plain numbers, which an array compares in a tenth of the time."""
HIT, STAND = int(Action.HIT), int(Action.STAND)
"""The least and the most that answers whether to draw."""
NAMES = {Call.LOOK: "expose", Call.WAGER: "bet", Call.DRAW: "draw", Call.ACT: "act"}
"""How verdicts name the questions."""


def illegal_places(
    questions: Questions, answers: NDArray[np.int64], faulted: Sequence[int]
) -> NDArray[np.int64]:
    """Give the places of answers that no pool would give.

    Args:
        questions: A batch of n.
        answers: (n,)
        faulted: The places for which faults were told.
    """
    calls = questions.calls
    # Most batches have both, so all are compared at once, with least and most of their call.
    is_wager = calls == WAGER
    _, least, most = limits(questions.table)
    is_legal = (np.where(is_wager, least, HIT) <= answers) & (
        answers <= np.where(is_wager, most, STAND)
    )
    is_legal |= calls == LOOK
    if (acts := calls == ACT).any():
        moves = answers[acts]
        known = (moves >= 0) & (moves < ACTION_CODES)
        bits = questions.legal[acts] >> np.where(known, moves, 0).astype(np.uint8)
        is_legal[acts] = known & (bits & 1).astype(bool)
    if faulted:
        at_fault = list(faulted)
        is_legal[at_fault] = answers[at_fault] == FAULT
    return (~is_legal).nonzero()[0]
