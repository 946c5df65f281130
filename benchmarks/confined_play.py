"""How fast a confined player plays, its referee included: `python benchmarks/confined_play.py`.

Counting, handed in as one file, plays in a process of its own. Host and referee have a core each,
but while one of them computes the other one waits, so hands are divided by the sum of what both
have computed; by their own clocks, as other programs may run.
"""

from pathlib import Path
from time import process_time

import lockstep
from tabulate import tabulate

from strategies.counting import Counting
from tourney.confine.budgets import Budget, seconds_of
from tourney.confine.referee import ConfinedDesk
from tourney.confine.seating import Submitted
from tourney.engine.lockstep.guests import Guests
from tourney.engine.lockstep.play import play_lockstep, play_wave
from tourney.ledger import BlockResult

SOURCE = Path(__file__).with_name("counting_alone.py")
TABLES, ROUNDS = 4_000, 100
FEW_TABLES = 20
PATIENT = Budget(base=60.0)


def play(tables: int) -> tuple[list[BlockResult], float, float]:
    """Play with a confined player; give what came of it, and the CPU of its host and referee."""
    blocks = lockstep.blocks(tables, ROUNDS)
    clock = 0.0

    class Timed(ConfinedDesk):
        def close(self) -> None:
            nonlocal clock
            clock = seconds_of(self.process) if self.process else clock
            super().close()

    desk = Timed(Submitted(SOURCE.name, SOURCE.read_bytes()), None, PATIENT)
    guests = Guests(blocks, lambda _: Counting(), lambda *_: lockstep.ASKED, lambda _: desk)
    began = process_time()
    results = play_wave(blocks[0].rules, guests)  # type: ignore[arg-type]  # blackjack
    return results, clock, process_time() - began


def check() -> None:
    """Make sure that it plays as Counting does."""
    expected = play_lockstep(
        lockstep.blocks(FEW_TABLES, ROUNDS), lambda _: Counting(), lambda *_: lockstep.ASKED
    )
    assert play(FEW_TABLES)[0] == expected


def measure(times: int = 3) -> dict[str, float]:
    """Give hands a second of CPU: of both, of the host and of the referee; the best of several."""
    check()
    best: dict[str, float] = {}
    for _ in range(times):
        results, host, referee = play(TABLES)
        hands = sum(result.rounds for result in results)
        for name, seconds in (
            ("confined, Counting", host + referee),
            ("confined, Counting: its host", host),
            ("confined, Counting: its referee", referee),
        ):
            best[name] = max(best.get(name, 0.0), hands / seconds)
    return best


def main() -> None:
    """Print a table."""
    print(tabulate(measure().items(), headers=["", "hands a second"], floatfmt=",.0f"))


if __name__ == "__main__":
    main()
