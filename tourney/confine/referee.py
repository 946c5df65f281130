"""A desk whose players sit in a process of their own, for code that nobody has read.

It is asked like any desk, and answers like one; whatever happens in there ends in a verdict, for
one seat or for all of them. Leaves out the engines that ask, and what a verdict costs.
"""

import weakref
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tourney.asking.newcomer import Newcomer
from tourney.asking.seating import Decided, Seating, Verdicts
from tourney.asking.wording import printable
from tourney.confine import asked, frames
from tourney.confine.budgets import Budget, Stopwatch, seconds_of
from tourney.confine.frames import Kind
from tourney.confine.legal import illegal_places
from tourney.confine.process import Ended, HostProcess, Setup
from tourney.confine.seating import Submitted
from tourney.errors import ConfinementError
from tourney.ledger import Verdict
from tourney.players.questions import FAULT, Call

CALLS = {Call.LOOK: "expose", Call.WAGER: "bet", Call.DRAW: "draw", Call.ACT: "act"}
"""What a player was asked when its process came to an end."""

REPORT_BYTES = frames.SIZES.size
STARTING_SECONDS = 30.0
"""Of CPU, to start: nothing of the competitor has run yet."""
WARN_AT = 0.5


class ConfinedDesk:
    """The players of one competitor at tables that advance together, behind two pipes.

    Args:
        submitted: The competitor.
        setup: How its process is started.
        budget: What it may take.
    """

    def __init__(
        self, submitted: Submitted, setup: Setup | None = None, budget: Budget | None = None
    ) -> None:
        self._submitted = submitted
        self._setup = setup or Setup()
        self._budget = budget or Budget()
        self._host: HostProcess | None = None
        self._leash: weakref.finalize[..., ConfinedDesk] | None = None
        self._ended: Ended | None = None
        self._decisions = np.zeros(0, np.int64)  # by seat
        self._asked = self._sequence = 0
        self._loaded_at = 0.0
        self.cpu_seconds = 0.0
        """Seconds its decisions took, by its own clock."""
        self.warning = ""
        """Says that half of the budget is gone, once it is."""
        self.held: frames.Report | None = None
        """What held the process."""
        self.printed = ""
        """What the competitor printed, up to a limit; after `close`."""

    @property
    def ended(self) -> tuple[str, str] | None:
        """Give cause and message of what ended the process, if anything did."""
        return (self._ended.cause, str(self._ended)) if self._ended else None

    @property
    def process(self) -> int | None:
        """Give the number of the process, while there is one."""
        return self._host.number if self._host else None

    @property
    def has_listener(self) -> bool:
        """Say whether forbidden calls are reported with their numbers."""
        return self.held is not None and bool(self.held.has_listener)

    def __enter__(self) -> Self:
        """Give itself; its process ends with the block."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the process."""
        self.close()

    def sit(self, newcomers: Sequence[Newcomer]) -> list[Seating]:
        """Start a process and have it make players; seats are numbered as they come, from 0.

        Raises: ConfinementError, if there is no process that is shut in; nobody's fault here.
        """
        assert self._host is None, "one process for one batch of blocks"
        count = len(newcomers)
        self._decisions = np.zeros(count, np.int64)
        self._start()
        try:
            flags, faults = self._load(newcomers)
        except Ended as ended:
            self._finish(ended)
            return [
                Seating(False, False, self._fatal("import", newcomer.first_round, 0))  # noqa: FBT003 - neither
                for newcomer in newcomers
            ]
        seatings = [Seating(bool(flag & 1), bool(flag & 2)) for flag in flags]
        for fault in faults:
            first = newcomers[fault.question].first_round
            seatings[fault.question] = Seating(False, False, _verdict(fault, first, 0))  # noqa: FBT003 - neither
        return seatings

    def decide(self, questions: Any) -> Decided:
        """Ask players.

        Args:
            questions: Of the desk's game, to seats whose players have not failed, each at most
                once.
        """
        decided = self._all_failed(questions) if self._ended else self._ask(questions)
        self._decisions[questions.seats] += self._are_decisions(questions)
        return decided

    def close(self) -> None:
        """End the process, if it runs."""
        if self._host and self._leash:
            printed = self._leash() or ""
            self.printed = printable(printed, keep="\n", most=self._setup.limits.output)
            self._host = None

    def _start(self) -> None:
        self._host = HostProcess(self._setup)
        # Whoever forgets to close it does not leave a process behind.
        self._leash = weakref.finalize(self, self._host.end)
        try:
            self.held = self._wait_until_held(self._host)
        except (Ended, frames.ProtocolFault) as error:
            self.close()
            raise ConfinementError(
                f"a player's process: expected it to shut itself in, got {error}\n{self.printed}"
            ) from error

    def _wait_until_held(self, host: HostProcess) -> frames.Report:
        watch = Stopwatch(host.number, STARTING_SECONDS, STARTING_SECONDS)
        body = host.exchange(b"", frames.Awaited(Kind.READY, 0, REPORT_BYTES), watch)
        held = frames.read_report(body)
        if held.has_listener:
            host.take_listener()
        return held

    def _load(
        self, newcomers: Sequence[Newcomer]
    ) -> tuple[Sequence[int], tuple[frames.Faulted, ...]]:
        assert self._host is not None
        count = len(newcomers)
        opening = frames.Opening(newcomers=newcomers, **self._submitted._asdict())
        most = self._budget.loading + self._budget.decision * count
        flags, faults = self._exchange(
            Kind.OPEN, frames.write_opening(opening), Kind.LOADED, count, most
        )
        self._loaded_at = seconds_of(self._host.number)
        if any(flag not in range(4) for flag in flags):
            raise Ended("protocol", "expected what players do, got other numbers")
        return flags, faults

    def _ask(self, questions: Any) -> Decided:
        count = len(questions.seats)
        self._sequence += 1
        self._asked += count
        most = min(
            self._budget.of_batch(count), self._budget.of_all(self._asked) - self.cpu_seconds
        )
        try:
            assert self._host is not None, "asked before anybody sat down"
            self._host.check_silent()
            body = self._written(questions)
            numbers, told = self._exchange(Kind.ASK, body, Kind.ANSWER, count, most)
            answers = np.frombuffer(numbers, np.int64).copy()
            return Decided(answers, self._checked(questions, answers, told))
        except Ended as ended:
            self._finish(ended)
            return self._all_failed(questions)

    def _exchange(
        self, kind: Kind, body: bytes, awaited: Kind, count: int, most: float
    ) -> tuple[memoryview, tuple[frames.Faulted, ...]]:
        """Write a frame, and read the answers that come back."""
        assert self._host is not None
        watch = Stopwatch(self._host.number, most, self._budget.stall)
        answer = frames.Awaited(awaited, self._sequence, frames.most_bytes(count))
        data = frames.frame(kind, self._sequence, body)
        came = self._host.exchange(data, answer, watch)
        if late := watch.late():
            raise Ended(*late)
        if kind == Kind.ASK:
            self._count(seconds_of(self._host.number))
        try:
            return frames.read_answers(came, count)
        except frames.ProtocolFault as fault:
            raise Ended("protocol", str(fault)) from None

    def _count(self, clock: float) -> None:
        # Not the sum over all batches: it might compute on after it has answered.
        self.cpu_seconds = clock - self._loaded_at
        most = self._budget.of_all(self._asked)
        if self.cpu_seconds > WARN_AT * most and not self.warning:
            self.warning = (
                f"expected at most {most:.2f} s of computing for {self._asked} decisions, "
                f"got {self.cpu_seconds:.2f} s, more than half"
            )

    def _checked(
        self, questions: Any, answers: NDArray[np.int64], told: tuple[frames.Faulted, ...]
    ) -> Verdicts:
        """Give the verdicts of a batch, and believe nothing.

        Raises: Ended, if an answer is none that an honest host could give.
        """
        lies = self._lies(questions, answers, [fault.question for fault in told])
        if len(lies):
            place = int(lies[0])
            call = self._calls(questions)[place]
            raise Ended("protocol", f"expected a legal answer to {call}, got {answers[place]}")
        answers[~self._are_decisions(questions)] = 0
        answers[[fault.question for fault in told]] = FAULT
        return {
            fault.question: _verdict(
                fault,
                int(questions.rounds[fault.question]),
                int(self._decisions[questions.seats[fault.question]]),
            )
            for fault in told
        }

    def _all_failed(self, questions: Any) -> Decided:
        faults = {
            place: self._fatal(call, round_, int(self._decisions[seat]))
            for place, (call, round_, seat) in enumerate(
                zip(
                    self._calls(questions),
                    questions.rounds.tolist(),
                    questions.seats.tolist(),
                    strict=True,
                )
            )
        }
        return Decided(np.full(len(faults), FAULT, np.int64), faults)

    # What differs from game to game.

    def _written(self, questions: Any) -> bytes:
        return asked.write_questions(questions)

    def _calls(self, questions: Any) -> list[str]:
        """Name what each seat is asked."""
        return [CALLS[Call(call)] for call in questions.calls.tolist()]

    def _are_decisions(self, questions: Any) -> NDArray[np.bool_]:
        """Say which questions have an answer."""
        return np.asarray(questions.calls != Call.LOOK)

    def _lies(
        self, questions: Any, answers: NDArray[np.int64], faulted: list[int]
    ) -> NDArray[np.int64]:
        """Give the places of answers that no honest host could give."""
        return illegal_places(questions, answers, faulted)

    def _fatal(self, call: str, round_: int, decision: int) -> Verdict:
        """Give a seat its part of what ended the process."""
        assert self._ended is not None
        message = f"{call}: {printable(str(self._ended))}"
        return Verdict(
            cause=self._ended.cause,
            call=call,
            round=round_,
            decision=decision,
            message=message,
            place="",
            traceback="",
        )

    def _finish(self, ended: Ended) -> None:
        self._ended = ended
        self.close()


def _verdict(fault: frames.Faulted, round_: int, decision: int) -> Verdict:
    """Give the verdict that a host tells of; where it stands the referee knows itself."""
    return Verdict(
        cause=fault.cause,
        call=fault.call,
        round=round_,
        decision=decision,
        message=fault.message,
        place=fault.place,
        traceback=fault.traceback,
    )
