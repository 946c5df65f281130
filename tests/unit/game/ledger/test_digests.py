"""Digests tell two plays apart, and stay what they are from version to version."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.game.ledger import Account, BlockKey, BlockResult, SeatResult, Verdict, batch_digest
from tourney.game.ledger.running_hash import cards_word, mix, mix_round

SEAT = SeatResult(0, 3, 1000, 990, 985, 1010, 40, None, 200, 950, 77, None)
RESULT = BlockResult(BlockKey(0, 0, 5, 3, 1), 40, 7, 220, (SEAT,))
VERDICT = Verdict("raised", "bet", 3, 7, "a message", "a.py:3", "a traceback")


def test_a_recorded_digest_stays() -> None:
    """Stored runs could not be verified otherwise."""
    assert RESULT.digest.hex() == "b6716788c968d373511aab0ab81e6883"
    assert batch_digest((RESULT, RESULT)).hex() == "3991798510bdd2a50654076cd20480e2"


@pytest.mark.parametrize(
    "name", [each.name for each in fields(SeatResult) if each.name != "verdict"]
)
def test_every_fact_of_a_seat_counts(name: str) -> None:
    """One more or one less is another digest."""
    value = getattr(SEAT, name)
    changed: Any = replace(SEAT, **{name: 9 if value is None else value + 1})
    assert replace(RESULT, seats=(changed,)).digest != RESULT.digest


@pytest.mark.parametrize("name", ["rounds", "shuffles", "cards"])
def test_every_fact_of_a_table_counts(name: str) -> None:
    """And so does the block's key."""
    changed: Any = replace(RESULT, **{name: getattr(RESULT, name) + 1})
    assert changed.digest != RESULT.digest
    assert replace(RESULT, key=BlockKey(0, 0, 5, 3, 2)).digest != RESULT.digest


def test_of_a_verdict_only_cause_and_place_count() -> None:
    """Its words may hold addresses, which differ from play to play."""
    faulted = replace(RESULT, seats=(replace(SEAT, verdict=VERDICT),))
    retold = replace(VERDICT, message="another", traceback="another", place="b.py:9")
    elsewhere = replace(VERDICT, round=4)
    assert faulted.digest != RESULT.digest
    assert replace(RESULT, seats=(replace(SEAT, verdict=retold),)).digest == faulted.digest
    assert replace(RESULT, seats=(replace(SEAT, verdict=elsewhere),)).digest != faulted.digest


words = st.integers(0, 2**64 - 1)
facts = st.tuples(
    st.integers(0, 10**6), st.integers(-(10**6), 10**6), st.integers(0, 8**6), st.integers(0, 400)
)


@given(state=words, one=facts, other=facts)
def test_another_round_is_another_mix(
    state: int, one: tuple[int, int, int, int], other: tuple[int, int, int, int]
) -> None:
    """Wagers, nets, actions and cards dealt all count."""
    assert (mix_round(state, *one) == mix_round(state, *other)) == (one == other)


@given(state=words, first=words, second=words)
def test_the_order_of_what_happened_counts(state: int, first: int, second: int) -> None:
    """Mixing two words the other way round is another mix."""
    one_way = mix(mix(state, first), second)
    assert (one_way == mix(mix(state, second), first)) == (first == second)


@given(codes=st.lists(st.integers(0, 51), min_size=1, max_size=60), data=st.data())
def test_another_card_is_another_word(codes: list[int], data: st.DataObject) -> None:
    """At any place of the shoe, and so is a card more."""
    place = data.draw(st.integers(0, len(codes) - 1))
    changed = [*codes[:place], (codes[place] + 1) % 52, *codes[place + 1 :]]
    assert cards_word(changed) != cards_word(codes)
    assert cards_word([0, *codes]) != cards_word(codes)


def test_an_account_counts_what_it_settles() -> None:
    """Bankroll, extremes, handle and squares."""
    account = Account(2, 5, 100)
    for wager, net in ((10, -10), (20, 30), (5, 0)):
        account.settle(wager, net, 2, 7)
    result = account.result()
    assert (result.seat, result.entrant, result.initial, result.final) == (2, 5, 100, 120)
    assert (result.lowest, result.highest, result.rounds) == (90, 120, 3)
    assert (result.handle, result.squares, result.net) == (35, 1000, 20)
