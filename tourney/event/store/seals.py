"""Seals: short hashes of what is stored, by which a change or damage shows when it is read.

A seal is no signature: whoever may write the store may seal it again. What only playing again
can give are digests, of batches and of whole runs. Knows no SQL.
"""

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from hashlib import blake2b
from operator import attrgetter
from typing import Any, TypeAlias

from tourney.event.store.records import BLINDING, RunRecord
from tourney.game.ledger import BlockKey, BlockResult, Remark, SeatResult

SEAL_BYTES = 16

UNSEALED = "unsealed"
"""Stands in place of a seal in stores that were written before there were any."""

_OF_ENTRANT = ("number", "name", "kind", "strategy", "options", "group", "policy", "digest")
"""What of an entrant enters the digest of its run."""

Faulted: TypeAlias = tuple[BlockKey, SeatResult]


def seal(*parts: object) -> bytes:
    """Give the BLAKE2b of rows or of plain values; 16 bytes."""
    return _hashed(b"tourney.seal", parts)


def fits(stored: object, expected: bytes) -> bool:
    """Say whether a seal is what it should be, or was never given."""
    return stored in {expected, UNSEALED}


def faulted_in(results: Iterable[BlockResult]) -> Iterator[Faulted]:
    """Give the seats with a verdict."""
    return ((block.key, seat) for block in results for seat in block.seats if seat.verdict)


def batch_seal(
    row: tuple[Any, ...], faulted: Iterable[Faulted], remarks: Iterable[Remark]
) -> bytes:
    """Give the seal of a batch; its results enter by their digest.

    Args:
        row: Run, number, wave, digest, seconds and worker.
        faulted: Its seats with a verdict, in any order: the digest holds but a part of a verdict.
        remarks: In order.
    """
    verdicts = [
        (tuple(key), seat.entrant, seat.seat, astuple(seat.verdict))
        for key, seat in faulted
        if seat.verdict
    ]
    return seal(row, sorted(verdicts), [astuple(remark) for remark in remarks])


def run_digest(run: RunRecord, batches: Iterable[tuple[int, bytes]]) -> bytes:
    """Give the digest of a run, which can be handed out; 16 bytes.

    It is over what was played, by whom and from which shoes, and what came of it. Left out are
    times, versions, how players were confined, and the words of verdicts: the same tournament
    played elsewhere has the same digest.

    Args:
        run: The run with its entrants.
        batches: Numbers and digests of all its batches.
    """
    facts = attrgetter(*_OF_ENTRANT)
    entrants = [facts(each) for each in run.entrants]
    # What blinds a commitment has no part in what is played.
    settings = sorted(each for each in run.settings if each[0] != BLINDING)
    played = (run.config, settings, run.commitment, run.rehearsal)
    return _hashed(b"tourney.whole", (played, entrants, sorted(batches)))


def _hashed(person: bytes, parts: Iterable[object]) -> bytes:
    hasher = blake2b(digest_size=SEAL_BYTES, person=person)
    for part in parts:
        hasher.update(repr(part).encode("utf-8", "surrogatepass"))
    return hasher.digest()
