"""What a format is given: how many entrants play for what, and the run's secret."""

from dataclasses import dataclass

from tourney.cards.keys import Secret
from tourney.games import Rules
from tourney.ledger import BlockKey
from tourney.schedule.blocks import Block, Seat


@dataclass(frozen=True, slots=True)
class Field:
    """Everything about a tournament that decides its blocks, but for the strategies."""

    entrants: int  # how many
    rules: Rules
    bankroll: int  # everybody's at the start, in the unit of the rules
    minimum: int  # least wager, in the unit of the rules
    maximum: int  # greatest wager, in the unit of the rules
    secret: Secret

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
