"""Logs of the exchanges with players' processes, to compare several plays of one batch.

A batch may be played more than once: a fault that depends on the machine must happen twice before
it counts, and a batch is replayed if its processes were lost. A player could abuse this as a second
try: end its process when it is behind, and play differently the next time. So all processes of an
entrant that begin alike must give the same answers as long as the questions are the same.

Logs hold only hashes: 32 bytes for an exchange, however many questions it has. Most bytes are
questions, so these use Python's hash, which is five times as fast as BLAKE2b. A player chooses its
answers and could search for a collision if it knew the key, so answers use BLAKE2b.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations
from typing import Any

from tourney.game.arrays import np
from tourney.game.asking.exchange import AnyPool, Decided, ObservedPool, SeatReply, SeatRequest
from tourney.game.codec import Codec
from tourney.game.ledger import ENDING_CAUSES, MACHINE_CAUSES, Verdict

HASH_BYTES = 16


@dataclass(slots=True)
class ExchangeLog:
    """The exchanges with one process, in order; the first one seats its players."""

    questions: array[int] = field(default_factory=lambda: array("q"))  # hashes
    answers: bytearray = field(default_factory=bytearray)  # hashes, HASH_BYTES each
    rounds: array[int] = field(default_factory=lambda: array("q"))  # of the first question
    by_machine: set[int] = field(default_factory=set)  # exchanges with a fault of that kind
    has_ended: bool = False  # whether the process is gone; later exchanges are not its answers

    def __len__(self) -> int:
        """Return the number of exchanges."""
        return len(self.rounds)

    def add(
        self, question: bytes, answer: bytes, round_: int, verdicts: Collection[Verdict]
    ) -> None:
        """Add an exchange, unless the process ended before it.

        Args:
            question: The bytes that were sent.
            answer: Bytes that are equal for equal answers.
            round_: Round of the first question.
            verdicts: The faults among the answers.
        """
        if self.has_ended:
            return
        causes = {verdict.cause for verdict in verdicts}
        if causes & MACHINE_CAUSES:
            self.by_machine.add(len(self))
        self.has_ended = bool(causes & ENDING_CAUSES)
        self.questions.append(hash(question))
        self.answers += _hash(answer)
        self.rounds.append(round_)

    def difference(self, other: ExchangeLog) -> int | None:
        """Return the first exchange with equal questions and different answers; `None` without one.

        A fault that depends on the machine is no answer: if only one process has it, the comparison
        ends there.
        """
        count = min(len(self), len(other))
        one, two = (_hashes(each.answers, count) for each in (self, other))
        asked, again = (np.array(each.questions[:count], np.int64) for each in (self, other))
        found = np.flatnonzero((one != two).any(axis=1) | (asked != again))
        if not len(found):
            return None
        first = int(found[0])
        is_comparable = first not in self.by_machine | other.by_machine
        return first if is_comparable and asked[first] == again[first] else None


class ExchangeLogs:
    """The logs of all sandboxed processes in all plays of a batch."""

    def __init__(self) -> None:
        self._logs: dict[tuple[int, bytes], list[ExchangeLog]] = {}

    def logged(self, entrant: int, pool: AnyPool, codec: Codec) -> AnyPool:
        """Return a pool that logs all exchanges with the given one."""
        return _LoggedPool(pool, codec, self, entrant)

    def begin(self, entrant: int, seat_requests: Sequence[SeatRequest]) -> ExchangeLog:
        """Begin the log of a new process, to be compared with others that began alike."""
        log = ExchangeLog()
        # One competitor and the same seats and luck: it is opened with the same bytes.
        began = _hash(repr([tuple(each) for each in seat_requests]).encode())
        self._logs.setdefault((entrant, began), []).append(log)
        return log

    def differing(self, entrants: Iterable[int]) -> dict[int, str]:
        """Return, by entrant, a description of its different answers to the same questions."""
        wanted, found = frozenset(entrants), dict[int, str]()
        for (entrant, _), logs in self._logs.items():
            if entrant in wanted and entrant not in found:
                places = (
                    _words(one, one.difference(other)) for one, other in combinations(logs, 2)
                )
                if words := next(filter(None, places), ""):
                    found[entrant] = words
        return found


class _LoggedPool(ObservedPool):
    """Asks a pool, and logs every exchange."""

    def __init__(self, pool: AnyPool, codec: Codec, logs: ExchangeLogs, entrant: int) -> None:
        super().__init__(pool, codec)
        self._logs, self._entrant = logs, entrant
        self._log = ExchangeLog()  # replaced when players sit down

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Make players, in order."""
        seated = self._pool.sit(seat_requests)
        self._log = self._logs.begin(self._entrant, seat_requests)
        verdicts = [each.verdict for each in seated if each.verdict]
        told = [(each.acts, each.watches, _fact(each.verdict)) for each in seated]
        first_round = min((each.first_round for each in seat_requests), default=0)
        self._log.add(b"", repr(told).encode(), first_round, verdicts)
        return seated

    def note(self, questions: Any, decided: Decided) -> Decided:
        """Log an exchange."""
        if not self._log.has_ended:
            faults = sorted((place, _fact(each)) for place, each in decided.faults.items())
            answer = np.asarray(decided.answers, np.int64).tobytes() + repr(faults).encode()
            round_ = int(questions.rounds[0])
            verdicts = decided.faults.values()
            self._log.add(self._codec.write(questions), answer, round_, verdicts)
        return decided


def _hash(content: bytes) -> bytes:
    return blake2b(content, digest_size=HASH_BYTES).digest()


def _hashes(content: bytearray, count: int) -> Any:
    """Return the hashes of the first exchanges, one in each row."""
    return np.frombuffer(bytes(content), np.uint8)[: count * HASH_BYTES].reshape(count, HASH_BYTES)


def _fact(verdict: Verdict | None) -> tuple[str, str] | None:
    """Return the parts of a verdict that must repeat; its message may hold addresses of objects."""
    return (verdict.cause, verdict.call) if verdict else None


def _words(log: ExchangeLog, place: int | None) -> str:
    if place is None:
        return ""
    return (
        "answers to the same questions changed when the batch was played again "
        f"(round {log.rounds[place]}, exchange {place + 1} of its process)"
    )
