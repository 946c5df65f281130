"""Common parts of games of another library: actions with names, views, tables and rules.

An adapter for a library subclasses `AdaptedGame`, `AdaptedTable` and `AdaptedRules`, and writes a
round: the state of the library, with its chance drawn from the table's luck.
docs/how-to/add-games-from-elsewhere.md shows one.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from tourney.errors import PluginFailedError
from tourney.game.cards.card import Card
from tourney.game.cards.generator import Luck
from tourney.game.players import BasePlayer
from tourney.game.protocol import Game, PlayerT
from tourney.game.rounds import Round, RoundTable
from tourney.game.turns import Turn
from tourney.game.words import MATCHES, Words

TOLERANCE = 1e-6
"""Largest distance of a result from a whole number of parts that counts as a rounding error."""

MOST_NAMED = 10
"""Actions that a verdict names; of more it gives the number."""


class Action(NamedTuple):
    """An action of the library."""

    number: int  # in the library
    name: str  # for people

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class SeatView(NamedTuple):
    """What a seat sees."""

    seat: int  # from 0, as the library numbers its players
    shown: str  # the library's text for this seat
    legal: tuple[Action, ...]
    numbers: tuple[float, ...] = ()  # the library's numbers for this seat, for networks
    players: int = 2

    def __str__(self) -> str:
        """Return the text on one line."""
        return " / ".join(line.strip() for line in self.shown.splitlines() if line.strip())


class AdaptedGame(Game[PlayerT, SeatView, Action]):
    """A game whose players answer with an `Action` of their view, or with its number."""

    words: ClassVar[Words] = MATCHES

    def accept(self, answer: object, turn: Turn[SeatView, Action]) -> Action | None:
        """Return the legal action that equals an answer or has its number."""
        if type(answer) is int:
            return next((each for each in turn.legal if each.number == answer), None)
        return super().accept(answer, turn)

    def expected(self, turn: Turn[SeatView, Action]) -> str:
        """Describe the legal answers; of many, only the first ones."""
        named = [f"{each.number} ({each.name})" for each in turn.legal[:MOST_NAMED]]
        more = f" and {len(turn.legal) - MOST_NAMED:,} more" * (len(turn.legal) > MOST_NAMED)
        return f"one of view.legal: {', '.join(named)}{more}"

    def round_bounds(self, rules: Any, minimum: int) -> tuple[int, int] | None:
        """Return the library's bounds in parts of a chip."""
        del minimum
        least, most = rules.utilities
        return round(least * rules.unit), round(most * rules.unit)


class AdaptedTable(RoundTable[SeatView, Action]):
    """A table without cards; all chance comes from its luck."""

    decks = 0

    def open(self, bankrolls: tuple[int, ...], cards: Iterator[Card]) -> Round[SeatView, Action]:
        """Open a round: a whole match of the library."""
        del cards
        return self.begin(len(bankrolls), self.luck)

    @abstractmethod
    def begin(self, players: int, luck: Luck) -> Round[SeatView, Action]:
        """Begin a match.

        Args:
            players: The number of seats.
            luck: The source of all chance.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptedRules:
    """Rules with defaults for everything but the game, its seats and its utilities."""

    deals_fresh: ClassVar[bool] = True
    minimum: ClassVar[int] = 1
    most_points: ClassVar[int | None] = None
    limit: ClassVar[int | None] = None

    unit: int = 1
    """Parts of a chip: more than 1 where results are fractions, such as 2 for half points."""

    @property
    def utilities(self) -> tuple[float, float]:
        """The least and the greatest result of a seat in a match, as the library declares them."""
        raise NotImplementedError

    @property
    def turns(self) -> float:
        """The mean number of turns of a seat in a match, for plans."""
        return 10.0

    @property
    def stake(self) -> int:
        """The most that a match costs a seat, in parts of a chip; at least one chip."""
        return max(self.unit, round(-self.utilities[0] * self.unit))

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Return whether a bankroll covers a match."""
        del minimum
        return bankroll >= self.stake

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        """Return an estimate of the number of turns."""
        del rounds, cards
        return round(seat_rounds * self.turns)

    def chips(self, utilities: Sequence[float]) -> tuple[int, ...]:
        """Return the results of a match in parts of a chip.

        Raises: PluginFailedError, if one is no whole number of parts.
        """
        parts = tuple(round(each * self.unit) for each in utilities)
        for each, whole in zip(utilities, parts, strict=True):
            if abs(each * self.unit - whole) > TOLERANCE * max(1.0, abs(whole)):
                raise PluginFailedError(
                    f"a result is {each:.6g} chips, but chips have {self.unit} part(s); set "
                    "unit of the game to a number of parts that fits, such as 60"
                )
        return parts


class FirstAction(BasePlayer):
    """Takes the first legal action; a base for strategies of adapters."""

    def act(self, view: SeatView) -> Action:
        """Look at nothing."""
        return view.legal[0]


class RandomAction(BasePlayer):
    """Takes a random legal action; a base for strategies of adapters."""

    def act(self, view: SeatView) -> Action:
        """Draw one; all are equally likely."""
        return self.random.choice(view.legal)
