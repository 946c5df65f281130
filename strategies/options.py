"""Checking the options of a competitor; no strategy of its own.

Leaves out options that are not whole numbers: no bundled competitor has one.
"""


def check_whole(least: int, **options: object) -> None:
    """Refuse options that are not whole numbers or too small.

    Args:
        least: The smallest value that makes sense.
        options: What the constructor was given, by name.
    Raises: ValueError, naming the option.

    >>> check_whole(1, spread=0)
    Traceback (most recent call last):
    ValueError: spread: expected a whole number of at least 1, got 0
    """
    for name, value in options.items():
        if type(value) is not int or value < least:
            raise ValueError(f"{name}: expected a whole number of at least {least}, got {value!r}")
