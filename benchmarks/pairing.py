"""How long pairing a whole Swiss tournament takes, and how many players a dead end takes back.

    python benchmarks/pairing.py [--most-seconds 60]

Nothing is played: whoever has the lower number wins more often, so that those who meet again are
near each other in the order, as in a real tournament.
"""

import argparse
from collections import Counter
from random import Random
from time import process_time

from tourney.formats.matches import pairing

SIZES = ((30, 10), (101, 30), (100, 100), (200, 100), (1000, 12), (1000, 50), (1000, 100))


def main() -> None:
    """Print a line for each number of players and waves."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most-seconds", type=float, default=60.0, help="of a tournament")
    most_seconds = parser.parse_args().most_seconds
    print(f"{'players':>7} {'waves':>6} {'seconds':>8} {'longest wave':>13}")
    for players, waves in SIZES:
        seconds = paired_waves(players, waves, most_seconds)
        print(f"{players:7} {len(seconds):6} {sum(seconds):8.2f} {max(seconds):13.3f}", flush=True)


def paired_waves(players: int, waves: int, most_seconds: float) -> list[float]:
    """Pair wave after wave; give the seconds of each."""
    random = Random(1)
    met: list[Counter[int]] = [Counter() for _ in range(players)]
    points, byes = [0] * players, [0] * players
    seconds: list[float] = []
    while len(seconds) < waves and sum(seconds) < most_seconds:
        order = sorted(random.sample(range(players), players), key=lambda each: -points[each])
        may_wait = {each for each in order if byes[each] == min(byes)}
        start = process_time()
        pairs, bye = pairing.paired(order, lambda one, other: met[one][other], may_wait)
        seconds.append(process_time() - start)
        if bye is not None:
            byes[bye] += 1
            points[bye] += 1
        for one, other in pairs:
            met[one][other] += 1
            met[other][one] += 1
            chance = 1 / (1 + 10 ** (2 * (one - other) / players))
            points[one if random.random() < chance else other] += 1
    return seconds


if __name__ == "__main__":
    main()
