"""Arguments of a line of Python: whole numbers, seeds, paths, and numbers above 0.

What a configuration says is read from its text, with places; see `settings`.
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
    """Refuse arguments of a line of Python that are no whole numbers within limits.

    Args:
        least: That is taken.
        most: That is taken; any larger one by default.
        is_needed: Whether None is refused, too, which else stands for what was left out.
        given: The arguments by name.
    Raises: TourneyError, naming the first.
    """
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"
    for name, value in given.items():
        if value is None and not is_needed:
            continue
        is_whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not is_whole or value < least or (most is not None and value > most):
            raise TourneyError(f"{name}: expected a whole number {limits}, got {value!r}")


def check_seed(seed: object) -> None:
    """Refuse what is no seed, as a configuration does; None stands for one that is drawn.

    Raises: TourneyError, if it is none.
    """
    check_whole(0, LARGEST_SEED, seed=seed)


def path_of(**given: Any) -> Path:
    """Give an argument of a line of Python as a path.

    Raises: TourneyError, if it is none.
    """
    ((name, value),) = given.items()
    if not isinstance(value, str | os.PathLike) or not os.fspath(value):
        raise TourneyError(f"{name}: expected a path, got {value!r}")
    return Path(value)


def check_above_nothing(**given: Any) -> None:
    """Refuse arguments of a line of Python that are neither left out nor numbers above 0.

    Raises: TourneyError, naming the first.
    """
    for name, value in given.items():
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if value is not None and not (is_number and 0 < value < math.inf):
            raise TourneyError(f"{name}: expected a number above 0, got {value!r}")
