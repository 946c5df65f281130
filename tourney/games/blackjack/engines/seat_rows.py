"""The seats at the tables of a wave: seats that are asked, and seats with a declaration."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from tourney.game import MakePlayer
from tourney.game.asking.exchange import AnyPool, SeatReply
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.blocks import Block, RecordedFault
from tourney.game.declaration_result import Declared
from tourney.game.fault_replay import ReplayedPool
from tourney.game.ledger import Verdict
from tourney.game.lineup import OpenPool, nobody_is_confined
from tourney.game.rules import Rules
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.asking.questions_codec import QuestionsCodec
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.engines.compiled_play import table_of
from tourney.games.blackjack.engines.fit import is_declared
from tourney.games.blackjack.kernels.accounts import ASKED, STAND_IN
from tourney.games.blackjack.kernels.declared_blocks import SeatStart, TableStart


class SeatRows:
    """The seats of all tables of a wave, in rows: table by table, in order of play.

    Args:
        blocks: The blocks of the wave.
        make_player: Makes a new player for an entrant.
        declared: Returns the declaration of an entrant for a game.
        confined: Returns the pool of an entrant whose players run in a sandbox.

    `sit` makes the players. After it, `close` must be called.
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        make_player: MakePlayer,
        declared: Callable[[int, Rules], Declared],
        confined: OpenPool = nobody_is_confined,
    ) -> None:
        self.pools: dict[int, AnyPool] = {}  # by entrant; of entrants that are asked
        self.verdicts: dict[int, Verdict] = {}  # by row
        self.blocks, self._make_player = blocks, make_player
        places = [(block, seat) for block in blocks for seat in range(len(block.seats))]
        self.entrants = np.array([block.seats[seat].entrant for block, seat in places], np.int64)
        self.seats: NDArray[np.int32] = np.zeros(len(places), np.int32)  # in the entrant's pool
        # Entrants with the same declaration share their tables.
        numbers: dict[Declaration, int] = {}
        self.starts: dict[int, SeatStart] = {}  # by row
        seat_requests: dict[int, list[int]] = {}  # rows by entrant
        for row, (block, seat) in enumerate(places):
            entrant, bankroll = block.seats[seat].entrant, block.seats[seat].bankroll
            pool = None if entrant in self.pools else confined(entrant)
            if pool:
                self.pools[entrant] = pool
            # A sandboxed player is not asked for a declaration, as this would run its code here.
            found = None if entrant in self.pools else declared(entrant, block.rules)
            if found and is_declared(block, seat, found):
                assert isinstance(found, Declaration)
                number = numbers.setdefault(found, len(numbers))
                self.starts[row] = SeatStart(number, bankroll)
            else:
                seat_requests.setdefault(entrant, []).append(row)
        self._places, self._seat_requests = places, seat_requests
        self.declarations = tuple(numbers)

    def recall(self, faults: Iterable[RecordedFault]) -> None:
        """Before `sit`, arrange for sandboxed players to fail where they failed before."""
        known = {(fault.key, fault.seat): fault.verdict for fault in faults}
        for entrant, pool in self.pools.items():
            places = [self._places[row] for row in self._seat_requests[entrant]]
            verdicts = {
                number: known[block.key, seat]
                for number, (block, seat) in enumerate(places)
                if (block.key, seat) in known
            }
            if verdicts:
                self.pools[entrant] = ReplayedPool(pool, QuestionsCodec(), verdicts)

    def sit(self) -> list[TableStart]:
        """Make all players, entrant by entrant; return the start of each table."""
        for entrant, rows in self._seat_requests.items():
            self.seats[rows] = np.arange(len(rows))
            pool = self.pools.setdefault(entrant, Pool(partial(self._make_player, entrant)))
            places = [self._places[row] for row in rows]
            seated = pool.sit(
                [
                    SeatRequest(block.key.first_round, block.seats[seat].random_key)
                    for block, seat in places
                ]
            )
            for row, (block, seat), seating in zip(rows, places, seated, strict=True):
                self.starts[row] = _start(block.seats[seat].bankroll, seating)
                if seating.verdict:
                    self.verdicts[row] = seating.verdict
        starts = (self.starts[row] for row in range(len(self._places)))
        return [table_of(block, list(islice(starts, len(block.seats)))) for block in self.blocks]

    def is_asked(self, row: int) -> bool:
        """Return whether a seat is asked, instead of playing by a declaration."""
        return self.starts[row].declaration in {ASKED, STAND_IN}

    def close(self) -> None:
        """Close all pools, which ends the processes of sandboxed players."""
        for pool in self.pools.values():
            pool.close()


def _start(bankroll: int, seating: SeatReply) -> SeatStart:
    if seating.verdict:
        return SeatStart(STAND_IN, bankroll)
    return SeatStart(ASKED, bankroll, seating.acts, seating.watches)
