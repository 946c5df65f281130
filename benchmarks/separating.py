"""How many hands same shoes and luck taken out save, on the configuration of the quickstart.

Variance of the estimated difference to Simple, with independent raw results as 1: the number is
how many times fewer tables are enough. Run: python benchmarks/separating.py
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from tourney import play_tournament
from tourney.standings.adjusting import PARTS
from tourney.store import Store

CONFIG = Path(__file__).parents[1] / "configs" / "quickstart.yaml"
AGAINST = "simple"


def profits(store: Path) -> tuple[list[str], NDArray[np.float64], NDArray[np.float64]]:
    """Give the names, and profits with and without luck by entrant and table."""
    with Store.open(store, create=False) as kept:
        names = [entrant.name for entrant in kept.run().entrants]
        seats = [(key.table, seat) for key, seat in kept.seat_results(1)]
    raw = np.zeros((len(names), 1 + max(table for table, _ in seats)))
    luck = np.zeros_like(raw)
    for table, seat in seats:
        raw[seat.entrant, table] = seat.net
        luck[seat.entrant, table] = (seat.luck or 0) / PARTS
    return names, raw, raw - luck


def main() -> None:
    """Play, and print a line for each entrant."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "separating.db"
        play_tournament(CONFIG, store=store)
        names, raw, adjusted = profits(store)
    simple = names.index(AGAINST)
    for number, name in enumerate(names):
        if number == simple:
            continue
        alone = raw[[number, simple]].var(axis=1, ddof=1).sum()
        apart = adjusted[[number, simple]].var(axis=1, ddof=1).sum()
        paired = (raw[number] - raw[simple]).var(ddof=1)
        both = (adjusted[number] - adjusted[simple]).var(ddof=1)
        print(
            f"{name} against {AGAINST}: same shoes {alone / paired:.1f}, luck taken out "
            f"{alone / apart:.1f}, both {alone / both:.0f}"
        )


if __name__ == "__main__":
    main()
