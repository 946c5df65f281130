"""A pool for a command that answers lines of JSON: a line for each batch, and a line back.

It is for languages whose runtimes need threads, files or writable code and so cannot run in a
sandbox. The command is a child of the host, which has no sandbox either: both run with all
permissions of the user who started the run. The referee still checks the answers.
docs/reference/protocol.md describes the lines.
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

from tourney.game.asking.exchange import SeatReply, SeatRequest
from tourney.game.asking.printable_text import printable
from tourney.game.codec import (
    Column,
    count_of,
    read_columns,
    read_layout,
)
from tourney.game.ledger import Verdict
from tourney.sandbox.wire import BATCH_CALL, FAULT_ANSWER, VERSION, Opening, ProtocolError

PLACE = f"{__name__}:CommandPool"
MARK = "#!"
ENVIRONMENT = dict(os.environ)
"""The environment before the host cleared it; commands are found by its PATH."""
LINE_BYTES, ANSWER_BYTES = 1_000, 30
"""Longest line that is read: a fixed number of bytes, and a number for every answer."""


class LineError(ProtocolError):
    """A line is not a valid answer."""


class Batch(NamedTuple):
    """A batch of questions, column by column."""

    asked: int
    columns: dict[str, Any]  # memory views

    @property
    def rounds(self) -> Sequence[int]:
        """Return the number of each question's round."""
        return self.columns["rounds"].tolist()  # type: ignore[no-any-return]  # of whole numbers


class CommandPool:
    """The players of a command at tables that advance together."""

    takes_opening = True
    """Whether it starts the player itself; other pools get a function that makes players."""

    def __init__(self, opening: Opening) -> None:
        """Start the command.

        Args:
            opening: Its name, and its text, whose first line names the program that runs it.
        Raises: LineError, if it cannot be started.
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
        """Send the seats to the command."""
        message = {
            "version": VERSION,
            "game": self._game,
            "rounds": [each.first_round for each in seat_requests],
            "keys": [each.random_key.hex() for each in seat_requests],
        }
        try:
            flags = self._exchange(message, len(seat_requests))
        finally:  # the command has read the script by now, so it can be deleted
            rmtree(self._folder)
        if any(flag not in range(4) for flag in flags):
            raise LineError(f"line 0: expected requests of seats from 0 to 3, got {flags[:9]}")
        return [SeatReply(bool(flag & 1), bool(flag & 2)) for flag in flags]

    def read(self, body: bytes) -> Batch:
        """Read a batch of questions."""
        names = [column.name for column in self._layout]
        columns = dict(zip(names, read_columns(self._layout, body), strict=True))
        return Batch(count_of(body), columns)

    def decide(self, batch: Batch) -> tuple[list[int], dict[int, Verdict]]:
        """Send a batch to the command; a player that gives up its seat gets a verdict."""
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

    def _exchange(self, message: dict[str, Any], count: int) -> list[int]:
        """Write a line and read the answer.

        Raises: LineError, if the answer is not valid; then also at all later calls.
        """
        if self._fault:
            raise self._fault
        number, self._number = self._number, self._number + 1
        try:
            self._write(json.dumps({"number": number, **message}).encode() + b"\n")
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
                raise LineError(f"line {number} has more than {most} bytes")
            if not (more := os.read(self._process.stdout.fileno(), most)):
                raise self._death()
            data += more
        line, self._rest = data.split(b"\n", 1)
        if self._rest:
            raise LineError(f"line {number} is followed by {len(self._rest)} bytes")
        return line

    def _death(self) -> LineError:
        status = self._process.wait()
        return LineError(f"its process ended: {status}")


def _started(text: bytes, script: Path) -> "subprocess.Popen[bytes]":
    first = text.decode().partition("\n")[0].removeprefix(MARK)
    try:
        return subprocess.Popen(  # noqa: S603 - trusted by the user who started the run
            [*shlex.split(first), str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=ENVIRONMENT,
        )
    except OSError as error:
        raise LineError(
            f"{script.name}:1: the command in this line cannot be started: {error.strerror}"
        ) from None


def _answers(line: bytes, number: int, count: int) -> list[int]:
    """Read numbers of 64 bits from a line, without checking their meaning.

    Raises: LineError, if the line is not valid.
    """
    try:
        message = json.loads(line)
        found, answers = message["number"], message["answers"]
    except (ValueError, LookupError, TypeError, RecursionError):
        shown = printable(line[:40].decode("utf-8", "replace"))
        raise LineError(
            f"line {number}: expected a number and answers in JSON, got {shown}"
        ) from None
    if found != number:
        raise LineError(f"line {printable(str(found))} came instead of line {number}")
    if not isinstance(answers, list) or len(answers) != count:
        got = len(answers) if isinstance(answers, list) else "none"
        raise LineError(f"line {number}: expected {count} answers, got {got}")
    if any(type(each) is not int or not -(1 << 63) <= each < 1 << 63 for each in answers):
        raise LineError(f"line {number}: an answer is not a whole number of 64 bits")
    return answers
