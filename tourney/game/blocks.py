"""Blocks and batches: what workers play, the store keeps and a replay repeats."""

from dataclasses import dataclass

from tourney.game.ledger import BlockKey, Verdict
from tourney.game.rules import Rules

HOUSE_LIMIT = 1_000_000_000
"""Greatest wager in chips at a table without a limit of its own; keeps sums within 64 bits."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits in a seat when the block starts."""

    entrant: int  # number of the entrant in the run, from 0
    bankroll: int  # in the unit of the rules
    random_key: bytes  # 16 bytes; seeds the seat's own generator


@dataclass(frozen=True, slots=True)
class TableState:
    """What everybody at a table knows of the tournament, besides cards and chips."""

    level: int = 1  # of the tournament's clock
    rounds_after: int = 0  # rounds that the table goes on for after this block
    advance: int = 0  # places of this table that go on; 0 where it decides nobody's place
    moves_button: bool = False  # whether the order of play begins a seat further on every round
    secret_rounds: tuple[int, ...] = ()  # in which no wager is shown before all are placed


@dataclass(frozen=True, slots=True)
class Block:
    """Up to `rounds` rounds at one table with one seating, from one start state.

    Everything that its result depends on, but for the strategies, which the roster holds.
    """

    key: BlockKey
    rules: Rules
    seats: tuple[Seat, ...]  # in the order of play of its first round
    minimum: int  # least wager, in the unit of the rules
    maximum: int  # greatest wager, in the unit of the rules
    rounds: int  # a cap: the stop rule or empty seats may end the block earlier
    shoe_key: bytes  # 16 bytes; shoe s is dealt from stream s of the generator of this key
    state: TableState = TableState()
    follows_luck: bool = (
        False  # whether the luck of the cards is summed up; see `tourney.games.blackjack.exact`
    )


@dataclass(frozen=True, slots=True)
class RecordedFault:
    """A fault that an earlier play gave and that depends on the machine or on chance, too.

    It is a recorded input: whoever plays its batch again has it happen where it did.
    """

    key: BlockKey
    seat: int  # place at the table, from 0
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Batch:
    """Blocks that travel and are stored together; their results do not depend on each other."""

    wave: int  # from 0; a wave starts when the one before is complete
    number: int  # within the run, from 0
    blocks: tuple[Block, ...]
    recorded: tuple[RecordedFault, ...] | None = None  # None: it has not been played before
    known: tuple[RecordedFault, ...] = ()  # of those found in an earlier wave to be unrepeatable
    is_watched: bool = False  # whether the hands of its blocks are written down

    @property
    def entrants(self) -> tuple[int, ...]:
        """Numbers of the entrants that play in it, in order."""
        return tuple(sorted({seat.entrant for block in self.blocks for seat in block.seats}))
