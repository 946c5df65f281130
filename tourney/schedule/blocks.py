"""Blocks and batches: what workers play, the store keeps and a replay repeats."""

from dataclasses import dataclass

from tourney.games import Rules
from tourney.ledger import BlockKey


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits in a seat when the block starts."""

    entrant: int  # number of the entrant in the run, from 0
    bankroll: int  # in the unit of the rules
    random_key: bytes  # 16 bytes; seeds the seat's own generator


@dataclass(frozen=True, slots=True)
class Block:
    """Up to `rounds` rounds at one table with one seating, from one start state.

    Everything that its result depends on, but for the strategies, which the roster holds.
    """

    key: BlockKey
    rules: Rules
    seats: tuple[Seat, ...]  # in order of play, first base first
    minimum: int  # least wager, in the unit of the rules
    maximum: int  # greatest wager, in the unit of the rules
    rounds: int  # a cap: the stop rule or empty seats may end the block earlier
    shoe_key: bytes  # 16 bytes; shoe s is dealt from stream s of the generator of this key


@dataclass(frozen=True, slots=True)
class Batch:
    """Blocks that travel and are stored together; their results do not depend on each other."""

    wave: int  # from 0; a wave starts when the one before is complete
    number: int  # within the run, from 0
    blocks: tuple[Block, ...]

    @property
    def entrants(self) -> tuple[int, ...]:
        """Numbers of the entrants that play in it, in order."""
        return tuple(sorted({seat.entrant for block in self.blocks for seat in block.seats}))
