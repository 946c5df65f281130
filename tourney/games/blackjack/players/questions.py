"""Questions to many seats of one player at once, as flat arrays, and their answers.

This is what a player is fed with when thousands of tables advance together, here or in a process
of its own: nothing in it but what a person in each seat sees. An author who thinks in NumPy may
answer a whole batch (`act_batch`); everybody else is asked seat by seat from the same arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

from tourney.game.arrays import NDArray, np
from tourney.game.cards.card import CARDS, Card
from tourney.game.columns import Column, read_columns, write_columns
from tourney.game.view import TableView
from tourney.games.blackjack.hand import ACE_BONUS, ACE_VALUE, BEST_TOTAL

SHUFFLED = 255
"""Stands among exposed cards for the shuffle between two shoes."""
NO_CARD = 255
"""Stands where there is no second card of the dealer face up."""
FAULT = -1
"""Stands for the answer of a seat whose player broke its contract."""
BEFORE_ROUND = 1
"""Stands among legal actions of a LOOK before a round with a fixed wager; 0 behind the last."""
MOST_SEATS_SEEN = 7


@cache
def _values(ace: int) -> NDArray[np.int64]:
    """Give values by code, where an ace counts so much; 0 for what is no card."""
    values = [ace if card.value == ACE_VALUE else card.value for card in CARDS]
    return np.array([*values, *[0] * (NO_CARD + 1 - len(CARDS))], np.int64)


class Call(IntEnum):
    """What a seat is asked."""

    LOOK = 0  # nothing: the block is over, or the wager is fixed; only cards are exposed
    WAGER = 1
    DRAW = 2  # to hit or to stand, of a player that answers `draw`
    ACT = 3


class Questions(NamedTuple):
    """A batch of n questions, each to another seat."""

    seats: NDArray[np.int32]  # (n,) which of the player's seats; numbers of one batch of blocks
    calls: NDArray[np.uint8]  # (n,) of `Call`
    rounds: NDArray[np.int64]  # (n,) number of the round
    legal: NDArray[np.uint8]  # (n,) bit i for the action numbered i; 0 for wagers; see BEFORE_ROUND
    dealer: NDArray[np.uint8]  # (n, 2) codes of the cards face up, or NO_CARD
    cards: NDArray[np.uint8]  # codes of all hands in play, one after another
    card_stops: NDArray[np.int64]  # (n,) where each ends
    exposed: NDArray[np.uint8]  # codes exposed since a seat's last question, or SHUFFLED
    exposed_stops: NDArray[np.int64]  # (n,) where those of each seat end
    table: NDArray[np.int64]  # (n, 22) see `TABLE_COLUMNS`; chips are whole

    def hand_values(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Give totals of the hands in play, and whether an ace counts 11; 0 where there is none."""
        values = _values(1)[self.cards]
        hard = _sums(values, self.card_stops)
        aces = _sums((values == 1).astype(np.int64), self.card_stops)
        soft = (aces > 0) & (hard + ACE_BONUS <= BEST_TOTAL)
        return hard + ACE_BONUS * soft, soft

    def upcard_values(self) -> NDArray[np.int64]:
        """Give the values of the dealers' upcards, 11 for an ace; 0 where there is none."""
        return _values(ACE_VALUE)[self.dealer[:, 0]]

    def shown(self) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.uint8]]:
        """Give what those who count cards need.

        Returns: For every card exposed since its shoe began: whose it is, a place among the
            questions; for every question whether a shoe began; and the codes of those cards.
        """
        lengths = self.exposed_stops - starts(self.exposed_stops)
        places = np.repeat(np.arange(len(lengths)), lengths)
        shuffles = np.flatnonzero(self.exposed == SHUFFLED)
        last = np.full(len(lengths), -1)
        np.maximum.at(last, places[shuffles], shuffles)
        counts = np.arange(len(places)) > last[places]
        return places[counts], last >= 0, self.exposed[counts]


TABLE_COLUMNS = (
    *("seat", "seats", "minimum", "maximum", "rounds_left"),
    *("bankrolls", "wagers"),
    *("button", "level", "advance"),
)
"""What a row of `Questions.table` holds, named as in `TableView`: five numbers, then seven and
seven by seat, then three."""
SEAT, SEATS, MINIMUM, MAXIMUM, ROUNDS_LEFT, BANKROLLS = range(6)
"""Places in a row of `Questions.table`; from the last of them on, what is counted by seat."""
WAGERS = BANKROLLS + MOST_SEATS_SEEN
BUTTON = WAGERS + MOST_SEATS_SEEN
LEVEL, ADVANCE, WIDTH = BUTTON + 1, BUTTON + 2, BUTTON + 3
"""Places after those that are counted by seat, and how many there are in all."""


def question(
    call: Call,
    view: TableView,
    dealer: Iterable[Card] = (),
    hand: Iterable[Card] = (),
    legal: Iterable[int] = (),
    *,
    exposed: bytes = b"",
) -> Questions:
    """Lay out one question to seat 0 of a player, in round 0.

    Args:
        call: What is asked.
        view: What the seat sees of its table.
        dealer: The cards that lie face up.
        hand: The hand in play.
        legal: Numbers of the actions to choose from.
        exposed: Codes since the seat's last question, or SHUFFLED.
    """
    up = [*(card.code for card in dealer), NO_CARD, NO_CARD][:2]
    cards = [card.code for card in hand]
    row = np.zeros((1, WIDTH), np.int64)
    seats = len(view.bankrolls)
    row[0, :BANKROLLS] = view.seat, seats, view.minimum, view.maximum, view.rounds_left
    row[0, BANKROLLS : BANKROLLS + seats] = view.bankrolls
    row[0, WAGERS : WAGERS + seats] = view.wagers
    row[0, BUTTON:] = view.button, view.level, view.advance
    assert seats <= MOST_SEATS_SEEN
    return Questions(
        seats=np.zeros(1, np.int32),
        calls=np.array([call], np.uint8),
        rounds=np.zeros(1, np.int64),
        legal=np.array([sum(1 << action for action in legal)], np.uint8),
        dealer=np.array([up], np.uint8),
        cards=np.array(cards, np.uint8),
        card_stops=np.array([len(cards)], np.int64),
        exposed=np.frombuffer(exposed, np.uint8),
        exposed_stops=np.array([len(exposed)], np.int64),
        table=row,
    )


LAYOUT = (
    Column("card_stops", "q", 1),
    Column("exposed_stops", "q", 1),
    Column("rounds", "q", 1),
    Column("table", "q", WIDTH),
    Column("seats", "i", 1),
    Column("calls", "B", 1),
    Column("legal", "B", 1),
    Column("dealer", "B", 2),
    Column("cards", "B", 0),  # and behind them those that were exposed
)
"""Of questions in bytes. The wide columns first, so that all lie aligned."""


def write_questions(questions: Questions) -> bytes:
    """Write a batch, as it goes to another process."""
    *columns, cards = (getattr(questions, column.name) for column in LAYOUT)
    shown = cards.tobytes() + questions.exposed.tobytes()
    return write_columns(LAYOUT, len(questions.seats), [*columns, shown])


def read_questions(body: bytes) -> Questions:
    """Read a batch that a referee wrote."""
    columns: dict[str, NDArray[Any]] = {}
    for column, numbers in zip(LAYOUT, read_columns(LAYOUT, body), strict=True):
        found = np.frombuffer(numbers, column.form)
        columns[column.name] = found.reshape(-1, column.width) if column.width > 1 else found
    codes = columns["cards"]
    stop = columns["card_stops"][-1] if len(columns["seats"]) else 0
    columns["cards"], columns["exposed"] = codes[:stop], codes[stop:]
    return Questions(**columns)


class Limits(NamedTuple):
    """Between what a seat may wager, in chips."""

    bankrolls: NDArray[np.int64]  # (n,) chips behind
    least: NDArray[np.int64]  # (n,)
    most: NDArray[np.int64]  # (n,)


def limits(table: NDArray[np.int64]) -> Limits:
    """Read off what seats that have not wagered yet may wager.

    Args:
        table: Of `Questions`.
    """
    bankrolls = table[np.arange(len(table)), BANKROLLS + table[:, SEAT]]
    return Limits(bankrolls, table[:, MINIMUM], np.minimum(bankrolls, table[:, MAXIMUM]))


def starts(stops: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give where pieces begin that lie one after another.

    >>> starts(np.array([2, 2, 5]))
    array([0, 2, 2])
    """
    begins = np.empty(stops.shape, stops.dtype)
    begins[:1] = 0
    begins[1:] = stops[:-1]
    return begins


def _sums(numbers: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up pieces that lie one after another, empty ones too."""
    so_far = np.zeros(len(numbers) + 1, np.int64)
    np.cumsum(numbers, out=so_far[1:])
    return so_far[stops] - so_far[starts(stops)]


def pick(questions: Questions, places: NDArray[np.int64]) -> Questions:
    """Give some of the questions, in the order of their places.

    Args:
        questions: A batch.
        places: In the batch, from 0; any number of them.
    """
    # Those that lie one after another are not copied.
    is_run = (
        len(places) and places[-1] - places[0] == len(places) - 1 and (np.diff(places) == 1).all()
    )
    where: slice | NDArray[np.int64] = (
        slice(int(places[0]), int(places[-1]) + 1) if is_run else places
    )
    pieces: Any = _cut_pieces if is_run else _pick_pieces
    cards, card_stops = pieces(questions.cards, questions.card_stops, where)
    exposed, exposed_stops = pieces(questions.exposed, questions.exposed_stops, where)
    return Questions(
        seats=questions.seats[where],
        calls=questions.calls[where],
        rounds=questions.rounds[where],
        legal=questions.legal[where],
        dealer=questions.dealer[where],
        cards=cards,
        card_stops=card_stops,
        exposed=exposed,
        exposed_stops=exposed_stops,
        table=questions.table[where],
    )


def _cut_pieces(
    codes: NDArray[np.uint8], stops: NDArray[np.int64], run: slice
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    begin = int(stops[run.start - 1]) if run.start else 0
    return codes[begin : int(stops[run.stop - 1])], stops[run] - begin


def _pick_pieces(
    codes: NDArray[np.uint8], stops: NDArray[np.int64], places: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    begins = starts(stops)[places]
    lengths = stops[places] - begins
    picked_stops = np.cumsum(lengths)
    # How far each piece moves, for every code of it.
    moves = np.repeat(begins - picked_stops + lengths, lengths)
    return codes[moves + np.arange(len(moves))], picked_stops
