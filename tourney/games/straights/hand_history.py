"""How rounds of Straights are told: hands, plays and discards.

A line is that of `tourney.game.hand_notation`, but the hands stand for the wagers, 13 letters each.
What happened are cards by their letters, as in blackjack, with `-` before a discard; `(2)` says
whose turn it is where it is not the next seat's, and `#` that this seat was at fault. `~` is a
shuffle.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from tourney.game.cards.card import Card
from tourney.game.cards.letters import card_of, card_that_differs, cards_seen, letter_of, short_name
from tourney.game.cards.shoe import Shoe
from tourney.game.hand_history import Answers, Story
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import Verdict
from tourney.game.narration import AsSeen, Teller
from tourney.game.turns import Turn
from tourney.games.straights.hand_rows import StraightsRows
from tourney.games.straights.records import SEATS, Discarded, Played
from tourney.games.straights.replay import StraightsReplay
from tourney.games.straights.rules import StraightsRules

MARKS = re.compile(r"\((\d+)\)|[~#-]|[A-Za-z]")
"""What stands in a line, mark by mark."""


class StraightsHands(HandsWriter):
    """Writes a seating down."""

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a line."""
        super().opened(number, bankrolls)
        self._turn = 0

    def shuffled(self, shoe: Shoe) -> None:
        """Note a shuffle."""
        del shoe
        self._events.append("~")

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Write the hands."""
        self._wagers = ["".join(map(letter_of, hand)) for hand in hands]
        self._turn = -1

    def acted(self, seat: int, place: int, told: str) -> None:
        """Wait for what happens, which says it better."""

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Note a fault."""
        del verdict
        if self._is_open:
            if seat != self._turn:
                self._turn = seat
                self._events.append(f"({seat})")
            self._events.append("#")

    def happened(self, record: Any) -> None:
        """Write a play or a discard."""
        if self._turn < 0 or record.seat != (self._turn + 1) % SEATS:
            self._events.append(f"({record.seat})")
        self._turn = record.seat
        mark = "-" if isinstance(record, Discarded) else ""
        self._events.append(f"{mark}{letter_of(record.card)}")

    def written(self, events: Sequence[str]) -> str:
        """Write what happened in a round."""
        return "".join(events)


class StraightsStory(Story[StraightsRules]):
    """How rounds are told."""

    def hands(self, seats: int, *, samples: bool = False) -> StraightsHands:
        """Give who writes a seating down."""
        del samples
        return StraightsHands(seats)

    def rows(self, seats: int) -> StraightsRows:
        """Give who writes a seating down as rows of data."""
        return StraightsRows(seats, self.rules.unit, short_name)

    def teller(self, write: Callable[[str], None], preset: str) -> Teller:
        """Give who tells a seating in the words of the original program."""
        del preset
        return StraightsReplay(write)

    def as_seen(self, write: Callable[[str], None], seat: int) -> AsSeen:
        """Give who tells what one seat sees."""
        return StraightsAsSeen(write, seat)

    def answers(self, lines: Sequence[str], seats: int) -> Answers:
        """Read off the cards that the seats have let go; None for a fault."""
        played: list[list[Card | None]] = [[] for _ in range(seats)]
        for line in lines:
            turn, is_marked = 0, False
            for mark in MARKS.finditer(line.rpartition("|")[2]):
                text = mark.group()
                if mark[1]:
                    turn, is_marked = int(mark[1]), True
                elif text == "#":
                    played[turn].append(None)
                elif text.isalpha():
                    turn = turn if is_marked else (turn + 1) % SEATS
                    is_marked = False
                    played[turn].append(card_of(text))
        return Answers([iter(each) for each in played], set())

    def action(self, turn: Turn[Any, Any], answer: Any) -> Any:
        """Give a card; None for a fault, and if it is not legal."""
        return answer if answer in turn.legal else None

    def difference(self, expected: str, got: str) -> str:
        """Say which card is the first that the deck does not give."""
        return card_that_differs(*(line.rpartition("|")[2] for line in (expected, got)))


class StraightsAsSeen(AsSeen):
    """Tells what one seat sees: no hand and no discard of others."""

    def happened(self, record: Any) -> None:
        """Note what others do."""
        if record.seat != self._seat:
            what = cards_seen([record.card]) if isinstance(record, Played) else "a card face down"
            self._news.append(f"seat {record.seat + 1} plays {what}")
