"""Time to a precision of `ev` on one core, next to C++: `python benchmarks/precision.py`.

The C++ is the plain loop of `plain_blackjack.cpp`, compiled for this processor. It does not adjust
for luck. Everything is CPU time and measured alternately; the table shows medians and the range of
the ratios. The time to a precision is that of N rounds times the square of the interval's width.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from kernels import PLAIN_CASES, Case, blocks_of
from plain_blackjack import DOUBLE, HIT, SPLIT, STAND, Plain
from tabulate import tabulate

from tourney.config.model import GameConfig
from tourney.game.cards.keys import Secret
from tourney.games.blackjack.declaration import NEVER, Declaration
from tourney.games.blackjack.engines.compiled_play import play_blocks
from tourney.games.blackjack.players import declaration_of
from tourney.plugins.loading import load_plugins
from tourney.research.simulated_ev import entered_alone, long_run
from tourney.tournament.entrant_specs import entrant_as_typed

SOURCE = Path(__file__).with_name("plain_blackjack.cpp")
CODES = {"HIT": HIT, "STAND": STAND, "DOUBLE": DOUBLE, "SPLIT": SPLIT}
HALF_WIDTH, NORMAL = 1e-4, 1.96
MOST_INT = 2**31 - 1
MINIMUM, SEED = 10, 280
TARGETS = {"simple": 0.08, "basic-six-decks-h17": 0.05}
CASES = {"simple": PLAIN_CASES[0], "basic-six-decks-h17": PLAIN_CASES[2]}
LUCK_TARGET = 2.0


class Took(NamedTuple):
    """Nanoseconds of a round, and its variance in squares of the minimum."""

    nanoseconds: float
    variance: float
    mean: float

    @property
    def seconds(self) -> float:
        """CPU seconds to the precision."""
        return self.nanoseconds * 1e-9 * self.variance * (NORMAL / HALF_WIDTH) ** 2


def compiled(folder: Path) -> Path:
    """Compile the C++ for this processor."""
    program = folder / "plain"
    codes = [f"-D{name}_CODE={code}" for name, code in CODES.items()]
    command = ("g++", "-std=c++20", "-O3", "-march=native", *codes, str(SOURCE), "-o", str(program))
    subprocess.run(command, check=True)  # noqa: S603 - our own
    return program


def as_text(case: Case) -> str:
    """Write a game and a declaration for the C++."""
    declaration = declaration_of(case.player(), case.rules)
    assert isinstance(declaration, Declaration)
    game = Plain.of(case.rules, declaration)
    words = [*map(int, game[:10]), game.first, min(NEVER, MOST_INT)]
    for array in (game.moves, game.stand_from, game.tags, game.units, game.values):
        words += [len(array), *(min(int(each), MOST_INT) for each in array)]
    return " ".join(map(str, words))


def in_cpp(program: Path, text: str, rounds: int) -> Took:
    """Play by the C++."""
    command = (str(program), str(rounds // 1000))
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    mean, variance, nanoseconds = map(float, done.stdout.split())
    return Took(nanoseconds, variance, mean)


def by_ev(name: str, case: Case, rounds: int, seed: int) -> Took:
    """Play as `tourney ev` does."""
    spec = entered_alone(GameConfig("", (), case.rules), entrant_as_typed(name), load_plugins())
    began = process_time()
    run = long_run(spec, case.rules, rounds, minimum=MINIMUM, secret=Secret.from_seed(seed))
    spent = process_time() - began
    assert run.half_width is not None
    variance = run.rounds * (run.half_width / NORMAL) ** 2
    return Took(spent / run.rounds * 1e9, variance, run.mean)


def until_precise(name: str, case: Case, seed: int) -> float:
    """Give CPU seconds of `tourney ev --precision`, which looks at its interval in between."""
    spec = entered_alone(GameConfig("", (), case.rules), entrant_as_typed(name), load_plugins())
    how = {"minimum": MINIMUM, "secret": Secret.from_seed(seed), "until": HALF_WIDTH}
    began = process_time()
    long_run(spec, case.rules, 10**9, **how)
    return process_time() - began


def machine_code(case: Case, rounds: int) -> float:
    """Give nanoseconds of a round by machine code in blocks of 1,000 rounds."""
    declaration = declaration_of(case.player(), case.rules)
    assert isinstance(declaration, Declaration)
    blocks = blocks_of(case, rounds)
    began = process_time()
    play_blocks(blocks, lambda _: declaration)
    return (process_time() - began) / rounds * 1e9


def main() -> None:
    """Print a table of ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000_000, help="rounds in one measurement")
    parser.add_argument("--times", type=int, default=5, help="measurements of each")
    asked = parser.parse_args()
    rows = []
    with TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        for name, case in CASES.items():
            text, found = as_text(case), []
            for turn in range(-1, asked.times):  # the first one loads machine code
                print(f"{name}, {turn + 1} of {asked.times}", file=sys.stderr, flush=True)
                found.append(
                    (
                        in_cpp(program, text, asked.rounds),
                        by_ev(name, case, asked.rounds, SEED + turn),
                        machine_code(case, asked.rounds),
                        machine_code(case.with_luck, asked.rounds),
                        until_precise(name, case, SEED + turn),
                    )
                )
            rows += rows_of(case.name, TARGETS[name], found[1:])
    headers = ("", "C++ or less", "tourney", "ratio", "lowest to highest", "target")
    print(tabulate(rows, headers, tablefmt="github", disable_numparse=True))


def rows_of(
    name: str, target: float, found: list[tuple[Took, Took, float, float, float]]
) -> list[tuple[str, ...]]:
    """Give the lines of a game."""
    pairs = {
        f"{name}: s to ±{HALF_WIDTH:g}": [(cpp.seconds, ev.seconds) for cpp, ev, *_ in found],
        "s of `ev --precision`": [(cpp.seconds, whole) for cpp, *_, whole in found],
        "variance of a round": [(cpp.variance, ev.variance) for cpp, ev, *_ in found],
        "ns a round of `ev`": [(cpp.nanoseconds, ev.nanoseconds) for cpp, ev, *_ in found],
        "ns, luck ignored, to C++": [(cpp.nanoseconds, raw) for cpp, _, raw, *_ in found],
        "ns, luck followed to ignored": [(raw, luck) for *_, raw, luck, _ in found],
    }
    targets = {0: f"{target}", 1: f"{target}", 5: f"{LUCK_TARGET:g}"}
    rows = []
    for number, (title, each) in enumerate(pairs.items()):
        ratios = [mine / theirs for theirs, mine in each]
        sides = (f"{median(side):.3g}" for side in zip(*each, strict=True))
        span = f"{min(ratios):.3g} to {max(ratios):.3g}"
        rows.append((title, *sides, f"{median(ratios):.3g}", span, targets.get(number, "")))
    theirs, ours = (median(each[side].mean for each in found) for side in (0, 1))
    print(f"{name}: mean {theirs:+.5f} by C++, {ours:+.5f} by tourney", file=sys.stderr)
    return rows


if __name__ == "__main__":
    main()
