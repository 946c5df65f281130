"""Rounds of Straights as rows: the cards, what was played and discarded, and what was legal."""

from collections.abc import Sequence
from typing import Any, ClassVar

from tourney.game.cards.card import Card
from tourney.game.cards.letters import names_of, short_name
from tourney.game.rows import Field, RowsWriter
from tourney.games.straights.points import points_of
from tourney.games.straights.records import Discarded


class StraightsRows(RowsWriter):
    """Writes rows down for a seating."""

    of_hands: ClassVar[tuple[Field, ...]] = (
        *RowsWriter.of_hands,
        Field("cards", "strings", "the thirteen cards as dealt"),
        Field("played", "strings", "cards played on the table, in their order"),
        Field("discarded", "strings", "cards laid face down, in their order; they make `net`"),
    )
    of_decisions: ClassVar[tuple[Field, ...]] = (
        *RowsWriter.of_decisions,
        Field("hand", "strings", "cards left, as dealt; null for who was never asked"),
        Field("lowest", "strings", "lowest cards on the table, by suit; null where none lies"),
        Field("highest", "strings", "highest cards on the table, by suit; null where none lies"),
        Field("is_discard", "boolean", "whether no card could be played, so one was discarded"),
        Field("points", "integer", "points that the answer cost; 0 for a play, null for a fault"),
    )

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Clear the table."""
        super().opened(number, bankrolls)
        self._cards: list[list[str]] = [[] for _ in bankrolls]
        self._played: list[list[str]] = [[] for _ in bankrolls]
        self._discarded: list[list[str]] = [[] for _ in bankrolls]

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Note the hands."""
        self._cards = [names_of(hand) for hand in hands]

    def happened(self, record: Any) -> None:
        """Note a play or a discard."""
        pile = self._discarded if isinstance(record, Discarded) else self._played
        pile[record.seat].append(short_name(record.card))

    def decision_of(self, view: Any, legal: Sequence[Card], answer: str) -> tuple[Any, ...]:
        """Give the hand, the table and what a discard cost."""
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
        """Give the cards of a seat, those played and those discarded."""
        return self._cards[turn], self._played[turn], self._discarded[turn]
