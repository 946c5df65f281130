"""Texts of competitors, made fit to be shown."""

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
