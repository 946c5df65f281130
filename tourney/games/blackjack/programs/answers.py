"""Reading what a person types, whatever bytes it is made of."""

from typing import BinaryIO

LONGEST_LINE = 4096  # bytes; of a longer line only the beginning counts


def read_line(stream: BinaryIO | None) -> str | None:
    """Read one line.

    Args:
        stream: Where lines come from; None if the program was started without any.
    Returns: The line without its end and what surrounds it, or None at the end of the input.
    """
    line = _read(stream)
    if line is None or (len(line) == LONGEST_LINE and not line.endswith("\n")):
        return line  # nobody typed this, so what its beginning may mean is no answer
    return line.strip()


def read_letter(stream: BinaryIO | None) -> str | None:
    """Read a line and give its first letter, which is all that counts.

    Args:
        stream: Where lines come from; None if the program was started without any.
    Returns: The first character as a capital, a line end for an empty line, or None at the
        end of the input.
    """
    line = _read(stream)
    return None if line is None else line[:1].upper()


def _read(stream: BinaryIO | None) -> str | None:
    """Read a line with its end; None if there is no more."""
    if stream is None:
        return None
    try:
        line = piece = stream.readline(LONGEST_LINE)
        while len(piece) == LONGEST_LINE and not piece.endswith(b"\n"):
            piece = stream.readline(LONGEST_LINE)
    except OSError:  # it is only for writing, or a terminal that is gone
        return None
    return line.decode("ascii", "replace") or None
