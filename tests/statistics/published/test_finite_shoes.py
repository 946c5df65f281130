"""What best play wins with real shoes, against figures that others have published.

All are from [Shackleford2019] in docs/sources.md, appendix 9, one page for each game: worked out by
recursion over the exact cards of the hand, one player, a full shoe in every round, any two cards
doubled, pairs of equal value split to four hands, aces once and with one card each, naturals paid
3:2, no surrender and no insurance. The table was written before anything here was worked out. Rows
marked "cited" were read where other programs cite the page, the others on the page.

Its author says that after splits the program knew how many hands there were, but not the cards in
the others; values of splits are an approximation, which `SPLITS` allows for. Nothing else is one,
so hands that nobody splits have to agree to the last digit printed.
"""

from dataclasses import replace

import pytest

from tests.support.proving import with_more
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import solve_finite
from tourney.games.blackjack.history.judgement import MoveValues
from tourney.games.blackjack.rules import EUROPEAN, SIX_DECKS_S17, BlackjackRules

SPLITS = 0.00002
"""How near values must come, in wagers a round; and in games of one deck, where cards of other
hands matter most:"""
SPLITS_OF_ONE_DECK = 0.00005

S17 = replace(SIX_DECKS_S17, surrender="never")
H17 = replace(S17, soft_17="hit")
NO_HOLE_CARD_H17 = replace(EUROPEAN, soft_17="hit")

ALWAYS: list[tuple[BlackjackRules, int, bool, float]] = [
    # Rules, decks, doubles after splits, value; the page's name.
    (S17, 1, False, 0.000423),  # 1ds17r4
    (H17, 6, True, -0.006151),  # 6dh17r4, cited
]
MORE: list[tuple[BlackjackRules, int, bool, float]] = [
    (S17, 1, True, 0.001839),  # 1ds17r4
    (H17, 1, True, -0.000072),  # 1dh17r4
    (H17, 1, False, -0.001513),
    (S17, 2, True, -0.001779),  # 2ds17r4, cited
    (S17, 2, False, -0.003208),
    (H17, 2, True, -0.003797),  # 2dh17r4
    (H17, 2, False, -0.005252),  # 2dh17r4
    (S17, 4, True, -0.003471),  # 4ds17r4, cited
    (S17, 4, False, -0.004893),
    (H17, 5, True, -0.005918),  # 5dh17r4
    (H17, 5, False, -0.007366),
    (S17, 6, True, -0.004026),  # 6ds17r4, cited
    (S17, 6, False, -0.005445),
    (H17, 6, False, -0.007598),  # 6dh17r4, cited
    (S17, 8, True, -0.004304),  # 8ds17r4, cited
    (S17, 8, False, -0.005721),
    (H17, 8, True, -0.006444),  # 8dh17r4, cited
    (H17, 8, False, -0.007888),
    (NO_HOLE_CARD_H17, 6, True, -0.0072705),  # euro-6dh17r4
    (NO_HOLE_CARD_H17, 6, False, -0.0086975),  # euro-6dh17r4
    (NO_HOLE_CARD_H17, 8, True, -0.007562),  # euro-8dh17r4
    (NO_HOLE_CARD_H17, 8, False, -0.0089865),
]


@pytest.mark.prove
@pytest.mark.parametrize(("rules", "decks", "doubles", "published"), with_more(ALWAYS, MORE))
def test_best_play_by_all_cards_wins_what_the_literature_says(
    rules: BlackjackRules, decks: int, doubles: bool, published: float
) -> None:
    """Decks, the dealer's soft 17, doubles after splits and the hole card, one at a time."""
    game = replace(rules, decks=decks, double_after_split=doubles, reshuffle="every-round")
    found = solve_finite(game, attention=Information.CARDS).value.mean
    assert abs(found - published) < (SPLITS_OF_ONE_DECK if decks == 1 else SPLITS)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("rules", "decks", "cards", "stand", "hit", "double"),
    [
        (S17, 1, (2, 11), -0.661732, -0.067808, -0.593281),
        (S17, 1, (2, 3), -0.659375, -0.291565, -1.318751),
        (S17, 1, (6, 11), -0.482815, -0.199899, -0.527213),
        (S17, 1, (6, 5), -0.634013, 0.172946, 0.240259),
        (H17, 1, (2, 11), -0.589084, -0.107929, -0.552040),
        (H17, 1, (4, 3), -0.582464, -0.375417, -1.067304),
        (H17, 1, (6, 5), -0.575374, 0.143003, 0.234296),
        (H17, 2, (7, 11), -0.224703, -0.165428, -0.416886),
        (H17, 5, (6, 4), -0.594238, 0.034973, -0.023611),
        (NO_HOLE_CARD_H17, 6, (2, 11), -0.722356, -0.379910, -1.024099),
        (NO_HOLE_CARD_H17, 6, (6, 5), -0.720879, -0.235772, -0.535879),
        (NO_HOLE_CARD_H17, 8, (3, 2), -0.721955, -0.528987, -1.443909),
    ],
)
def test_two_cards_against_an_ace_are_worth_what_the_literature_says(
    rules: BlackjackRules,
    decks: int,
    cards: tuple[int, int],
    stand: float,
    hit: float,
    double: float,
) -> None:
    """To all six digits, once the dealer is known to have no natural where that is looked at."""
    found = MoveValues(replace(rules, decks=decks, reshuffle="every-round")).of(11, cards)
    assert found[Action.STAND] == pytest.approx(stand, abs=6e-7)
    assert found[Action.HIT] == pytest.approx(hit, abs=6e-7)
    assert found[Action.DOUBLE] == pytest.approx(double, abs=6e-7)
