"""How fast players are asked, as ratios within one run: `python benchmarks/lockstep.py`.

Counting is played as plain Python, by the reference engine and in lockstep, and in NumPy. The
processor's time is measured, as other programs may run. What a player's own code takes is
measured too: no engine can be faster than that.
"""

import argparse
import json
from collections.abc import Callable
from time import process_time

from tabulate import tabulate

from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.card import CARDS
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.lineup import Lineup
from tourney.game.players import Undeclared
from tourney.game.seats import play_block
from tourney.game.view import TableView
from tourney.games.blackjack.engines.lockstep_play import play_lockstep
from tourney.games.blackjack.hand import SeenHand
from tourney.games.blackjack.players import Player, sit_down
from tourney.games.blackjack.rules import BlackjackRules
from tourney.strategies.counting import Counting
from tourney.strategies.counting_batch import CountingBatch

TABLES, ROUNDS = 2_000, 50
REFERENCE_TABLES = 100
ASKED = Undeclared("it is to be asked")
DRAWS, CARDS_SEEN = 1.5, 5.4
"""Questions whether to draw, and cards seen, in a hand."""
CHIPS, MINIMUM = 10_000, 10


def blocks(tables: int, rounds: int = ROUNDS) -> list[Block]:
    """Draw up blocks of one seat."""
    field = Field(1, BlackjackRules(), CHIPS, MINIMUM, 10**9, Secret.from_seed(1))
    keys = (BlockKey(0, 0, table, 0, 1) for table in range(tables))
    return [field.block(key, ((0, CHIPS),), rounds) for key in keys]


def hands_a_second(play: Callable[[], int]) -> float:
    """Give how fast hands are played."""
    started = process_time()
    hands = play()
    return hands / (process_time() - started)


def in_lockstep(kind: type[Player]) -> int:
    """Play in lockstep and give the hands."""
    lineup = Lineup(lambda _: kind(), lambda *_: ASKED)
    results = play_lockstep(blocks(TABLES), lineup).results
    return sum(result.rounds for result in results)


def by_reference(kind: type[Player]) -> int:
    """Play by the reference engine and give the hands."""
    results = [play_block(block, lambda _: kind()) for block in blocks(REFERENCE_TABLES)]
    return sum(result.rounds for result in results)


def by_itself(kind: type[Player], hands: int = 20_000) -> int:
    """Ask a player in a plain loop what it is asked in so many hands, and give them."""
    player = kind()
    sit_down(player, 1, lambda: TableView(0, MINIMUM, 10**9, 1, (CHIPS,), (0,)))
    hand, upcard = SeenHand.opening(CARDS[3], CARDS[8]), CARDS[4]
    for _ in range(hands):
        player.bet(CHIPS, MINIMUM)
    for _ in range(int(DRAWS * hands)):
        player.draw(upcard, hand)
    for _ in range(int(CARDS_SEEN * hands)):
        player.expose(upcard)
    return hands


def measure(times: int = 3) -> dict[str, float]:
    """Measure everything in turn, several times, and take the best of each."""
    cases = {
        "reference, Counting": lambda: by_reference(Counting),
        "lockstep, Counting": lambda: in_lockstep(Counting),
        "lockstep, Counting in NumPy": lambda: in_lockstep(CountingBatch),
        "Counting by itself": lambda: by_itself(Counting),
    }
    in_lockstep(CountingBatch)  # loads machine code
    best: dict[str, float] = {}
    for _ in range(times):
        for name, play in cases.items():
            best[name] = max(best.get(name, 0.0), hands_a_second(play))
    return best


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--times", type=int, default=3, help="measurements of each")
    arguments = parser.parse_args()
    speeds = measure(arguments.times)
    if arguments.json:
        print(json.dumps({"hands_per_second": speeds}))
        return
    yardstick = speeds["reference, Counting"]
    rows = [(name, f"{speed:,.0f}", f"{speed / yardstick:.2f}") for name, speed in speeds.items()]
    print(tabulate(rows, headers=["", "hands a second", "of the reference engine"]))


if __name__ == "__main__":
    main()
