"""Who sits at the tables of a wave: seats that are asked, by whom, and those that declare."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tourney.asking.desk import Desk
from tourney.asking.newcomer import Newcomer
from tourney.asking.seating import Seating
from tourney.engine.cast import MakePlayer
from tourney.engine.lockstep.fits import is_declared
from tourney.games import Rules
from tourney.games.blackjack.declaration import Declaration
from tourney.kernels.blackjack import SeatStart, TableStart
from tourney.kernels.blackjack_rounds import ASKED, STAND_IN
from tourney.ledger import Verdict
from tourney.players import Declared
from tourney.schedule import Block


class Guests:
    """The seats of all tables of a wave, in rows: table by table, in order of play.

    Args:
        blocks: Of the wave.
        make_player: Makes a new player for an entrant.
        declared: Gives what an entrant declares for a game.
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        make_player: MakePlayer,
        declared: Callable[[int, Rules], Declared],
    ) -> None:
        self.desks: dict[int, Desk] = {}  # by entrant; of those who are asked
        self.verdicts: dict[int, Verdict] = {}  # by row
        places = [(block, seat) for block in blocks for seat in range(len(block.seats))]
        self.entrants = np.array([block.seats[seat].entrant for block, seat in places], np.int64)
        self.seats: NDArray[np.int32] = np.zeros(len(places), np.int32)  # at the entrant's desk
        # Entrants that declare the same share their tables.
        numbers: dict[Declaration, int] = {}
        starts: dict[int, SeatStart] = {}
        newcomers: dict[int, list[int]] = {}  # rows by entrant
        for row, (block, seat) in enumerate(places):
            entrant, bankroll = block.seats[seat].entrant, block.seats[seat].bankroll
            found = declared(entrant, block.rules)
            if is_declared(block, seat, found):
                assert isinstance(found, Declaration)
                starts[row] = SeatStart(numbers.setdefault(found, len(numbers)), bankroll)
            else:
                newcomers.setdefault(entrant, []).append(row)
        for entrant, rows in newcomers.items():
            self.seats[rows] = np.arange(len(rows))
            desk = self.desks[entrant] = Desk(partial(make_player, entrant))
            own = [places[row] for row in rows]
            seated = desk.sit([_newcomer(block, seat) for block, seat in own])
            for row, (block, seat), seating in zip(rows, own, seated, strict=True):
                starts[row] = _start(block.seats[seat].bankroll, seating)
                if seating.verdict:
                    self.verdicts[row] = seating.verdict
        self.declarations = tuple(numbers)
        self.tables = _tables(blocks, [starts[row] for row in range(len(places))])


def _newcomer(block: Block, seat: int) -> Newcomer:
    return Newcomer(block.key.first_round, block.seats[seat].random_key)


def _start(bankroll: int, seating: Seating) -> SeatStart:
    if seating.verdict:
        return SeatStart(STAND_IN, bankroll)
    return SeatStart(ASKED, bankroll, seating.acts, seating.watches)


def _tables(blocks: Sequence[Block], starts: Sequence[SeatStart]) -> list[TableStart]:
    tables = []
    first = 0
    for block in blocks:
        last = first + len(block.seats)
        limits = (block.minimum, block.maximum)
        tables.append(
            TableStart(
                block.key.first_round,
                block.rounds,
                *limits,
                block.shoe_key,
                tuple(starts[first:last]),
            )
        )
        first = last
    return tables
