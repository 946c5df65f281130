"""The lockstep engine gives what the reference engine gives, verdicts included."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.proving import tried
from tourney import Call, Questions
from tourney.formats.field import Field
from tourney.game.blocks import Block
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.lineup import lineup_of
from tourney.game.seats import play_block
from tourney.games.blackjack.engines import lockstep_play
from tourney.games.blackjack.engines.lockstep_play import play_lockstep
from tourney.games.blackjack.players import Player
from tourney.games.blackjack.rules import BlackjackRules
from tourney.strategies.counting import Counting
from tourney.strategies.counting_batch import CountingBatch

from .any_block import DECLARED, Timid, any_rules
from .any_casino import any_casino_rules
from .any_state import any_state
from .asked_players import Maker, any_asked

MANY = tried(80)
MOST_CHIPS = 300


@dataclass(frozen=True)
class Room:
    """Some blocks, and who makes the players of each entrant."""

    blocks: tuple[Block, ...]
    makers: tuple[Maker, ...]

    def make_player(self, entrant: int) -> Player:
        """Make a new player."""
        return self.makers[entrant]()

    def in_lockstep(self, blocks: Sequence[Block] | None = None) -> dict[BlockKey, BlockResult]:
        """Play blocks, or all of them, in lockstep."""
        chosen = self.blocks if blocks is None else blocks
        results = play_lockstep(chosen, lineup_of(self.make_player)).results
        return {result.key: result for result in results}

    def by_reference(self) -> dict[BlockKey, BlockResult]:
        """Play all blocks by the reference engine."""
        return {block.key: play_block(block, self.make_player) for block in self.blocks}


@st.composite
def any_block_at(draw: st.DrawFn, table: int, rules: BlackjackRules, makers: int) -> Block:
    """Draw a block of poor and rich entrants."""
    # Seven seats that split all they can may put a whole deck on the table.
    most = 3 if rules.decks == 1 and not rules.is_hit_or_stand else 7
    entrants = draw(st.lists(st.integers(0, makers - 1), min_size=1, max_size=most))
    unit, minimum = rules.unit, draw(st.integers(1, 20))
    maximum = minimum * draw(st.integers(1, 60))
    secret = Secret.from_seed(draw(st.integers(0, 10**9)))
    field = Field(makers, rules, 0, minimum * unit, maximum * unit, secret)
    seats = tuple((entrant, draw(st.integers(0, MOST_CHIPS * unit))) for entrant in entrants)
    key = BlockKey(0, 0, table, 0, draw(st.integers(1, 1000)))
    state = draw(any_state(key.first_round))
    follows_luck = rules.shuffle == "uniform" and draw(st.booleans())
    block = field.block(key, seats, draw(st.integers(1, 25)), state=state)
    return replace(block, follows_luck=follows_luck)


@st.composite
def any_room(draw: st.DrawFn, rules: st.SearchStrategy[BlackjackRules]) -> Room:
    """Draw blocks of players that declare, and others."""
    makers = draw(
        st.lists(st.one_of(any_asked(), st.sampled_from(DECLARED)), min_size=1, max_size=5)
    )
    found = [draw(rules) for _ in range(draw(st.integers(1, 2)))]
    blocks = [
        draw(any_block_at(table, draw(st.sampled_from(found)), len(makers)))
        for table in range(draw(st.integers(1, 4)))
    ]
    return Room(tuple(blocks), tuple(makers))


@MANY
@given(any_room(any_rules()))
def test_hit_or_stand_is_played_alike(room: Room) -> None:
    """By players that declare, that are asked, and that fail, at the same tables."""
    assert room.in_lockstep() == room.by_reference()


@MANY
@given(any_room(any_casino_rules()))
def test_casino_rules_are_played_alike(room: Room) -> None:
    """With doubles, splits, surrender and insurance, chosen by players that act."""
    assert room.in_lockstep() == room.by_reference()


def test_a_share_of_the_shoe_is_of_the_one_in_use() -> None:
    """One that is made during a round lacks the cards on the table."""
    rules = BlackjackRules(decks=1, shuffle="riffle", reshuffle=1, reshuffle_percent=30)
    field = Field(1, rules, 0, 1, 1, Secret.from_seed(1))
    seats = ((0, MOST_CHIPS),) * 7
    blocks = tuple(field.block(BlockKey(0, 0, table, 0, 1), seats, 25) for table in range(20))
    room = Room(blocks, (Timid,))
    assert room.in_lockstep() == room.by_reference()


@pytest.mark.prove
@tried(20)
@given(any_room(any_rules()), st.integers(1, 3))
def test_results_do_not_depend_on_which_tables_advance_together(room: Room, tables: int) -> None:
    """Nor on how many."""
    together = room.in_lockstep()
    alone = [room.in_lockstep([block]) for block in room.blocks]
    assert together == {key: result for results in alone for key, result in results.items()}
    with patch.object(lockstep_play, "MOST_TABLES", tables):
        assert room.in_lockstep(room.blocks[::-1]) == together


class Careless(CountingBatch):
    """Answers wrongly now and then, seat by seat."""

    def act_batch(self, questions: Questions) -> NDArray[np.int64]:
        """Answer what is not legal for a 16, and two rounds before the end."""
        answers = super().act_batch(questions)
        totals, _ = questions.hand_values()
        answers[totals == 16] = 77
        answers[(questions.calls == Call.WAGER) & (questions.table[:, 4] == 2)] = 0
        return answers


@tried(40)
@given(any_room(any_rules() | any_casino_rules()), st.data())
def test_a_player_in_numpy_plays_as_one_that_is_asked_seat_by_seat(
    room: Room, data: st.DataObject
) -> None:
    """Where it answers for thousands of seats, where for one, and in plain Python."""
    place = data.draw(st.integers(0, len(room.makers) - 1))
    asked, batched = list(room.makers), list(room.makers)
    asked[place], batched[place] = Counting, CountingBatch
    in_numpy = replace(room, makers=tuple(batched))
    expected = replace(room, makers=tuple(asked)).by_reference()
    assert in_numpy.in_lockstep() == in_numpy.by_reference() == expected


@tried(40)
@given(any_room(any_casino_rules()), st.data())
def test_an_illegal_answer_of_a_player_in_numpy_is_the_fault_of_its_seat(
    room: Room, data: st.DataObject
) -> None:
    """The other seats play on."""
    place = data.draw(st.integers(0, len(room.makers) - 1))
    makers = list(room.makers)
    makers[place] = Careless
    careless = replace(room, makers=tuple(makers))
    assert careless.in_lockstep() == careless.by_reference()
