"""Mutants: every bug is where its page says, and nothing else about an implementation is wrong."""

from itertools import combinations_with_replacement
from pathlib import Path
from random import Random

import pytest

from tourney import Card, Deck, Hand, Rank, Suit
from tourney.game.cards.card import CARDS
from tourney.game.mutants import Implementation
from tourney.games.blackjack.testing.conformance import UPCARDS, hand_of, reachable_hands
from tourney.games.blackjack.testing.mutants import MUTANTS
from tourney.strategies import counting, simple
from tourney.testing.grading import Grade, grade_tests

from . import mutant_reference
from .mutant_witnesses import WITNESSES

ALLOWED, BUGS, CORRECT, HOMES = MUTANTS.allowed, MUTANTS.buggy, MUTANTS.correct, MUTANTS.homes


@pytest.fixture(scope="module")
def grade() -> Grade:
    """Grade the tests of a perfect student."""
    file = Path(mutant_reference.__file__)
    return grade_tests(file.read_text(encoding="utf-8"), file.name)


def test_there_are_many_mutants() -> None:
    """At least thirty bugs, some of every class, each under a name of its own."""
    assert len(BUGS) >= 30
    assert {bug.of for bug in BUGS} == set(HOMES) == set(CORRECT)
    assert len({each.name for each in (*BUGS, *ALLOWED)}) == len(BUGS) + len(ALLOWED)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.kind.__name__)
def test_a_bug_is_documented(bug: Implementation) -> None:
    """In one sentence what is wrong, and in another what catches it."""
    assert bug.story.endswith(".")
    assert bug.caught_by.endswith(".")
    assert bug.kind.__name__.lower() not in bug.name


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.kind.__name__)
def test_a_bug_shows_where_its_page_says(bug: Implementation) -> None:
    """A correct class and the buggy one differ at the look that the page names."""
    look = WITNESSES[bug.kind.__name__]
    assert look(bug.kind) != look(CORRECT[bug.of])


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.kind.__name__)
def test_a_bug_is_a_single_one(bug: Implementation) -> None:
    """Most looks at other bugs of its class see nothing odd."""
    looks = [WITNESSES[other.kind.__name__] for other in BUGS if other.of == bug.of]
    odd = [look for look in looks if look(bug.kind) != look(CORRECT[bug.of])]
    assert len(odd) <= 0.75 * len(looks)


@pytest.mark.parametrize("other", ALLOWED, ids=lambda other: other.kind.__name__)
def test_another_correct_one_shows_no_bug(other: Implementation) -> None:
    """Whatever is looked at, but for the total of a hand that is over."""
    assert not other.caught_by
    for bug in BUGS:
        if bug.of == other.of and bug.kind.__name__ != "NeverBust":
            look = WITNESSES[bug.kind.__name__]
            assert look(other.kind) == look(CORRECT[other.of]), bug.kind.__name__


def test_the_reference_tests_catch_every_bug(grade: Grade) -> None:
    """Each by a test of its own class."""
    assert grade.faults == ()
    assert [bug.kind.__name__ for of in HOMES for bug in grade.missed(of)] == []
    for test in grade.tests:
        of = test.name.split("_")[1]
        others = [name for name in test.catches if not name.startswith(f"{of}-")]
        # A player is asked about hands, so its tests notice when those are wrong.
        assert all(name.startswith("hand-") for name in others)


def test_the_reference_tests_pass_with_the_bundled_strategies() -> None:
    """As they stand, without any exchange."""
    for name, test in vars(mutant_reference).items():
        if name.startswith("test_"):
            test()


def test_hands_add_up_like_the_one_that_is_looked_up() -> None:
    """The hand that all buggy ones derive from is worth the same, card by card, and discards."""
    (other,) = [each for each in ALLOWED if each.of == "Hand"]
    for size in range(5):
        for ranks in combinations_with_replacement(Rank, size):
            hand, made = hand_of(*ranks), other.kind(hand_of(*ranks).cards)
            if hand.total <= 21:
                assert (made.value, made.cards) == (hand.value, hand.cards)
            else:
                assert (made.total, made.soft, made.is_bust) == (22, False, True)
    made.discard_all()
    assert made == Hand()


def test_decks_deal_like_the_one_that_is_looked_up() -> None:
    """Whatever is done to them."""
    (other,) = [each for each in ALLOWED if each.of == "Deck"]
    dice = Random(5)
    deck, made = Deck(), other.kind()
    for _ in range(2_000):
        assert made.cards_left == deck.cards_left
        if deck.cards_left and dice.random() < 0.9:
            assert made.deal() == deck.deal()
        elif dice.random() < 0.3:
            deck.reset()
            made.reset()
        else:
            cut = dice.randint(0, 52)
            deck.shuffle(cut)
            made.shuffle(cut)


def test_players_decide_like_the_bundled_ones() -> None:
    """Every hand against every upcard, and wagers after any cards."""
    bundled, ours = simple.Simple(), CORRECT["Simple"]()
    for hand in reachable_hands():
        for upcard in UPCARDS:
            assert ours.draw(upcard, hand) is bundled.draw(upcard, hand), (upcard, hand)
    assert ours.bet(100, 5) == bundled.bet(100, 5) == 5
    dice, counts, tally = Random(7), counting.Counting(), CORRECT["Counting"]()
    sixteen, ten = hand_of(Rank.TEN, Rank.SIX), Card(Rank.TEN, Suit.CLUBS)
    for _ in range(2_000):
        card, bankroll = dice.choice(CARDS), dice.randint(5, 20)
        counts.expose(card)
        tally.expose(card)
        if dice.random() < 0.05:
            counts.shuffled()
            tally.shuffled()
        assert tally.bet(bankroll, 5) == counts.bet(bankroll, 5)
        assert tally.draw(ten, sixteen) is counts.draw(ten, sixteen)
