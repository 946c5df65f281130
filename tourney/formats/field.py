"""What a format is given: how many entrants play for what, and the run's secret.

A format numbers those who play in it from 0. Who they are in the run, and at which stage of
it this is, the field knows: it writes both into blocks.
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
    """Draws for one place of a tournament, as many as it needs."""

    def __init__(self, key: bytes) -> None:
        """Begin.

        Args:
            key: 16 bytes of the place.
        """
        self._halves = Generator(key).halves(0)

    def below(self, bound: int) -> int:
        """Draw a number from 0 up to, and without, a bound."""
        (group,) = groups((bound,))
        return draw_group(group, self._halves)[0]

    def shuffled(self, entrants: Sequence[int]) -> list[int]:
        """Put entrants into an order that is equally likely to be any."""
        order = list(entrants)
        for position, index in enumerate(draw(range(len(order), 0, -1), self._halves)):
            chosen = position + index
            order[position], order[chosen] = order[chosen], order[position]
        return order


@dataclass(frozen=True, slots=True)
class Field:
    """Everything about a tournament that decides its blocks, but for the strategies."""

    entrants: int  # how many
    rules: Rules
    bankroll: int  # everybody's at the start, in the unit of the rules; 0 without chips
    minimum: int  # least wager, in the unit of the rules; 0 without chips
    maximum: int  # greatest wager, in the unit of the rules; 0 without chips
    secret: Secret
    follows_luck: bool = False  # whether the luck of the cards is summed up
    stage: int = 0  # of the tournament, from 0
    steps: tuple[tuple[int, int], ...] = ()  # tables, entrants: first, and after each extension
    numbers: tuple[int, ...] | None = None  # of those who play, in the run; None for all, in order
    bankrolls: tuple[int, ...] | None = None  # with which they begin, if not all with the same
    clock: Callable[[], float] = lambda: 0.0  # seconds of the floor, at the beginning of a wave
    policies: tuple[model.PolicyConfig, ...] | None = None  # by numbers in the run, or defaults
    names: tuple[str, ...] | None = None  # by numbers in the run; None if no format may ask

    @property
    def has_chips(self) -> bool:
        """Whether chips count, not points."""
        return self.rules.most_points is None

    def begins_with(self, entrant: int) -> int:
        """Give the bankroll with which somebody begins."""
        return self.bankrolls[entrant] if self.bankrolls else self.bankroll

    def policy(self, entrant: int) -> model.PolicyConfig:
        """Give what somebody wants wherever a format lets it choose."""
        if not self.policies:
            return model.PolicyConfig()
        return self.policies[self.numbers[entrant] if self.numbers else entrant]

    def number_of(self, entrant: int) -> int:
        """Give somebody's number in the run."""
        return self.numbers[entrant] if self.numbers else entrant

    def playing(self, rules: Rules) -> Field:
        """Give the same field at other rules."""
        return replace(self, rules=rules)

    def shuffled(self, place: tuple[int, int], entrants: Sequence[int]) -> list[int]:
        """Put entrants into an order that is equally likely to be any.

        Args:
            place: Heat and table that they are drawn for.
            entrants: Their numbers.
        """
        return self.lots(place).shuffled(entrants)

    def lots(self, place: tuple[int, int]) -> Lots:
        """Give the draws of a place.

        Args:
            place: Heat and table that something is drawn for.
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
        """Draw up a block.

        Args:
            key: Its place in the stage.
            seats: Entrant and bankroll of every seat, in the order of play.
            rounds: How many at most.
            minimum: Least wager, in the unit of the rules; the field's by default.
            state: What everybody at the table knows of the tournament.
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
