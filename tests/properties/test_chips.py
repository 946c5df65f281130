"""Chips are conserved, and accounts say what happened, for any rules and any players."""

from hypothesis import given

from tests.support.proving import tried
from tourney.game.seats import play_block
from tourney.game.turns import Watcher

from .any_table import CORRECT, AnyTable, Clumsy, any_table
from .naive_clerk import NaiveClerk

FEW = tried(200)


@FEW
@given(any_table())
def test_accounts_are_what_a_naive_clerk_writes_down(table: AnyTable) -> None:
    """Initial, final, lowest and highest bankroll, rounds, handle and squares, to the chip."""
    clerk = NaiveClerk(table.block)
    clerk.check(play_block(table.block, table.make_player, clerk))


@FEW
@given(any_table((Clumsy, *CORRECT[:3])))
def test_accounts_are_right_beside_players_at_fault(table: AnyTable) -> None:
    """Whoever breaks the contract loses the wager in play, and no chip of others' moves."""
    clerk = NaiveClerk(table.block)
    clerk.check(play_block(table.block, table.make_player, clerk))


@FEW
@given(any_table())
def test_watching_changes_nothing(table: AnyTable) -> None:
    """A block is a pure function of itself and its players."""
    result = play_block(table.block, table.make_player)
    assert play_block(table.block, table.make_player, Watcher()) == result
    assert play_block(table.block, table.make_player).digest == result.digest
