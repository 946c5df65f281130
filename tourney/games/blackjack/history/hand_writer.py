"""The compact notation of blackjack hands; see `tourney.game.hand_notation` for its lines.

    1000|5|~a^bc_d1e2!d=3

The third field lists the events of a round in order:

- A letter is a card: a to m are the spades from two to ace, n to z the hearts, A to M the clubs,
  N to Z the diamonds. It goes to the hand in turn, at first that of seat 0.
- `(2)` gives the turn to seat 2, `(2,1)` to its second hand.
- After `^` the card is the dealer's; after `_` it is the dealer's and face down; `!` turns it.
- A digit is a move, the number of an `Action`. `=` and a digit is the result of the hand, the
  number of an `Outcome`. `$1` is insurance paid, `$0` insurance lost.
- `~` is a shuffle, `#` a fault of the seat in turn.
"""

from collections.abc import Sequence
from string import ascii_letters
from typing import Any

from tourney.game.cards.shoe import Shoe
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import Verdict
from tourney.games.blackjack.asking.seats import HOUSE_CHIPS
from tourney.games.blackjack.history.decision_counts import DecisionCounter
from tourney.games.blackjack.history.decision_log import DecisionLog
from tourney.games.blackjack.records import (
    DEALER,
    Acted,
    Dealt,
    InsuranceSettled,
    Revealed,
    Settled,
)


class HandHistoryWriter(HandsWriter):
    """Writes the lines of a block of blackjack.

    Args:
        seats: Number of seats of the block.
        sampler: Optional counter of decisions; it receives every event.
        decision_log: Optional log of decisions.
    """

    def __init__(
        self,
        seats: int,
        sampler: DecisionCounter | None = None,
        decision_log: DecisionLog | None = None,
    ) -> None:
        super().__init__(seats, decision_log)
        self.sampler = sampler
        self._turn = (0, 0)

    def seated(self, seats: tuple[int, ...]) -> None:
        """Record the order of the seats."""
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
        """Write a shuffle."""
        del shoe
        self._events.append("~")

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Write a fault."""
        del verdict
        if self._is_open:
            self._take_turn(seat, 0)
            self._events.append("#")

    def written(self, events: Sequence[str]) -> str:
        """Join the events of a round."""
        return "".join(events)

    def shown(self, bankroll: int) -> int | None:
        """Return a bankroll; `None` for a stand-in."""
        return bankroll if bankroll <= HOUSE_CHIPS // 2 else None

    def happened(self, record: Any) -> None:
        """Write an event."""
        # Comparing types is fast: a table has thousands of events, most of them dealt cards.
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
