"""The input of a format: number of entrants, stakes, and the secret of the run.

A format numbers its players from 0. The field knows their numbers in the run and the stage, and
writes both into blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tourney.game.blocks import Block, Seat, TableState
from tourney.game.cards.generator import Generator, draw, draw_group, groups
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.rules import Rules
from tourney.lazy import Module

if TYPE_CHECKING:
    from tourney.config import model
else:
    model = Module("tourney.config.model")


class Lots:
    """Random draws for one place of a tournament."""

    def __init__(self, key: bytes) -> None:
        """Start the draws.

        Args:
            key: 16 bytes of the place.
        """
        self._halves = Generator(key).halves(0)

    def below(self, bound: int) -> int:
        """Draw a number from 0 up to, but not including, a bound."""
        (group,) = groups((bound,))
        return draw_group(group, self._halves)[0]

    def shuffled(self, entrants: Sequence[int]) -> list[int]:
        """Put entrants into a random order; all orders are equally likely."""
        order = list(entrants)
        for position, index in enumerate(draw(range(len(order), 0, -1), self._halves)):
            chosen = position + index
            order[position], order[chosen] = order[chosen], order[position]
        return order


@dataclass(frozen=True, slots=True)
class Field:
    """Everything that decides the blocks of a tournament, except the strategies."""

    entrants: int  # number of entrants
    rules: Rules
    bankroll: int  # of each entrant at the start, in the unit of the rules; 0 without chips
    minimum: int  # minimum bet, in the unit of the rules; 0 without chips
    maximum: int  # maximum bet, in the unit of the rules; 0 without chips
    secret: Secret
    follows_luck: bool = False  # whether the luck of the cards is summed up
    stage: int = 0  # of the tournament, from 0
    steps: tuple[tuple[int, int], ...] = ()  # (tables, entrants): at first, after each extension
    numbers: tuple[int, ...] | None = None  # of the players in the run; None for all, in order
    bankrolls: tuple[int, ...] | None = None  # at the start, if they differ
    clock: Callable[[], float] = lambda: 0.0  # seconds of the floor, at the beginning of a wave
    policies: tuple[model.PolicyConfig, ...] | None = None  # by number in the run, or defaults
    names: tuple[str, ...] | None = None  # by number in the run; None if formats may not use them

    @property
    def has_chips(self) -> bool:
        """Whether the game counts chips, not points."""
        return self.rules.most_points is None

    def begins_with(self, entrant: int) -> int:
        """Return an entrant's bankroll at the start."""
        return self.bankrolls[entrant] if self.bankrolls else self.bankroll

    def policy(self, entrant: int) -> model.PolicyConfig:
        """Return an entrant's choices where a format offers any."""
        if not self.policies:
            return model.PolicyConfig()
        return self.policies[self.numbers[entrant] if self.numbers else entrant]

    def number_of(self, entrant: int) -> int:
        """Return an entrant's number in the run."""
        return self.numbers[entrant] if self.numbers else entrant

    def playing(self, rules: Rules) -> Field:
        """Return the same field with other rules."""
        return replace(self, rules=rules)

    def shuffled(self, place: tuple[int, int], entrants: Sequence[int]) -> list[int]:
        """Put entrants into a random order; all orders are equally likely.

        Args:
            place: Heat and table of the draw.
            entrants: Their numbers.
        """
        return self.lots(place).shuffled(entrants)

    def lots(self, place: tuple[int, int]) -> Lots:
        """Return the draws of a place.

        Args:
            place: Heat and table of the draw.
        """
        return Lots(self.secret.seating_key(self.stage, *place))

    def block(
        self,
        key: BlockKey,
        seats: Sequence[tuple[int, int]],
        rounds: int,
        *,
        minimum: int | None = None,
        state: TableState | None = None,
    ) -> Block:
        """Create a block.

        Args:
            key: Its place in the stage.
            seats: Entrant and bankroll of each seat, in the order of play.
            rounds: Most rounds to play.
            minimum: Minimum bet, in the unit of the rules; by default that of the field.
            state: The public state of the tournament.
        """
        key = key._replace(stage=self.stage)
        return Block(
            key=key,
            rules=self.rules,
            seats=tuple(
                Seat(self.number_of(entrant), bankroll, self.secret.seat_key(key, number))
                for number, (entrant, bankroll) in enumerate(seats)
            ),
            minimum=self.minimum if minimum is None else minimum,
            maximum=self.maximum,
            rounds=rounds,
            shoe_key=self.secret.shoe_key(key.stage, key.heat, key.table, key.first_round),
            state=state or TableState(),
            follows_luck=self.follows_luck,
        )
