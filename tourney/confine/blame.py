"""What a competitor's exception says, and where in the author's file it arose.

For what goes wrong before anybody is asked; faults at a question are told by the desk.
"""

from traceback import StackSummary, extract_tb, format_exception_only

from tourney.asking.wording import MOST_TEXT, printable


def last_line(error: BaseException) -> str:
    """Say what an exception says, whatever its author thought of."""
    try:
        return str(format_exception_only(error)[-1]).strip()
    except BaseException as second:  # noqa: BLE001 - even saying it is the author's code
        return f"{type(error).__name__}, whose text raises {type(second).__name__}"


def place_and_trace(error: BaseException, name: str) -> tuple[str, str]:
    """Give "file:line" and the traceback within a file; empty where there is none.

    Args:
        error: What was raised.
        name: Of the author's file.
    """
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename == name]
    if not frames:
        lines = error.lineno if isinstance(error, SyntaxError) else None
        return (f"{name}:{lines}" if lines else "", "")
    trace = "".join(StackSummary.from_list(frames).format())[-MOST_TEXT:]
    return printable(f"{name}:{frames[-1].lineno}"), printable(trace, keep="\n")
