"""Hands and decisions of a table as rows of plain values, for whoever analyses them as data.

Two tables: a row for every round of a seat, and one for every answer of a player. What is told here
holds for every game; a game adds columns of its own, see its story. Chips are exact where a chip
has no parts, and else the nearest floating-point number.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NamedTuple

from tourney.game.watcher import Watcher

VERSION = 1
"""Of the columns; new ones come without a new version."""


class Field(NamedTuple):
    """A column."""

    name: str
    kind: Literal["integer", "number", "string"]
    meaning: str  # with its unit


class RowsWriter(Watcher):
    """Writes rows down for a block.

    Args:
        seats: How many it has.
        unit: Parts that a chip is counted in; 1 where points are played for.
    """

    of_hands: ClassVar[tuple[Field, ...]] = (
        Field("round", "integer", "number of the round, from 1"),
        Field("seat", "integer", "place at the table, from 1"),
        Field("bankroll", "number", "chips before the round, or points; null for a stand-in"),
        Field("wager", "number", "chips wagered before the cards; null without wagers"),
        Field("net", "number", "chips won, less than 0 if lost, or points; null for a stand-in"),
    )
    of_decisions: ClassVar[tuple[Field, ...]] = (
        Field("round", "integer", "number of the round, from 1"),
        Field("seat", "integer", "place at the table, from 1"),
        Field("decision", "integer", "which of the seat's in this round, from 1"),
        Field("call", "string", "what was asked, such as bet"),
        Field("seen", "string", "what lay before the player, and what was legal"),
        Field("answer", "string", "what it said; empty for a fault"),
    )

    def __init__(self, seats: int, unit: int) -> None:
        self.hands: list[tuple[Any, ...]] = []
        self.decisions: list[tuple[Any, ...]] = []
        self._unit = unit
        self._order: Sequence[int] = range(seats)  # places, by turn
        self._round = 0
        self._before: Sequence[int] = ()  # bankrolls, by turn
        self._wagers: dict[int, int] = {}  # by turn
        self._asked: dict[int, int] = {}  # by place

    def seated(self, seats: tuple[int, ...]) -> None:
        """Note who plays in which turn."""
        self._order = seats

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a round."""
        self._round, self._before = number, bankrolls
        self._wagers, self._asked = {}, {}

    def wagered(self, seat: int, wager: int) -> None:
        """Note a wager."""
        self._wagers[seat] = wager

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Write a decision down."""
        number = self._asked[seat] = self._asked.get(seat, 0) + 1
        self.decisions.append((self._round, seat + 1, number, call, seen, answer))

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Write what the round came to for every seat."""
        for turn, (before, after) in enumerate(zip(self._before, bankrolls, strict=True)):
            has_own = self.shown(before) is not None and self.shown(after) is not None
            figures = (
                before if has_own else None,
                self._wagers.get(turn),
                after - before if has_own else None,
            )
            chips = (None if each is None else each / self._unit for each in figures)
            self.hands.append((number, self._order[turn] + 1, *chips, *self.hand_of(turn)))

    def shown(self, bankroll: int) -> int | None:
        """Give a bankroll as it is told; None for who has none."""
        return bankroll

    def hand_of(self, turn: int) -> tuple[Any, ...]:
        """Give what a game tells besides of a seat's round, by its turn."""
        del turn
        return ()
