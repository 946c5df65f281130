"""The compiled engine gives what the reference engine gives, to the last bit."""

from hypothesis import given

from tests.support.proving import tried
from tourney.execution.engine_selection import play_batch
from tourney.game.blocks import Batch
from tourney.game.lineup import lineup_of
from tourney.game.seats import play_block

from .any_block import AnyBlock, any_block

MANY = tried(150)


def check(table: AnyBlock) -> None:
    """Play a block twice and compare everything."""
    expected = play_block(table.block, table.make_player)
    batch = Batch(0, 0, (table.block,))
    (found,) = play_batch(batch, lineup_of(table.make_player), "compiled").results
    assert found == expected
    assert found.digest == expected.digest


@MANY
@given(any_block())
def test_tables_of_one_to_seven_seats_are_played_alike(table: AnyBlock) -> None:
    """Any rules, seats, bankrolls and keys; shoes that run out in the middle of a round too."""
    check(table)


@MANY
@given(any_block(most_seats=1))
def test_single_seats_are_played_alike(table: AnyBlock) -> None:
    """Most tournaments are played alone, and the engine has a way of its own for that."""
    check(table)
