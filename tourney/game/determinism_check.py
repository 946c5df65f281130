"""Whether the confined play the same again: fresh players are asked the first of it once more.

A pool is asked in an order that follows from its batch, so who is asked the same, in the same
order, in a process that began alike, has to answer the same. Whoever does not can be neither
verified nor shown again. Questions are kept as they were asked, so it does not matter whose
answers the cards at a table hang on, and nobody but the one in question is asked again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any

from tourney.game.arrays import np
from tourney.game.asking.exchange import AnyPool, Asking, Decided, ObservedAsking, SeatReply
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.blocks import Batch, Block, RecordedFault
from tourney.game.codec import Codec
from tourney.game.fault_replay import ReplayedPool
from tourney.game.ledger import MACHINE_CAUSES, UNREPEATABLE, Verdict
from tourney.game.lineup import OpenPool

SHARE = 10
"""Of so many rounds, and of so many decisions, the first is asked again."""
ROUNDS_WORTH_A_START = 5_000
"""Of an entrant in a batch. With fewer, to start another process costs more than it plays; then
only one wave of so many as above is asked again, the first among them."""
MOST_KEPT = 100_000
"""Questions of a pool, some 25 MB of them; beyond, less than its share is asked again."""
SEATED = "constructor"


class NotedPool:
    """Asks in a pool, and keeps what was asked and answered in the first of its rounds.

    Args:
        pool: Where players sit.
        codec: Of their game.
        blocks: Those that they play, by seat as in the pool.
    """

    def __init__(self, pool: AnyPool, codec: Codec, blocks: Sequence[Block]) -> None:
        self._pool, self._codec, self._blocks = pool, codec, blocks
        stops = [block.key.first_round + -(-block.rounds // SHARE) for block in blocks]
        self._stops = np.array(stops, np.int64)  # rounds from which on nothing is kept
        self._seat_requests: Sequence[SeatRequest] = ()
        self._seatings: list[SeatReply] = []
        self._kept: list[tuple[Any, Decided]] = []
        self._asked = self._questions_kept = 0
        self._keeps = True

    @property
    def warning(self) -> str:
        """Say what the pool warns of."""
        return self._pool.warning

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Make players, in order."""
        self._seat_requests = seat_requests
        self._seatings = self._pool.sit(seat_requests)
        return self._seatings

    def decide(self, questions: Any) -> Decided:
        """Ask players whose seats have not failed, each at most once."""
        return self.note(questions, Decided(*self._pool.decide(questions)))

    def asking(self, questions: Any) -> Asking:
        """Prepare to ask."""
        return ObservedAsking(self._pool.asking(questions), partial(self.note, questions))

    def close(self) -> None:
        """Let everybody go."""
        self._pool.close()

    def note(self, questions: Any, decided: Decided) -> Decided:
        """Keep what was answered, if it belongs to the first of it; give it on."""
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
        """Ask fresh players the first of it again; say where one answers otherwise, if one does.

        What depends on the machine is nobody's answer: there the comparison ends.

        Args:
            fresh: Where they sit, in a process of their own; it is closed.
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
        """Give the first tenth of all that was asked, if tables ended before their last round."""
        asked = 0
        for questions, decided in self._kept:
            if _depends_on_machine(decided.faults.values()):
                return  # nobody waits for it once more
            yield questions, decided
            asked += len(questions.seats)
            if SHARE * asked >= self._asked:
                return

    def _said_at(self, questions: Any, place: int, decided: Decided) -> str:
        """Say what was answered."""
        if fault := decided.faults.get(place):
            return f"a fault ({fault.cause})"
        return self._codec.told(questions, place, int(decided.answers[place]))

    def _said(self, seat: int, round_: int, call: str, words: Sequence[str]) -> str:
        first, second = words
        table = self._blocks[seat].key.table + 1
        return (
            f"{call}: expected the same answer whenever the same is asked, got {first}, and "
            f"{second} in a second process (table {table}, round {round_})"
        )


def worth_asking_again(batch: Batch) -> frozenset[int]:
    """Give the entrants that are asked again: a tenth of all play, by rounds or else by waves."""
    is_due = batch.wave % SHARE == 0
    blocks = _by_entrant(batch.blocks)
    rounds = {entrant: sum(block.rounds for block in own) for entrant, own in blocks.items()}
    return frozenset(
        entrant for entrant in rounds if is_due or rounds[entrant] >= ROUNDS_WORTH_A_START
    )


def note_answers(
    pools: dict[int, AnyPool], blocks: Sequence[Block], entrants: Collection[int]
) -> None:
    """Have pools keep the first of what they are asked, but those that fail by a record.

    Args:
        pools: By entrant; nobody has sat down yet.
        blocks: Those that are played at once, at least one, of one game.
        entrants: Whose pools.
    """
    own, codec = _by_entrant(blocks), blocks[0].rules.game.codec()
    for entrant, pool in pools.items():
        if entrant in entrants and not isinstance(pool, ReplayedPool):
            pools[entrant] = NotedPool(pool, codec, own[entrant])


def _by_entrant(blocks: Iterable[Block]) -> dict[int, list[Block]]:
    """Give everybody's blocks, once for each seat."""
    found: dict[int, list[Block]] = {}
    for block in blocks:
        for seat in block.seats:
            found.setdefault(seat.entrant, []).append(block)
    return found


def ask_again(pools: Mapping[int, AnyPool], confined: OpenPool) -> dict[int, str]:
    """Ask everybody whose answers were kept again, one after another; say who differs, and how."""
    found: dict[int, str] = {}
    for entrant, pool in pools.items():
        if isinstance(pool, NotedPool) and (fresh := confined(entrant)):
            found[entrant] = pool.difference(fresh)
    return {entrant: difference for entrant, difference in found.items() if difference}


def unrepeatable_faults(
    said: Mapping[int, str], blocks: Iterable[Block]
) -> tuple[RecordedFault, ...]:
    """Give the faults of those who are never the same twice: at every seat, before they are asked.

    Nothing of theirs may count, as chance decides where they differ for the first time.

    Args:
        said: What their verdicts say, by entrant.
        blocks: Of a batch.
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
                place="",
                traceback="",
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
    """Give the places of answers and faults that differ; where and when, the referee knows."""
    differs = np.asarray(one.answers) != np.asarray(other.answers)
    yield from np.flatnonzero(differs).tolist()
    for place in sorted(one.faults.keys() & other.faults.keys()):
        faults = one.faults[place], other.faults[place]
        if len({(each.cause, each.call) for each in faults}) > 1:
            yield place


def _sat(seating: SeatReply) -> str:
    """Say what came of making a player."""
    if seating.verdict:
        return f"a fault ({seating.verdict.cause})"
    words = [word for word in ("acts", "watches") if getattr(seating, word)]
    return f"a player that {' and '.join(words)}" if words else "a player"
