"""What Easy Blackjack shows."""

import pytest

from tourney import Hand
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.programs.easybj import FileShoe
from tourney.games.blackjack.programs.easybj.program import hand_text, money, offer, summary


@pytest.mark.parametrize(
    ("cards", "shown"),
    [
        ("9T", "9 T (19)"),
        ("A5", "A 5 (soft 16)"),
        ("AA", "A A (soft 12)"),
        ("A5K", "A 5 K (16)"),
        ("J59", "J 5 9 (bust)"),
        ("AK", "A K (blackjack)"),
        ("TA", "T A (blackjack)"),
        ("A64", "A 6 4 (soft 21)"),
        ("777", "7 7 7 (21)"),
        ("KQ2", "K Q 2 (bust)"),
    ],
)
def test_a_hand_is_its_cards_and_its_points(cards: str, shown: str) -> None:
    """Pips, not points, and in parentheses what they come to."""
    assert hand_text(Hand(FileShoe(cards.encode()))) == shown


@pytest.mark.parametrize(
    ("halves", "shown"),
    [(0, "$0.00"), (1, "+$0.50"), (-3, "-$1.50"), (400_989, "+$200494.50"), (-2, "-$1.00")],
)
def test_amounts_have_a_sign_unless_they_are_nothing(halves: int, shown: str) -> None:
    """And no commas."""
    assert money(halves) == shown


@pytest.mark.parametrize(
    ("games", "halves", "advantage"),
    [
        (4, 9, "112.5%"),
        (3, 1, "16.67%"),
        (1, 0, "0%"),
        (7, -1, "-7.143%"),
        (2_000_000, 400_989, "10.02%"),
        (10**6, 1, "5e-05%"),
        (1, 16, "800%"),
    ],
)
def test_the_advantage_has_four_digits(games: int, halves: int, advantage: str) -> None:
    """As C++ streams write them."""
    assert summary(games, halves).endswith(f"\nPlayer Advantage: {advantage}\n")


def test_nothing_played_is_one_line() -> None:
    """There is no advantage to divide."""
    assert summary(0, 0) == "Hands Played: 0\n"


def test_actions_are_offered_in_the_document_s_order() -> None:
    """Of which surrender is the last."""
    assert offer((Action.STAND, Action.HIT)) == "Stand (S) Hit (H): "
    everything = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
    assert offer(everything) == "Stand (S) Hit (H) Double (D) Split (P) Surrender (R): "
