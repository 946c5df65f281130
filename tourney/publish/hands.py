"""Hands written down in few letters, so that whole tables fit on a page.

A line is a round: bankrolls, wagers and what happened, with bars between. Bankrolls and wagers
stand by seats, with commas between, in parts of a chip; nothing stands for a seat that has left.

    1000|5|~a^bc_d1e2!d=3

What happened, in order: a letter is a card, a to m the spades from two to ace, n to z the hearts,
A to M the clubs, N to Z the diamonds. Without a mark it goes to the hand in turn, which is that of
seat 0 at first; `(2)` gives the turn to seat 2, `(2,1)` to its second hand. After `^` the card is
the dealer's, after `_` the dealer's and face down; after `!` it is turned. A digit is a move, the
number of `Action`; `=` and a digit how the hand ended, the number of `Outcome`; `$1` and `$0` say
that insurance was paid or lost. `~` is a shuffle, `#` a fault of the seat in turn.

In Straights the wagers are the hands instead, 13 letters each; what happened are plays, with `-`
before a discard, and `(2)` says whose turn it is where it is not the next seat's.
"""

from collections.abc import Sequence
from string import ascii_letters
from typing import Any

from tourney.asking.chair import HOUSE_CHIPS
from tourney.cards.card import Card
from tourney.cards.shoe import Shoe
from tourney.engine import Watcher
from tourney.games.blackjack.records import (
    DEALER,
    Acted,
    Dealt,
    InsuranceSettled,
    Revealed,
    Settled,
)
from tourney.games.straights.records import SEATS, Discarded
from tourney.ledger import Verdict


def letter_of(card: Card) -> str:
    """Write a card.

    >>> from tourney import Card, Rank, Suit
    >>> letter_of(Card(Rank.ACE, Suit.SPADES)), letter_of(Card(Rank.TWO, Suit.DIAMONDS))
    ('m', 'N')
    """
    return ascii_letters[card.code]


class HandsWriter(Watcher):
    """Writes a block down.

    Args:
        seats: How many the block has.
    """

    def __init__(self, seats: int) -> None:
        self.rounds: list[str] = []
        self.paths: list[list[int | None]] = []
        """Bankrolls by seat, before every round and after the last."""
        self._seats = seats
        self._order: Sequence[int] = range(seats)
        self._head = ""
        self._wagers: list[str] = []
        self._events: list[str] = []
        self._turn = (0, 0)
        self._is_open = False

    def seated(self, seats: tuple[int, ...]) -> None:
        """Note who plays in which turn."""
        self._order = seats

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a line."""
        del number
        shuffles = [] if self._is_open else self._events  # the first comes before all rounds
        self._end_line()
        self._note(bankrolls)
        self._head = ",".join("" if chips is None else str(chips) for chips in self.paths[-1])
        self._wagers = [""] * self._seats
        self._events = shuffles
        self._turn = (0, 0)
        self._is_open = True

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """End a line."""
        del number
        self._end_line()
        self._last = bankrolls

    def finish(self) -> None:
        """Note the bankrolls in the end; nothing happens after it."""
        if self._is_open:  # nobody was left to play the round that was announced
            self._is_open = False
        elif self.rounds:
            self._note(self._last)

    def shuffled(self, shoe: Shoe) -> None:
        """Note a shuffle."""
        del shoe
        self._events.append("~")

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Write the hands of Straights."""
        self._wagers = ["".join(map(letter_of, hand)) for hand in hands]
        self._turn = (-1, 0)

    def wagered(self, seat: int, wager: int) -> None:
        """Write a wager."""
        self._wagers[self._order[seat]] = str(wager)

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Note a fault."""
        del verdict
        if self._is_open:
            self._take_turn(seat, 0)
            self._events.append("#")

    def happened(self, record: Any) -> None:
        """Write what happened."""
        # By type, as most are cards dealt, and a whole table has thousands.
        kind = type(record)
        if kind is Dealt:
            self._deal(record)
        elif kind is Acted:
            self._take_turn(record.seat, record.hand)
            self._events.append(str(int(record.action)))
        elif kind is Revealed:
            self._events.append(f"!{ascii_letters[record.card.code]}")
        elif kind is Settled:
            self._take_turn(record.seat, record.hand)
            self._events.append(f"={int(record.outcome)}")
        elif kind is InsuranceSettled:
            self._take_turn(record.seat, 0)
            self._events.append(f"${int(record.is_paid)}")
        else:
            self._play(record.seat, record.card, is_discard=kind is Discarded)

    def _deal(self, record: Dealt) -> None:
        letter = ascii_letters[record.card.code]
        if record.seat == DEALER:
            self._events.append(f"{'^' if record.is_face_up else '_'}{letter}")
        else:
            self._take_turn(record.seat, record.hand)
            self._events.append(letter)

    def _play(self, seat: int, card: Card, *, is_discard: bool) -> None:
        if seat != (self._turn[0] + 1) % SEATS or self._turn[0] < 0:
            self._events.append(f"({seat})")
        self._turn = (seat, 0)
        self._events.append(f"{'-' if is_discard else ''}{letter_of(card)}")

    def _take_turn(self, turn: int, hand: int) -> None:
        seat = self._order[turn]
        if (seat, hand) != self._turn:
            self._turn = (seat, hand)
            self._events.append(f"({seat},{hand})" if hand else f"({seat})")

    def _note(self, bankrolls: Sequence[int]) -> None:
        """Note bankrolls by seat; a stand-in has none."""
        chips: list[int | None] = [None] * self._seats
        for seat, bankroll in zip(self._order, bankrolls, strict=False):
            if bankroll <= HOUSE_CHIPS // 2:
                chips[seat] = bankroll
        self.paths.append(chips)

    def _end_line(self) -> None:
        if self._is_open:
            self._is_open = False
            self.rounds.append(f"{self._head}|{','.join(self._wagers)}|{''.join(self._events)}")
            self._events = []
