"""A pool that has a command answer: a line of JSON for each batch, and a line back.

For languages whose run-times need threads, files or writable code, and so cannot be shut in. The
command is a process of the host's, which is not confined either: it has all rights of whoever
started the run. What it may answer is looked at by the referee, as of any host. What lines hold
stands in docs/reference/protocol.md.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, NamedTuple

from tourney.game.asking.exchange import SeatReply
from tourney.game.asking.printable_text import printable
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.columns import Column, count_of, read_columns, read_layout
from tourney.game.ledger import Verdict
from tourney.sandbox.wire import BATCH_CALL, FAULT_ANSWER, VERSION, Opening, ProtocolError

PLACE = f"{__name__}:CommandPool"
MARK = "#!"
ENVIRONMENT = dict(os.environ)
"""As it was before the host forgot it: a command is found by PATH."""
LINE_BYTES, ANSWER_BYTES = 1_000, 30
"""Longest line that is read, besides so many bytes for every answer."""


class LineError(ProtocolError):
    """What came is no answer."""


class Batch(NamedTuple):
    """A batch of questions, column by column."""

    asked: int
    columns: dict[str, Any]  # memory views

    @property
    def rounds(self) -> Sequence[int]:
        """Give the number of each question's round."""
        return self.columns["rounds"].tolist()  # type: ignore[no-any-return]  # of whole numbers


class CommandPool:
    """The players of a command at tables that advance together."""

    takes_opening = True
    """Whether it starts what plays by itself; others are given what makes a player."""

    def __init__(self, opening: Opening) -> None:
        """Start the command.

        Args:
            opening: Its name, and its text, whose first line says what runs it.
        Raises: LineError, if nothing does.
        """
        game, *_ = opening.lines.splitlines()
        self._game = game.removeprefix("game ")
        self._layout: tuple[Column, ...] = read_layout(opening.lines)
        self._number, self._rest = 0, b""
        self._fault: LineError | None = None
        self._folder = mkdtemp(prefix="tourney-command-")
        script = Path(self._folder, Path(opening.name).name)
        try:
            script.write_bytes(opening.source)
            self._process = _started(opening.source, script)
        except BaseException:
            rmtree(self._folder)
            raise

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Tell the command of its seats."""
        told = {
            "version": VERSION,
            "game": self._game,
            "rounds": [each.first_round for each in seat_requests],
            "keys": [each.random_key.hex() for each in seat_requests],
        }
        try:
            flags = self._exchange(told, len(seat_requests))
        finally:  # it has been read by now, and whoever is killed later leaves nothing behind
            rmtree(self._folder)
        if any(flag not in range(4) for flag in flags):
            raise LineError(f"line 0: expected what seats want, from 0 to 3, got {flags[:9]}")
        return [SeatReply(bool(flag & 1), bool(flag & 2)) for flag in flags]

    def read(self, body: bytes) -> Batch:
        """Read a batch of questions."""
        names = [column.name for column in self._layout]
        columns = dict(zip(names, read_columns(self._layout, body), strict=True))
        return Batch(count_of(body), columns)

    def decide(self, batch: Batch) -> tuple[list[int], dict[int, Verdict]]:
        """Have the command answer; who gives up a seat has a verdict."""
        columns = {name: numbers.tolist() for name, numbers in batch.columns.items()}
        answers = self._exchange({"count": batch.asked, "columns": columns}, batch.asked)
        verdicts = {
            place: Verdict(
                *("raised", BATCH_CALL, batch.rounds[place], 0),
                message=f"{BATCH_CALL}: expected an answer, got {FAULT_ANSWER}",
                place="",
                traceback="",
            )
            for place, answer in enumerate(answers)
            if answer == FAULT_ANSWER
        }
        return answers, verdicts

    def _exchange(self, told: dict[str, Any], count: int) -> list[int]:
        """Write a line and read one.

        Raises: LineError, if what comes is no answer; from then on always.
        """
        if self._fault:
            raise self._fault
        number, self._number = self._number, self._number + 1
        try:
            self._write(json.dumps({"number": number, **told}).encode() + b"\n")
            return _answers(self._line(number, count), number, count)
        except LineError as fault:
            self._fault = fault
            raise

    def _write(self, data: bytes) -> None:
        assert self._process.stdin, "it was started with one"
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._process.stdin.fileno(), rest) :]
        except OSError:
            raise self._death() from None

    def _line(self, number: int, count: int) -> bytes:
        assert self._process.stdout, "it was started with one"
        data, most = self._rest, LINE_BYTES + ANSWER_BYTES * count
        while b"\n" not in data:
            if len(data) > most:
                raise LineError(f"line {number}: expected at most {most} bytes, got more")
            if not (more := os.read(self._process.stdout.fileno(), most)):
                raise self._death()
            data += more
        line, self._rest = data.split(b"\n", 1)
        if self._rest:
            raise LineError(f"line {number}: expected one line, got {len(self._rest)} bytes more")
        return line

    def _death(self) -> LineError:
        status = self._process.wait()
        return LineError(f"expected an answer, got the end of its process: {status}")


def _started(text: bytes, script: Path) -> "subprocess.Popen[bytes]":
    first = text.decode().partition("\n")[0].removeprefix(MARK)
    try:
        return subprocess.Popen(  # noqa: S603 - trusted by whoever started the run
            [*shlex.split(first), str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=ENVIRONMENT,
        )
    except OSError as error:
        raise LineError(f"{script.name}:1: expected what runs it, got {error.strerror}") from None


def _answers(line: bytes, number: int, count: int) -> list[int]:
    """Read a line: numbers of 64 bits, not checked.

    Raises: LineError, if it is none.
    """
    try:
        told = json.loads(line)
        said, answers = told["number"], told["answers"]
    except (ValueError, LookupError, TypeError, RecursionError):
        shown = printable(line[:40].decode("utf-8", "replace"))
        raise LineError(
            f"line {number}: expected a number and answers in JSON, got {shown}"
        ) from None
    if said != number:
        raise LineError(f"expected line {number}, got line {printable(str(said))}")
    if not isinstance(answers, list) or len(answers) != count:
        got = len(answers) if isinstance(answers, list) else "none"
        raise LineError(f"line {number}: expected {count} answers, got {got}")
    if any(type(each) is not int or not -(1 << 63) <= each < 1 << 63 for each in answers):
        raise LineError(f"line {number}: expected whole numbers of 64 bits, got others")
    return answers
