"""A pool asks the players of one entrant, from arrays to arrays."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tourney import Action, BatchPlayer, Card, Hand, Player, Questions
from tourney.game.asking.exchange import SeatRequest
from tourney.game.cards.card import CARDS
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.players.questions import FAULT, NO_CARD, SHUFFLED, WIDTH, Call, pick

STAND_OR_HIT = 1 << Action.STAND | 1 << Action.HIT


def questions(
    calls: Sequence[Call],
    exposed: Sequence[Sequence[int]] | None = None,
    hands: Sequence[Sequence[int]] | None = None,
) -> Questions:
    """Make a batch of questions to seats 0, 1, …, with 100 chips at limits from 5 to 50."""
    count = len(calls)
    shown = exposed or [[]] * count
    held = hands or [[] if call in {Call.LOOK, Call.WAGER} else [3, 8] for call in calls]
    table = np.zeros((count, WIDTH), np.int64)
    table[:, :6] = 0, 1, 5, 50, 9, 100
    return Questions(
        seats=np.arange(count, dtype=np.int32),
        calls=np.array(calls, np.uint8),
        rounds=np.full(count, 7),
        legal=np.where(np.array(calls) == Call.ACT, STAND_OR_HIT, 0).astype(np.uint8),
        dealer=np.array([[20, NO_CARD]] * count, np.uint8),
        cards=np.array([code for hand in held for code in hand], np.uint8),
        card_stops=np.cumsum([len(hand) for hand in held]),
        exposed=np.array([code for codes in shown for code in codes], np.uint8),
        exposed_stops=np.cumsum([len(codes) for codes in shown]),
        table=table,
    )


def pool_of(make: Callable[[], Any], seats: int) -> Pool:
    """Seat players."""
    pool = Pool(make)
    pool.sit([SeatRequest(1, bytes((seat,))) for seat in range(seats)])
    return pool


class Logging(Player):
    """Writes down what it is asked, and can be told to answer anything."""

    made: list["Logging"]
    answer: Any = False

    def __init__(self) -> None:
        self.log: list[str] = []
        self.made.append(self)

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager all that the table allows."""
        self.log.append(f"bet {bankroll} {minimum}")
        return min(bankroll, self.table.maximum)

    def draw(self, dealer: Card, player: Hand) -> Any:
        """Answer what it was told."""
        self.log.append(f"draw {dealer.code} {[card.code for card in player.cards]}")
        return self.answer

    def expose(self, card: Card) -> None:
        """Write down the card."""
        self.log.append(str(card.code))

    def shuffled(self) -> None:
        """Write down the shuffle."""
        self.log.append("shuffled")


@pytest.fixture
def made() -> list[Logging]:
    """Keep the players that are made."""
    Logging.made = []
    return Logging.made


def test_what_was_exposed_comes_before_the_question(made: list[Logging]) -> None:
    """In dealing order; whoever is asked nothing only looks."""
    pool = pool_of(Logging, 3)
    batch = questions(
        [Call.WAGER, Call.DRAW, Call.LOOK], [[SHUFFLED, 4], [5], [6, 7]], [[], [1, 2, 3], []]
    )
    answers, faults = pool.decide(batch)
    assert [player.log for player in made] == [
        ["shuffled", "4", "bet 100 5"],
        ["5", "draw 20 [1, 2, 3]"],
        ["6", "7"],
    ]
    assert answers.tolist() == [50, Action.STAND, 0]
    assert not faults


def test_a_fault_is_its_seats_alone(made: list[Logging]) -> None:
    """The verdict counts the questions of the seat, not of its entrant."""
    pool = pool_of(Logging, 3)
    pool.decide(questions([Call.WAGER] * 3))
    made[1].answer = "hit"
    made[2].answer = True
    answers, faults = pool.decide(questions([Call.DRAW] * 3))
    assert answers.tolist() == [Action.STAND, FAULT, Action.HIT]
    (verdict,) = faults.values()
    assert list(faults) == [1]
    assert (verdict.cause, verdict.call, verdict.round, verdict.decision) == (
        ("illegal", "draw", 7, 1)
    )
    assert verdict.message == (
        "draw: expected True or False, got 'hit': return True to hit or False to stand, not a word"
    )


def test_a_player_that_cannot_be_made_is_found_when_it_sits_down() -> None:
    """The others sit."""
    count = iter(range(9))

    def make() -> Player:
        Logging.made = []
        if next(count) == 1:
            raise KeyError("lost")
        return Logging()

    pool = Pool(make)
    seated = pool.sit([SeatRequest(4, b"")] * 3)
    assert [seating.verdict is None for seating in seated] == [True, False, True]
    verdict = seated[1].verdict
    assert verdict
    assert (verdict.call, verdict.round) == ("constructor", 4)
    assert seated[0].watches
    assert not seated[0].acts


def test_ctrl_c_is_the_organisers_and_no_fault(made: list[Logging]) -> None:
    """It goes through a player's code."""

    class Interrupted(Logging):
        def draw(self, dealer: Card, player: Hand) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pool_of(Interrupted, 1).decide(questions([Call.DRAW]))


class Together(BatchPlayer):
    """Answers what it is told."""

    answers: Any = None

    def act_batch(self, questions: Questions) -> Any:
        """Answer."""
        return self.answers(questions) if callable(self.answers) else self.answers


def decided_by(answers: Any, calls: Sequence[Call]) -> tuple[list[int], dict[int, str]]:
    """Give the answers to a batch, and the messages of the faults."""
    player = Together()
    player.answers = answers
    found, faults = pool_of(lambda: player, len(calls)).decide(questions(calls))
    return found.tolist(), {place: verdict.message for place, verdict in faults.items()}


def test_one_object_answers_for_all_seats() -> None:
    """Only seats whose answers are illegal are at fault."""
    calls = [Call.WAGER, Call.WAGER, Call.ACT, Call.ACT, Call.LOOK]
    answers = np.array([50, 51, Action.HIT, 99, -7], np.int16)
    found, messages = decided_by(answers, calls)
    assert found == [50, FAULT, Action.HIT, FAULT, -7]
    assert messages == {
        1: "bet: your bet must be a whole number from 5 to 50; you bet 51",
        3: "act: expected one of Action.STAND, Action.HIT, got 99",
    }


@pytest.mark.parametrize(
    ("answers", "got"),
    [
        ([5, 5], "got list"),
        (np.array([5]), "got int64 of shape (1,)"),
        (np.array([5.0, 5.0]), "got float64 of shape (2,)"),
    ],
)
def test_answers_of_another_kind_are_a_fault_of_every_seat(answers: Any, got: str) -> None:
    """The message names what was expected."""
    found, messages = decided_by(answers, [Call.WAGER, Call.ACT])
    expected = "TypeError: act_batch: expected an array of 2 whole numbers"
    assert found == [FAULT, FAULT]
    assert messages == {
        0: f"bet: expected an answer, got {expected}, {got}",
        1: f"act: expected an answer, got {expected}, {got}",
    }


def test_what_it_raises_is_a_fault_of_every_seat() -> None:
    """It may not change what it is shown, and it has no table of its own."""

    def write(batch: Questions) -> None:
        batch.table[:] = 0

    _, messages = decided_by(write, [Call.WAGER])
    assert messages == {
        0: "bet: expected an answer, got ValueError: assignment destination is read-only"
    }
    player = Together()
    player.answers = lambda _: player.table
    _, faults = pool_of(lambda: player, 1).decide(questions([Call.WAGER]))
    assert "sees its tables in questions.table" in faults[0].message


def test_some_of_a_batch_can_be_picked_in_any_order() -> None:
    """With the cards that belong to them."""
    batch = questions([Call.DRAW] * 4, [[1], [], [2, 3], [4]], [[1, 2], [3, 4, 5], [6, 7], [8, 9]])
    picked = pick(batch, np.array([2, 1]))
    assert picked.seats.tolist() == [2, 1]
    assert (picked.cards.tolist(), picked.card_stops.tolist()) == ([6, 7, 3, 4, 5], [2, 5])
    assert (picked.exposed.tolist(), picked.exposed_stops.tolist()) == ([2, 3], [2, 2])


def test_a_batch_says_what_hands_are_worth() -> None:
    """Totals as `Hand` counts them."""
    hands = [[12, 4], [12, 25], [12, 4, 10], []]
    batch = questions([Call.ACT] * 3 + [Call.WAGER], hands=hands)
    totals, soft = batch.hand_values()
    expected = [Hand(CARDS[code] for code in hand) for hand in hands]
    assert totals.tolist() == [hand.total for hand in expected]
    assert soft.tolist() == [hand.soft for hand in expected]
    assert batch.upcard_values().tolist() == [CARDS[20].value] * 4


def test_a_batch_says_what_was_shown_since_the_shuffle() -> None:
    """Cards of the shoe before it no longer count."""
    batch = questions([Call.WAGER] * 3, [[1, SHUFFLED, 2], [3], [4, SHUFFLED]])
    places, have_shuffled, codes = batch.shown()
    assert (places.tolist(), codes.tolist()) == ([0, 1], [2, 3])
    assert have_shuffled.tolist() == [True, False, True]
