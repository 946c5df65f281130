"""What the portal says of itself on standard error: a line of JSON each, or of text for people.

Never in it: addresses of pages with their queries, what was sent, codes, cookies, tokens and where
somebody came from. What a fault in the web process says of itself may quote those, so it is told
there by its kind and the lines of code alone.
"""

import json
import logging
import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from traceback import extract_tb
from types import TracebackType
from typing import Literal

from tourney.portal.limits import Buckets

Style = Literal["text", "json"]
LINES, LINES_A_MINUTE = 300, 600.0
"""Lines about requests of strangers: at first, and later."""
log = logging.getLogger("tourney.portal")


def set_up(process: str, style: str) -> None:
    """Let everything that this process logs stand on standard error.

    Args:
        process: Which of the portal's it is.
        style: "json" or "text".
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(process, is_json=style == "json"))
    handler.addFilter(OfStrangers())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    sys.excepthook = _say_fault
    threading.excepthook = lambda told: _say_fault(
        told.exc_type, told.exc_value or told.exc_type(), told.exc_traceback
    )
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it says at which addresses it asks


def _say_fault(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    log.critical("a fault of the portal's own ended it", exc_info=(kind, error, trace))


def usual_style() -> Style:
    """Give the style for whoever reads standard error: a person at a terminal, or a program."""
    return "text" if sys.stderr.isatty() else "json"


def say(event: str, *, level: int = logging.INFO, **told: object) -> None:
    """Log something by its name, with what belongs to it."""
    log.log(level, event, extra={"told": told})


class OfStrangers(logging.Filter):
    """Lets a limited number of lines pass about requests of people who are not signed in.

    So nobody fills the disk with them. The next line that passes says how many did not.
    """

    def __init__(self) -> None:
        """Begin with a full bucket."""
        super().__init__()
        self._bucket, self._left_out = Buckets(LINES, LINES_A_MINUTE), 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a line passes."""
        told = getattr(record, "told", {})
        is_answer = "status" in told and "account" not in told
        if not is_answer and (record.name, record.levelno) != ("uvicorn.error", logging.WARNING):
            return True
        if not self._bucket.has_some(""):
            self._left_out += 1
            return False
        self._bucket.take("")
        if self._left_out:
            record.told = {**told, "lines_left_out": self._left_out}
            self._left_out = 0
        return True


class Lines(logging.Formatter):
    """Makes a line of what is logged."""

    def __init__(self, process: str, *, is_json: bool) -> None:
        """Take whose lines they are."""
        super().__init__()
        self._process = process
        self._is_json = is_json

    def format(self, record: logging.LogRecord) -> str:
        """Give a line without its end."""
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": self._process,
            "event": record.getMessage().strip(),
            **getattr(record, "told", {}),
            **self._fault(record),
        }
        if self._is_json:
            return json.dumps(told, ensure_ascii=False)
        first = " ".join(str(told.pop(name)) for name in ("time", "level", "process", "event"))
        line = " ".join((first, *(f"{name}={value}" for name, value in told.items())))
        return line.replace("\n", " | ")

    def _fault(self, record: logging.LogRecord) -> Mapping[str, object]:
        """Tell of an error, where there is one."""
        if not record.exc_info or record.exc_info[1] is None:
            return {}
        error = record.exc_info[1]
        at = [f"{each.filename}:{each.lineno}" for each in extract_tb(error.__traceback__)]
        told: dict[str, object] = {"fault": type(error).__name__, "at": at}
        return told if self._process == "web" else {**told, "says": str(error)}
