"""The floor held against what is known: Erlang's waits, and real tournaments against their plans.

Prints both as tables. A few minutes; `--replications` and `--events` make it shorter.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import factorial
from pathlib import Path

from tabulate import tabulate

from tourney.config.model import Exponential, FloorConfig
from tourney.execution.workers.worker_choice import make_workers
from tourney.floor.block_durations import Sitting, Streams, seconds_at
from tourney.floor.room import play_arrivals
from tourney.game.cards.keys import Secret
from tourney.planning.event_plan import Interval, plan_tournament
from tourney.planning.trial_rates import rates_of_trial
from tourney.plugins.loading import load_plugins
from tourney.tournament.loading import Tournament, enter
from tourney.tournament.progress import Progress

BLOCK_SECONDS = 600.0
TABLES, WARM_UP = 5_000, 1_000
ROOMS = ((1, 0.5), (1, 0.8), (3, 0.7), (3, 0.9), (10, 0.8), (10, 0.9))
EVENTS = ("multi-table", "evening")


def erlang_wait(dealers: int, load: float) -> float:
    """Give the mean wait for one of some dealers in seconds, by Erlang's formula."""
    offered = dealers * load
    waiting = offered**dealers / factorial(dealers) / (1 - load)
    others = sum(offered**count / factorial(count) for count in range(dealers))
    return waiting / (waiting + others) * BLOCK_SECONDS / (dealers * (1 - load))


def arrivals(streams: Streams, mean_gap: float) -> Iterator[tuple[float, Sitting]]:
    """Give tables that come at random, without end."""
    seconds = 0.0
    for number, share in enumerate(streams.shares("arrival", ())):
        seconds += seconds_at(Exponential(mean_gap), share)
        yield seconds, Sitting(seats=1, rounds=1, shuffles=0, place=(number,))


def simulated_wait(dealers: int, load: float, replication: int) -> float:
    """Simulate an open room; give its mean wait in seconds."""
    streams = Streams(Secret.from_seed(1917).floor_key(replication))
    config = FloorConfig(
        dealers=dealers,
        round_seconds=Exponential(BLOCK_SECONDS),
        seat_seconds=0,
        setup_seconds=0,
    )
    coming = islice(arrivals(streams, BLOCK_SECONDS / (dealers * load)), TABLES)
    seen = play_arrivals(config, streams, coming).instants
    waits = (seen.begin - seen.wave)[seen.wave.argsort()][WARM_UP:]
    return float(waits.mean()) / 1e6


def show_waits(replications: int) -> None:
    """Print simulated waits beside those of the formula."""
    rows = []
    for dealers, load in ROOMS:
        seen = Interval.of([simulated_wait(dealers, load, each) for each in range(replications)])
        known = erlang_wait(dealers, load)
        is_met = "yes" if abs(seen.mean - known) <= seen.half else "no"
        rows.append(
            (dealers, f"{load:.0%}", f"{known:.1f}", f"{seen.mean:.1f}", f"{seen.half:.1f}", is_met)
        )
    headers = ("dealers", "load", "Erlang, s", "simulated, s", "± s", "within")
    print(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))


def real_seconds(tournament: Tournament) -> float:
    """Play a tournament in memory and say how long it took on the floor."""
    course = Progress(tournament)
    with make_workers(1, tournament.specs(), "auto") as crew:
        for wave in course.waves():
            played = sorted(crew.play(list(wave)), key=lambda each: each.number)
            course.play([result for each in played for result in each.results])
    return course.floor.now


def show_plans(events: int, replications: int) -> None:
    """Print how long plans said that tournaments take, and how long they took."""
    registry, rows = load_plugins(), []
    for name in EVENTS:
        tournament = enter(Path("configs") / f"{name}.yaml", registry)
        plan = plan_tournament(tournament, rates_of_trial(tournament), replications)
        others = [replace(tournament, secret=Secret.from_seed(each)) for each in range(events)]
        real = Interval.of([real_seconds(each) / 60 for each in others])
        planned = plan.seconds
        rows.append(
            (
                name,
                f"{planned.mean / 60:.0f} ± {planned.half / 60:.0f}",
                f"{real.mean:.0f} ± {real.half:.0f}",
            )
        )
    headers = ("event", f"planned {replications} times, min", f"played {events} times, min")
    print(tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True))


def main() -> None:
    """Measure both and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=20)
    parser.add_argument("--events", type=int, default=20)
    arguments = parser.parse_args()
    show_waits(arguments.replications)
    print()
    show_plans(arguments.events, arguments.replications)


if __name__ == "__main__":
    main()
