"""How fast Straights is, as ratios within one run: `python benchmarks/straights.py`.

Every figure stands beside the reference engine and beside a plain loop: the same game as one
would write it for numba, with arrays of cards and of choices and a branch for every question.
The plain loop has no mixes and no digests, and shuffles with numba's own generator.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from random import Random
from time import process_time

import numpy as np
from numba import njit
from numpy.typing import NDArray
from tabulate import tabulate

from tourney import PreferencePlayer
from tourney.game.blocks import Block, Seat
from tourney.game.ledger import BlockKey
from tourney.game.players import Undeclared
from tourney.game.seats import play_block
from tourney.games.straights.declared_players import straights_declaration_of
from tourney.games.straights.kernels.declared_blocks import play_straights_blocks
from tourney.games.straights.rules import StraightsRules
from tourney.games.straights.suits import POINTS
from tourney.strategies.first_legal import FirstLegal
from tourney.strategies.surveyor import Surveyor
from tourney.strategies.thrifty import Thrifty

TARGET = 1_000_000
ROUNDS_OF_A_BLOCK = 1000
SEVEN, SUIT = 7, 13
CASES: dict[str, Sequence[type[PreferencePlayer]]] = {
    "four FirstLegal": (FirstLegal,) * 4,
    "FirstLegal, Thrifty, FirstLegal, Thrifty": (FirstLegal, Thrifty) * 2,
    "four Thrifty": (Thrifty,) * 4,
    "Surveyor, three FirstLegal": (Surveyor, FirstLegal, FirstLegal, FirstLegal),
    "four Surveyor": (Surveyor,) * 4,
}
PLAIN_CASE = "FirstLegal, Thrifty, FirstLegal, Thrifty"


@njit(nogil=True)
def may_be_played(code: int, low: NDArray[np.int64], high: NDArray[np.int64], points: int) -> bool:
    """Say whether a card may be played; the spade suit is begun first."""
    suit = code // SUIT
    if points == SEVEN:
        return suit == 0 or low[0] > 0
    is_next = points == low[suit] - 1 or points == high[suit] + 1
    return low[suit] > 0 and is_next


@njit(nogil=True)
def plain(  # noqa: C901 - one plain loop is what it is
    rounds: int, worths: NDArray[np.int64], card_points: NDArray[np.int64], total: NDArray[np.int64]
) -> None:
    """Play rounds with arrays and branches; adds up the points of the seats."""
    deck, held = np.arange(52), np.zeros(52, np.bool_)
    low, high = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for _ in range(rounds):
        for place in range(51, 0, -1):
            other = np.random.randint(0, place + 1)  # noqa: NPY002 - what numba compiles
            deck[place], deck[other] = deck[other], deck[place]
        held[:], low[:], high[:] = True, 0, 0
        seat = 0
        for place in range(52):
            if deck[place] == SEVEN - 2:
                seat = place // 13
        for _ in range(52):
            best, discard = -1, -1
            for place in range(seat * 13, seat * 13 + 13):
                if held[place]:
                    code = deck[place]
                    if may_be_played(code, low, high, card_points[code]):
                        if best < 0 or worths[seat, 0, code] > worths[seat, 0, deck[best]]:
                            best = place
                    elif discard < 0 or worths[seat, 1, code] > worths[seat, 1, deck[discard]]:
                        discard = place
            if best >= 0:
                held[best] = False
                suit, points = deck[best] // SUIT, card_points[deck[best]]
                low[suit] = points if low[suit] == 0 else min(low[suit], points)
                high[suit] = max(high[suit], points)
            else:
                held[discard] = False
                total[seat] += card_points[deck[discard]]
            seat = (seat + 1) % 4


def blocks(rounds: int) -> list[Block]:
    """Draw up blocks of 1000 rounds; entrant and seat have one number."""
    dice = Random(1)
    seats = tuple(Seat(seat, 0, bytes(16)) for seat in range(4))
    return [
        Block(
            BlockKey(0, 0, table, 0, 1),
            StraightsRules(),
            seats,
            0,
            0,
            min(rounds, ROUNDS_OF_A_BLOCK),
            dice.randbytes(16),
        )
        for table in range(-(-rounds // ROUNDS_OF_A_BLOCK))
    ]  # fmt: skip - a block on two lines


def seconds(play: Callable[[], object]) -> float:
    """Give the processor's time that something takes."""
    started = process_time()
    play()
    return process_time() - started


def compiled(kinds: Sequence[type[PreferencePlayer]], rounds: int) -> float:
    """Give the rounds a second of the compiled engine, results and all."""
    declarations = {}
    for seat, kind in enumerate(kinds):
        found = straights_declaration_of(kind())
        assert not isinstance(found, Undeclared)
        declarations[seat] = found
    work = blocks(rounds)
    return rounds / seconds(lambda: play_straights_blocks(work, declarations))


def reference(kinds: Sequence[type[PreferencePlayer]], rounds: int) -> float:
    """Give the rounds a second of the reference engine."""
    (block,) = blocks(rounds)
    return rounds / seconds(lambda: play_block(block, lambda entrant: kinds[entrant]()))


def plainly(kinds: Sequence[type[PreferencePlayer]], rounds: int) -> float:
    """Give the rounds a second of the plain loop."""
    worths = [
        [[int(worth) for worth in table] for table in (declared.play, declared.discard)]
        for declared in (kind().declared() for kind in kinds)
    ]
    total = np.zeros(4, np.int64)
    tables, points = np.array(worths), np.array(POINTS)
    return rounds / seconds(lambda: plain(rounds, tables, points, total))


def measure(times: int, rounds: int) -> dict[str, float]:
    """Measure everything in turn, several times, and take the best of each."""
    best: dict[str, float] = {}
    for _ in range(times):
        speeds = {f"plain loop, {PLAIN_CASE}": plainly(CASES[PLAIN_CASE], rounds)}
        for name, kinds in CASES.items():
            speeds[f"reference, {name}"] = reference(kinds, max(20, rounds // 2000))
            speeds[f"compiled, {name}"] = compiled(kinds, rounds)
        best = {name: max(best.get(name, 0.0), speed) for name, speed in speeds.items()}
    return best


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=200_000, help="rounds in one measurement")
    parser.add_argument("--times", type=int, default=5, help="measurements of each")
    arguments = parser.parse_args()
    measure(1, ROUNDS_OF_A_BLOCK)  # compiles
    speeds = measure(arguments.times, arguments.rounds)
    if arguments.json:
        json.dump({"rounds_per_second": speeds, "target": TARGET}, sys.stdout)
        return
    yardstick = speeds[f"plain loop, {PLAIN_CASE}"]
    rows = []
    for name, speed in speeds.items():
        engine, _, case = name.partition(", ")
        of_reference = speed / speeds.get(f"reference, {case}", speed)
        rows.append(
            (engine, case, f"{speed:,.0f}", f"{of_reference:,.0f}", f"{speed / yardstick:.3f}")
        )
    headers = ["", "players", "rounds a second", "of the reference", "of the plain loop"]
    print(tabulate(rows, headers=headers, disable_numparse=True))
    print(f"target of the compiled engine: {TARGET:,} rounds a second")


if __name__ == "__main__":
    main()
