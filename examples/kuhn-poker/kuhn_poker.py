"""Kuhn poker: a deck of jack, queen and king, two seats, one bet.

Both put in a chip and get a card, check or bet a chip in turn, and call or fold after a bet.
Optimal play is worth -1/18 of a chip to the first seat (Kuhn, A simplified two-person poker, 1950).
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


class Move(Enum):
    """What a seat may do; named by what it means without a bet, and after one."""

    CHECK_OR_FOLD = 0
    BET_OR_CALL = 1


CHECK, BET = Move
OVER = {(CHECK, CHECK), (BET, CHECK), (BET, BET), (CHECK, BET, CHECK), (CHECK, BET, BET)}


class View(NamedTuple):
    """What a seat sees."""

    rank: Rank  # of its card
    moves: tuple[Move, ...]  # made so far in the round

    def __str__(self) -> str:
        return f"{self.rank.name.lower()} after {' '.join(map(str, self.moves)) or 'nothing'}"


class KuhnPlayer(BasePlayer, game="kuhn"):
    """Who decides for one seat: subclass it and answer `act`."""

    @abstractmethod
    def act(self, view: View) -> Move:
        """Choose a move."""


class Round:
    """A round of two seats; the first acts first."""

    def __init__(self, ranks: tuple[Rank, ...]) -> None:
        self.ranks = ranks  # of both cards
        self.moves: tuple[Move, ...] = ()

    @property
    def to_act(self) -> int | None:
        """Seat that must act; None once the round is over."""
        return None if self.moves in OVER else len(self.moves) % 2

    def observation(self, seat: int) -> View:
        """Give what a seat sees."""
        return View(self.ranks[seat], self.moves)

    def legal_actions(self) -> tuple[Move, ...]:
        """Give the moves; who does not play any more checks and folds."""
        return CHECK, BET

    def apply_action(self, action: Move) -> tuple[int, Move]:
        """Make a move; tell by whom."""
        self.moves += (action,)
        return (len(self.moves) - 1) % 2, action

    def wagers(self) -> tuple[int, int]:
        """Give the chips that both have put in."""
        return 1 + (BET in self.moves[::2]), 1 + (BET in self.moves[1::2])

    def results(self) -> tuple[int, int]:
        """Give what both have won."""
        first, second = self.wagers()
        if first == second:
            return (first, -first) if self.ranks[0] > self.ranks[1] else (-first, first)
        return (1, -1) if first > second else (-1, 1)


class KuhnTable(RoundTable[View, Move]):
    """Two seats; who acts first changes with every round, if the format says so."""

    pack = tuple(Card(rank, suit) for rank in RANKS for suit in Suit)

    def open(self, bankrolls: tuple[int, ...], cards: Iterator[Card]) -> Round:
        """Deal two different ranks, each pair as likely as any other."""
        ranks: dict[Rank, None] = {}
        while len(ranks) < 2:
            rank = next(cards).rank
            if rank in RANKS:
                ranks[rank] = None
        return Round(tuple(ranks))


class Kuhn(Game[KuhnPlayer, View, Move]):
    """The game as the platform knows it."""

    name = "kuhn"
    version = 1

    def contract(self) -> type[KuhnPlayer]:
        """Give the class that its players inherit."""
        return KuhnPlayer

    def table(self, block: Any, accounts: Any, watcher: Any = None) -> KuhnTable:
        """Lay a table."""
        return KuhnTable(self, block, accounts, watcher)


@dataclass(frozen=True, slots=True, kw_only=True)
class KuhnRules:
    """The rules, which have no settings."""

    game: ClassVar[Kuhn] = Kuhn()
    seats: ClassVar[range] = range(2, 3)
    unit: ClassVar[int] = 1
    deals_fresh: ClassVar[bool] = True
    minimum: ClassVar[int] = 1
    most_points = limit = None

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Say whether a bankroll covers the chip that everybody puts in, and a bet."""
        return bankroll >= 2

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        """Say about how many moves are made: one or two a seat."""
        return seat_rounds * 5 // 4


@hookimpl
def tourney_games() -> Mapping[str, KuhnRules]:
    """Offer the game."""
    return {"kuhn": KuhnRules()}
