"""How plugin faults are said: one printable line, in the words of the author's file.

Whatever is shown here was made by somebody else, so asking for its text may fail.
"""

from tourney.game.asking.wording import exception_line, with_article

LONGEST_VALUE = 60  # characters of a value that a message shows
LONGEST_LINE = 300  # characters of an exception's text


def printable(text: str, longest: int = LONGEST_LINE) -> str:
    r"""Put text on one line, cut it, and escape what could write over a terminal.

    >>> printable("two\nlines and \x1b[2J")
    'two lines and \\x1b[2J'
    """
    line = " ".join(text.split())
    capped = line if len(line) <= longest else line[: longest - 1] + "…"
    if capped.isprintable():
        return capped
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in capped
    )


def value_words(value: object) -> str:
    """Say what a value is.

    >>> value_words(None), value_words(["bold"]), value_words(int)
    ('None', "['bold'], a list", 'the class int')
    """
    if value is None:
        return "None"
    if isinstance(value, type):
        return printable(f"the class {value.__name__}", LONGEST_VALUE)
    try:
        text = printable(repr(value), LONGEST_VALUE)
    except Exception as error:  # noqa: BLE001 - repr() is the author's code
        text = f"something whose repr() raises {type(error).__name__}"
    return f"{text}, {with_article(type(value).__name__)}"


def error_words(error: BaseException) -> str:
    """Say what was raised.

    >>> error_words(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    try:
        if isinstance(error, SyntaxError):  # its place is said elsewhere
            return printable(f"{type(error).__name__}: {error.msg}")
        return printable(exception_line(error))
    except Exception as second:  # noqa: BLE001 - str() of an exception is the author's code
        return f"{type(error).__name__}, whose text raises {type(second).__name__}"
