"""Leduc poker: two jacks, queens and kings, two seats, and two betting rounds.

Both seats put in a chip and get a card. After a betting round a card is turned up for both, and
another betting round follows. A raise is 2 chips in the first and 4 in the second, and there are at
most two in each. A pair with the board wins, or else the higher card; equal cards split the pot
(Southey and others, Bayes' bluff: opponent modelling in poker, 2005).
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, NamedTuple

from tourney import Card, Rank, Suit, hookimpl
from tourney.game import Game
from tourney.game.players import BasePlayer
from tourney.game.rounds import RoundTable

RANKS = (Rank.JACK, Rank.QUEEN, Rank.KING)
RAISES = (2, 4)
"""Chips of a raise in each betting round."""
MOST_RAISES = 2
"""Raises in a betting round."""


class Move(Enum):
    """The moves of a seat."""

    CALL = 0  # or check
    RAISE = 1
    FOLD = 2


class View(NamedTuple):
    """Everything that a seat sees."""

    rank: Rank  # of its card
    board: Rank | None  # of the card for both, from the second betting round on
    moves: tuple[tuple[Move, ...], ...]  # of each betting round
    legal: tuple[Move, ...]

    def __str__(self) -> str:
        moves = " / ".join(" ".join(move.name.lower() for move in street) for street in self.moves)
        board = self.board.name.lower() if self.board else "no board"
        return f"{self.rank.name.lower()}, {board}, {moves or 'no move'}"


class LeducPlayer(BasePlayer, game="leduc"):
    """Decides for one seat: subclass it and answer `act`."""

    @abstractmethod
    def act(self, view: View) -> Move:
        """Choose a move."""


class Round:
    """A round in play; seat 0 acts first in both betting rounds."""

    def __init__(self, ranks: tuple[Rank, Rank], cards: Iterator[Card]) -> None:
        self.ranks, self.cards = ranks, cards
        self.board: Rank | None = None
        self.moves: tuple[tuple[Move, ...], ...] = ((),)
        self.paid = [1, 1]
        self.folded: int | None = None
        self.seat: int | None = 0

    @property
    def to_act(self) -> int | None:
        """The seat that must act."""
        return self.seat

    def observation(self, seat: int) -> View:
        """Return the view of a seat."""
        return View(self.ranks[seat], self.board, self.moves, self.legal_actions())

    def legal_actions(self) -> tuple[Move, ...]:
        """Return the legal moves."""
        raises = (Move.RAISE,) if self.moves[-1].count(Move.RAISE) < MOST_RAISES else ()
        folds = (Move.FOLD,) if self.paid[0] != self.paid[1] else ()
        return (Move.CALL, *raises, *folds)

    def apply_action(self, action: Move) -> tuple[int, Move]:
        """Make a move."""
        seat = self.seat
        assert seat is not None
        self.moves = (*self.moves[:-1], (*self.moves[-1], action))
        if action is Move.FOLD:
            self.folded, self.seat = seat, None
            return seat, action
        self.paid[seat] = self.paid[1 - seat]
        if action is Move.RAISE:
            self.paid[seat] += RAISES[len(self.moves) - 1]
        if action is Move.RAISE or len(self.moves[-1]) == 1:
            self.seat = 1 - seat
        elif self.board is None:
            self.board = next(self.cards).rank
            self.seat, self.moves = 0, (*self.moves, ())
        else:
            self.seat = None
        return seat, action

    def wagers(self) -> tuple[int, ...]:
        """Return the chips that both have put in."""
        return tuple(self.paid)

    def results(self) -> tuple[int, int]:
        """Return the chips that both have won."""
        if self.folded is not None:
            lost = self.paid[self.folded]
            return (-lost, lost) if self.folded == 0 else (lost, -lost)
        first, second = ((rank == self.board, rank) for rank in self.ranks)
        pot = self.paid[0]
        return (0, 0) if first == second else (pot, -pot) if first > second else (-pot, pot)


class LeducTable(RoundTable[View, Move]):
    """A table of two seats."""

    pack = tuple(Card(rank, suit) for rank in RANKS for suit in (Suit.HEARTS, Suit.SPADES))

    def open(self, bankrolls: tuple[int, ...], cards: Iterator[Card]) -> Round:
        """Deal a card to both."""
        return Round((next(cards).rank, next(cards).rank), cards)


class Leduc(Game[LeducPlayer, View, Move]):
    """The game as the platform knows it."""

    name = "leduc"
    version = 1

    def contract(self) -> type[LeducPlayer]:
        """Return the class that players inherit."""
        return LeducPlayer

    def table(self, block: Any, accounts: Any, watcher: Any = None) -> LeducTable:
        """Set up a table."""
        return LeducTable(self, block, accounts, watcher)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeducRules:
    """The rules, which have no settings."""

    game: ClassVar[Leduc] = Leduc()
    seats: ClassVar[range] = range(2, 3)
    unit: ClassVar[int] = 1
    deals_fresh: ClassVar[bool] = True
    minimum: ClassVar[int] = 1
    most_points = limit = None

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Return whether a bankroll covers the most that a round may cost."""
        return bankroll >= 1 + MOST_RAISES * sum(RAISES)

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        """Return about how many moves are made."""
        return 2 * seat_rounds


@hookimpl
def tourney_games() -> Mapping[str, LeducRules]:
    """Register the game."""
    return {"leduc": LeducRules()}
