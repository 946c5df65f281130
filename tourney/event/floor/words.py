"""Durations as people say them; the report keeps the exact figures."""

from math import inf

# Seconds in the small unit, its name; how many make the large one, its name; too many of it.
_SCALES = (
    (1, "s", 60, "min", 3_600),
    (60, "min", 60, "h", 1_440),
    (3_600, "h", 24, "d", inf),
)


def duration_words(seconds: float) -> str:
    """Say a duration in its two largest units, the second one rounded.

    >>> [duration_words(seconds) for seconds in (0, 45.2, 725, 15_130, 93_784)]
    ['0 s', '45 s', '12 min 5 s', '4 h 12 min', '1 d 2 h']
    """
    # Rounded before the scale is chosen, so that 3 599.9 s are 1 h and not 60 min.
    unit, small, per_large, large, _ = next(
        scale for scale in _SCALES if round(seconds / scale[0]) < scale[-1]
    )
    whole, rest = divmod(round(seconds / unit), per_large)
    parts = ((whole, large), (rest, small))
    return " ".join(f"{number} {name}" for number, name in parts if number) or "0 s"
