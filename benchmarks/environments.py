"""How fast environments step, as ratios within one run: `python benchmarks/environments.py`.

A random policy that keeps to the masks plays at as many tables of Gymnasium's own vector blackjack
and of ours. Processor time of `step` alone is measured, as other programs may run, and the best of
several turns counts.
"""

import argparse
import json
from time import process_time
from typing import Any

import gymnasium
import numpy as np
from tabulate import tabulate

from tourney.environments import BlackjackVectorEnv

TABLES, TURNS = 1_024, 5
GAMES = {"ve280": 100, "easybj": 20, "six-decks-h17": 20, "european": 20}
"""Presets, and how many times Gymnasium's each must be."""


def steps_a_second(env: Any, tables: int, steps: int, seed: int = 1) -> float:
    """Give how many tables step in a second."""
    rng, spent = np.random.default_rng(seed), 0.0
    _, info = env.reset(seed=seed)
    for _ in range(steps):
        masks = info.get("action_mask", np.ones((tables, 2)))
        actions = (masks * (1 - rng.random(masks.shape))).argmax(axis=1)
        started = process_time()
        *_, info = env.step(actions)
        spent += process_time() - started
    return tables * steps / spent


def measure(tables: int) -> dict[str, float]:
    """Give steps a second of Gymnasium's environment and of every game."""
    best: dict[str, float] = {}
    for _ in range(TURNS):
        # Gymnasium's classes are made by name; "sync" is its faster way for a game so light.
        other = gymnasium.make_vec("Blackjack-v1", tables, vectorization_mode="sync")
        found = {"gymnasium": steps_a_second(other, tables, max(20_000 // tables, 2))}
        for game in GAMES:
            env = BlackjackVectorEnv(tables, game)
            found[game] = steps_a_second(env, tables, max(400_000 // tables, 2))
        best = {name: max(found[name], best.get(name, 0.0)) for name in found}
    return best


def main() -> None:
    """Print the table, and fail if an environment is too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    asked = parser.parse_args()
    found = measure(asked.tables)
    base = found["gymnasium"]
    rows = [
        (name, f"{speed:,.0f}", f"{speed / base:.0f}", GAMES.get(name, 1))
        for name, speed in found.items()
    ]
    print(tabulate(rows, headers=("environment", "steps/s", "times gymnasium", "at least")))
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:  # noqa: PTH123 - a path as typed
            json.dump({"tables": asked.tables} | found, file, indent=1)
    slow = [name for name, times in GAMES.items() if found[name] < times * base]
    if slow:
        raise SystemExit(f"too slow: {', '.join(slow)}")


if __name__ == "__main__":
    main()
