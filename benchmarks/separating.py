"""How many hands same shoes and luck taken out save: `python benchmarks/separating.py`.

Plays the configuration of the quickstart, with its number of tables or with more, and compares
everybody with Simple. What is saved is the variance of the mean difference, against that with
shoes of one's own and raw results: so many times fewer tables are enough. Prints as well how many
hands each way needs until the two are three standard errors apart, if they differ by as much as
they did here.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tabulate import tabulate

from tourney import play_tournament
from tourney.config.model import TournamentConfig
from tourney.config.tournament import load
from tourney.plugins.loading import load_plugins
from tourney.standings.luck_adjustment import PARTS
from tourney.store.store import Store
from tourney.tournament.catalog import catalog_of

CONFIG = Path(__file__).parents[1] / "configs" / "quickstart.yaml"
AGAINST = "simple"
APART = 3.0  # standard errors
WAYS = ("own shoes, raw", "same shoes", "luck taken out", "both")
Results = NDArray[np.float64]
"""Profits in parts of a chip, by entrant and table."""


def with_tables(tables: int | None) -> TournamentConfig:
    """Give the quickstart, with another number of tables if one is given."""
    config = load(CONFIG, catalog_of(load_plugins()))
    options: Any = config.format.options
    if tables:
        options = replace(options, tables=tables)
    return replace(config, format=replace(config.format, options=options))


def profits(store: Path) -> tuple[list[str], Results, Results]:
    """Give the names, and profits with and without luck."""
    with Store.open(store, create=False) as kept:
        names = [entrant.name for entrant in kept.run().entrants]
        seats = [(key.table, seat) for key, seat in kept.seat_results(1)]
    raw = np.zeros((len(names), 1 + max(table for table, _ in seats)))
    luck = np.zeros_like(raw)
    for table, seat in seats:
        raw[seat.entrant, table] = seat.net
        luck[seat.entrant, table] = (seat.luck or 0) / PARTS
    return names, raw, raw - luck


def variances(one: int, other: int, raw: Results, adjusted: Results) -> list[float]:
    """Give the variance of a table's difference of two entrants, in each way."""
    pair = [one, other]
    return [
        float(raw[pair].var(axis=1, ddof=1).sum()),
        float((raw[one] - raw[other]).var(ddof=1)),
        float(adjusted[pair].var(axis=1, ddof=1).sum()),
        float((adjusted[one] - adjusted[other]).var(ddof=1)),
    ]


def rows(names: list[str], raw: Results, adjusted: Results, rounds: int) -> Iterator[list[str]]:
    """Give two lines for every entrant: what is saved, and hands that are needed."""
    simple = names.index(AGAINST)
    for number, name in enumerate(names):
        if number == simple:
            continue
        ways = variances(number, simple, raw, adjusted)
        difference = float((adjusted[number] - adjusted[simple]).mean())
        tables = [max(2.0, APART**2 * variance / difference**2) for variance in ways]
        yield [name, "times less", *(f"{ways[0] / variance:.1f}" for variance in ways)]
        yield ["", "hands", *(f"{rounds * each:,.0f}" for each in tables)]


def main() -> None:
    """Play, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, help="instead of those of the quickstart")
    config = with_tables(parser.parse_args().tables)
    options: Any = config.format.options
    with TemporaryDirectory() as folder:
        store = Path(folder) / "separating.db"
        play_tournament(config, store=store)
        names, raw, adjusted = profits(store)
    print(f"{options.tables:,} tables of {options.rounds:,} rounds, against {AGAINST}")
    lines = list(rows(names, raw, adjusted, options.rounds))
    print(tabulate(lines, headers=["", "", *WAYS], disable_numparse=True))


if __name__ == "__main__":
    main()
