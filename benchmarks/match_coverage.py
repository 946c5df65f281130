"""How often a board of matches claims an order that is none, and how soon it tells who is better.

    python benchmarks/match_coverage.py [--boards 1000] [--played 200]

Round robins are drawn as counts, `--boards` of each kind; formats in which results decide who meets
whom, and brackets, are played by the formats themselves with results made up, `--played` of each.
Equals draw one match in ten where they are played. The numbers stand in
docs/explanation/rankings.md.
"""

import argparse
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

from tourney.formats import Format, Knockout, Ladder, RoundRobin, Swiss
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockResult, SeatResult
from tourney.games.blackjack.rules import BlackjackRules
from tourney.standings.places import (
    Better,
    Meetings,
    by_all,
    face_to_face,
)

Chances = NDArray[np.float64]


def main() -> None:
    """Print two tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=1_000)
    parser.add_argument("--played", type=int, default=200)
    wanted = parser.parse_args()
    print(
        f"{'field':22} {'meetings':>8}  {'by all: wrong, told':>20}  {'two only: wrong, told':>22}"
    )
    for name, chances in fields():
        for times in (1, 5, 20, 100, 1_000):
            print(f"{name:22} {times:8}", *counted(chances, times, wanted.boards), flush=True)
    for times in (1, 5, 20, 100, 1_000):
        wrong = wrong_about_rare(times, wanted.boards)
        print(f"{'8, one loses rarely':22} {times:8} {wrong:12.1%}", flush=True)
    for name, form, entrants in played_formats():
        told = sum(is_told(form, entrants, seed) for seed in range(wanted.played))
        print(f"{name:40} {told / wanted.played:8.1%} of {wanted.played} boards", flush=True)


def fields() -> Iterator[tuple[str, Chances]]:
    """Give fields by how often each beats each."""
    for entrants in (4, 8, 20, 60):
        yield f"{entrants} equal", np.full((entrants, entrants), 0.5)
    for entrants in (8, 20):
        half = entrants // 2
        yield f"{entrants} in two groups", by_strength([1.0] * half + [0.0] * half)
        yield f"{entrants} graded", by_strength([0.3 * each for each in range(entrants)])
        yield f"{entrants}, one wins 77 %", by_strength([1.2] + [0.0] * (entrants - 1))
        circle = np.full((entrants, entrants), 0.5)
        for one in range(entrants):
            for apart in range(1, (entrants - 1) // 2 + 1):
                other = (one + apart) % entrants
                circle[one, other], circle[other, one] = 0.9, 0.1
        yield f"{entrants} in a circle", circle


def by_strength(strengths: list[float]) -> Chances:
    """Give how often each beats each whose strengths have these logarithms."""
    logs = np.array(strengths)
    chances: Chances = 1 / (1 + np.exp(logs - logs[:, None]))
    return chances


def counted(chances: Chances, times: int, boards: int) -> Iterator[str]:
    """Say how often anything wrong is told, and which part of what there is to tell is told."""
    random = np.random.default_rng(7)
    shares = np.where(np.eye(len(chances)) > 0, 0.0, chances).sum(axis=1)
    by_share = shares[:, None] > shares + 1e-9
    truths: tuple[tuple[Callable[[Meetings], Better], Better], ...] = (
        (by_all, by_share),
        (face_to_face, chances > 0.5),
    )
    drawn = [meetings(random, chances, times) for _ in range(boards)]
    for compare, truth in truths:
        found = [compare(each) for each in drawn]
        wrong = sum(bool((each & ~truth).any()) for each in found)
        told = sum(int((each & truth).sum()) for each in found) / max(1, int(truth.sum())) / boards
        yield f"{wrong / boards:12.1%} {told:7.1%}   "


def meetings(random: np.random.Generator, chances: Chances, times: int) -> Meetings:
    """Let any two meet so many times."""
    above = np.triu_indices(len(chances), 1)
    wins = np.zeros(chances.shape, np.int64)
    wins[above] = random.binomial(times, chances[above])
    wins.T[above] = times - wins[above]
    return Meetings(wins, np.zeros_like(wins))


def wrong_about_rare(times: int, boards: int) -> float:
    """Give how often an order is claimed between two of eight that are equal in the mean.

    Against each of the six others one wins 95 % and loses 5 %, one wins 90 % and draws 10 %.
    """
    random, wrong = np.random.default_rng(8), 0
    for _ in range(boards):
        met = meetings(random, np.full((8, 8), 0.5), times)
        others = np.arange(2, 8)
        met.wins[0, others] = random.binomial(times, 0.95, 6)
        met.wins[others, 0] = times - met.wins[0, others]
        met.wins[1, others] = random.binomial(times, 0.9, 6)
        met.wins[others, 1] = 0
        met.draws[1, others] = met.draws[others, 1] = times - met.wins[1, others]
        better = by_all(met)
        wrong += bool(better[0, 1] or better[1, 0])
    return wrong / boards


def played_formats() -> Iterator[tuple[str, Format, int]]:
    """Give formats for equals."""
    for entrants in (2, 4, 8, 20):
        for waves in (7, 30):
            yield f"swiss, {entrants} equal, {waves} waves", Swiss(waves=waves), entrants
            yield f"ladder, {entrants} equal, {waves} waves", Ladder(waves=waves), entrants
    yield "swiss, 8 equal, 30 waves of four", Swiss(waves=30, seats=4), 8
    yield "roundrobin, 8 equal, 20 times", RoundRobin(times=20), 8
    yield "roundrobin of fours, 8 equal, 30 times", RoundRobin(times=30, seats=4), 8
    yield "knockout, 8 equal, once", Knockout(seats=2), 8
    yield "knockout, 8 equal, 50 times", Knockout(seats=2, times=50), 8


def is_told(form: Format, entrants: int, seed: int) -> bool:
    """Play a tournament of equals; say whether anybody is known to be better."""
    field = Field(entrants, BlackjackRules(), 100, 5, 50, Secret.from_seed(seed))
    schedule, random = form.schedule(field), Random(seed)
    for wave in schedule.waves():
        for block in [block for batch in wave for block in batch.blocks]:
            schedule.take(made_up(block, random))
    better = schedule.better()
    return better is not None and bool(better.any())


def made_up(block: Block, random: Random) -> BlockResult:
    """Make up the result of a block: one draw in ten between two."""
    seats = tuple(
        SeatResult(number, seat.entrant, 100, 10 * final, 0, 200, block.rounds, None, 0, 0, 0, None)
        for number, seat in enumerate(block.seats)
        for final in (random.randrange(10),)
    )
    return BlockResult(block.key, block.rounds, 1, 0, seats)


if __name__ == "__main__":
    main()
