"""Checks of Python arguments: whole numbers, seeds, paths, functions, and numbers above 0.

Values of a configuration file are checked with their places; see `settings`.
"""

import math
import os
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from tourney.config.scalars import LARGEST_SEED
from tourney.errors import TourneyError


def check_whole(
    least: int = 1, most: int | None = None, /, *, is_needed: bool = False, **given: Any
) -> None:
    """Reject arguments that are not whole numbers within limits.

    Args:
        least: Smallest accepted value.
        most: Largest accepted value; `None` for no limit.
        is_needed: Reject `None`, too.
        given: The arguments by name.
    Raises: TourneyError, for the first wrong argument.
    """
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"
    for name, value in given.items():
        if value is None and not is_needed:
            continue
        is_whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not is_whole or value < least or (most is not None and value > most):
            raise TourneyError(f"{name}: expected a whole number {limits}, got {value!r}")


def check_seed(seed: object) -> None:
    """Reject a seed that a configuration would reject; `None` stands for a random seed.

    Raises: TourneyError, if it is not a seed.
    """
    check_whole(0, LARGEST_SEED, seed=seed)


def path_of(**given: Any) -> Path:
    """Return an argument as a path.

    Raises: TourneyError, if it is not a path.
    """
    ((name, value),) = given.items()
    if not isinstance(value, str | os.PathLike) or not os.fspath(value):
        raise TourneyError(f"{name}: expected a path, got {value!r}")
    return Path(value)


def check_above_nothing(**given: Any) -> None:
    """Reject arguments that are neither `None` nor numbers above 0.

    Raises: TourneyError, for the first wrong argument.
    """
    for name, value in given.items():
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if value is not None and not (is_number and 0 < value < math.inf):
            raise TourneyError(f"{name}: expected a number above 0, got {value!r}")


def check_callable(**given: Any) -> None:
    """Reject arguments that are neither `None` nor can be called.

    Raises: TourneyError, for the first wrong argument.
    """
    for name, value in given.items():
        if value is not None and not callable(value):
            raise TourneyError(f"{name}: expected a function such as print, got {value!r}")
