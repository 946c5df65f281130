"""Straights at speed, for callers without arrays.

The rounds themselves are in `blocks`, `moves` and `cards`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tourney.game.cards.card import DECK_SIZE
from tourney.game.ledger.mix import WORD
from tourney.games.straights.declaration import StraightsDeclaration, Worths
from tourney.games.straights.kernels.blocks import FINAL, MIX, SQUARES, Work, play_blocks
from tourney.games.straights.kernels.cards import Words, new_deals
from tourney.games.straights.kernels.moves import Declared

NEVER = int(np.iinfo(np.int64).max)
"""More points than there are: the limit of a game without one."""
NOTHING = (0.0,) * DECK_SIZE


class TableWork(NamedTuple):
    """Rounds to play at one table."""

    shoe_key: bytes  # 16 bytes
    rounds: int  # at most
    limit: int | None  # points that end the game after the round
    bankrolls: tuple[int, ...]  # points of each seat before
    declarations: tuple[int, ...]  # by seat: its place among the declarations


class SeatTally(NamedTuple):
    """What came of them for one seat."""

    final: int  # points
    squares: int  # sum of the squared points of the rounds
    mix: int  # as `tourney.game.ledger.Account` mixes


class TableTally(NamedTuple):
    """What came of them."""

    rounds: int  # played
    seats: tuple[SeatTally, ...]


def play_tables(
    work: Sequence[TableWork], declarations: Sequence[StraightsDeclaration]
) -> list[TableTally]:
    """Play rounds of Straights; the same cards, points and mixes as the reference engine's.

    Args:
        work: The tables; they do not depend on each other.
        declarations: Of the players, at least one; seats name them by their place here.

    >>> play_tables([], [StraightsDeclaration(NOTHING, NOTHING)])
    []
    """
    keys = np.frombuffer(b"".join(each.shoe_key for each in work), "<u8").reshape(-1, 2)
    tallies = np.zeros((len(work), 4, 3), np.int64)
    tallies[:, :, FINAL] = np.array([each.bankrolls for each in work], np.int64).reshape(-1, 4)
    played = np.zeros(len(work), np.int64)
    blocks = Work(
        keys=keys.astype(np.uint64),
        rounds=np.array([each.rounds for each in work], np.int64),
        limits=np.array([NEVER if each.limit is None else each.limit for each in work], np.int64),
        seats=np.array([each.declarations for each in work], np.uint64).reshape(-1, 4),
    )
    play_blocks(new_deals(), blocks, _declared(declarations), tallies, played)
    return [
        TableTally(rounds, tuple(_seat(row) for row in rows))
        for rounds, rows in zip(played.tolist(), tallies.tolist(), strict=True)
    ]


def _seat(row: list[int]) -> SeatTally:
    return SeatTally(row[FINAL], row[SQUARES], row[MIX] & WORD)


def _orders(declaration: StraightsDeclaration) -> Words:
    """Give the orders of both kinds; whoever weighs holds its cards as they are dealt."""
    play = NOTHING if declaration.play_weights else declaration.play
    discard = NOTHING if declaration.discard_weights else declaration.discard
    return np.array([_order(play), _order(discard)], np.uint64)


def _order(worths: Worths) -> list[int]:
    return [1 << sum(other > worth for other in worths) for worth in worths]


def _declared(declarations: Sequence[StraightsDeclaration]) -> Declared:
    plays = [declaration.play_weights for declaration in declarations]
    discards = [declaration.discard_weights for declaration in declarations]
    return Declared(
        orders=np.stack([_orders(declaration) for declaration in declarations]),
        play=np.array([declaration.play for declaration in declarations]),
        own=np.array([each.own if each else NOTHING for each in plays]),
        strangers=np.array([each.strangers if each else NOTHING for each in plays]),
        reach=np.array([each.reach if each else NOTHING for each in plays]),
        discard=np.array([declaration.discard for declaration in declarations]),
        waiting=np.array([each.waiting if each else NOTHING for each in discards]),
        chance=np.array([each.chance if each else NOTHING for each in discards]),
        weighs_plays=np.array([each is not None for each in plays]),
        weighs_discards=np.array([each is not None for each in discards]),
    )
