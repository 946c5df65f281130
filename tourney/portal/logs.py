"""The portal's log on standard error: a line of JSON for each event, or of text for people.

It never contains addresses of pages with their queries, request bodies, codes, cookies, tokens or
client addresses. The text of an exception in the web process may quote those, so the log has only
its kind and the lines of code there.
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

from tourney.portal.guesses import Buckets

Style = Literal["text", "json"]
LINES, LINES_A_MINUTE = 300, 600.0
"""Lines about strangers' requests: initially, and per minute."""
log = logging.getLogger("tourney.portal")


def set_up(process: str, style: str) -> None:
    """Log to standard error.

    Args:
        process: Name of this process of the portal.
        style: "json" or "text".
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(process, is_json=style == "json"))
    handler.addFilter(OfStrangers())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    sys.excepthook = _say_fault
    threading.excepthook = _say_fault_of_thread
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs the addresses of its requests


def _say_fault(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    log.critical("ended by a fault of the portal", exc_info=(kind, error, trace))


def _say_fault_of_thread(told: threading.ExceptHookArgs) -> None:
    """Log a fault, unless the process is ending, which closes the files of its threads."""
    if threading.main_thread().is_alive():
        _say_fault(told.exc_type, told.exc_value or told.exc_type(), told.exc_traceback)


def usual_style() -> Style:
    """Give the style for a terminal, or for a program."""
    return "text" if sys.stderr.isatty() else "json"


def say(event: str, *, level: int = logging.INFO, **told: object) -> None:
    """Log an event by its name, with its details."""
    log.log(level, event, extra={"told": told})


class OfStrangers(logging.Filter):
    """Limits the lines about requests without a session, so that they cannot fill the disk.

    The next line that passes shows the number of dropped lines.
    """

    def __init__(self) -> None:
        """Start with a full bucket."""
        super().__init__()
        self._bucket, self._left_out = Buckets(LINES, LINES_A_MINUTE), 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Give whether a line passes."""
        details = getattr(record, "told", {})
        is_answer = "status" in details and "account" not in details
        if not is_answer and (record.name, record.levelno) != ("uvicorn.error", logging.WARNING):
            return True
        if not self._bucket.has_some(""):
            self._left_out += 1
            return False
        self._bucket.take("")
        if self._left_out:
            record.told = {**details, "lines_left_out": self._left_out}
            self._left_out = 0
        return True


class Lines(logging.Formatter):
    """Formats log records as lines."""

    def __init__(self, process: str, *, is_json: bool) -> None:
        """Store the process and the style."""
        super().__init__()
        self._process = process
        self._is_json = is_json

    def format(self, record: logging.LogRecord) -> str:
        """Give a line without its end."""
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": self._process,
            "event": record.getMessage().strip(),
            **getattr(record, "told", {}),
            **self._fault(record),
        }
        if self._is_json:
            return json.dumps(fields, ensure_ascii=False)
        first = " ".join(str(fields.pop(name)) for name in ("time", "level", "process", "event"))
        line = " ".join((first, *(f"{name}={value}" for name, value in fields.items())))
        return line.replace("\n", " | ")

    def _fault(self, record: logging.LogRecord) -> Mapping[str, object]:
        """Describe the exception of a record, if it has one."""
        if not record.exc_info or record.exc_info[1] is None:
            return {}
        error = record.exc_info[1]
        at = [f"{each.filename}:{each.lineno}" for each in extract_tb(error.__traceback__)]
        fault: dict[str, object] = {"fault": type(error).__name__, "at": at}
        return fault if self._process == "web" else {**fault, "says": str(error)}
