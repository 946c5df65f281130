"""Check that sandboxed players repeat their answers: new players get the first questions again.

The order of questions follows from the batch. So a player in a new process that is asked the same
questions in the same order must give the same answers; otherwise its results can be neither
verified nor replayed. The questions are stored, so the check does not depend on other players, and
only the entrant under check is asked again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from tourney.game.arrays import np
from tourney.game.asking.exchange import AnyPool, Decided, ObservedPool, SeatReply, SeatRequest
from tourney.game.blocks import Batch, Block, RecordedFault
from tourney.game.codec import Codec
from tourney.game.fault_replay import ReplayedPool
from tourney.game.ledger import MACHINE_CAUSES, UNREPEATABLE, Verdict
from tourney.game.lineup import OpenPool

SHARE = 10
"""One in this many of the rounds and of the decisions is asked again: the first ones."""
ROUNDS_WORTH_A_START = 5_000
"""Rounds of an entrant in a batch. With fewer, starting a second process costs more than the play;
then only one wave in SHARE is asked again, the first one included.
"""
MOST_KEPT = 100_000
"""Questions stored for a pool, about 25 MB; beyond this, less than its share is asked again."""
SEATED = "constructor"


class NotedPool(ObservedPool):
    """Asks a pool, and stores the questions and answers of its first rounds.

    Args:
        pool: The players.
        codec: Codec of their game.
        blocks: The blocks that they play, by seat as in the pool.
    """

    def __init__(self, pool: AnyPool, codec: Codec, blocks: Sequence[Block]) -> None:
        super().__init__(pool, codec)
        self._blocks = blocks
        stops = [block.key.first_round + -(-block.rounds // SHARE) for block in blocks]
        self._stops = np.array(stops, np.int64)  # first rounds that are not stored, by seat
        self._seat_requests: Sequence[SeatRequest] = ()
        self._seatings: list[SeatReply] = []
        self._kept: list[tuple[Any, Decided]] = []
        self._asked = self._questions_kept = 0
        self._keeps = True

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Make players, in order."""
        self._seat_requests = seat_requests
        self._seatings = self._pool.sit(seat_requests)
        return self._seatings

    def note(self, questions: Any, decided: Decided) -> Decided:
        """Store the answers if they belong to the first rounds, and return them."""
        count = len(questions.seats)
        self._asked += count
        if self._keeps:
            stops = self._stops[np.asarray(questions.seats)]
            is_first = bool((np.asarray(questions.rounds) < stops).any())
            self._keeps = is_first and self._questions_kept < MOST_KEPT
        if self._keeps:
            self._questions_kept += count
            self._kept.append((questions, decided))
        return decided

    def difference(self, fresh: AnyPool) -> str:
        """Ask new players the stored questions; describe the first answer that differs, if any.

        A fault that depends on the machine ends the comparison.

        Args:
            fresh: A pool in a new process; it is closed at the end.
        """
        with closing(fresh):
            again = [] if _fail_by_machine(self._seatings) else fresh.sit(self._seat_requests)
            if not again or _fail_by_machine(again):
                return ""
            for seat, (one, other) in enumerate(zip(self._seatings, again, strict=True)):
                if _sat(one) != _sat(other):
                    first = self._blocks[seat].key.first_round
                    return self._said(seat, first, SEATED, (_sat(one), _sat(other)))
            for questions, decided in self._first():
                asked_again = Decided(*fresh.decide(questions))
                if _depends_on_machine(asked_again.faults.values()):
                    return ""
                for place in _differing(decided, asked_again):
                    seat, round_ = int(questions.seats[place]), int(questions.rounds[place])
                    words = tuple(
                        self._said_at(questions, place, each) for each in (decided, asked_again)
                    )
                    return self._said(seat, round_, self._codec.calls(questions)[place], words)
        return ""

    def _first(self) -> Iterator[tuple[Any, Decided]]:
        """Yield the first tenth of all questions, also if tables ended early."""
        asked = 0
        for questions, decided in self._kept:
            if _depends_on_machine(decided.faults.values()):
                return  # do not wait for the same time-out again
            yield questions, decided
            asked += len(questions.seats)
            if SHARE * asked >= self._asked:
                return

    def _said_at(self, questions: Any, place: int, decided: Decided) -> str:
        """Describe an answer."""
        if fault := decided.faults.get(place):
            return f"a fault ({fault.cause})"
        return self._codec.told(questions, place, int(decided.answers[place]))

    def _said(self, seat: int, round_: int, call: str, words: Sequence[str]) -> str:
        first, second = words
        table = self._blocks[seat].key.table + 1
        return (
            f"{call}: the answer to the same question changed: {first}, but {second} in a second "
            f"process (table {table}, round {round_})"
        )


def worth_asking_again(batch: Batch) -> frozenset[int]:
    """Return the entrants to ask again: a tenth of all play, by rounds or else by waves."""
    is_due = batch.wave % SHARE == 0
    blocks = _by_entrant(batch.blocks)
    rounds = {entrant: sum(block.rounds for block in own) for entrant, own in blocks.items()}
    return frozenset(
        entrant for entrant in rounds if is_due or rounds[entrant] >= ROUNDS_WORTH_A_START
    )


def note_answers(
    pools: dict[int, AnyPool], blocks: Sequence[Block], entrants: Collection[int]
) -> None:
    """Make pools store their first answers, except those that fail by a record.

    Args:
        pools: Pools by entrant, before any player sits down; changed in place.
        blocks: Blocks of one game that are played together, at least one.
        entrants: Entrants whose pools store answers.
    """
    own, codec = _by_entrant(blocks), blocks[0].rules.game.codec()
    for entrant, pool in pools.items():
        if entrant in entrants and not isinstance(pool, ReplayedPool):
            pools[entrant] = NotedPool(pool, codec, own[entrant])


def _by_entrant(blocks: Iterable[Block]) -> dict[int, list[Block]]:
    """Return the blocks of each entrant, once for each of its seats."""
    found: dict[int, list[Block]] = {}
    for block in blocks:
        for seat in block.seats:
            found.setdefault(seat.entrant, []).append(block)
    return found


def ask_again(pools: Mapping[int, AnyPool], confined: OpenPool) -> dict[int, str]:
    """Ask the stored questions again, entrant by entrant; return how answers differ, by entrant."""
    found: dict[int, str] = {}
    for entrant, pool in pools.items():
        if isinstance(pool, NotedPool) and (fresh := confined(entrant)):
            found[entrant] = pool.difference(fresh)
    return {entrant: difference for entrant, difference in found.items() if difference}


def unrepeatable_faults(
    said: Mapping[int, str], blocks: Iterable[Block]
) -> tuple[RecordedFault, ...]:
    """Return a fault for every seat of an entrant that does not repeat its answers.

    The faults come before the first question: chance decides where the answers first differ, so
    the whole play must not count.

    Args:
        said: Messages of their verdicts, by entrant.
        blocks: The blocks of a batch.
    """
    return tuple(
        RecordedFault(
            block.key,
            number,
            Verdict(
                cause=UNREPEATABLE,
                call=SEATED,
                round=block.key.first_round,
                decision=0,
                message=said[seat.entrant],
            ),
        )
        for block in blocks
        for number, seat in enumerate(block.seats)
        if seat.entrant in said
    )


def _fail_by_machine(seatings: Iterable[SeatReply]) -> bool:
    return _depends_on_machine(each.verdict for each in seatings)


def _depends_on_machine(verdicts: Iterable[Verdict | None]) -> bool:
    return any(verdict is not None and verdict.cause in MACHINE_CAUSES for verdict in verdicts)


def _differing(one: Decided, other: Decided) -> Iterator[int]:
    """Yield the places of different answers and faults; their rounds are those of the questions."""
    differs = np.asarray(one.answers) != np.asarray(other.answers)
    yield from np.flatnonzero(differs).tolist()
    for place in sorted(one.faults.keys() & other.faults.keys()):
        faults = one.faults[place], other.faults[place]
        if len({(each.cause, each.call) for each in faults}) > 1:
            yield place


def _sat(seating: SeatReply) -> str:
    """Describe the result of making a player."""
    if seating.verdict:
        return f"a fault ({seating.verdict.cause})"
    words = [word for word in ("acts", "watches") if getattr(seating, word)]
    return f"a player that {' and '.join(words)}" if words else "a player"
