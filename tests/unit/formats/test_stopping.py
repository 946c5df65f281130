"""Stopping early: at declared looks, by results alone, and at the same one for everybody."""

from collections.abc import Callable

import pytest

from tourney.errors import FormatError
from tourney.formats import Duplicate, Independent, Schedule
from tourney.formats.field import Field
from tourney.game.blocks import Batch, Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockResult, SeatResult
from tourney.games.blackjack.rules import VE280
from tourney.games.straights.rules import StraightsRules

BLACKJACK = Field(3, VE280, 1_000, 5, 500, Secret.from_seed(1))
FOURS = Field(4, StraightsRules(), 0, 0, 0, Secret.from_seed(1))
Net = Callable[[int, int], int]
"""What an entrant wins at a table."""


def apart(entrant: int, table: int) -> int:
    """Differ by more than tables do."""
    return 100 * entrant + table % 3 * (entrant + 1)


def points(entrant: int, table: int) -> int:
    """Differ by nearly as much as points of a round can."""
    return 50 * entrant + table % 3


def alike(entrant: int, table: int) -> int:
    """Differ by chance only."""
    return (table * 7919 + entrant * 104_729) % 101


def near(entrant: int, table: int) -> int:
    """Differ by a chip or two, now in one direction and now in the other."""
    return (entrant + 1) * (-1) ** table


def play(block: Block, net: Net) -> BlockResult:
    """Give a result to a block."""
    seats = tuple(
        SeatResult(
            seat=number,
            entrant=seat.entrant,
            initial=seat.bankroll,
            final=seat.bankroll + net(seat.entrant, block.key.table),
            lowest=0,
            highest=2_000,
            rounds=block.rounds,
            left_round=None,
            handle=0,
            squares=0,
            mix=0,
        )
        for number, seat in enumerate(block.seats)
    )
    return BlockResult(block.key, block.rounds, 1, 10, seats)


def played(schedule: Schedule, net: Net) -> list[list[Batch]]:
    """Play a tournament; give its waves."""
    waves = []
    for wave in schedule.waves():
        batches = list(wave)
        waves.append(batches)
        for batch in batches:
            for block in batch.blocks:
                schedule.take(play(block, net))
    return waves


def tables(waves: list[list[Batch]]) -> list[int]:
    """Count the tables of every wave."""
    return [len({block.key[:3] for batch in wave for block in batch.blocks}) for wave in waves]


def test_a_clear_order_ends_at_the_first_look() -> None:
    """More tables would tell nothing."""
    options = Duplicate(tables=1_000, rounds=10, stop="separated")
    assert tables(played(options.schedule(BLACKJACK), apart)) == [400]


def test_an_open_order_is_played_to_the_end() -> None:
    """Look by look, with batches numbered through."""
    schedule = Duplicate(tables=100, rounds=10, stop="separated", looks=(20, 50)).schedule(
        BLACKJACK
    )
    waves = played(schedule, alike)
    assert tables(waves) == [20, 30, 50]
    numbers = [batch.number for wave in waves for batch in wave]
    assert numbers == list(range(schedule.batches or 0))
    assert [batch.wave for wave in waves for batch in wave] == [0] * 3 + [1] * 3 + [2] * 3


def test_a_wide_margin_ends_it_too() -> None:
    """Who are practically equal need no order."""
    options = Duplicate(tables=100, rounds=10, stop="separated", looks=(20, 50), margin=0.2)
    assert tables(played(options.schedule(BLACKJACK), near)) == [20]


def test_tables_in_blocks_are_played_to_the_end_before_a_look() -> None:
    """Two waves of five rounds to every look."""
    options = Duplicate(tables=40, rounds=10, block_rounds=5, stop="separated", looks=(20,))
    assert tables(played(options.schedule(BLACKJACK), alike)) == [20, 20, 20, 20]


def test_tables_of_ones_own_stop_as_well() -> None:
    """Every entrant has its own."""
    options = Independent(tables=40, rounds=10, stop="separated", looks=(20,))
    assert tables(played(options.schedule(BLACKJACK), apart)) == [60]


def test_tables_of_four_stop_after_whole_deals() -> None:
    """All rotations of a deal are played before a look."""
    options = Duplicate(tables=80, rounds=1, stop="separated", looks=(40,))
    waves = played(options.schedule(FOURS), points)
    assert tables(waves) == [40]
    assert all(len({block.key.seating for block in batch.blocks}) == 1 for batch in waves[0])


def test_without_a_rule_nobody_looks() -> None:
    """One wave, as ever."""
    assert tables(played(Duplicate(tables=50, rounds=10).schedule(BLACKJACK), apart)) == [50]


@pytest.mark.parametrize(
    ("looks", "stop", "fault"),
    [
        (
            (20, 20),
            "separated",
            "looks: numbers must increase and be at most tables: 100; these are 20, 20",
        ),
        ((20, 200), "separated", "looks: numbers must increase .* these are 20, 200"),
        ((20,), "at-the-end", "looks: only used with stop: separated; add it"),
    ],
)
def test_looks_that_cannot_be_taken_are_refused(
    looks: tuple[int, ...], stop: str, fault: str
) -> None:
    """Expected, got."""
    with pytest.raises(FormatError, match=fault):
        Duplicate(tables=100, rounds=1, stop=stop, looks=looks)  # type: ignore[arg-type]  # on purpose
