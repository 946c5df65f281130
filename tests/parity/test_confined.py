"""Whoever has a desk of its own plays as it would at anybody's, and can be shown again."""

from dataclasses import replace
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from tourney.asking.desk import Desk
from tourney.engine import cast_of, play_batch
from tourney.engine.reference import Watcher
from tourney.ledger import BlockResult
from tourney.schedule import Batch

from .any_block import any_rules
from .any_casino import any_casino_rules
from .test_lockstep import Room, any_room

MANY = settings(max_examples=60, deadline=None)


def played(room: Room, shut_in: int, *, watched: bool) -> tuple[BlockResult, ...]:
    """Play a room with one entrant at a desk of its own."""
    cast = replace(
        cast_of(room.make_player),
        confined=lambda entrant: (
            Desk(partial(room.make_player, entrant)) if entrant == shut_in else None
        ),
    )
    watchers = {block.key: Watcher() for block in room.blocks} if watched else {}
    return play_batch(Batch(0, 0, room.blocks), cast, watchers=watchers).results


@MANY
@given(any_room(any_rules() | any_casino_rules()), st.booleans())
def test_a_desk_of_its_own_changes_nothing(room: Room, watched: bool) -> None:
    """Beside others or alone, looked at or not; looked at, its answers are played again."""
    expected = room.by_reference()
    for shut_in in range(len(room.makers)):
        for result in played(room, shut_in, watched=watched):
            assert result == expected[result.key]
