"""A block as one seat saw it: what lay before it at every decision, and what it answered.

For authors, who may see what their player saw and no more: no hole card before it is turned, no
card of the shoe, no hand or discard that others hold.
"""

from collections.abc import Callable
from typing import Any

from tourney.asking.observed import cards_seen
from tourney.cards.card import Card
from tourney.cards.shoe import Shoe
from tourney.engine import Watcher
from tourney.games.blackjack.records import Dealt, Revealed
from tourney.games.straights.records import Discarded, Played

INDENT = "  "


class AsSeen(Watcher):
    """Writes what a seat saw and said.

    Args:
        write: Takes one line, without its end.
        seat: Its place at the table.
    """

    def __init__(self, write: Callable[[str], None], seat: int) -> None:
        self._write, self._seat = write, seat
        self._news: list[str] = []
        self._cards: list[Card] = []  # face up, since the last line
        self._wagers: list[str] = []  # of others, which all see once the cards are dealt
        self._is_there = True

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce a round."""
        del bankrolls
        self._wagers = []
        if self._is_there:
            self._tell()
            self._write(f"Round {number}")

    def shuffled(self, shoe: Shoe) -> None:
        """Say that there was a shuffle, and look away."""
        del shoe
        self._end_cards()
        self._news.append("shuffle")

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Show a question to the seat with its answer, and others' wagers when they lie open."""
        if not self._is_there:
            return
        if seat != self._seat:
            if call == "bet" and answer:
                self._wagers.append(f"seat {seat + 1} wagers {answer}")
            return
        if call != "bet":
            self._news[:0], self._wagers = self._wagers, []
        self._tell()
        shown = f"{seen} -> " if seen else ""
        self._write(f"{INDENT}{call}: {shown}{answer or 'at fault'}")
        self._is_there = bool(answer)

    def happened(self, record: Any) -> None:
        """Note what lies face up for everybody."""
        if isinstance(record, Revealed) or (isinstance(record, Dealt) and record.is_face_up):
            self._cards.append(record.card)
        elif isinstance(record, Played | Discarded) and record.seat != self._seat:
            what = cards_seen([record.card]) if isinstance(record, Played) else "a card face down"
            self._news.append(f"seat {record.seat + 1} plays {what}")

    def close(self) -> None:
        """Show what was seen after the last answer."""
        if self._is_there:
            self._tell()

    def _tell(self) -> None:
        self._end_cards()
        for line in self._news:
            self._write(f"{INDENT}{line}")
        self._news = []

    def _end_cards(self) -> None:
        if self._cards:
            self._news.append(f"face up: {cards_seen(self._cards)}")
            self._cards = []
