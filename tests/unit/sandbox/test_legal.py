"""The referee's own look at answers: what no honest pool lets through is a lie."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sandbox.attacks.asking import BANKROLL, MINIMUM, questions
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.views import illegal_places
from tourney.games.blackjack.players.questions import (
    BANKROLLS,
    FAULT,
    SEAT,
    Call,
    Questions,
    pick,
    pick_run,
)
from tourney.games.blackjack.players.questions import MAXIMUM as TABLE_MAXIMUM
from tourney.games.blackjack.players.questions import MINIMUM as TABLE_MINIMUM


@pytest.mark.parametrize(
    ("call", "answer", "is_legal"),
    [
        (Call.WAGER, MINIMUM, True),
        (Call.WAGER, BANKROLL, True),
        (Call.WAGER, MINIMUM - 1, False),
        (Call.WAGER, BANKROLL + 1, False),
        (Call.WAGER, -(1 << 63), False),
        (Call.DRAW, Action.HIT, True),
        (Call.DRAW, Action.STAND, True),
        (Call.DRAW, Action.DOUBLE, False),
        (Call.DRAW, 0, False),
        (Call.ACT, Action.HIT, True),
        (Call.ACT, Action.SPLIT, False),
        (Call.ACT, 0, False),
        (Call.ACT, 8, False),
        (Call.ACT, 257, False),
        (Call.ACT, -(1 << 63), False),
        (Call.LOOK, 1 << 62, True),
    ],
)
def test_an_answer_is_what_the_question_allows(call: Call, answer: int, is_legal: bool) -> None:
    """Wagers between the limits, moves among the legal ones; a look needs no answer."""
    asked = questions(call, 1, [0, 1])
    good = {Call.WAGER: MINIMUM, Call.LOOK: 0}.get(call, int(Action.STAND))
    places = illegal_places(asked, np.array([good, answer]), [])
    assert places.tolist() == ([] if is_legal else [1])


def test_a_fault_has_no_answer() -> None:
    """Where one is told the answer is FAULT, and only there."""
    asked = questions(Call.WAGER, 1, [0, 1])
    assert illegal_places(asked, np.array([FAULT, MINIMUM]), [0]).tolist() == []
    assert illegal_places(asked, np.array([MINIMUM, MINIMUM]), [0]).tolist() == [0]
    assert illegal_places(asked, np.array([FAULT, MINIMUM]), []).tolist() == [0]


def legal_by_hand(asked: Questions, place: int, answer: int) -> bool:
    """Look at one question, by the words of the protocol."""
    row = asked.table[place].tolist()
    bankroll = row[BANKROLLS + row[SEAT]]
    match Call(asked.calls[place]):
        case Call.LOOK:
            return True
        case Call.WAGER:
            return row[TABLE_MINIMUM] <= answer <= min(bankroll, row[TABLE_MAXIMUM])
        case Call.DRAW:
            return answer in {Action.HIT, Action.STAND}
        case _:
            return 0 <= answer < 8 and bool(int(asked.legal[place]) >> answer & 1)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(list(Call)),
            st.integers(-2, 9) | st.integers(0, 2 * BANKROLL) | st.integers(-(1 << 63), 2**63 - 1),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_all_answers_of_a_batch_are_looked_at_alike(drawn: list[tuple[Call, int]]) -> None:
    """Whatever calls it mixes, as when looked at one by one."""
    asked = questions(Call.ACT, 1, list(range(len(drawn))))
    asked = asked._replace(calls=np.array([int(call) for call, _ in drawn], np.uint8))
    answers = [answer for _, answer in drawn]
    found = illegal_places(asked, np.array(answers, np.int64), []).tolist()
    assert found == [
        place for place, answer in enumerate(answers) if not legal_by_hand(asked, place, answer)
    ]


@given(st.lists(st.integers(0, 4), max_size=6), st.integers(0, 7), st.integers(1, 8))
def test_questions_that_lie_together_are_picked_as_any_others(
    lengths: list[int], first: int, count: int
) -> None:
    """They are only not copied."""
    lengths = [*lengths, 2, 0, 3]
    asked = questions(Call.DRAW, 1, list(range(len(lengths))))
    codes = np.arange(sum(lengths), dtype=np.uint8)
    stops = np.cumsum(lengths)
    asked = asked._replace(cards=codes, card_stops=stops, exposed=codes, exposed_stops=stops)
    first %= len(lengths)
    stop = min(first + count, len(lengths))
    places = np.arange(first, stop)
    run = pick_run(asked, first, stop)
    assert [each.tolist() for each in run] == [each.tolist() for each in pick(asked, places)]
    assert run.table.base is not None  # a view
    picked = pick(asked, places)
    pieces = np.split(picked.cards, picked.card_stops)[: len(places)]
    assert [each.tolist() for each in pieces] == [
        codes[stops[at] - lengths[at] : stops[at]].tolist() for at in places
    ]
