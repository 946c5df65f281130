"""How often a competitor that looks at its table goes on from a heat, and how often by chance.

Each heat seats one such competitor among Simple and Counting, drawn by lot, for 30 rounds with a
first wager that moves. Run: python benchmarks/heats.py [HEATS]
"""

import sys
from collections.abc import Iterator
from math import sqrt

from tourney.execution.engine_selection import play_batch
from tourney.formats.field import Field
from tourney.game.blocks import Batch, Block, TableState
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.lineup import Lineup, lineup_of
from tourney.games.blackjack.players import Player
from tourney.games.blackjack.rules import VE280
from tourney.strategies.chaser import Chaser
from tourney.strategies.counting import Counting
from tourney.strategies.finisher import Finisher
from tourney.strategies.leader import Leader
from tourney.strategies.simple import Simple

ROUNDS, BANKROLL, MINIMUM, MAXIMUM = 30, 1_000, 10, 500
WIDTH_95 = 1.96
OTHERS: tuple[type[Player], ...] = (Simple, Counting)
KINDS: tuple[type[Player], ...] = (*OTHERS, Chaser, Leader, Finisher)
"""By number of the entrant."""
TABLES = ((3, 1), (3, 2), (5, 1), (5, 2), (7, 1), (7, 2))
"""Seats, and how many of them go on."""


def heats(own: int, count: int, seats: int, advance: int) -> Iterator[Block]:
    """Draw up heats in which an entrant meets the others."""
    field = Field(len(KINDS), VE280, BANKROLL, MINIMUM, MAXIMUM, Secret.from_seed(1))
    state = TableState(advance=advance, moves_button=True)
    for heat in range(count):
        order = field.shuffled((heat, 0), range(seats))
        chips = [(each % len(OTHERS) if each else own, BANKROLL) for each in order]
        yield field.block(BlockKey(0, heat, 0, 0, 1), chips, ROUNDS, state=state)


def share(result: BlockResult, place: int, advance: int) -> float:
    """Give the chance that a seat goes on, where ties are broken by lot."""
    finals = [seat.final for seat in result.seats]
    above = sum(each > finals[place] for each in finals)
    return min(1.0, max(0.0, (advance - above) / finals.count(finals[place])))


def shares(own: int, count: int, seats: int, advance: int, lineup: Lineup) -> list[float]:
    """Give those chances of an entrant, heat by heat."""
    blocks = tuple(heats(own, count, seats, advance))
    results = play_batch(Batch(0, 0, blocks), lineup, "lockstep").results
    places = [[seat.entrant for seat in block.seats].index(own) for block in blocks]
    return [share(*each, advance) for each in zip(results, places, strict=True)]


def main() -> None:
    """Print a line for each competitor at each table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    lineup = lineup_of(lambda entrant: KINDS[entrant]())
    for seats, advance in TABLES:
        for own in range(len(OTHERS) - 1, len(KINDS)):
            found = shares(own, count, seats, advance, lineup)
            mean = sum(found) / count
            margin = WIDTH_95 * sqrt(sum((each - mean) ** 2 for each in found)) / count
            print(
                f"{seats} seats, {advance} go on: {KINDS[own].__name__:9} {mean:6.1%} ± "
                f"{margin:.1%}, by chance {advance / seats:.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
