"""A class of 200 of whom 20 are hostile, played confined: who is named, and who notices.

    python benchmarks/class_of_200.py [--students 180] [--tables 20] [--rounds 100]

The same seed is played without the hostile ones, and with them on 1 and 2 workers. The exit status
says whether the runs end, verdicts name all attackers, and the others' rows are the same.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests, which hold the corpus

from tests.sandbox.tournaments.classroom import HOSTILE, hand_in, honest_rows, not_named
from tourney import play_tournament
from tourney.tournament.tournament import TournamentResult


def played(config: Path, workers: int, whose: str) -> TournamentResult:
    """Play a tournament and say how long it took."""
    began = perf_counter()
    result = play_tournament(config, store=config.with_suffix(f".{workers}.db"), workers=workers)
    hands = sum(row.handle > 0 and row.rounds for row in result.standings)
    print(
        f"{whose}, workers {workers}: level {result.run.confinement}, "
        f"{len(result.standings)} rows, {hands:,} rounds, {perf_counter() - began:.0f} s"
    )
    return result


def main() -> int:
    """Play, compare, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=180)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=100)
    asked = parser.parse_args()
    sizes = {"tables": asked.tables, "rounds": asked.rounds}
    is_well = True
    with TemporaryDirectory() as name:
        folder = Path(name)
        config = hand_in(folder / "honest", asked.students, (), **sizes)
        alone = honest_rows(played(config, 1, "without attackers"))
        config = hand_in(folder / "all", asked.students, HOSTILE, **sizes)
        for workers in (1, 2):
            result = played(config, workers, f"with {len(HOSTILE)} attackers")
            missing, rows = not_named(result, HOSTILE), honest_rows(result)
            same = sum(one == other for one, other in zip(alone, rows, strict=True))
            named = len(HOSTILE) - len(missing)
            print(
                f"  {named} of {len(HOSTILE)} attackers named {missing or ''}; "
                f"{same} of {len(alone)} rows the same"
            )
            is_well &= not missing and same == len(alone)
    return int(not is_well)


if __name__ == "__main__":
    sys.exit(main())
