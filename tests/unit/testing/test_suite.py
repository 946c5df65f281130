"""The suite itself: every fault an author can make is found by the test that is meant for it."""

import random
from typing import Any, ClassVar

import pytest

from tourney import Card, Hand, Player
from tourney.testing import PlayerConformance


class Fair(Player):
    """Keeps the contract."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Stand."""
        return False


class Bold(Fair):
    """Forgets the limit of the table."""

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet everything."""
        return bankroll


class Doubler(Fair):
    """Forgets to ask whether it can afford its second wager."""

    seen = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Double from the second time on."""
        self.seen += 1
        return min(self.seen, 2) * minimum


class Vague(Fair):
    """Answers with a number."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Count the cards it would like."""
        return int(player.total < 17)  # type: ignore[return-value]  # the fault under test


class Peeker(Fair):
    """Plays the hand forward on the hand itself."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Try a card."""
        player.add_card(dealer)
        return not player.is_bust


class Sharing(Fair):
    """Keeps its memory where all its players share it."""

    heard: ClassVar[list[Hand]] = []

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit every third time."""
        self.heard.append(player)
        return len(self.heard) % 3 == 1


class Roller(Fair):
    """Takes its luck from everybody's generator."""

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Toss a coin, always the same one."""
        random.seed(3)
        return random.random() < 0.5


class Trusting(Fair):
    """Expects as many cards as a deck has."""

    def __init__(self) -> None:
        self.left = 40

    def expose(self, card: Card) -> None:
        """Count down."""
        self.left -= 1
        if not self.left:
            raise IndexError("no card left")


def suite(kind: type[Player], **traits: bool) -> PlayerConformance:
    """Make the suite for a competitor."""
    made: type[Any] = type("TestIt", (PlayerConformance,), {"competitor": kind, "traits": traits})
    suite: PlayerConformance = made()
    return suite


class TestFair(PlayerConformance):
    competitor = Fair
    traits: ClassVar = {"bets_flat": True, "watches_cards": False, "ignores_upcard": True}


@pytest.mark.parametrize(
    ("kind", "test", "advice"),
    [
        (Bold, "test_its_first_wager_is_legal", r"self\.table\.maximum"),
        (Doubler, "test_its_wagers_stay_legal", "and other bankrolls"),
        (Vague, "test_it_answers_every_hand", r"got 1, an int: wrap it in bool\(…\)"),
        (Vague, "test_it_plays_two_hundred_rounds", "blackjack, seat 1 of 1, round 1"),
        (Peeker, "test_it_leaves_its_hand_alone", "work on a copy"),
        (Sharing, "test_equal_players_answer_alike", "store state in self only"),
        (Roller, "test_it_leaves_the_common_generator_alone", r"use self\.random"),
    ],
)
def test_a_fault_is_found_and_explained(kind: type[Player], test: str, advice: str) -> None:
    """The test meant for a fault fails, and says what to mend."""
    with pytest.raises(AssertionError, match=advice):
        getattr(suite(kind), test)()


def test_a_player_that_raises_is_shown_raising() -> None:
    """An exception of a player comes out as it is, with its own traceback."""
    with pytest.raises(IndexError, match="no card left"):
        suite(Trusting).test_it_answers_every_hand()


def test_a_wrong_trait_is_found() -> None:
    """What is declared must be so."""
    with pytest.raises(AssertionError, match="declared as True, but the player's is False"):
        suite(Fair, watches_cards=True).test_it_has_its_traits()


def test_an_unknown_trait_is_found() -> None:
    """A misspelt trait would check nothing."""
    with pytest.raises(AssertionError, match="got 'bets_falt'"):
        suite(Fair, bets_falt=True).test_it_has_its_traits()
