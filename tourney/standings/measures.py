"""What counts in a tournament: chips, points, places or how it ended; and which way is better."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """What the mean over tables is of."""

    name: str  # "bankroll", "points", "place" or "finish"
    title: str  # of the column that shows the mean
    is_low_best: bool
    decimals: int  # that a reader is shown of the mean


BANKROLL = Measure("bankroll", "Mean final bankroll", is_low_best=False, decimals=1)
"""The bankroll a table ended with."""

POINTS = Measure("points", "Points a round", is_low_best=True, decimals=2)
"""The points of all rounds at a table, divided by their number."""

PLACE = Measure("place", "Mean place", is_low_best=True, decimals=3)
"""The mean place of all games at a table; who tie share the places they take."""

FINISH = Measure("finish", "Place", is_low_best=True, decimals=0)
"""The place that the format gives: by who stayed longest, or won most."""

MEASURES = (BANKROLL, POINTS, PLACE, FINISH)
"""All there are; the format says which of them counts."""
