"""Where the nanoseconds of a hand go: `python benchmarks/nanoseconds.py`.

One deck, shuffled uniformly, Simple at VE280, in machine code and in one process. Every row does
what the row above does, and one thing more, so the differences are what each thing takes; all rows
are measured in turn, several times, by the processor's time, and the lowest of each counts. The
last row is a plain loop of the same run, which has neither accounts nor digests; see `kernels`.
"""

import argparse
from collections.abc import Callable
from time import process_time

import numba
import numpy as np
from kernels import PLAIN_CASES, RICH, ROUNDS_OF_A_BLOCK, blocks_of
from plain_blackjack import Plain, play_plainly
from tabulate import tabulate

from tourney.game.machine.philox import philox
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.engines.compiled_play import play_blocks, table_of
from tourney.games.blackjack.kernels.compiled_rules import players_of, tables_of
from tourney.games.blackjack.kernels.declared_blocks import SeatStart, table_rows
from tourney.games.blackjack.kernels.lanes import (
    KIND,
    LANES,
    MOST_ROUNDS,
    ONE,
    ZERO,
    Arrows,
    Lanes,
    U,
    Word,
    new_lanes,
    play_lanes,
    shuffle_early,
)
from tourney.games.blackjack.kernels.single_seat import arrows_of, play_alone
from tourney.games.blackjack.kernels.single_seat_lanes import (
    KIND_MASK,
    KINDS,
    Numbers,
    least_left,
    write_wagers,
)
from tourney.games.blackjack.players import declaration_of

LANES_U, KIND_BITS, ROUNDS_U = U(LANES), U(KIND), U(MOST_ROUNDS)
DECK_SIZE = 52
MINIMUM = 10


@numba.njit(nogil=True)
def words(low: Word, high: Word, shoes: Word) -> Word:
    """Draw what the first cards of shoes need."""
    drawn = ZERO
    for stream in range(ZERO, shoes):
        first, second, third, fourth = philox((ONE, stream, ZERO, ZERO), low, high)
        drawn ^= first ^ second ^ third ^ fourth
    return drawn


@numba.njit(nogil=True)
def cards(lanes: Lanes, low: Word, high: Word, shoes: Word) -> None:
    """Draw, and choose the first cards."""
    for stream in range(ZERO, shoes, LANES_U):
        for lane in range(ZERO, LANES_U):
            shuffle_early(lanes, lane, low, high, stream + lane)


@numba.njit(nogil=True)
def rounds(lanes: Lanes, arrows: Arrows, low: Word, high: Word, shoes: Word, starts: Word) -> Word:
    """Draw, choose and play; give the hands."""
    hands = ZERO
    for stream in range(ZERO, shoes, LANES_U):
        play_lanes(lanes, arrows, low, high, stream, starts)
        for lane in range(ZERO, LANES_U):
            hands += lanes.notes[lane] - lane * ROUNDS_U - ONE
    return hands


@numba.njit(nogil=True)
def accounts(
    lanes: Lanes,
    arrows: Arrows,
    low: Word,
    high: Word,
    shoes: Word,
    starts: Word,
    nets: Numbers,
    sums: Numbers,
) -> None:
    """Draw, choose, play, and count chips as accounts do; without a word of a digest."""
    bankroll, lowest, highest, squares, handle = sums[0], sums[1], sums[2], sums[3], sums[4]
    for stream in range(ZERO, shoes, LANES_U):
        play_lanes(lanes, arrows, low, high, stream, starts)
        for lane in range(ZERO, LANES_U):
            for note in range(lane * ROUNDS_U + ONE, lanes.notes[lane]):
                net = nets[(U(lanes.ends[note]) >> KIND_BITS) & KIND_MASK]
                bankroll += net
                lowest, highest = min(lowest, bankroll), max(highest, bankroll)
                squares += net * net
                handle += nets[KINDS]
                if bankroll < 0:
                    return
    sums[0], sums[1], sums[2], sums[3], sums[4] = bankroll, lowest, highest, squares, handle


def measured(shoes: int, times: int) -> tuple[int, dict[str, float]]:
    """Give the hands of so many shoes, and nanoseconds a hand by what is done.

    Args:
        shoes: In each measurement.
        times: Measurements of each, of which the lowest counts.
    """
    case = PLAIN_CASES[0]
    declaration = declaration_of(case.player(), case.rules)
    assert isinstance(declaration, Declaration)
    house, players = tables_of(case.rules), players_of([declaration])
    _, _, arrows = arrows_of(case.rules, declaration)
    assert arrows is not None
    lanes, nets = new_lanes(players.units.shape[1]), np.zeros(KINDS + 1, np.int64)
    write_least(house, players, lanes, nets)
    starts = U(min(DECK_SIZE, DECK_SIZE - int(least(house)) + 1))
    low, high, many = U(1), U(2), U(shoes)
    hands = int(rounds(lanes, arrows, low, high, many, starts))
    blocks = blocks_of(case, hands)
    whole = len(blocks) * ROUNDS_OF_A_BLOCK
    plain = Plain.of(case.rules, declaration)
    starting = [table_of(block, [SeatStart(0, RICH)]) for block in blocks]
    copies = [table_rows(starting) for _ in range(times + 2)]
    sums = np.zeros(5, np.int64)
    sums[0] = RICH
    steps: dict[str, tuple[Callable[[], object], int]] = {
        "words of the generator": (lambda: words(low, high, many), hands),
        "and cards chosen": (lambda: cards(lanes, low, high, many), hands),
        "and hands by the automaton": (
            lambda: rounds(lanes, arrows, low, high, many, starts),
            hands,
        ),
        "and accounts": (
            lambda: accounts(lanes, arrows, low, high, many, starts, nets, sums),
            hands,
        ),
        "and digests": (
            lambda: play_alone(case.rules, [declaration], copies.pop()),
            whole,
        ),
        f"and what Python does for {ROUNDS_OF_A_BLOCK:,} rounds": (
            lambda: play_blocks(blocks, lambda _: declaration),
            whole,
        ),
        "a plain loop": (lambda: play_plainly(plain, hands // 4), hands // 4),
    }
    took: dict[str, float] = {}
    for turn in range(times + 2):  # two of which compile, and make the arrows
        for name, (step, count) in steps.items():
            began = process_time()
            step()
            spent = (process_time() - began) / count * 1e9
            if turn > 1:
                took[name] = min(spent, took.get(name, spent))
    return hands, took


@numba.njit
def write_least(house: object, players: object, lanes: Lanes, nets: Numbers) -> bool:
    """Write down what the least wager wins; see `write_wagers`, which Python cannot call."""
    return write_wagers(house, players, lanes, nets, 0, MINIMUM)


@numba.njit
def least(house: object) -> int:
    """Give the cards with which a round may begin; see `least_left`."""
    return least_left(house)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shoes", type=int, default=200_000, help="shoes in one measurement")
    parser.add_argument("--times", type=int, default=9, help="measurements of each")
    asked = parser.parse_args()
    hands, took = measured(asked.shoes // LANES * LANES, asked.times)
    before, rows = 0.0, []
    *steps, (plainly, plain) = took.items()
    for name, spent in steps:
        rows.append((name, f"{spent:.1f}", f"{spent - before:.1f}"))
        before = spent
    rows.append((plainly, f"{plain:.1f}", ""))
    headers = ["done", "ns a hand", "more than above"]
    print(tabulate(rows, headers, tablefmt="github", disable_numparse=True))
    print(f"{hands:,} hands of {asked.shoes:,} shoes; {plain / before:.1f} times a plain loop")


if __name__ == "__main__":
    main()
