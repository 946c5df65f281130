"""Questions to many seats of one player as flat arrays, and their answers.

These arrays are the input of players in lockstep play, in this or another process. They contain
only the information visible from each seat. Authors who use NumPy can answer a whole batch
(`act_batch`); all other players are asked seat by seat from the same arrays.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

from tourney.game.arrays import NDArray, np
from tourney.game.cards.card import CARDS, Card
from tourney.game.codec import Column, read_columns, write_columns
from tourney.game.view import TableView
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import ACE_BONUS, ACE_VALUE, BEST_TOTAL, Hand
from tourney.games.blackjack.players.player import ActPlayer

SHUFFLED = 255
"""Marks the shuffle between two shoes among exposed cards."""
NO_CARD = 255
"""Marks a missing second visible card of the dealer."""
FAULT = -1
"""Answer of a seat whose player broke its contract."""
BEFORE_ROUND = 1
"""Value of `legal` for a LOOK before a round with a fixed wager; 0 after the last round."""
MOST_SEATS_SEEN = 7


@cache
def _values(ace: int) -> NDArray[np.int64]:
    """Return values by code, with this value of an ace; 0 for codes that are not cards."""
    values = [ace if card.value == ACE_VALUE else card.value for card in CARDS]
    return np.array([*values, *[0] * (NO_CARD + 1 - len(CARDS))], np.int64)


class Call(IntEnum):
    """Kinds of questions."""

    LOOK = 0  # no answer: the block is over, or the wager is fixed; cards are only shown
    WAGER = 1
    DRAW = 2  # hit or stand, for a player with `draw`
    ACT = 3


class Questions(NamedTuple):
    """A batch of n questions, each to another seat."""

    seats: NDArray[np.int32]  # (n,) numbers of the player's seats, unique in a batch of blocks
    calls: NDArray[np.uint8]  # (n,) of `Call`
    rounds: NDArray[np.int64]  # (n,) number of the round
    legal: NDArray[np.uint8]  # (n,) bit i for the action numbered i; 0 for wagers; see BEFORE_ROUND
    dealer: NDArray[np.uint8]  # (n, 2) codes of the cards face up, or NO_CARD
    cards: NDArray[np.uint8]  # codes of all hands in play, one after another
    card_stops: NDArray[np.int64]  # (n,) end of each hand
    exposed: NDArray[np.uint8]  # codes exposed since a seat's last question, or SHUFFLED
    exposed_stops: NDArray[np.int64]  # (n,) end of each seat's codes
    table: NDArray[np.int64]  # (n, 22) see `TABLE_COLUMNS`; chips are whole

    def hand_values(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return totals of the hands in play, and whether an ace counts 11; 0 without a hand."""
        values = _values(1)[self.cards]
        hard = _sums(values, self.card_stops)
        aces = _sums((values == 1).astype(np.int64), self.card_stops)
        soft = (aces > 0) & (hard + ACE_BONUS <= BEST_TOTAL)
        return hard + ACE_BONUS * soft, soft

    def upcard_values(self) -> NDArray[np.int64]:
        """Return the values of the dealers' upcards, 11 for an ace; 0 without an upcard."""
        return _values(ACE_VALUE)[self.dealer[:, 0]]

    def shown(self) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.uint8]]:
        """Return the exposed cards, for players that count cards.

        Returns: For each card exposed since its shoe began, the position of its question; for each
            question, whether a shoe began; and the codes of those cards.
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
"""Columns of `Questions.table`, named as in `TableView`: five numbers, then seven and seven by
seat, then three."""
SEAT, SEATS, MINIMUM, MAXIMUM, ROUNDS_LEFT, BANKROLLS = range(6)
"""Positions in a row of `Questions.table`; BANKROLLS is the first of those by seat."""
WAGERS = BANKROLLS + MOST_SEATS_SEEN
BUTTON = WAGERS + MOST_SEATS_SEEN
LEVEL, ADVANCE, WIDTH = BUTTON + 1, BUTTON + 2, BUTTON + 3
"""Positions after those by seat, and the number of all columns."""


def question(
    call: Call,
    view: TableView,
    dealer: Iterable[Card] = (),
    hand: Iterable[Card] = (),
    legal: Iterable[int] = (),
    *,
    exposed: bytes = b"",
) -> Questions:
    """Create one question to seat 0 of a player, in round 0.

    Args:
        call: Kind of question.
        view: The seat's view of the table.
        dealer: The visible cards of the dealer.
        hand: The hand in play.
        legal: Numbers of the legal actions.
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
    Column("cards", "B", 0),  # followed by the exposed cards
)
"""Layout of questions in bytes. The wide columns come first, so that all are aligned."""


def write_questions(questions: Questions) -> bytes:
    """Write a batch for another process."""
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
    """Limits of the wagers, in chips."""

    bankrolls: NDArray[np.int64]  # (n,) chips not wagered
    least: NDArray[np.int64]  # (n,)
    most: NDArray[np.int64]  # (n,)


def limits(table: NDArray[np.int64]) -> Limits:
    """Return the limits of seats that have not wagered yet.

    Args:
        table: `Questions.table`.
    """
    bankrolls = table[np.arange(len(table)), BANKROLLS + table[:, SEAT]]
    return Limits(bankrolls, table[:, MINIMUM], np.minimum(bankrolls, table[:, MAXIMUM]))


def starts(stops: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the starts of consecutive pieces.

    >>> starts(np.array([2, 2, 5]))
    array([0, 2, 2])
    """
    begins = np.empty(stops.shape, stops.dtype)
    begins[:1] = 0
    begins[1:] = stops[:-1]
    return begins


def _sums(numbers: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sum consecutive pieces, including empty ones."""
    so_far = np.zeros(len(numbers) + 1, np.int64)
    np.cumsum(numbers, out=so_far[1:])
    return so_far[stops] - so_far[starts(stops)]


def pick(questions: Questions, places: NDArray[np.int64]) -> Questions:
    """Return some of the questions, in the order of their positions.

    Args:
        questions: A batch.
        places: Positions in the batch, from 0.
    """
    return _part(questions, places, _pick_pieces)


def pick_run(questions: Questions, start: int, stop: int) -> Questions:
    """Return the questions of a range of positions, which is not empty, without a copy."""
    return _part(questions, slice(start, stop), _cut_pieces)


def _part(questions: Questions, where: Any, pieces: Callable[..., Any]) -> Questions:
    cards, card_stops = pieces(questions.cards, questions.card_stops, where)
    exposed, exposed_stops = pieces(questions.exposed, questions.exposed_stops, where)
    return Questions(
        questions.seats[where],
        questions.calls[where],
        questions.rounds[where],
        questions.legal[where],
        questions.dealer[where],
        cards,
        card_stops,
        exposed,
        exposed_stops,
        questions.table[where],
    )


def _cut_pieces(
    codes: NDArray[np.uint8], stops: NDArray[np.int64], run: slice
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    begin = stops.item(run.start - 1) if run.start else 0
    return codes[begin : stops.item(run.stop - 1)], stops[run] - begin


def _pick_pieces(
    codes: NDArray[np.uint8], stops: NDArray[np.int64], places: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    begins = starts(stops)[places]
    lengths = stops[places] - begins
    picked_stops = np.cumsum(lengths)
    # Offset of each piece, repeated for each of its codes.
    moves = np.repeat(begins - picked_stops + lengths, lengths)
    return codes[moves + np.arange(len(moves))], picked_stops


class BatchPlayer(ActPlayer):
    """A player that decides for many seats with one method.

    In lockstep play, one object answers for all seats of its entrant and stores its data by
    `questions.seats`, numbered from 0. The reference engine creates an object for each seat and
    asks one question at a time. Both give the same results if the seats are treated independently
    and without random choices.
    """

    _exposed = b""  # codes since the last question, in the reference engine

    @abstractmethod
    def act_batch(self, questions: Questions) -> NDArray[np.int64]:
        """Answer a batch of questions, each to another seat.

        Args:
            questions: Questions; `calls` holds the kind of each. The reference engine shows the
                cards of LOOK with the seat's next question, does not show the last ones, and sets
                `rounds` to 0.
        Returns: A wager in chips for WAGER, the number of a legal `Action` for ACT, any number
            for LOOK; shape (n,), of an integer type. Any other answer is a fault of each seat.
        """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager with `act_batch`."""
        del bankroll, minimum  # the table shows them
        return self._answer(Call.WAGER)

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose a move with `act_batch`."""
        number = self._answer(Call.ACT, dealer.cards, player.cards, legal)
        return self.move(number)  # type: ignore[return-value]  # a number is found illegal

    @staticmethod
    def move(number: int) -> Action | int:
        """Return the action with a number, or the number itself if it is not an action."""
        return Action(number) if number in list(Action) else number

    def expose(self, card: Card) -> None:
        """Store a card for the next question."""
        self._exposed += bytes((card.code,))

    def shuffled(self) -> None:
        """Store a shuffle for the next question."""
        self._exposed += bytes((SHUFFLED,))

    def _answer(self, call: Call, *seen: Iterable[Any]) -> int:
        exposed, self._exposed = self._exposed, b""
        asked = question(call, self.table, *seen, exposed=exposed)
        return int(checked_answers(self.act_batch(asked), 1)[0])


def checked_answers(answers: object, questions: int) -> NDArray[np.int64]:
    """Return the answers to a batch as int64; they may still be illegal.

    Raises: TypeError, unless there is one whole number per question.

    >>> checked_answers(np.array([5, 10], np.int32), 2)
    array([ 5, 10])
    """
    expected = f"act_batch: expected an array of {questions} whole numbers"
    if not isinstance(answers, np.ndarray):
        raise TypeError(f"{expected}, got {type(answers).__name__}")
    if answers.shape != (questions,) or answers.dtype.kind not in "iu":
        raise TypeError(f"{expected}, got {answers.dtype} of shape {answers.shape}")
    return answers.astype(np.int64)
