"""Turns in bytes and out of bytes again, and what of the answers is believed."""

from random import Random
from struct import calcsize, unpack_from
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.errors import EngineError
from tourney.execution.engine_selection import why_not_compiled, why_not_in_lockstep
from tourney.execution.lockstep import play_together
from tourney.game import Game, Table, Turn
from tourney.game.batches import QuestionBatch, TurnCodec, Turns, turns_of
from tourney.game.blocks import Block, Seat
from tourney.game.cards.card import CARDS
from tourney.game.codec import FAULT, Column, read_columns, write_columns
from tourney.game.ledger import BlockKey
from tourney.game.lineup import Lineup, declared_by
from tourney.game.players import Undeclared
from tourney.game.seats import play_block
from tourney.games.straights.codec import LAYOUT
from tourney.games.straights.game import STRAIGHTS
from tourney.games.straights.player import StraightsPlayer, StraightsView
from tourney.games.straights.rules import StraightsRules


def turns(*legal: tuple[str, ...]) -> Turns:
    """Gather a turn of each of some seats."""
    asked = [
        QuestionBatch(seat, Turn(0, 1, "act", f"seat {seat}", own))
        for seat, own in enumerate(legal)
    ]
    return turns_of(asked, TurnCodec(STRAIGHTS).writer())


@pytest.mark.parametrize(
    ("answer", "is_faulted", "is_legal"),
    [
        (0, False, True),
        (1, False, True),
        (2, False, False),
        (FAULT, False, False),
        (-(1 << 63), False, False),
        ((1 << 63) - 1, False, False),
        (FAULT, True, True),
        (0, True, False),
    ],
)
def test_an_answer_is_a_place_among_the_legal_actions(
    answer: int, is_faulted: bool, is_legal: bool
) -> None:
    """Or the mark of a fault, where one is told and only there."""
    asked = turns(("only",), ("hit", "stand"))
    faulted = [1] if is_faulted else []
    lies = TurnCodec(STRAIGHTS).illegal(asked, np.array([0, answer]), faulted)
    assert list(lies) == ([] if is_legal else [1])


def test_turns_come_out_of_a_pickle_as_they_went_in() -> None:
    """Seat, round, method, view and legal actions."""
    asked = [QuestionBatch(3, Turn(1, 7, "act", {"card": CARDS[5]}, (CARDS[5], CARDS[6])))]
    codec = TurnCodec(STRAIGHTS)
    assert codec.reader()(codec.writer()(asked)) == asked


@given(st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.binary(max_size=3))))
def test_columns_are_read_as_they_were_written(rows: list[tuple[int, bytes]]) -> None:
    """Of any numbers, and bytes of different lengths behind them."""
    layout = Column("wide", "q", 1), Column("sizes", "B", 1), Column("bytes", "B", 0)
    numbers = np.array([number for number, _ in rows], np.int64)
    tail = b"".join(data for _, data in rows)
    columns = numbers, bytes([len(data) for _, data in rows]), tail
    wide, sizes, data = read_columns(layout, write_columns(layout, len(rows), columns))
    assert wide.tolist() == numbers.tolist()
    assert sizes.tolist() == [len(data) for _, data in rows]
    assert bytes(data) == tail


class Noting(StraightsPlayer):
    """Keeps what it sees."""

    def __init__(self, seen: list[StraightsView]) -> None:
        self.seen = seen

    def play(self, view: StraightsView) -> Any:
        """Play the first card."""
        self.seen.append(view)
        return (view.legal_plays or view.hand)[0]


def block(rules: Any, seats: int) -> Block:
    """Draw up a block."""
    dice = Random(1)
    own = tuple(Seat(number, 0, dice.randbytes(16)) for number in range(seats))
    return Block(BlockKey(0, 0, 0, 0, 1), rules, own, 0, 0, 1, dice.randbytes(16))


def test_a_layout_is_all_that_a_program_needs() -> None:
    """Straights, read by its columns and nothing of the platform's."""
    seen: list[StraightsView] = []
    play_block(block(StraightsRules(), 4), lambda _: Noting(seen))
    views = [view for view in seen if view.seat == 2]
    asked = [
        QuestionBatch(0, Turn(view.seat, 1, "play", view, view.legal_plays or view.hand))
        for view in views
    ]
    write = STRAIGHTS.codec().writer()
    for one in asked:
        body, view = write([one]), one.turn.view
        (count, last), at, found = unpack_from("<II", body), 16, dict[str, tuple[int, ...]]()
        for name, form, width in LAYOUT:
            numbers = f"<{count * width or last}{form}"
            found[name] = unpack_from(numbers, body, at)
            at += calcsize(numbers)
        assert at == len(body)
        assert found["scores"] == view.scores
        assert found["places"] == (view.seat,)
        hand = found["cards"][: found["sizes"][0]]
        assert [CARDS[code] for code in hand] == list(view.hand)


class LoneTable(Table):
    """Asks its player itself."""

    def play(self, make_player: Any) -> Any:
        """Never be played."""
        raise NotImplementedError


class Lone(Game[StraightsPlayer, str, str]):
    """A game that gives no more than it has to."""

    name = "lone"
    version = 1

    def contract(self) -> type[StraightsPlayer]:
        """Give another game's, as contracts are known once they are made."""
        return StraightsPlayer

    def table(self, block: Any, accounts: Any, watcher: Any = None) -> LoneTable:
        """Lay a table without a flow."""
        return LoneTable()


class LoneRules(StraightsRules):
    """Its rules."""

    game = Lone()  # type: ignore[assignment]  # of another game


def test_a_game_gives_no_speed_by_default() -> None:
    """Then nobody declares anything, and Python is asked for everything."""
    rules = LoneRules()
    told = declared_by(Noting([]), rules)
    assert told == Undeclared("players of lone declare nothing")
    lone = block(rules, 1)
    assert why_not_compiled(lone, [told]) == "lone is not a game that it plays"
    assert why_not_in_lockstep(lone) == "lone is not a game that it plays"


def test_a_table_that_asks_by_itself_is_not_played_confined() -> None:
    """With the reason and the remedy, before anybody is asked."""
    lineup = Lineup(lambda _: Noting([]), lambda *_: Undeclared(""))
    with pytest.raises(
        EngineError,
        match=r"lone: the class LoneTable of its table asks its players itself.*--no-sandbox",
    ):
        play_together([block(LoneRules(), 1)], lineup, {})


def test_a_game_is_the_same_in_another_process() -> None:
    """There is one object of each in a process, and all of a kind are alike."""
    assert Lone() == Lone()
    assert hash(Lone()) == hash(LoneRules.game)
    assert Lone() != STRAIGHTS
