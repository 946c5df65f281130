"""Whether who looks at its table beats Simple in the heats of a knockout more often than chance.

Eight of the bundled competitors play many knockouts of three heats each. Counted are the heats in
which a competitor met Simple and one of the two went on and the other did not; by chance each
of them does so in half of these. Run: python benchmarks/knockout.py [TIMES [SEED ...]]
"""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from time import perf_counter

from scipy.stats import binomtest

from tourney.execution.engine_selection import play_batch
from tourney.formats import Knockout
from tourney.formats.field import Field
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.lineup import lineup_of
from tourney.games.blackjack.players import Player
from tourney.games.blackjack.rules import BlackjackRules
from tourney.strategies.chaser import Chaser
from tourney.strategies.counting import Counting
from tourney.strategies.finisher import Finisher
from tourney.strategies.leader import Leader
from tourney.strategies.mimic import Mimic
from tourney.strategies.never_bust import NeverBust
from tourney.strategies.sharp import Sharp
from tourney.strategies.simple import Simple

COMPETITORS: tuple[type[Player], ...] = (
    Simple,
    Chaser,
    Leader,
    Finisher,
    Counting,
    Sharp,
    Mimic,
    NeverBust,
)  # fmt: skip - a list of names
WATCHING = (Chaser, Leader, Finisher)
FORMAT = Knockout(seats=4, advance=2)
BANKROLL, MINIMUM, MAXIMUM = 500, 5, 200
HEATS_EACH = 3  # two in the first tier, and the final
LEAST_HEATS = 10_000

Heats = Mapping[tuple[int, int], Sequence[int]]
"""Who sat in each heat, by bracket and table."""


def played(times: int, rng_seed: int) -> tuple[Heats, dict[tuple[int, int], set[int]]]:
    """Play knockouts; give who sat in every heat, and who went on from it or won the final."""
    field = Field(
        len(COMPETITORS), BlackjackRules(), BANKROLL, MINIMUM, MAXIMUM, Secret.from_seed(rng_seed)
    )
    options = Knockout(seats=FORMAT.seats, advance=FORMAT.advance, times=times)
    schedule = options.schedule(field)
    lineup = lineup_of(lambda entrant: COMPETITORS[entrant]())
    lineup = replace(lineup, declared=cache(lineup.declared))  # a charted player is asked all of it
    seated: dict[tuple[int, int], tuple[int, ...]] = {}
    best: dict[BlockKey, set[int]] = {}
    for wave in schedule.waves():
        for result in [each for batch in wave for each in play_batch(batch, lineup).results]:
            schedule.take(result)
            seated[result.key.heat, result.key.table] = tuple(s.entrant for s in result.seats)
            most = max(seat.final for seat in result.seats)
            best[result.key] = {seat.entrant for seat in result.seats if seat.final == most}
    return seated, _went_on(seated, best)


def _went_on(seated: Heats, best: Mapping[BlockKey, set[int]]) -> dict[tuple[int, int], set[int]]:
    """Say who went on from the first heats, by who sat in the final, and who won the final."""
    final = HEATS_EACH - 1
    return {
        (key.heat, key.table): leaders
        if key.table == final
        else set(seated[key.heat, key.table]) & set(seated[key.heat, final])
        for key, leaders in best.items()
    }


def main() -> None:
    """Print a line for each competitor that looks, and each seed."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else -(-LEAST_HEATS // HEATS_EACH)
    for rng_seed in [int(each) for each in sys.argv[2:]] or [1, 2, 3]:
        start = perf_counter()
        seated, went = played(times, rng_seed)
        seconds = perf_counter() - start
        for kind in WATCHING:
            ahead = Counter[bool]()
            number = COMPETITORS.index(kind)
            for heat, seats in seated.items():
                if number in seats and 0 in seats and (number in went[heat]) != (0 in went[heat]):
                    ahead[number in went[heat]] += 1
            test = binomtest(ahead[True], ahead.total(), alternative="greater")
            print(
                f"seed {rng_seed}, {len(seated):,} heats: {kind.__name__:9} beat Simple in "
                f"{ahead[True]:,} of {ahead.total():,} heats that told them apart "
                f"({ahead[True] / ahead.total():.1%}), p = {test.pvalue:.1g}  ({seconds:.0f} s)"
            )


if __name__ == "__main__":
    main()
