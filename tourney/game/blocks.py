"""Blocks and batches: the units that workers play, the store keeps and a replay repeats."""

from dataclasses import dataclass

from tourney.game.ledger import BlockKey, Verdict
from tourney.game.rules import Rules

HOUSE_LIMIT = 1_000_000_000
"""Greatest wager in chips at a table without a limit; keeps sums within 64 bits."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The entrant in a seat when the block starts."""

    entrant: int  # number of the entrant in the run, from 0
    bankroll: int  # in the unit of the rules
    random_key: bytes  # 16 bytes; seeds the seat's own generator


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of the tournament that all players at a table know, apart from cards and chips."""

    level: int = 1  # of the tournament's clock
    rounds_after: int = 0  # rounds that the table plays after this block
    advance: int = 0  # players of this table that advance; 0 if the table decides no places
    moves_button: bool = False  # whether the first seat to play moves by one every round
    secret_rounds: tuple[int, ...] = ()  # rounds that hide wagers until all are placed


@dataclass(frozen=True, slots=True)
class Block:
    """Up to `rounds` rounds at one table with one seating, from one start state.

    It holds everything that its result depends on except the strategies, which the roster holds.
    """

    key: BlockKey
    rules: Rules
    seats: tuple[Seat, ...]  # in the order of play of its first round
    minimum: int  # least wager, in the unit of the rules
    maximum: int  # greatest wager, in the unit of the rules
    rounds: int  # at most: the stop rule or empty seats may end the block earlier
    shoe_key: bytes  # 16 bytes; shoe s is dealt from stream s of the generator of this key
    state: TableState = TableState()
    follows_luck: bool = False  # whether the luck of the cards is summed up


@dataclass(frozen=True, slots=True)
class RecordedFault:
    """A fault in an earlier play that also depends on the machine or on chance.

    It is an input of a replay: it happens again at the same place.
    """

    key: BlockKey
    seat: int  # place at the table, from 0
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Batch:
    """Blocks that are sent and stored together; their results do not depend on each other."""

    wave: int  # from 0; a wave starts when the previous one is complete
    number: int  # within the run, from 0
    blocks: tuple[Block, ...]
    recorded: tuple[RecordedFault, ...] | None = None  # None: it has not been played before
    known: tuple[RecordedFault, ...] = ()  # of entrants found unrepeatable in an earlier wave
    is_watched: bool = False  # whether the hands of its blocks are recorded

    @property
    def entrants(self) -> tuple[int, ...]:
        """Numbers of the entrants that play in it, in order."""
        return tuple(sorted({seat.entrant for block in self.blocks for seat in block.seats}))
