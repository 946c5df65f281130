"""Blocks of declared players in machine code, for callers without arrays.

`table_machine` plays the rounds, and `single_seat` plays some blocks faster. The results are those
of the reference engine. `lockstep_tables` plays tables with seats that are asked.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.blocks import TableState
from tourney.game.machine.compile_cache import CodeUnit
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.kernels import PARTS, TABLES
from tourney.games.blackjack.kernels import accounts as col
from tourney.games.blackjack.kernels.accounts import STAYED, Tables
from tourney.games.blackjack.kernels.compiled_rules import players_of, tables_of
from tourney.games.blackjack.kernels.lockstep_steps import play_blocks
from tourney.games.blackjack.kernels.luck import Worths
from tourney.games.blackjack.kernels.single_seat import play_alone
from tourney.games.blackjack.kernels.table_state import (
    LOGGED,
    new_layouts,
    new_log,
)
from tourney.games.blackjack.rules import BlackjackRules


class SeatStart(NamedTuple):
    """A seat before play."""

    declaration: int  # index of its declaration; or ASKED, or STAND_IN
    bankroll: int  # in the unit of the rules
    acts: bool = False  # if it is asked: it chooses among all actions
    watches: bool = False  # if it is asked: it sees cards


class TableStart(NamedTuple):
    """Rounds to play at one table."""

    first_round: int
    rounds: int  # at most
    minimum: int  # in the unit of the rules
    maximum: int  # in the unit of the rules
    shoe_key: bytes  # 16 bytes
    seats: tuple[SeatStart, ...]
    state: TableState = TableState()
    follows_luck: bool = False  # whether luck is measured


class SeatEnd(NamedTuple):
    """A seat after play, with the numbers of `tourney.game.ledger.Account`."""

    final: int
    lowest: int
    highest: int
    rounds: int
    left_round: int | None
    handle: int
    squares: int
    mix: int
    luck: int | None  # None if it is not measured


class TableEnd(NamedTuple):
    """A table after play."""

    rounds: int
    shuffles: int
    cards: int
    seats: tuple[SeatEnd, ...]


def play_tables(
    rules: BlackjackRules,
    tables: Sequence[TableStart],
    declarations: Sequence[Declaration],
    worths: Worths | None = None,
    ways: Collection[CodeUnit] = PARTS,
) -> list[TableEnd | None]:
    """Play tables, with the same cards, actions and chips as the reference engine.

    Args:
        rules: The rules of all tables.
        tables: The starts of the tables.
        declarations: At least one declaration, to which seats refer by index.
        worths: Values of positions, if any table measures luck.
        ways: The code units to use; others may not be compiled yet.
    Returns: The ends of the tables; `None` for tables that these code units cannot play.
    """
    rows = table_rows(tables)
    left = set(range(len(tables))) - play_alone(rules, declarations, rows, worths, ways)
    counted = rows.blocks[:, :3].copy()  # of those that were played
    if left and TABLES in ways:
        house, players = tables_of(rules, worths), players_of(declarations)
        layouts = new_layouts(house, rows, 1)
        play_blocks(house, players, layouts, np.array(sorted(left)), counted)
        left = set()
    ends = table_ends(counted, rows)
    return [None if number in left else end for number, end in enumerate(ends)]


def log_table(
    rules: BlackjackRules,
    table: TableStart,
    declaration: Declaration,
    tags: Sequence[int],
    worths: Worths | None = None,
) -> NDArray[np.int64]:
    """Play rounds of a single seat, and return a row for each.

    Args:
        rules: The rules of the table.
        table: A table with a single seat.
        declaration: The declaration of its player.
        tags: Count of a seen card, by code.
        worths: Values of positions, if the table measures luck.
    Returns: The true count before each round, rounded down, its first wager, its net result, and
        its luck, in the units of `SeatEnd`; shape (rounds, 4).
    """
    rows, log = table_rows([table]), new_log(table.rounds, tags)
    house, players = tables_of(rules, worths), players_of([declaration])
    layouts = new_layouts(house, rows, 1, log)
    play_blocks(house, players, layouts, np.array([0]), np.zeros((1, 3), np.int64))
    return log.rows[: log.state[LOGGED]]


def table_rows(tables: Sequence[TableStart]) -> Tables:
    """Convert tables to arrays."""
    stops = np.cumsum([len(table.seats) for table in tables]).tolist()
    secrets = np.cumsum([len(table.state.secret_rounds) for table in tables]).tolist()
    blocks = np.array(
        [
            _block_row(table, stop, secret)
            for table, stop, secret in zip(tables, stops, secrets, strict=True)
        ],
        np.int64,
    ).reshape(-1, col.BLOCK_COLUMNS)
    starts = [seat for table in tables for seat in table.seats]
    seats = np.zeros((len(starts), col.SEAT_COLUMNS), np.int64)
    seats[:, col.WHO] = [seat.declaration for seat in starts]
    seats[:, col.FINAL] = [seat.bankroll for seat in starts]
    seats[:, col.ACTS] = [seat.acts for seat in starts]
    seats[:, col.WATCHES] = [seat.watches for seat in starts]
    secret = [number for table in tables for number in table.state.secret_rounds]
    keys = np.frombuffer(b"".join(table.shoe_key for table in tables), "<u8").reshape(-1, 2)
    return Tables(
        blocks=blocks,
        keys=keys.astype(np.uint64),
        seats=seats,
        mixes=np.zeros(len(starts), np.uint64),
        secrets=np.array(secret, np.int64),
    )


def _block_row(table: TableStart, stop: int, secret: int) -> tuple[int, ...]:
    """Return a row of `Tables.blocks`; `stop` and `secret` are the ends of its ranges."""
    state = table.state
    return (
        *(table.first_round, table.rounds, table.minimum, table.maximum),
        *(stop - len(table.seats), stop),
        *(state.moves_button, state.rounds_after, state.level, state.advance),
        *(secret - len(state.secret_rounds), secret, table.follows_luck),
    )


def table_ends(counted: NDArray[np.int64], tables: Tables) -> list[TableEnd]:
    """Convert arrays to the ends of tables.

    Args:
        counted: Rounds, shuffles and cards of each table; shape (tables, 3).
        tables: The arrays from `table_rows`, after play.
    """
    blocks = tables.blocks
    follows = np.repeat(
        blocks[:, col.FOLLOWS_LUCK], blocks[:, col.LAST_SEAT] - blocks[:, col.FIRST_SEAT]
    )
    ends = list(map(_seat_end, tables.seats.tolist(), tables.mixes.tolist(), follows.tolist()))
    rows = np.hstack((counted, blocks[:, [col.FIRST_SEAT, col.LAST_SEAT]])).tolist()
    return [
        TableEnd(rounds, shuffles, cards, tuple(ends[start:stop]))
        for rounds, shuffles, cards, start, stop in rows
    ]


def _seat_end(row: list[int], mix: int, follows_luck: int) -> SeatEnd:
    _, final, lowest, highest, rounds, left, handle, squares, *_ = row
    left_round = None if left == STAYED else left
    luck = row[col.LUCK] if follows_luck else None
    return SeatEnd(final, lowest, highest, rounds, left_round, handle, squares, mix, luck)
