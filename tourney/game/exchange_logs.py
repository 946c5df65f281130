"""Logs of the exchanges with players' processes, by which plays of one batch are compared.

A batch may be played more than once: a fault that depends on the machine is played again before
it is believed, and so is a batch whose processes were lost. A player could use that as a second
try: end its process when it is behind, and play differently the next time. So every process of an
entrant that begins like another one has to answer like it, for as long as it is asked the same.
Logs hold hashes only: 32 bytes for an exchange, whatever the number of its questions. Python's own
hash of bytes is five times as fast as BLAKE2b, and questions are most of the bytes; but answers are
chosen by the player, who could look for two of the same hash if it knew the key.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import combinations
from typing import Any

from tourney.game.arrays import np
from tourney.game.asking.exchange import AnyPool, Asking, Decided, ObservedAsking, SeatReply
from tourney.game.asking.seat_request import SeatRequest
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
    has_ended: bool = False  # whether the process is gone; what comes then is no answer of it

    def __len__(self) -> int:
        """Count the exchanges."""
        return len(self.rounds)

    def add(
        self, question: bytes, answer: bytes, round_: int, verdicts: Collection[Verdict]
    ) -> None:
        """Add an exchange, unless the process ended before it.

        Args:
            question: The bytes that were sent.
            answer: The answers, as bytes that are equal for equal answers.
            round_: The round of the first question.
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
        """Give the first exchange with the same question and another answer; None if there is none.

        A fault that depends on the machine is no answer: where only one process has it, what
        follows is not compared.
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
    """The logs of all processes of confined players in all plays of a batch."""

    def __init__(self) -> None:
        self._logs: dict[tuple[int, bytes], list[ExchangeLog]] = {}

    def logged(self, entrant: int, pool: AnyPool, codec: Codec) -> AnyPool:
        """Have all exchanges with a pool logged."""
        return _LoggedPool(pool, codec, self, entrant)

    def begin(self, entrant: int, seat_requests: Sequence[SeatRequest]) -> ExchangeLog:
        """Begin the log of a new process, which is compared with those that began alike."""
        log = ExchangeLog()
        # One competitor and the same seats and luck: it is opened with the same bytes.
        began = _hash(repr([tuple(each) for each in seat_requests]).encode())
        self._logs.setdefault((entrant, began), []).append(log)
        return log

    def differing(self, entrants: Iterable[int]) -> dict[int, str]:
        """Say of entrants how they answered otherwise when they were asked the same again."""
        wanted, found = frozenset(entrants), dict[int, str]()
        for (entrant, _), logs in self._logs.items():
            if entrant in wanted and entrant not in found:
                places = (
                    _words(one, one.difference(other)) for one, other in combinations(logs, 2)
                )
                if words := next(filter(None, places), ""):
                    found[entrant] = words
        return found


class _LoggedPool:
    """Asks in a pool, and logs every exchange."""

    def __init__(self, pool: AnyPool, codec: Codec, logs: ExchangeLogs, entrant: int) -> None:
        self._pool, self._codec, self._logs, self._entrant = pool, codec, logs, entrant
        self._log = ExchangeLog()  # before anybody sits down there is nothing to log

    @property
    def warning(self) -> str:
        """Say what the pool warns of."""
        return self._pool.warning

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Make players, in order."""
        seated = self._pool.sit(seat_requests)
        self._log = self._logs.begin(self._entrant, seat_requests)
        verdicts = [each.verdict for each in seated if each.verdict]
        told = [(each.acts, each.watches, _fact(each.verdict)) for each in seated]
        self._log.add(b"", repr(told).encode(), _first_round(seat_requests), verdicts)
        return seated

    def decide(self, questions: Any) -> Decided:
        """Ask players whose seats have not failed, each at most once."""
        return self._note(questions, Decided(*self._pool.decide(questions)))

    def asking(self, questions: Any) -> Asking:
        """Prepare to ask."""
        return ObservedAsking(self._pool.asking(questions), partial(self._note, questions))

    def close(self) -> None:
        """Let everybody go."""
        self._pool.close()

    def _note(self, questions: Any, decided: Decided) -> Decided:
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
    """Give the hashes of the first exchanges, one a row."""
    return np.frombuffer(bytes(content), np.uint8)[: count * HASH_BYTES].reshape(count, HASH_BYTES)


def _fact(verdict: Verdict | None) -> tuple[str, str] | None:
    """Give what of a verdict has to be the same; its words may hold addresses of objects."""
    return (verdict.cause, verdict.call) if verdict else None


def _first_round(seat_requests: Sequence[SeatRequest]) -> int:
    return min((each.first_round for each in seat_requests), default=0)


def _words(log: ExchangeLog, place: int | None) -> str:
    if place is None:
        return ""
    return (
        "expected the same answers whenever the same is asked, got others when the batch was "
        f"played again (round {log.rounds[place]}, exchange {place + 1} of its process)"
    )
