"""What a benchmark gives: figures, each beside others that were measured in the same run.

The speed of a machine changes from minute to minute, and from one machine to the next; a ratio
of two figures of one run hardly does. Leaves out what is measured.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from time import process_time
from typing import Any

from tabulate import tabulate


@dataclass(frozen=True, slots=True)
class Figure:
    """How fast something is."""

    name: str
    value: float
    unit: str  # such as "hands/s"; less is better where it begins with a time, as in "µs/block"
    plain: float | None = None  # the same by a plain loop with branches, in machine code
    reference: float | None = None  # the same by the reference engine
    target: float | None = None  # of the design, for a machine twice as fast as that of 2026

    @property
    def is_cost(self) -> bool:
        """Whether less is better."""
        return self.unit.startswith(("µs", "s ", "s/", "ms", "MiB"))


def best_of(times: int, measure: Callable[[], float]) -> float:
    """Give the best of several measurements."""
    return max(measure() for _ in range(times))


def rate(amount: float, play: Callable[[], object]) -> float:
    """Give what is done in a second of the processor's time, which other programs do not take."""
    started = process_time()
    play()
    return amount / max(process_time() - started, 1e-9)


def as_table(figures: Iterable[Figure]) -> str:
    """Show figures as people read them."""
    rows = [
        (
            each.name,
            short(each.value),
            each.unit,
            ratio(each.value, each.plain),
            ratio(each.value, each.reference),
            short(each.target),
            ratio(each.value, each.target),
        )
        for each in figures
    ]
    headers = ["", "figure", "unit", "of plain", "of reference", "target", "of target"]
    sides = ("left", "right", "left", "right", "right", "right", "right")
    return tabulate(rows, headers=headers, disable_numparse=True, colalign=sides)


def as_plain_data(figures: Sequence[Figure]) -> list[dict[str, Any]]:
    """Give figures as JSON holds them."""
    return [asdict(each) for each in figures]


def short(number: float | None) -> str:
    """Write a number with three digits that count.

    >>> short(31_415_926.5), short(2.71828), short(None)
    ('31,400,000', '2.72', '')
    """
    if number is None:
        return ""
    if abs(number) >= 100:
        return f"{float(f'{number:.3g}'):,.0f}"
    return f"{number:.3g}"


def ratio(one: float, other: float | None) -> str:
    """Say how many times one figure is another."""
    return "" if not other else f"{one / other:.3g} x"
