"""Histories of Straights rounds: compact lines, the original program's transcript, rows of data.

A compact line is that of `tourney.game.hand_notation`, with the hands in place of the wagers, 13
letters each. A move is the letter of its card, as in blackjack, with `-` before a discard. `(2)` is
the seat of the next move, if it is not the seat after the last one. `#` is a fault of that seat,
and `~` is a shuffle.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from tourney.game.cards.card import (
    Card,
    card_of,
    card_that_differs,
    cards_seen,
    letter_of,
    names_of,
    short_name,
)
from tourney.game.cards.shoe import Shoe
from tourney.game.hand_history import Answers, Story
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import BlockKey, Verdict
from tourney.game.narration import AsSeen, Teller
from tourney.game.rows import Field, RowsWriter
from tourney.game.turns import Turn
from tourney.games.straights.records import SEATS, Discarded, Played, Record
from tourney.games.straights.rules import StraightsRules
from tourney.games.straights.suits import points_of

MARKS = re.compile(r"\((\d+)\)|[~#-]|[A-Za-z]")
"""Symbols of a compact line."""


class StraightsHands(HandsWriter):
    """Writes the compact lines of a seating."""

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a line."""
        super().opened(number, bankrolls)
        self._turn = 0

    def shuffled(self, shoe: Shoe) -> None:
        """Write a shuffle."""
        del shoe
        self._events.append("~")

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Write the hands."""
        self._wagers = ["".join(map(letter_of, hand)) for hand in hands]
        self._turn = -1

    def acted(self, seat: int, place: int, told: str) -> None:
        """Write nothing; the record that follows has the card."""

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Write a fault."""
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
        """Join the moves of a round."""
        return "".join(events)


class StraightsRows(RowsWriter):
    """Writes the rows of a seating: cards, plays and discards, and legal cards."""

    of_hands: ClassVar[tuple[Field, ...]] = (
        *RowsWriter.of_hands,
        Field("cards", "strings", "the thirteen cards as dealt"),
        Field("played", "strings", "cards played on the table, in their order"),
        Field("discarded", "strings", "hidden discards, in their order; they make `net`"),
    )
    of_decisions: ClassVar[tuple[Field, ...]] = (
        *RowsWriter.of_decisions,
        Field("hand", "strings", "cards left, as dealt; null if the seat was not asked"),
        Field("lowest", "strings", "lowest cards on the table, by suit; null for an empty pile"),
        Field("highest", "strings", "highest cards on the table, by suit; null for an empty pile"),
        Field("is_discard", "boolean", "whether no card could be played, so one was discarded"),
        Field("points", "integer", "points of the discard; 0 for a play, null for a fault"),
    )

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Clear the table."""
        super().opened(number, bankrolls)
        self._cards: list[list[str]] = [[] for _ in bankrolls]
        self._played: list[list[str]] = [[] for _ in bankrolls]
        self._discarded: list[list[str]] = [[] for _ in bankrolls]

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Record the hands."""
        self._cards = [names_of(hand) for hand in hands]

    def happened(self, record: Any) -> None:
        """Record a play or a discard."""
        pile = self._discarded if isinstance(record, Discarded) else self._played
        pile[record.seat].append(short_name(record.card))

    def decision_of(self, view: Any, legal: Sequence[Card], answer: str) -> tuple[Any, ...]:
        """Return the hand, the table and the cost of a discard."""
        if view is None:
            return (None,) * 5
        piles = [pile.cards for pile in view.table]
        lowest, highest = (
            [short_name(pile[end]) if pile else None for pile in piles] for end in (0, -1)
        )
        points: int | None = None
        if answer:
            card = next(each for each in legal if short_name(each) == answer)
            points = points_of(card) if view.must_discard else 0
        return names_of(view.hand), lowest, highest, view.must_discard, points

    def hand_of(self, turn: int) -> tuple[Any, ...]:
        """Return a seat's cards as dealt, its plays and its discards."""
        return self._cards[turn], self._played[turn], self._discarded[turn]


class StraightsReplay(Teller):
    """Writes the output of the original program while four seats play, with the hands above it.

    The program calls its seats Player1 to Player4, so the first line of a seating names the
    entrants.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        """Set the function that writes lines, each without its end."""
        self._write = write
        self._hands: Sequence[Sequence[Card]] = ()
        self._scores: tuple[int, ...] = ()
        self._discards: list[list[Card]] = []
        self._has_begun = False

    def begun(self, key: BlockKey, names: Sequence[str]) -> None:
        """Announce a seating."""
        sitting = ", ".join(f"Player{seat + 1} {name}" for seat, name in enumerate(names))
        game = f", game {key.heat + 1}" if key.heat else ""
        self._write(f"# Seating {key.seating + 1}{game}: {sitting}")

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce a round."""
        self._write(f"# Round {number}")
        self._scores = bankrolls
        self._discards = [[] for _ in bankrolls]
        self._has_begun = False

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Write all hands; the program shows only that of the next seat."""
        for seat, hand in enumerate(hands):
            self._write(f"# Player{seat + 1}'s hand: {cards_seen(hand)}")

    def happened(self, record: Record) -> None:
        """Write a play or a discard."""
        who = f"Player{record.seat + 1}"
        if not self._has_begun:
            self._has_begun = True
            self._write(f"A new round begins. It's {who}'s turn to play.")
        if isinstance(record, Played):
            self._write(f"{who} plays {short_name(record.card)}.")
        else:
            self._discards[record.seat].append(record.card)
            self._write(f"{who} discards {short_name(record.card)}.")

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Write a verdict."""
        self._write(f"# Player{seat + 1} is out, a stand-in plays on: {verdict.message}")

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Write the scores of the round."""
        del number, bankrolls
        for seat, cards in enumerate(self._discards):
            before, gain = self._scores[seat], sum(map(points_of, cards))
            who = f"Player{seat + 1}'s"
            self._write(f"{who} discards: {cards_seen(cards)}".rstrip())
            self._write(f"{who} score: {before} + {gain} = {before + gain}")


class StraightsStory(Story[StraightsRules]):
    """Writers and readers of histories of Straights."""

    def hands(self, seats: int, *, samples: bool = False) -> StraightsHands:
        """Return the writer of compact lines."""
        del samples
        return StraightsHands(seats)

    def rows(self, seats: int) -> StraightsRows:
        """Return the writer of rows of data."""
        return StraightsRows(seats, self.rules.unit, short_name)

    def teller(self, write: Callable[[str], None], preset: str) -> Teller:
        """Return the writer of the original program's output."""
        del preset
        return StraightsReplay(write)

    def as_seen(self, write: Callable[[str], None], seat: int) -> AsSeen:
        """Return the writer of one seat's view."""
        return StraightsAsSeen(write, seat)

    def answers(self, lines: Sequence[str], seats: int) -> Answers:
        """Read the cards of each seat from compact lines; `None` for a fault."""
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
        """Return the card; `None` for a fault, or if it is not legal."""
        return answer if answer in turn.legal else None

    def difference(self, expected: str, got: str) -> str:
        """Name the first card that the deck does not give."""
        return card_that_differs(*(line.rpartition("|")[2] for line in (expected, got)))


class StraightsAsSeen(AsSeen):
    """Writes the view of one seat, without hands and discards of others."""

    def happened(self, record: Any) -> None:
        """Record moves of other seats."""
        if record.seat != self._seat:
            card = cards_seen([record.card]) if isinstance(record, Played) else "a card face down"
            self._news.append(f"seat {record.seat + 1} plays {card}")
