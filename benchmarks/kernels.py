"""How fast declared players of blackjack are played: `python benchmarks/kernels.py`.

Every figure stands beside the reference engine's and beside that of a plain loop: the same game
as one would write it for numba, with a branch for every question. The plain loop has no mixes, no
digests and no records, follows no luck, and shuffles with numba's own generator. All of them are
of one run, and of the processor's time.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import process_time

from plain_blackjack import Plain, play_plainly
from tabulate import tabulate

from tourney import ChartPlayer, Player, read_chart
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.game.seats import play_block
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.engines.compiled_play import play_blocks
from tourney.games.blackjack.kernels.single_seat import WORTH_ARROWS
from tourney.games.blackjack.players import declaration_of
from tourney.games.blackjack.rules import EASYBJ, SIX_DECKS_H17, BlackjackRules
from tourney.strategies.charted import CHARTS, EasyBJChart
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple

ROUNDS_OF_A_BLOCK = 1000
RICH = 10**12
Row = tuple[str, float, str, float, float, float]
"""Name, figure, unit, the same of the plain loop and of the reference engine, target."""


class Basic(ChartPlayer):
    """Plays basic strategy for six decks."""

    chart = read_chart((CHARTS / "basic_six_decks_h17.txt").read_text(encoding="utf-8"), "basic")


@dataclass(frozen=True)
class Case:
    """A game and who plays it."""

    name: str
    unit: str
    target: int  # of the design, on a machine about twice as fast as that of 2026
    rules: BlackjackRules
    player: type[Player]
    follows_luck: bool = False  # whether the luck of the cards is summed up

    @property
    def with_luck(self) -> "Case":
        """The same, with luck."""
        name = f"{self.name}, luck-adjusted"
        return replace(self, name=name, target=LUCK_TARGET, follows_luck=True)


LUCK_TARGET = 8_000_000
PLAIN_CASES = (
    Case("one deck, Simple", "hands/s", 60_000_000, BlackjackRules(), Simple),
    Case("one deck, Counting", "hands/s", 30_000_000, BlackjackRules(), Counting),
    Case(
        "six decks, basic strategy",
        "rounds/s",
        15_000_000,
        replace(SIX_DECKS_H17, insurance="never"),
        Basic,
    ),
    Case("Easy Blackjack, its chart", "rounds/s", 20_000_000, EASYBJ, EasyBJChart),
)
CASES = tuple(each for case in PLAIN_CASES for each in (case, case.with_luck))


def blocks_of(case: Case, rounds: int) -> list[Block]:
    """Draw up blocks of a seat that cannot be ruined."""
    unit = case.rules.unit
    field = Field(1, case.rules, RICH, 10 * unit, 10**6 * unit, Secret.from_seed(1))
    keys = (BlockKey(0, 0, table, 0, 1) for table in range(rounds // ROUNDS_OF_A_BLOCK))
    return [
        replace(field.block(key, ((0, RICH),), ROUNDS_OF_A_BLOCK), follows_luck=case.follows_luck)
        for key in keys
    ]


def speed(rounds: int, play: Callable[[], object]) -> float:
    """Give the rounds in a second of the processor's time."""
    started = process_time()
    play()
    return rounds / (process_time() - started)


def measure(times: int = 4, rounds: int = 1_000_000) -> list[Row]:
    """Measure everything in turn, several times, and take the best of each.

    Args:
        times: Measurements of each.
        rounds: In one measurement of machine code.
    """
    return [_measured(case, times, max(rounds, WORTH_ARROWS)) for case in CASES]


def _measured(case: Case, times: int, rounds: int) -> Row:
    declaration = declaration_of(case.player(), case.rules)
    assert isinstance(declaration, Declaration)
    blocks, game = blocks_of(case, rounds), Plain.of(case.rules, declaration)
    few = blocks[:3]
    for _ in range(2):  # compiles, and makes the arrows
        play_blocks(blocks, lambda _: declaration)
    play_plainly(game, ROUNDS_OF_A_BLOCK)
    figures: tuple[tuple[float, float, float], ...] = ()
    for _ in range(times):
        figures += (
            (
                speed(rounds, lambda: play_blocks(blocks, lambda _: declaration)),
                speed(rounds // 4, lambda: play_plainly(game, rounds // 4)),
                speed(len(few) * ROUNDS_OF_A_BLOCK, lambda: _play_by_reference(few, case.player)),
            ),
        )
    fast, plain, reference = (max(each) for each in zip(*figures, strict=True))
    return case.name, fast, case.unit, plain, reference, case.target


def _play_by_reference(blocks: Sequence[Block], player: type[Player]) -> None:
    for block in blocks:
        play_block(block, lambda _: player())


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000, help="rounds in one measurement")
    parser.add_argument("--times", type=int, default=4, help="measurements of each")
    arguments = parser.parse_args()
    rows = [
        (
            name,
            f"{fast:,.0f}",
            unit,
            f"{fast / plain:.2f}",
            f"{fast / reference:,.0f}",
            f"{target:,}",
        )
        for name, fast, unit, plain, reference, target in measure(arguments.times, arguments.rounds)
    ]
    headers = ["", "compiled", "unit", "of the plain loop", "of the reference", "target"]
    print(tabulate(rows, headers=headers, disable_numparse=True))


if __name__ == "__main__":
    main()
