"""The seatings of a comparison: balanced, and with the same cards."""

from collections import Counter
from itertools import product

import pytest

from tourney.errors import FormatError
from tourney.formats.field import Field
from tourney.formats.paired_tables import PairedTables, copies_of, seatings_of
from tourney.game.cards.keys import Secret
from tourney.games.blackjack.rules import VE280
from tourney.games.straights.rules import StraightsRules


@pytest.mark.parametrize("seats", range(1, 8))
def test_each_strategy_plays_each_seat_equally_often(seats: int) -> None:
    """And an exchange of the two gives the same seatings."""
    seatings = seatings_of(seats)
    often = Counter((seat, side) for seating in seatings for seat, side in enumerate(seating))
    assert {often[key] for key in product(range(seats), (0, 1))} == {max(1, len(seatings) // 2)}
    exchanged = {tuple(1 - side for side in seating) for seating in seatings}
    assert exchanged == set(seatings)
    assert len(set(seatings)) == len(seatings)
    most = max(seating.count(side) for seating in seatings for side in (0, 1))
    assert copies_of(seats) == most


def test_all_seatings_of_a_table_are_dealt_the_same_cards() -> None:
    """Each entrant sits once at most, and each batch has one seating."""
    options = PairedTables(tables=6, rounds=2, looks=(2, 6))
    field = Field(6, StraightsRules(), 0, 0, 0, Secret.from_seed(1))
    schedule = options.schedule(field)
    waves = [list(wave) for wave in schedule.waves()]
    batches = [batch for wave in waves for batch in wave]
    assert [batch.number for batch in batches] == list(range(schedule.batches or 0))
    assert [len(wave) for wave in waves] == [8, 8]
    shoes: dict[int, set[bytes]] = {}
    for batch in batches:
        assert len({block.key.seating for block in batch.blocks}) == 1
        for block in batch.blocks:
            shoes.setdefault(block.key.table, set()).add(block.shoe_key)
            entrants = [seat.entrant for seat in block.seats]
            assert len(set(entrants)) == 4
    assert sorted(shoes) == list(range(6))
    assert all(len(keys) == 1 for keys in shoes.values())
    assert len(set().union(*shoes.values())) == 6


def test_a_seat_that_plays_alone_gets_the_shoe_of_the_other() -> None:
    """As in the format duplicate."""
    options = PairedTables(tables=3, rounds=10, looks=(3,))
    (wave,) = options.schedule(Field(2, VE280, 1_000, 5, 500, Secret.from_seed(1))).waves()
    first, second = wave
    assert [block.shoe_key for block in first.blocks] == [block.shoe_key for block in second.blocks]
    assert first.entrants == (0,)
    assert second.entrants == (1,)


def test_a_wrong_number_of_entrants_is_refused() -> None:
    """Copies of both are needed for a table of four."""
    options = PairedTables(tables=3, rounds=10, looks=(3,))
    options.check(6, StraightsRules())
    with pytest.raises(FormatError, match="expected 6 entrants to compare two, got 2"):
        options.check(2, StraightsRules())
