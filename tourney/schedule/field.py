"""What a format is given: how many entrants play for what, and the run's secret."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tourney.cards.generator import Generator, draw
from tourney.cards.keys import Secret
from tourney.games import Rules
from tourney.ledger import BlockKey
from tourney.schedule.blocks import Block, Seat


@dataclass(frozen=True, slots=True)
class Field:
    """Everything about a tournament that decides its blocks, but for the strategies."""

    entrants: int  # how many
    rules: Rules
    bankroll: int  # everybody's at the start, in the unit of the rules; 0 without chips
    minimum: int  # least wager, in the unit of the rules; 0 without chips
    maximum: int  # greatest wager, in the unit of the rules; 0 without chips
    secret: Secret

    def playing(self, rules: Rules) -> "Field":
        """Give the same field at other rules."""
        return replace(self, rules=rules)

    def shuffled(self, place: tuple[int, int, int], entrants: Sequence[int]) -> list[int]:
        """Put entrants into an order that is equally likely to be any.

        Args:
            place: Stage, heat and table that they are drawn for.
            entrants: Their numbers.
        """
        order = list(entrants)
        halves = Generator(self.secret.seating_key(*place)).halves(0)
        for position, index in enumerate(draw(range(len(order), 0, -1), halves)):
            chosen = position + index
            order[position], order[chosen] = order[chosen], order[position]
        return order

    def block(self, key: BlockKey, seats: tuple[tuple[int, int], ...], rounds: int) -> Block:
        """Draw up a block.

        Args:
            key: Its place in the run.
            seats: Entrant and bankroll of every seat, in order of play.
            rounds: How many at most.
        """
        return Block(
            key=key,
            rules=self.rules,
            seats=tuple(
                Seat(entrant, bankroll, self.secret.seat_key(key, number))
                for number, (entrant, bankroll) in enumerate(seats)
            ),
            minimum=self.minimum,
            maximum=self.maximum,
            rounds=rounds,
            shoe_key=self.secret.shoe_key(key.stage, key.heat, key.table, key.first_round),
        )
