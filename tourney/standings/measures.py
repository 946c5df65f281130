"""What a tournament counts at a table: chips, points or places, and which way is better."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """What the mean over tables is of."""

    name: str  # "bankroll", "points" or "place"
    title: str  # of the column that shows the mean
    is_low_best: bool
    decimals: int  # that a reader is shown of the mean


BANKROLL = Measure("bankroll", "Mean final bankroll", is_low_best=False, decimals=1)
"""The bankroll a table ended with."""

POINTS = Measure("points", "Points a round", is_low_best=True, decimals=2)
"""The points of all rounds at a table, divided by their number."""

PLACE = Measure("place", "Mean place", is_low_best=True, decimals=3)
"""The mean place of all games at a table; who tie share the places they take."""

MEASURES = (BANKROLL, POINTS, PLACE)
"""All there are; the format says which of them counts."""
