"""The values that boards aim at, line by line: `python benchmarks/full_shoes.py`, three minutes.

They are the table `VALUES` in tourney/games/blackjack/exact/evaluation.py.
"""

from dataclasses import replace

from tourney.games.blackjack.exact.evaluation import best_mean
from tourney.games.blackjack.rules import PRESETS

NAMES = (
    "ve280",
    "csc24400",
    "single-deck",
    "double-deck",
    "six-decks-h17",
    "six-decks-s17",
    "european",
)
DECKS = (1, 2, 4, 6, 8)


def main() -> None:
    """Print them."""
    for name in NAMES:
        for decks in DECKS:
            full = replace(PRESETS[name], decks=decks, shuffle="uniform", reshuffle="every-round")
            rules = replace(full, reshuffle_percent=0)
            rounds_payouts = rules.payout == "floor" and not rules.minimum
            for minimum in (5, 10) if rounds_payouts else (10,):
                print(f'    ("{name}", {decks}, {minimum}): {best_mean(rules, minimum)!r},')


if __name__ == "__main__":
    main()
