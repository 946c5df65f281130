"""Whether luck is zero on average, and results without it right: `python benchmarks/mean_luck.py`.

For every preset of blackjack with uniform shuffles, strategies play ten million hands each. The
mean luck has to lie within 3 of its standard errors of zero. Where an exact value is known, the
mean result without luck has to lie within 4 of its own, far smaller, standard errors of it. The
exit status is 1 if anything does not. Standard errors are over blocks, each with shoes of its
own, as hands of a shoe depend on each other.

One right mean of 370 strays by more than 3, so look again at one that does, with more hands and
other shoes: `--only 'european counter' --hands 1e8 --seed 281`.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from tabulate import tabulate

from tourney.config.games import load_game
from tourney.config.model import GameConfig
from tourney.errors import RulesError
from tourney.execution.workers.worker_choice import make_workers
from tourney.execution.workers.workload import Workload
from tourney.formats.field import Field
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.exact.evaluation import exact_value
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.rules import BlackjackRules
from tourney.plugins.loading import load_plugins
from tourney.plugins.registry import Registry
from tourney.research.simulated_ev import entered_alone
from tourney.standings.luck_adjustment import PARTS
from tourney.tournament.catalog import catalog_of
from tourney.tournament.entrant_specs import entrant_as_typed

ROUNDS_IN_A_BLOCK = 1000
BLOCKS_IN_A_BATCH = 50
EVEN_MINIMUM = 10  # so that 3:2 is whole
MINIMUMS_TO_START = 10**7
MOST_LUCK, MOST_DISTANCE = 3.0, 4.0  # standard errors
ROUNDING = 200 / PARTS
"""What a mean may be wrong by, in minimums, as luck is rounded; some have no other error."""

FRESH = "reshuffle=every-round"
INFINITE = "decks=infinite,insurance=never"
GAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ve280,shuffle=uniform", ("simple", "counting", "ramp")),
    (f"ve280,shuffle=uniform,{FRESH}", ("simple", "sharp")),
    ("ve280,shuffle=uniform,decks=infinite", ("simple", "sharp")),
    ("eecs280,shuffle=uniform", ("simple", "counting", "ramp")),
    (f"eecs280,shuffle=uniform,{FRESH}", ("simple", "sharp")),
    ("easybj", ("simple", "easybj-chart", "mimic-chart", "never-bust-chart")),
    ("csc24400", ("simple", "mimic")),
    (f"csc24400,{FRESH}", ("simple", "mimic")),
    ("single-deck", ("simple", "counting", "basic-single-deck", "counter")),
    ("double-deck", ("simple", "counting", "basic-six-decks-h17", "counter")),
    ("six-decks-h17", ("simple", "counting", "basic-six-decks-h17", "counter")),
    (f"six-decks-h17,{INFINITE}", ("simple", "basic-six-decks-h17")),
    ("six-decks-s17", ("simple", "counting", "basic-six-decks-s17", "counter")),
    (f"six-decks-s17,{INFINITE}", ("simple", "basic-six-decks-s17")),
    ("european", ("simple", "counting", "basic-european", "counter")),
)
"""Games, and who plays them; some are there because an exact value is known."""


@dataclass(frozen=True, slots=True)
class Mean:
    """What a round gives on average, in minimums."""

    value: float
    error: float  # standard error

    def distance(self, truth: float) -> float:
        """Give how far this is from the truth, in standard errors."""
        return (self.value - truth) / max(self.error, ROUNDING)


@dataclass(frozen=True, slots=True)
class Found:
    """What a case gave."""

    game: str
    strategy: str
    luck: Mean
    raw: Mean
    adjusted: Mean
    exact: float | None  # if it can be worked out

    @property
    def strays(self) -> bool:
        """Whether something is further away than it should be."""
        if abs(self.luck.distance(0)) > MOST_LUCK:
            return True
        return self.exact is not None and abs(self.adjusted.distance(self.exact)) > MOST_DISTANCE

    def row(self) -> tuple[str, ...]:
        """Give the line of a table."""
        exact, distance = "", ""
        if self.exact is not None:
            exact = f"{self.exact:+.6f}"
            distance = f"{self.adjusted.distance(self.exact):+.2f}"
        return (
            self.game,
            self.strategy,
            f"{self.luck.value:+.6f}",
            f"{self.luck.error:.6f}",
            f"{self.luck.distance(0):+.2f}",
            f"{self.adjusted.value:+.6f}",
            f"{self.adjusted.error:.6f}",
            exact,
            distance,
            self._variance(),
        )

    def _variance(self) -> str:
        if self.adjusted.error < ROUNDING:
            return "all"
        return f"{(self.raw.error / self.adjusted.error) ** 2:,.0f}"


HEADERS = (
    "Game",
    "Strategy",
    "Mean luck",
    "SE",
    "in SE",
    "Adjusted",
    "SE",
    "Exact",
    "apart, in SE",
    "Variance, times less",
)


class Judge:
    """Plays cases and finds their means."""

    def __init__(self, hands: int, seed: int, workers: int) -> None:
        """Begin.

        Args:
            hands: Of each case, at least two blocks.
            seed: What the shoes follow from.
            workers: Processes that play.
        """
        self._blocks = max(2, hands // ROUNDS_IN_A_BLOCK)
        self._secret = Secret.from_seed(seed)
        self._workers = workers
        self._registry: Registry = load_plugins()

    def find(self, number: int, game: str, strategy: str) -> Found:
        """Play a case.

        Args:
            number: Its own; every case has shoes of its own.
            game: A preset and what differs from it.
            strategy: Who plays.
        """
        rules = load_game(game, catalog_of(self._registry)).rules
        assert isinstance(rules, BlackjackRules)
        minimum = rules.minimum or EVEN_MINIMUM
        net, luck = self._play(number, rules, strategy, minimum * rules.unit)
        return Found(
            game,
            strategy,
            luck=_mean(luck),
            raw=_mean(net),
            adjusted=_mean(net - luck),
            exact=self._exact(rules, strategy, minimum),
        )

    def _play(
        self, number: int, rules: BlackjackRules, strategy: str, wager: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Give results and luck of every block, in minimums a round."""
        game = GameConfig("", (), rules)
        entrants = {0: entered_alone(game, entrant_as_typed(strategy), self._registry)}
        rounds = self._blocks * ROUNDS_IN_A_BLOCK
        workload = Workload(rules, -(-self._blocks // BLOCKS_IN_A_BATCH), rounds)
        field = Field(
            entrants=1,
            rules=rules,
            bankroll=wager * MINIMUMS_TO_START,
            minimum=wager,
            maximum=wager * MINIMUMS_TO_START,
            secret=self._secret,
            follows_luck=True,
        )
        net, luck = [], []
        with make_workers(self._workers, entrants, "compiled", workload=workload) as crew:
            for played in crew.play(self._batches(number, field)):
                for block in played.results:
                    (seat,) = block.seats
                    assert seat.luck is not None
                    assert (seat.rounds, seat.verdict) == (ROUNDS_IN_A_BLOCK, None)
                    net.append(seat.net)
                    luck.append(seat.luck)
        a_round = wager * ROUNDS_IN_A_BLOCK
        return np.array(net) / a_round, np.array(luck) / (a_round * PARTS)

    def _batches(self, number: int, field: Field) -> Iterator[Batch]:
        for batch, first in enumerate(range(0, self._blocks, BLOCKS_IN_A_BATCH)):
            tables = range(first, min(first + BLOCKS_IN_A_BATCH, self._blocks))
            keys = (BlockKey(0, number, table, 0, 1) for table in tables)
            seats = ((0, field.bankroll),)
            yield Batch(0, batch, tuple(field.block(key, seats, ROUNDS_IN_A_BLOCK) for key in keys))

    def _exact(self, rules: BlackjackRules, strategy: str, minimum: int) -> float | None:
        try:
            player = self._registry.player(strategy, BLACKJACK.name)()
            return float(exact_value(rules, player, strategy, minimum=minimum).mean)
        except RulesError:
            return None


def _mean(blocks: NDArray[np.float64]) -> Mean:
    return Mean(float(blocks.mean()), float(blocks.std(ddof=1)) / sqrt(len(blocks)))


def cases(wanted: str) -> Iterator[tuple[int, str, str]]:
    """Give number, game and strategy of every case whose name holds all wanted words."""
    pairs = ((game, strategy) for game, strategies in GAMES for strategy in strategies)
    for number, (game, strategy) in enumerate(pairs):
        if all(word in f"{game} {strategy}" for word in wanted.split()):
            yield number, game, strategy


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=float, default=1e7, help="of each case")
    parser.add_argument("--seed", type=int, default=280)
    parser.add_argument("--workers", type=int, default=1, help="processes that play")
    parser.add_argument("--only", default="", metavar="WORDS", help="cases that hold these words")
    wanted = parser.parse_args()
    judge = Judge(int(wanted.hands), wanted.seed, wanted.workers)
    found = []
    for case in cases(wanted.only):
        found.append(judge.find(*case))
        print(f"{len(found)}: {found[-1].game}, {found[-1].strategy}", file=sys.stderr, flush=True)
    print(f"{int(wanted.hands):,} hands of each, seed {wanted.seed}")
    print(tabulate([each.row() for each in found], headers=HEADERS, disable_numparse=True))
    strayed = [f"{each.game} {each.strategy}" for each in found if each.strays]
    print(f"{len(strayed)} of {len(found)} stray: {'; '.join(strayed) or 'none'}")
    sys.exit(bool(strayed))


if __name__ == "__main__":
    main()
