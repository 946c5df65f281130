"""Hands in letters: what was written down reads as what happened."""

import pytest

from tourney.game.cards.card import CARDS
from tourney.game.cards.shoe import make_shoe
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.history.hand_history import HandHistoryWriter
from tourney.games.blackjack.records import (
    DEALER,
    Acted,
    Dealt,
    InsuranceSettled,
    Outcome,
    Revealed,
    Settled,
)
from tourney.games.straights.hand_history import StraightsHands
from tourney.games.straights.records import Discarded, Played

TWO, THREE, ACE = CARDS[0], CARDS[1], CARDS[12]


def _told(seats: int = 1) -> HandHistoryWriter:
    writer = HandHistoryWriter(seats)
    writer.shuffled(make_shoe(1, "uniform", bytes(16)))
    writer.opened(1, (100,) * seats)
    return writer


def test_a_round_of_one_seat_names_nobody() -> None:
    """Its cards follow each other; the dealer's bear a mark."""
    writer = _told()
    writer.wagered(0, 5)
    for record in (
        Dealt(0, TWO),
        Dealt(DEALER, ACE),
        Dealt(0, THREE),
        Dealt(DEALER, TWO, is_face_up=False),
        Acted(0, Action.STAND),
        Revealed(TWO),
        Settled(0, Outcome.LOSS),
    ):
        writer.happened(record)
    writer.closed(1, (95,))
    writer.finish()
    assert writer.rounds == ["100|5|~a^mb_a2!a=4"]
    assert writer.paths == [[100], [95]]


def test_a_split_hand_and_another_seat_are_named_once() -> None:
    """The turn is written where it changes."""
    writer = _told(2)
    for seat in (0, 1):
        writer.wagered(seat, 10)
    for record in (
        Dealt(0, TWO),
        Dealt(1, THREE),
        Dealt(1, ACE),
        Acted(0, Action.SPLIT),
        Dealt(0, ACE, hand=1),
        InsuranceSettled(0, is_paid=True),
    ):
        writer.happened(record)
    writer.closed(1, (100, 100))
    writer.finish()
    assert writer.rounds == ["100,100|10,10|~a(1)bm(0)4(0,1)m(0)$1"]


def test_seats_keep_their_places_when_the_button_moves_and_somebody_leaves() -> None:
    """Records number seats by turns; lines by places at the table."""
    writer = HandHistoryWriter(3)
    writer.seated((2, 0))
    writer.opened(4, (70, 50))
    writer.wagered(0, 7)
    writer.wagered(1, 5)
    writer.happened(Dealt(0, TWO))
    writer.closed(4, (77, 45))
    writer.finish()
    assert writer.rounds == ["50,,70|5,,7|(2)a"]
    assert writer.paths[-1] == [45, None, 77]


def test_who_leaves_in_the_midst_of_a_block_stands_once_with_what_it_left_with() -> None:
    """Lines are of those who play on."""
    writer = HandHistoryWriter(2)
    writer.seated((0, 1))
    for number, bankrolls in enumerate(((90, 80), (95, 3), (99,), (99,)), start=1):
        if number == 3:
            writer.seated((0,))
        writer.opened(number, bankrolls if number != 2 else (90, 75))
        writer.closed(number, bankrolls)
    writer.finish()
    assert writer.paths == [[90, 80], [90, 75], [99, 3], [99, None], [99, None]]
    assert [line.split("|")[0] for line in writer.rounds] == ["90,80", "90,75", "99,", "99,"]


def test_a_round_that_nobody_plays_is_not_written() -> None:
    """It was announced, and the bankrolls before it are those in the end."""
    writer = _told()
    writer.closed(1, (95,))
    writer.opened(2, (95,))
    writer.finish()
    assert len(writer.rounds) == 1
    assert writer.paths == [[100], [95]]


@pytest.mark.parametrize(
    ("first", "line"), [(0, "0,0,0,0|a,b,m,a|(0)ab-m"), (2, "0,0,0,0|a,b,m,a|(2)ab-m")]
)
def test_straights_says_who_begins(first: int, line: str) -> None:
    """The others follow in their order; a discard bears a mark."""
    writer = StraightsHands(4)
    writer.opened(1, (0, 0, 0, 0))
    writer.dealt([[TWO], [THREE], [ACE], [TWO]])
    turns = [(first + turn) % 4 for turn in range(3)]
    writer.happened(Played(turns[0], TWO))
    writer.happened(Played(turns[1], THREE))
    writer.happened(Discarded(turns[2], ACE))
    writer.closed(1, (0, 0, 14, 0))
    assert writer.rounds == [line]
