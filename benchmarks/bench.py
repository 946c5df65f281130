"""How fast things are, in one table: `make bench`, or `python benchmarks/bench.py --json FILE`.

Each figure stands beside the reference engine's and beside a plain loop with branches, measured
in the same run: a machine's speed changes from minute to minute, and a ratio hardly does. The
yardstick at the top is a plain loop of Python, which tells one machine from another; the
design's targets are for a machine on which it is about twice what it was on the first one.
`compare.py` shows what changed between two files, `growth.py` what more of something costs.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tourney.formats.field import Field
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.seats import play_block
from tourney.games.blackjack.players import Player
from tourney.games.blackjack.rules import BlackjackRules
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple

sys.path.insert(0, str(Path(__file__).parent))  # the scripts beside this one

import confine
import confined_play
import lockstep
import plain
import straights
import workers
from floor_cost import SCARCE_DEALERS, microseconds_per_block
from harness import Figure, as_plain_data, as_table, best_of, rate

HANDS, TIMES = 10_000, 3
REFERENCE_TARGET, LOCKSTEP_TARGET, CONFINED_TARGET = 80_000, 300_000, 300_000
START_TARGET = 100  # ms


def reference_hands(player: type[Player]) -> float:
    """Give the hands a second of the reference engine, records and digests included."""
    field = Field(1, BlackjackRules(), 10**9, 10, 10**9, Secret.from_seed(1))
    block = field.block(BlockKey(0, 0, 0, 0, 1), ((0, field.bankroll),), HANDS)
    return rate(HANDS, lambda: play_block(block, lambda _: player()))


def yardstick() -> list[Figure]:
    """Measure the machine: a plain loop of Python."""
    speed = best_of(TIMES, lambda: rate(4 * HANDS, lambda: plain.play(4 * HANDS)))
    return [Figure("yardstick: Simple in plain Python", speed, "hands/s")]


def reference() -> list[Figure]:
    """Measure the reference engine."""
    return [
        Figure(
            f"reference, {player.__name__}",
            best_of(TIMES, lambda player=player: reference_hands(player)),  # type: ignore[misc]  # a default is what binds it
            "hands/s",
            target=REFERENCE_TARGET if player is Simple else None,
        )
        for player in (Simple, Counting)
    ]


def kernels() -> list[Figure]:
    """Measure blackjack in machine code."""
    import kernels as measured  # noqa: PLC0415 - numba, which the other sections do not need

    return [
        Figure(name, speed, unit, branchy, reference, target)
        for name, speed, unit, branchy, reference, target in measured.measure()
    ]


def straights_rounds() -> list[Figure]:
    """Measure Straights."""
    straights.measure(1, straights.ROUNDS_OF_A_BLOCK)  # compiles
    speeds = straights.measure(TIMES, 50 * straights.ROUNDS_OF_A_BLOCK)
    plainly = speeds[f"plain loop, {straights.PLAIN_CASE}"]
    return [
        Figure(
            name=f"Straights, {case}",
            value=speeds[f"compiled, {case}"],
            unit="rounds/s",
            plain=plainly if case == straights.PLAIN_CASE else None,
            reference=speeds[f"reference, {case}"],
            target=straights.TARGET,
        )
        for case in straights.CASES
    ]


def in_lockstep() -> list[Figure]:
    """Measure players that are asked."""
    speeds = lockstep.measure(TIMES)
    asked = speeds["reference, Counting"]
    return [
        Figure(name, speed, "hands/s", None, asked, LOCKSTEP_TARGET)
        for name, speed in speeds.items()
        if name.startswith("lockstep")
    ]


def confined() -> list[Figure]:
    """Measure players in processes of their own."""
    named = ((each.rpartition(", "), cost) for each, cost in confine.measure(TIMES).items())
    costs = [
        Figure(f"confined, {name}", cost, unit, target=START_TARGET if name == "start" else None)
        for (name, _, unit), cost in named
    ]
    asked = best_of(TIMES, lambda: reference_hands(Counting))
    speeds = [
        Figure(
            name,
            speed,
            "hands/s",
            None,
            asked,
            CONFINED_TARGET if name == "confined, Counting" else None,
        )
        for name, speed in confined_play.measure(TIMES).items()
    ]
    return costs + speeds


def floor() -> list[Figure]:
    """Measure the floor."""
    cost, _ = microseconds_per_block(50_000, SCARCE_DEALERS)
    return [Figure("floor", cost, "µs/block")]


SECTIONS: dict[str, Callable[[], Sequence[Figure]]] = {
    "yardstick": yardstick,
    "reference": reference,
    "kernels": kernels,
    "straights": straights_rounds,
    "lockstep": in_lockstep,
    "confined": confined,
    "workers": workers.figures,
    "floor": floor,
}


def main() -> None:
    """Measure, print a table and, if asked to, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, metavar="SECTION")
    wanted = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"load {load:.1f} on {os.cpu_count()} cores, Python {platform.python_version()}")
    found: list[Figure] = []
    for name in wanted.only or SECTIONS:
        print(f"measuring {name} …", file=sys.stderr)
        found += SECTIONS[name]()
    print(as_table(found))
    if wanted.json:
        data = {"load": load, "cores": os.cpu_count(), "figures": as_plain_data(found)}
        wanted.json.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
