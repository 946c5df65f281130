"""How often the range of a pilot holds the number of tables that a run needs, and how wide it is.

    python benchmarks/pilot.py                the figures of docs/explanation/rankings.md
    python benchmarks/pilot.py --quick        the same with a tenth of the fields
    python benchmarks/pilot.py --entrants 8   fields of this size only

Fields of entrants with known skill play a pilot; the true number is the one with which half of many
runs of the same field tell so many neighbours apart. Skills are normal; all equal; normal with one
outlier; of heavy tails (Student's t with two degrees of freedom); in even steps; or even steps that
two entrants share each. Tables come to results that are normal, or log-normal and lean to the wins
for one half and to the losses for the other, with standard deviation 1.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from pathlib import Path
from statistics import median
from sys import path

import numpy as np
from numpy.typing import NDArray
from tabulate import tabulate

from tourney.standings.tables_needed import tables_needed

path.append(str(Path(__file__).parents[1] / "tests" / "differential" / "oracles"))
from naive_tables import Runs, sample

Results = NDArray[np.float64]

FIELDS = {2: 60, 8: 40, 60: 10, 300: 3}
"""How many of each kind, by entrants."""
PILOTS = {2: (20, 200), 8: (20, 200), 60: (40, 200), 300: (40,)}
"""Tables, by entrants."""
RUNS = {2: 41, 8: 21, 60: 11, 300: 5}
PARTS = (0.5, 0.9)
STEP = 0.4
"""Between neighbours, on average, in standard deviations of a table."""


def _normal(rng: np.random.Generator, shape: tuple[int, int]) -> Results:
    return rng.standard_normal(shape)


def _opposed(rng: np.random.Generator, shape: tuple[int, int]) -> Results:
    signs = np.where(np.arange(shape[1]) % 2, -1.0, 1.0)
    drawn: Results = signs * (rng.lognormal(0, 1, shape) - np.exp(0.5)) / sqrt((np.e - 1) * np.e)
    return drawn


LAWS = {"normal": _normal, "opposed log-normal": _opposed}


def _of(spread: Callable[[np.random.Generator, int], Results]) -> Callable[..., Results]:
    """Give skills of a law whose neighbours are a step apart, on average about."""
    return lambda rng, entrants: STEP * entrants / 4 * spread(rng, entrants)


def _outlier(rng: np.random.Generator, entrants: int) -> Results:
    skills = rng.standard_normal(entrants)
    skills[0] += 20
    return skills


SKILLS: dict[str, Callable[[np.random.Generator, int], Results]] = {
    "normal": _of(lambda rng, entrants: rng.standard_normal(entrants)),
    "equal": lambda _, entrants: np.zeros(entrants),
    "outlier": _of(_outlier),
    "heavy tails": _of(lambda rng, entrants: rng.standard_t(2, entrants)),
    "even": lambda rng, entrants: STEP * rng.permutation(entrants).astype(float),
    "even, in twos": lambda rng, entrants: 2 * STEP * (rng.permutation(entrants) // 2),
}


@dataclass(frozen=True, slots=True)
class Found:
    """A range, and the number it should hold."""

    least: float
    true: float
    most: float

    @property
    def holds(self) -> bool:
        """Whether it does."""
        return self.least <= self.true <= self.most


def fields(
    law: str, skills: str, entrants: int, tables: int, count: int
) -> dict[float, list[Found]]:
    """Draw fields, and let each play a pilot; give the ranges by part of the neighbours."""
    found: dict[float, list[Found]] = {part: [] for part in PARTS}
    for number in range(count):
        rng = np.random.default_rng([number, entrants, list(SKILLS).index(skills)])
        field, draw = SKILLS[skills](rng, entrants), LAWS[law]
        pilot = sample(field + draw(rng, (tables, entrants)))
        runs, true = Runs(field, draw, RUNS[entrants], number), dict[int, float]()
        for part in PARTS:
            needed = tables_needed(pilot, pilot, part)
            assert needed
            if needed.pairs not in true:
                true[needed.pairs] = runs.tables(needed.pairs)
            found[part].append(Found(needed.least or inf, true[needed.pairs], needed.most or inf))
    return found


def rows(entrants: int, part_of_fields: float) -> Iterator[list[str]]:
    """Give a row for each kind of field and pilot."""
    count = max(2, round(FIELDS[entrants] * part_of_fields))
    for law in LAWS:
        for skills in SKILLS:
            for tables in PILOTS[entrants]:
                for part, found in fields(law, skills, entrants, tables, count).items():
                    if entrants == 2 and part > PARTS[0]:
                        continue  # their only pair is half of the pairs, too
                    yield [law, skills, str(entrants), str(tables), f"{part:.0%}", *_row(found)]


def _row(found: list[Found]) -> list[str]:
    """Say how many hold, the number in the middle, and how far the ends are from it."""
    held = sum(each.holds for each in found)
    true = median(each.true for each in found)
    known = [each for each in found if isfinite(each.true)]
    closed = [each for each in known if isfinite(each.most)]
    below = f"{median(each.least / each.true for each in known):.2g}" if known else ""
    above = f"{median(each.most / each.true for each in closed):.2g}" if closed else ""
    return [
        f"{held} of {len(found)}",
        f"{true:,.0f}" if isfinite(true) else "none",
        below,
        f"{sum(isfinite(each.most) for each in found)} of {len(found)}",
        above,
    ]


HEADERS = [
    *("Results", "Skills", "Entrants", "Tables of the pilot", "Neighbours"),
    *("Holds", "True number", "Lower end, of it", "Has an upper end", "Upper end, of it"),
]


SUMMARY = [
    *("Entrants", "Tables of the pilot", "Neighbours", "Hold", "Weakest kind"),
    *("Lower end, of the number", "Have an upper end, of those with a number", "Upper end, of it"),
]


def summary(table: list[list[str]]) -> Iterator[list[str]]:
    """Give a row for each pilot and part of the neighbours: the middle over kinds of fields."""
    for key in dict.fromkeys(tuple(row[2:5]) for row in table):
        of_key = [row for row in table if tuple(row[2:5]) == key]
        known = [row for row in of_key if row[6] != "none"]
        weakest = min(of_key, key=lambda row: _part(row[5]))
        yield [
            *key,
            _sum(row[5] for row in of_key),
            f"{weakest[5]}: {weakest[1]}, {weakest[0]}",
            f"{median(float(row[7]) for row in known):.2g}",
            _sum(row[8] for row in known),
            f"{median(float(row[9]) for row in known if row[9]):.2g}"
            if any(row[9] for row in known)
            else "",
        ]


def _part(of: str) -> float:
    held, fields_of_kind = of.split(" of ")
    return int(held) / int(fields_of_kind)


def _sum(parts: Iterable[str]) -> str:
    pairs = [part.split(" of ") for part in parts]
    return f"{sum(int(one) for one, _ in pairs):,} of {sum(int(all_) for _, all_ in pairs):,}"


def main() -> None:
    """Print the figures as Markdown."""
    parser = argparse.ArgumentParser(description="Measure what the range of a pilot promises.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the fields")
    parser.add_argument("--entrants", type=int, choices=FIELDS, action="append")
    asked = parser.parse_args()
    whole: list[list[str]] = []
    for entrants in asked.entrants or FIELDS:
        table = list(rows(entrants, 0.1 if asked.quick else 1.0))
        print(tabulate(table, HEADERS, "github", disable_numparse=True), end="\n\n", flush=True)
        whole += table
    print(tabulate(summary(whole), SUMMARY, "github", disable_numparse=True))


if __name__ == "__main__":
    main()
