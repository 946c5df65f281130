"""Conversion of results to rows of the store, and back, without any loss.

Whole numbers of SQLite have 64 bits with a sign. The mix has 64 bits without a sign, so it is
stored as the signed number with the same bits. Chips and squares are unlimited: they are stored as
numbers if they fit, which is nearly always, and otherwise as decimal text. Their columns have no
type, because SQLite would round such text to a float.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from functools import cache
from itertools import groupby
from typing import Any, TypeAlias

from tourney.game.ledger import BlockKey, BlockResult, Remark, SeatResult, Verdict
from tourney.sqlite.database import Row

_HALF = 1 << 63
_KEYED = 5
"""Number of columns of a block's key."""
_SEATED = 8
"""Number of columns of the block in a row of `played`; the columns of the seat follow."""


Kind: TypeAlias = frozenset[type]
"""The types that a column may hold."""

NULL = type(None)
WHOLE, TEXT, BYTES = (frozenset({kind}) for kind in (int, str, bytes))
_MAYBE = WHOLE | {NULL}
_WIDE = WHOLE | TEXT
_BLOCK_KEY = (WHOLE,) * _KEYED
_BLOCK = (WHOLE,) * _SEATED
_SEAT = (
    *(WHOLE, WHOLE, _WIDE, _WIDE, _WIDE, _WIDE),
    *(WHOLE, _MAYBE, _WIDE, _WIDE, WHOLE, TEXT | {NULL}, _MAYBE),
)
_BATCH = (WHOLE, WHOLE, WHOLE, BYTES, frozenset({float}), TEXT, BYTES)
_REMARK = (WHOLE, WHOLE, TEXT, TEXT | {NULL}, TEXT | {NULL})
_VERDICT = (TEXT, TEXT, WHOLE, WHOLE, TEXT, TEXT, TEXT, TEXT, frozenset({bool}))


def checked(row: Sequence[Any], kinds: tuple[Kind, ...]) -> Sequence[Any]:
    """Return a row after checking the types of its values.

    Raises: ValueError, if a type is wrong: SQLite lets any column hold any type.
    """
    if wrong := _misfit(tuple(map(type, row)), kinds):
        raise ValueError(wrong)
    return row


@cache  # there are few kinds of rows, and millions of rows
def _misfit(types: tuple[type, ...], kinds: tuple[Kind, ...]) -> str:
    if len(types) != len(kinds):
        return f"expected {len(kinds)} values, got {len(types)}"
    for found, kind in zip(types, kinds, strict=True):
        if found not in kind:
            expected = " or ".join(sorted(each.__name__ for each in kind))
            return f"expected {expected}, got {found.__name__}"
    return ""


def block_rows(run: int, batch: int, results: tuple[BlockResult, ...]) -> Iterator[Row]:
    """Yield a row of `blocks` for each result, numbered in their order."""
    for position, result in enumerate(results):
        facts = (batch, position, result.rounds, result.shuffles, result.cards)
        yield (run, *result.key, *facts)


def seat_rows(run: int, results: tuple[BlockResult, ...]) -> Iterator[Row]:
    """Yield a row of `seats` for each seat of each result."""
    for result in results:
        for position, seat in enumerate(result.seats):
            yield (run, seat.entrant, *result.key, position, *_seat_row(seat))


def read_blocks(rows: Iterable[Row]) -> Iterator[BlockResult]:
    """Rebuild blocks from the rows of their seats.

    Args:
        rows: From `played`: eight columns of the block, then thirteen of the seat. The rows of a
            block are adjacent; a seat of `None` means that the block has no seats.
    """
    for block, seated in groupby(rows, key=lambda row: row[:_SEATED]):
        checked(block, _BLOCK)
        key, (rounds, shuffles, cards) = BlockKey(*block[:_KEYED]), block[_KEYED:]
        seats = tuple(_read_seat(row[_SEATED:]) for row in seated if row[_SEATED] is not None)
        yield BlockResult(key, rounds, shuffles, cards, seats)


def read_faulted(rows: Iterable[Row]) -> Iterator[tuple[int, BlockKey, SeatResult]]:
    """Rebuild the results of seats from rows of batch, block's key and seat's columns."""
    for batch, *row in rows:
        yield batch, BlockKey(*row[:_KEYED]), _read_seat(tuple(row[_KEYED:]))


def read_batches(rows: Iterable[Row]) -> Iterator[Row]:
    """Check rows of run, number, wave, digest, seconds, worker and checksum."""
    for row in rows:
        yield tuple(checked(row, _BATCH))


def remark_rows(run: int, batch: int, remarks: Iterable[Remark]) -> Iterator[Row]:
    """Yield a row of `remarks` for each remark, numbered in their order."""
    for position, remark in enumerate(remarks):
        key = None if remark.key is None else json.dumps(remark.key)
        verdict = None if remark.verdict is None else _verdict_text(remark.verdict)
        yield (run, batch, position, remark.entrant, remark.message, key, verdict)


def read_remarks(rows: Iterable[Row]) -> Iterator[tuple[int, Remark]]:
    """Rebuild remarks from rows of batch, entrant, message, block and verdict."""
    for row in rows:
        batch, entrant, message, key, verdict = checked(row, _REMARK)
        yield (
            batch,
            Remark(
                entrant,
                message,
                None if key is None else BlockKey(*checked(json.loads(key), _BLOCK_KEY)),
                None if verdict is None else _verdict_of(verdict),
            ),
        )


def _read_seat(row: Row) -> SeatResult:
    seat, entrant, initial, final, lowest, highest = checked(row, _SEAT)[:6]
    rounds, left_round, handle, squares, mix, verdict, luck = row[6:]
    return SeatResult(
        seat=seat,
        entrant=entrant,
        initial=int(initial),
        final=int(final),
        lowest=int(lowest),
        highest=int(highest),
        rounds=rounds,
        left_round=left_round,
        handle=int(handle),
        squares=int(squares),
        mix=mix & (2 * _HALF - 1),
        verdict=None if verdict is None else _verdict_of(verdict),
        luck=luck,
    )


def _seat_row(result: SeatResult) -> Row:
    return (
        result.seat,
        _wide(result.initial),
        _wide(result.final),
        _wide(result.lowest),
        _wide(result.highest),
        result.rounds,
        result.left_round,
        _wide(result.handle),
        _wide(result.squares),
        result.mix if result.mix < _HALF else result.mix - 2 * _HALF,
        None if result.verdict is None else _verdict_text(result.verdict),
        result.luck,
    )


def _wide(number: int) -> int | str:
    return number if -_HALF <= number < _HALF else str(number)


def _verdict_text(verdict: Verdict) -> str:
    # JSON in ASCII, because the message of a competitor may contain half of a surrogate pair,
    # which UTF-8 and therefore a text column cannot hold.
    return json.dumps(astuple(verdict))


def _verdict_of(text: str) -> Verdict:
    return Verdict(*checked(json.loads(text), _VERDICT))
