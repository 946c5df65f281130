"""Situations made by hand: that games could bring them, and that nothing is left out."""

from collections import Counter

import numpy as np
import pytest

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.check.scenarios import (
    questions_about,
    scenarios,
    without_cards_shown,
)
from tourney.games.blackjack.players.questions import SHUFFLED, Call, limits, pick
from tourney.games.blackjack.rules import PRESETS, BlackjackRules

MINIMUM = 5
HIT, STAND, DOUBLE, SPLIT = Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_situation_leaves_a_legal_wager(rules: BlackjackRules) -> None:
    """No player can be at fault before it has answered."""
    asked = scenarios(rules, MINIMUM)
    questions = questions_about(asked, range(len(asked)), Call.WAGER, [0] * len(asked))
    _, least, most = limits(questions.table)
    assert (least <= most).all()
    assert all(rules.may_play(each.bankroll, MINIMUM) for each in asked)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_no_card_of_a_situation_is_there_too_often(rules: BlackjackRules) -> None:
    """One deck holds each card once."""
    decks = rules.decks if isinstance(rules.decks, int) else 1
    for each in scenarios(rules, MINIMUM):
        held = Counter((*each.hand, *each.dealer))
        assert max(held.values(), default=0) <= decks
        shown = Counter(code for code in each.exposed if code != SHUFFLED)
        assert max(shown.values(), default=0) <= decks


def test_a_game_of_hits_and_stands_asks_nothing_else() -> None:
    """As the VE280 document plays it."""
    legal = {each.legal for each in scenarios(PRESETS["ve280"], MINIMUM) if each.hand}
    assert legal == {(STAND, HIT)}


def test_every_legal_set_of_a_casino_is_asked() -> None:
    """With chips for a second wager and without, at first, after a split and before all else."""
    surrender = Action.SURRENDER
    legal = {each.legal for each in scenarios(PRESETS["six-decks-h17"], MINIMUM) if each.hand}
    assert legal == {
        (STAND, HIT),
        (STAND, HIT, surrender),
        (STAND, HIT, DOUBLE),
        (STAND, HIT, DOUBLE, surrender),
        (STAND, HIT, DOUBLE, SPLIT),
        (STAND, HIT, DOUBLE, SPLIT, surrender),
        (Action.DECLINE, Action.INSURE),
    }


def test_aces_may_be_split_once_more_where_the_rules_say_so() -> None:
    """Then they may be split or left alone."""
    rules = BlackjackRules(split="by-rank", split_aces="resplit")
    assert (STAND, SPLIT) in {each.legal for each in scenarios(rules, MINIMUM)}


@pytest.mark.parametrize(
    "words",
    [
        "a soft 18 against a 9",
        "a natural against an ace",
        "the least bankroll, 5",
        "one chip short of a double bet, after 16 low cards",
        "a large bankroll, after 300 cards of one shoe",
        "a large bankroll at a table whose limit is the minimum",
    ],
)
def test_what_the_documents_tell_of_is_asked(words: str) -> None:
    """By the words that an author reads."""
    asked = scenarios(PRESETS["six-decks-h17"], MINIMUM, 20 * MINIMUM)
    assert words in {each.words for each in asked}


def test_without_a_greatest_wager_every_bankroll_may_be_wagered() -> None:
    """As at the tables of a tournament that sets none."""
    asked = scenarios(PRESETS["ve280"], MINIMUM)
    assert all(each.maximum > each.bankroll for each in asked)


def test_who_wagers_all_is_asked_for_no_second_wager() -> None:
    """There are no chips left to double with, split with or insure with."""
    asked = scenarios(PRESETS["six-decks-h17"], MINIMUM)
    left = {each.legal for each in asked if each.hand and each.may_follow(each.bankroll)}
    assert left == {(STAND, HIT), (STAND, HIT, Action.SURRENDER)}


def test_questions_lie_one_after_another() -> None:
    """Each is found again when it is picked out."""
    asked = [each for each in scenarios(PRESETS["easybj"], MINIMUM) if each.hand][:40]
    seats = list(range(40))
    questions = questions_about(asked, seats, Call.ACT, [MINIMUM] * 40)
    assert set(questions.calls.tolist()) == {int(Call.ACT)}
    for seat, each in enumerate(asked):
        only = pick(questions, np.array([seat]))
        assert tuple(only.cards.tolist()) == each.hand
        assert tuple(only.dealer[0].tolist()) == each.dealer
        assert only.legal[0] == sum(1 << action for action in each.legal)


def test_who_does_not_watch_is_shown_no_cards() -> None:
    """The rest of the question stays as it is."""
    asked = scenarios(PRESETS["ve280"], MINIMUM)
    questions = questions_about(asked, range(len(asked)), Call.WAGER, [0] * len(asked))
    bare = without_cards_shown(questions)
    assert len(questions.exposed)
    assert not len(bare.exposed)
    assert (bare.table == questions.table).all()
