"""How often the interval of a short measurement holds: `python benchmarks/short_runs.py`.

`simple` at an endless shoe has a value that is worked out exactly. It is measured again and again,
by other shoes each time, and the intervals that hold it are counted: of 95 % about 95 %, but for
short measurements, whose few mistakes make the results lean to one side.
"""

import tourney
from tourney.games.blackjack.exact.evaluation import exact_value
from tourney.strategies.simple import Simple

GAME = "ve280,decks=infinite,shuffle=uniform"
STUDY = {20_000: 1_500, 100_000: 600, 1_000_000: 200}
"""How many measurements, by their rounds."""
FIRST_SEED = 70_000


def main() -> None:
    """Print the share of intervals that hold the exact value, by rounds."""
    exact = float(exact_value(tourney.load_rules(GAME), Simple(), "simple", minimum=10).mean)
    for rounds, times in STUDY.items():
        held = 0
        for seed in range(FIRST_SEED, FIRST_SEED + times):
            found = tourney.ev("simple", GAME, rounds=rounds, seed=seed)
            assert found.half_width is not None
            held += abs(found.mean - exact) <= found.half_width
        print(f"{rounds:>9,} rounds: {held / times:.1%} of {times:,} intervals hold {exact:.6f}")


if __name__ == "__main__":
    main()
