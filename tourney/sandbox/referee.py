"""A pool whose players are in a sandboxed process, for untrusted code.

It behaves like any other pool. Every fault of the process becomes a verdict, for one seat or for
all of them.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, Self

from tourney.errors import ConfinementError
from tourney.game import Game
from tourney.game.arrays import NDArray, np
from tourney.game.asking.exchange import Decided, SeatReply, SeatRequest, all_failed
from tourney.game.asking.printable_text import printable
from tourney.game.codec import FAULT, Codec, spell_columns
from tourney.game.ledger import Verdict
from tourney.sandbox import verdict_texts, wire
from tourney.sandbox.budgets import Budget, seconds_of
from tourney.sandbox.exchange import Sent, load, wait_until_held
from tourney.sandbox.host_process import HostEndedError, HostProcess, Setup, at_game
from tourney.sandbox.native.diagnostics import DAMAGED, place_in, told_by
from tourney.sandbox.wire import Kind, Submitted

WARN_AT = 0.5
ASK = Kind.ASK  # cached, because looking up an enumeration member is slow
MOST_PLACES = 10
"""Places that are looked up for a program: each takes a process, and it may report any number."""


class SandboxedPool:
    """The players of a competitor at tables that advance together, in a sandboxed process.

    Args:
        game: The game.
        submitted: The competitor.
        setup: The settings of its process.
        budget: Its time limits.

    Raises: ConfinementError, if it is a program but the sandbox is switched off.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any],
        submitted: Submitted,
        setup: Setup | None = None,
        budget: Budget | None = None,
    ) -> None:
        if submitted.program and setup and not setup.is_confined:
            raise ConfinementError(
                f"{submitted.name}: programs always run in a sandbox; leave out --no-sandbox"
            )
        self._codec: Codec = game.codec()
        self._lines = f"game {game.name}\n{spell_columns(self._codec.layout)}"
        self._calls = verdict_texts.calls_of(game)
        self._submitted = submitted
        self._files = verdict_texts.files_of(submitted)
        setup = setup or Setup()
        if submitted.pool and setup.is_confined:
            raise ConfinementError(
                f"{submitted.name}: it needs all permissions and cannot run in a sandbox"
            )
        setup = setup._replace(pool=submitted.pool or setup.pool)
        self._setup = at_game(setup, game)._replace(program=submitted.program)
        self._budget = budget or Budget()
        self._host: HostProcess | None = None
        self._leash: weakref.finalize[..., SandboxedPool] | None = None
        self._ended: HostEndedError | None = None
        self._places: dict[str, str] = {}  # lines, by the addresses that a program reported
        self._place = ""  # of the fault that ended it, "file:line", if known
        self._decisions = np.zeros(0, np.int64)  # number of decisions by seat
        self.asked = self._sequence = 0
        self._loaded_at = 0.0
        self.cpu_seconds = 0.0
        """Seconds of CPU for decisions."""
        self.loading_seconds = 0.0
        """Seconds of CPU for reading the competitor and making its players."""
        self.warning = ""
        """Set when half of the time limit is used."""
        self.held: wire.Report | None = None
        """The restrictions of the process."""
        self.printed = ""
        """The output of the competitor, up to a limit; set by `close`."""

    @property
    def ended(self) -> tuple[str, str] | None:
        """Cause and message of the fault that ended the process, if any."""
        return (self._ended.cause, str(self._ended)) if self._ended else None

    @property
    def process(self) -> int | None:
        """The number of the process, while it runs."""
        return self._host.number if self._host else None

    def __enter__(self) -> Self:
        """Return itself; its process ends with the block."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the process."""
        self.close()

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Start a process and let it make players; seats are numbered from 0.

        Raises: ConfinementError, if the sandbox cannot be set up, which is no player's fault.
        """
        assert self._host is None, "one process for one batch of blocks"
        count = len(seat_requests)
        self._decisions = np.zeros(count, np.int64)
        host = self._start()
        began = seconds_of(host.number)
        try:
            submitted = self._submitted.opened()
            opening = wire.Opening(seat_requests=seat_requests, lines=self._lines, **submitted)
            flags, faults = load(host, opening, self._budget)
            self._loaded_at = seconds_of(host.number)
            self.loading_seconds = self._loaded_at - began
        except HostEndedError as ended:
            self._finish(ended)
            return [
                SeatReply(False, False, self._fatal("import", seat_request.first_round, 0))  # noqa: FBT003 - neither
                for seat_request in seat_requests
            ]
        seatings = [SeatReply(bool(flag & 1), bool(flag & 2)) for flag in flags]
        for fault in faults:
            first = seat_requests[fault.question].first_round
            seatings[fault.question] = SeatReply(False, False, self._verdict(fault, first, 0))  # noqa: FBT003 - neither
        return seatings

    def decide(self, questions: Any) -> Decided:
        """Ask players.

        Args:
            questions: In the form of the game's codec, to players that have not failed, each at
                most once.
        """
        asking = self.asking(questions)
        asking.send()
        asking.wait()
        return asking.answers()

    def asking(self, questions: Any) -> ConfinedAsking:
        """Prepare to ask players, which think while the referee does other work."""
        return ConfinedAsking(self, questions, b"" if self._ended else self._codec.write(questions))

    def send(self, count: int, body: bytes) -> Sent | None:
        """Send prepared questions; return the frame under way, if the process lives."""
        if self._ended:
            return None
        assert self._host is not None, "asked before any player was seated"
        self._sequence += 1
        self.asked += count
        share = self._budget.share(count, self.asked, self.cpu_seconds)
        try:
            asked = ASK, self._sequence, body
            return Sent(self._host, asked, count, share, self._budget, calls=self._calls)
        except HostEndedError as ended:
            self._finish(ended)
            return None

    def wait(self, sent: Sent) -> bytes | None:
        """Wait for an answer; return its body, or `None` if the process has failed."""
        if self._ended:
            return None
        try:
            body = sent.wait()
        except HostEndedError as ended:
            self._finish(ended)
            return None
        assert self._host is not None, "it has answered"
        self._count(seconds_of(self._host.number))
        return body

    def decided(self, questions: Any, sent: Sent | None, body: bytes | None) -> Decided:
        """Return the answers, or verdicts if they are not valid."""
        decided = None
        are_decisions = self._codec.are_decisions(questions)
        if sent and body is not None and not self._ended:
            try:
                decided = self._read(questions, are_decisions, *sent.read(body))
            except HostEndedError as ended:
                self._finish(ended)
        decided = decided or self._all_failed(questions)
        self._decisions[questions.seats] += are_decisions
        return decided

    def close(self) -> None:
        """End the process, if it runs."""
        if self._host and self._leash:
            if self._submitted.program and self._ended and self._ended.cause == "cpu":
                self._host.ask_where()
            printed = self._leash() or ""
            self._host = None
            if self._submitted.program:
                printed = self._ended_by_itself(printed)
            self.printed = printable(printed, keep="\n", most=self._setup.limits.output)

    def _start(self) -> HostProcess:
        self._host = host = HostProcess(self._setup)
        # Ends the process even if the pool is never closed.
        self._leash = weakref.finalize(self, host.end)
        try:
            self.held = wait_until_held(host)
        except (HostEndedError, wire.ProtocolError) as error:
            self.close()
            raise ConfinementError(
                f"the sandbox of a player's process could not be set up: {error}\n{self.printed}"
            ) from error
        return host

    def _count(self, clock: float) -> None:
        # Not the sum over all batches: a process might compute after it has answered.
        self.cpu_seconds = clock - self._loaded_at
        most = self._budget.of_all(self.asked)
        if self.cpu_seconds > WARN_AT * most and not self.warning:
            self.warning = (
                f"used {self.cpu_seconds:.2f} s of computing for {self.asked} decisions, more "
                f"than half of the {most:.2f} s allowed"
            )

    def _read(
        self,
        questions: Any,
        are_decisions: NDArray[np.bool_],
        numbers: memoryview,
        faults: tuple[wire.Faulted, ...],
    ) -> Decided:
        """Return answers and verdicts of a batch, after checking them.

        Raises: HostEndedError, if an answer is not legal.
        """
        answers = np.frombuffer(numbers, np.int64).copy()
        illegal = self._codec.illegal(questions, answers, [fault.question for fault in faults])
        if len(illegal):
            place = illegal[0]
            call = self._codec.calls(questions)[place]
            raise HostEndedError(
                "protocol", f"expected a legal answer to {call}, got {answers[place]}"
            )
        answers[~are_decisions] = 0
        if not faults:
            return Decided(answers, {})
        answers[[fault.question for fault in faults]] = FAULT
        verdicts = {
            fault.question: self._verdict(
                fault,
                int(questions.rounds[fault.question]),
                int(self._decisions[questions.seats[fault.question]]),
            )
            for fault in faults
        }
        return Decided(answers, verdicts)

    def _all_failed(self, questions: Any) -> Decided:
        def fault(_: int, call: str, round_: int, decision: int) -> Verdict:
            return self._fatal(call, round_, decision)

        return all_failed(self._codec, questions, self._decisions, fault)

    def _fatal(self, call: str, round_: int, decision: int) -> Verdict:
        """Return a seat's verdict for the fault that ended the process."""
        assert self._ended is not None
        message = f"{call}: {printable(str(self._ended))}"
        return Verdict(
            self._ended.cause, call, round_, decision, message, self._place, traceback=""
        )

    def _finish(self, ended: HostEndedError) -> None:
        self._ended = ended
        self.close()

    def _ended_by_itself(self, printed: str) -> str:
        """Record the reason that a program printed for its end; return the other output."""
        rest, why, addresses = told_by(printed)
        if why and self._ended and self._ended.cause in {"died", "cpu"}:
            if self._ended.cause == "died" or why.startswith(DAMAGED):
                self._ended = HostEndedError(self._ended.cause, f"its process ended: {why}")
            self._place = verdict_texts.place_in(self._place_of(addresses), self._files)
        return rest

    def _place_of(self, addresses: str) -> str:
        """Return the line of addresses that a program reported, for the first few only."""
        if addresses not in self._places:
            is_more = len(self._places) < MOST_PLACES
            self._places[addresses] = (
                place_in(self._submitted.program, addresses) if is_more else ""
            )
        return self._places[addresses]

    def _verdict(self, fault: wire.Faulted, round_: int, decision: int) -> Verdict:
        """Return the verdict on a reported fault; the referee knows round and decision itself."""
        place = fault.place
        if self._submitted.program:
            place = self._place_of(place)
        texts = verdict_texts.texts_of(fault, place, self._files)
        return Verdict(fault.cause, fault.call, round_, decision, *texts)


class ConfinedAsking:
    """Questions to a pool, from their preparation to their answers."""

    def __init__(self, pool: SandboxedPool, questions: Any, body: bytes) -> None:
        self._pool, self._questions, self._body = pool, questions, body
        self._sent: Sent | None = None
        self._came: bytes | None = None

    def send(self) -> None:
        """Send the questions to the pool's process, if it lives."""
        self._sent = self._pool.send(len(self._questions.seats), self._body)

    def wait(self) -> None:
        """Wait until an answer has arrived or can no longer arrive."""
        self._came = self._pool.wait(self._sent) if self._sent else None

    def answers(self) -> Decided:
        """Return answers and verdicts."""
        return self._pool.decided(self._questions, self._sent, self._came)
