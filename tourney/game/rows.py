"""Hands and decisions of a table as rows of plain values, for whoever analyses them as data.

Two tables: a row for every round of a seat, and one for every answer of a player. What is told here
holds for every game; a game adds columns of its own, see its story. Chips are exact where a chip
has no parts, and else the nearest floating-point number.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

from tourney.game.watcher import Watcher

LUCK_PARTS = 1 << 32
"""Of the unit of the rules, in which luck is counted."""
VERSION = 1
"""Of the columns; new ones come without a new version."""


class Field(NamedTuple):
    """A column."""

    name: str
    kind: Literal["integer", "number", "string", "boolean", "strings"]
    meaning: str  # with its unit


class RowsWriter(Watcher):
    """Writes rows down for a block.

    Args:
        seats: How many it has.
        unit: Parts that a chip is counted in; 1 where points are played for.
        told: Names an action.
    """

    of_hands: ClassVar[tuple[Field, ...]] = (
        Field("round", "integer", "number of the round, from 1"),
        Field("seat", "integer", "place at the table, from 1"),
        Field("bankroll", "number", "chips before the round, or points; null for a stand-in"),
        Field("wager", "number", "chips wagered before the cards; null without wagers"),
        Field("staked", "number", "chips at stake in the end, with all that was added"),
        Field("net", "number", "chips won, less than 0 if lost, or points; null for a stand-in"),
        Field("luck", "number", "chips that the cards were worth; null where luck is not followed"),
    )
    of_decisions: ClassVar[tuple[Field, ...]] = (
        Field("round", "integer", "number of the round, from 1"),
        Field("seat", "integer", "place at the table, from 1"),
        Field("decision", "integer", "which of the seat's in this round, from 1"),
        Field("call", "string", "what was asked, such as bet"),
        Field("seen", "string", "what lay before the player, and what was legal"),
        Field("answer", "string", "what it said; empty for a fault"),
        Field("legal", "strings", "actions that it could choose from; null for a wager"),
        Field("bankroll", "number", "chips before the round, or points"),
    )

    def __init__(self, seats: int, unit: int, told: Callable[[Any], str] = str) -> None:
        self.after_round: Callable[[], None] = lambda: None  # who takes rows away replaces it
        self.hands: list[tuple[Any, ...]] = []
        self.decisions: list[tuple[Any, ...]] = []
        self._unit, self._told = unit, told
        self._bankrolls: dict[int, float] = {}  # before the round, by place
        self._faced: tuple[Any, Sequence[Any]] | None = None  # view and legal actions
        self._order: Sequence[int] = range(seats)  # places, by turn
        self._round = 0
        self._before: Sequence[int] = ()  # bankrolls, by turn
        self._wagers: dict[int, int] = {}  # by turn
        self._asked: dict[int, int] = {}  # by place
        self._ends: dict[int, tuple[int, int, int | None]] = {}  # by turn: staked, net, luck

    def seated(self, seats: tuple[int, ...]) -> None:
        """Note who plays in which turn."""
        self._order = seats

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a round."""
        self._round, self._before = number, bankrolls
        self._bankrolls = {
            seat: chips / self._unit for seat, chips in zip(self._order, bankrolls, strict=False)
        }
        self._wagers, self._asked, self._ends = {}, {}, {}

    def wagered(self, seat: int, wager: int) -> None:
        """Note a wager."""
        self._wagers[seat] = wager

    def faced(self, seat: int, view: Any, legal: Sequence[Any]) -> None:
        """Note what a seat has before it, whose answer is next."""
        del seat
        self._faced = view, legal

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Write a decision down."""
        number = self._asked[seat] = self._asked.get(seat, 0) + 1
        view, legal = self._faced or (None, ())
        self._faced = None
        said = (self._round, seat + 1, number, call, seen, answer)
        known = (self._named(legal), self._bankrolls.get(seat))
        self.decisions.append((*said, *known, *self.decision_of(view, legal, answer)))

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """Note what a seat's round came to."""
        self._ends[seat] = staked, net, luck

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Write what the round came to for every seat."""
        del bankrolls  # a stand-in's chips are nobody's, and a seat at fault has been told its loss
        for turn, before in enumerate(self._before):
            staked, net, luck = self._ends.get(turn, (None, None, None))
            figures = (
                None if net is None else before,
                self._wagers.get(turn) if net is not None else None,
                staked,
                net,
                None if luck is None else luck / LUCK_PARTS,
            )
            chips = (None if each is None else each / self._unit for each in figures)
            self.hands.append((number, self._order[turn] + 1, *chips, *self.hand_of(turn)))
        self.after_round()

    def _named(self, legal: Sequence[Any]) -> list[str] | None:
        """Name legal actions; None if there are none."""
        return [self._told(each) for each in legal] if legal else None

    def decision_of(self, view: Any, legal: Sequence[Any], answer: str) -> tuple[Any, ...]:
        """Give what a game tells besides of a decision.

        Args:
            view: What lay before the seat; None where it was never shown anything.
            legal: Actions that it could choose from.
            answer: What it said; empty for a fault.
        """
        del view, legal, answer
        return ()

    def hand_of(self, turn: int) -> tuple[Any, ...]:
        """Give what a game tells besides of a seat's round, by its turn."""
        del turn
        return ()
