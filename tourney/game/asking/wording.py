"""Texts of competitors, made fit to be shown."""

from traceback import TracebackException

MOST_TEXT = 2_000
"""Characters kept of a text of a competitor."""


def printable(text: str, keep: str = "", most: int = MOST_TEXT) -> str:
    r"""Escape control characters, which could write over a terminal, and cap the length.

    Args:
        text: Anything.
        keep: Characters that stay as they are.
        most: How many characters stay.

    >>> print(printable(chr(27) + "[2J"))
    \x1b[2J
    """
    capped = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape").decode()
        for char in capped
    )


def exception_line(error: BaseException) -> str:
    """Say what an exception says by itself, without the notes that were added to it.

    Raises: Whatever its author thought of.

    >>> error = ValueError("seen")
    >>> error.add_note("and more")
    >>> exception_line(error)
    'ValueError: seen'
    """
    told = TracebackException(type(error), error, None, compact=True)
    told.__notes__ = []
    return list(told.format_exception_only())[-1].strip() or "an exception that says nothing"
