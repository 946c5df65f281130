"""Check of the options of bundled competitors, which are all whole numbers."""


def check_whole(least: int, **options: object) -> None:
    """Check that all options are whole numbers of at least `least`.

    Raises: ValueError, with the name of the option.

    >>> check_whole(1, spread=0)
    Traceback (most recent call last):
    ValueError: spread: expected a whole number of at least 1, got 0
    """
    for name, value in options.items():
        if type(value) is not int or value < least:
            raise ValueError(f"{name}: expected a whole number of at least {least}, got {value!r}")
