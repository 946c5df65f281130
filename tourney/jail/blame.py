"""What a competitor's exception says, and where in the author's file it arose.

For what goes wrong before anybody is asked; faults at a question are told by the desk.
"""

from collections.abc import Container
from traceback import StackSummary, extract_tb

from tourney.game.asking.wording import MOST_TEXT, exception_line, printable


def last_line(error: BaseException) -> str:
    """Say what an exception says, whatever its author thought of."""
    try:
        return exception_line(error)
    except BaseException as second:  # noqa: BLE001 - even saying it is the author's code
        return f"{type(error).__name__}, whose text raises {type(second).__name__}"


def place_and_trace(error: BaseException, names: Container[str]) -> tuple[str, str]:
    """Give "file:line" and the traceback within some files; empty where there is none.

    Args:
        error: What was raised.
        names: Of the author's files.
    """
    found = extract_tb(error.__traceback__)
    frames = [frame for frame in found if frame.filename in names]
    if isinstance(error, SyntaxError) and error.filename in names and error.lineno:
        return printable(f"{error.filename}:{error.lineno}"), ""
    if not frames:
        return "", ""
    trace = "".join(StackSummary.from_list(frames).format())[-MOST_TEXT:]
    place = f"{frames[-1].filename}:{frames[-1].lineno}"
    return printable(place), printable(trace, keep="\n")
