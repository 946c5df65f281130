"""Hands and decisions of a table as rows of plain values, for data analysis.

There are two tables: one row for every round of a seat, and one for every answer of a player. The
columns here exist in every game; a game may add more, see its story. Chips are exact if the game
has whole chips only, otherwise the nearest floating-point number.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

from tourney.game.turns import Watcher

LUCK_PARTS = 1 << 32
"""Luck is counted in this fraction of the unit of the rules."""
VERSION = 1
"""Version of the columns; new columns do not change it."""


class Field(NamedTuple):
    """A column."""

    name: str
    kind: Literal["integer", "number", "string", "boolean", "strings"]
    meaning: str  # with its unit


class RowsWriter(Watcher):
    """Records a block as rows.

    Args:
        seats: Number of seats.
        unit: Parts that a chip is counted in; 1 in a game of points.
        told: Names an action.
    """

    of_hands: ClassVar[tuple[Field, ...]] = (
        Field("round", "integer", "number of the round, from 1"),
        Field("seat", "integer", "place at the table, from 1"),
        Field("bankroll", "number", "chips before the round, or points; null for a stand-in"),
        Field("wager", "number", "chips wagered before the cards; null without wagers"),
        Field("staked", "number", "chips at stake in the end, with all additions"),
        Field("net", "number", "chips won, less than 0 if lost, or points; null for a stand-in"),
        Field("luck", "number", "chips that the cards were worth; null where luck is not followed"),
    )
    of_decisions: ClassVar[tuple[Field, ...]] = (
        Field("round", "integer", "number of the round, from 1"),
        Field("seat", "integer", "place at the table, from 1"),
        Field("decision", "integer", "number of the seat's decision in this round, from 1"),
        Field("call", "string", "the question, such as bet"),
        Field("seen", "string", "the player's view, and the legal actions"),
        Field("answer", "string", "the answer; empty for a fault"),
        Field("legal", "strings", "names of the legal actions; null for a wager"),
        Field("bankroll", "number", "chips before the round, or points"),
    )

    def __init__(self, seats: int, unit: int, told: Callable[[Any], str] = str) -> None:
        self.after_round: Callable[[], None] = lambda: None  # replace it to collect rows
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
        """Store the order of play."""
        self._order = seats

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a round."""
        self._round, self._before = number, bankrolls
        self._bankrolls = {
            seat: chips / self._unit for seat, chips in zip(self._order, bankrolls, strict=False)
        }
        self._wagers, self._asked, self._ends = {}, {}, {}

    def wagered(self, seat: int, wager: int) -> None:
        """Store a wager."""
        self._wagers[seat] = wager

    def faced(self, seat: int, view: Any, legal: Sequence[Any]) -> None:
        """Store the view of a seat, which answers next."""
        del seat
        self._faced = view, legal

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Add the row of a decision."""
        number = self._asked[seat] = self._asked.get(seat, 0) + 1
        view, legal = self._faced or (None, ())
        self._faced = None
        said = (self._round, seat + 1, number, call, seen, answer)
        named = [self._told(each) for each in legal] if legal else None
        known = (named, self._bankrolls.get(seat))
        self.decisions.append((*said, *known, *self.decision_of(view, legal, answer)))

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """Store the result of a seat's round."""
        self._ends[seat] = staked, net, luck

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Add the rows of a round, one for every seat."""
        del bankrolls  # they include stand-ins, whose chips count for no entrant
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

    def decision_of(self, view: Any, legal: Sequence[Any], answer: str) -> tuple[Any, ...]:
        """Return the game's additional columns of a decision.

        Args:
            view: The seat's view; `None` if it was never shown one.
            legal: Legal actions.
            answer: The answer; empty for a fault.
        """
        del view, legal, answer
        return ()

    def hand_of(self, turn: int) -> tuple[Any, ...]:
        """Return the game's additional columns of a seat's round, by its turn."""
        del turn
        return ()
