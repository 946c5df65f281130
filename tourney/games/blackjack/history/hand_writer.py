"""Hands of blackjack written down in few letters.

A line is that of `tourney.game.hand_notation`.

    1000|5|~a^bc_d1e2!d=3

What happened, in order: a letter is a card, a to m the spades from two to ace, n to z the hearts,
A to M the clubs, N to Z the diamonds. Without a mark it goes to the hand in turn, which is that of
seat 0 at first; `(2)` gives the turn to seat 2, `(2,1)` to its second hand. After `^` the card is
the dealer's, after `_` the dealer's and face down; after `!` it is turned. A digit is a move, the
number of `Action`; `=` and a digit how the hand ended, the number of `Outcome`; `$1` and `$0` say
that insurance was paid or lost. `~` is a shuffle, `#` a fault of the seat in turn.
"""

from collections.abc import Sequence
from string import ascii_letters
from typing import Any

from tourney.game.cards.shoe import Shoe
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import Verdict
from tourney.games.blackjack.asking.player_seat import HOUSE_CHIPS
from tourney.games.blackjack.history.decision_counts import DecisionCounter
from tourney.games.blackjack.records import (
    DEALER,
    Acted,
    Dealt,
    InsuranceSettled,
    Revealed,
    Settled,
)


class HandHistoryWriter(HandsWriter):
    """Writes a block of blackjack down.

    Args:
        seats: How many it has.
        sampler: Shown everything as well, if there is one.
    """

    def __init__(self, seats: int, sampler: DecisionCounter | None = None) -> None:
        super().__init__(seats)
        self.sampler = sampler
        self._turn = (0, 0)

    def seated(self, seats: tuple[int, ...]) -> None:
        """Note who plays in which turn."""
        super().seated(seats)
        if self.sampler:
            self.sampler.seated(seats)

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a line."""
        super().opened(number, bankrolls)
        self._turn = (0, 0)
        if self.sampler:
            self.sampler.opened(number, bankrolls)

    def shuffled(self, shoe: Shoe) -> None:
        """Note a shuffle."""
        del shoe
        self._events.append("~")

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Note a fault."""
        del verdict
        if self._is_open:
            self._take_turn(seat, 0)
            self._events.append("#")

    def written(self, events: Sequence[str]) -> str:
        """Write what happened in a round."""
        return "".join(events)

    def shown(self, bankroll: int) -> int | None:
        """Give a bankroll; a stand-in has none."""
        return bankroll if bankroll <= HOUSE_CHIPS // 2 else None

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
        if self.sampler:
            self.sampler.happened(record)

    def _deal(self, record: Dealt) -> None:
        letter = ascii_letters[record.card.code]
        if record.seat == DEALER:
            self._events.append(f"{'^' if record.is_face_up else '_'}{letter}")
        else:
            self._take_turn(record.seat, record.hand)
            self._events.append(letter)

    def _take_turn(self, turn: int, hand: int) -> None:
        seat = self._order[turn]
        if (seat, hand) != self._turn:
            self._turn = (seat, hand)
            self._events.append(f"({seat},{hand})" if hand else f"({seat})")
