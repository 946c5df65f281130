"""The templates of a new blackjack player, by the moves that the rules allow."""

from tourney.game.templates import Templates
from tourney.games.blackjack.rules import BlackjackRules

MOVES = ("double", "split", "surrender", "insurance")
"""Settings of the rules that allow more moves than to hit and to stand."""

DRAWS = '''\
"""NAME: describe here how your player plays, and why it might win."""

from tourney import Card, Hand, Player


class NAME(Player):
    """Bets the minimum, and draws more carefully when the dealer looks weak."""

    # Every block of rounds gets a new player. To remember something during a block,
    # write an __init__. Its parameters are options: `options: {spread: 8}`.

    def bet(self, bankroll: int, minimum: int) -> int:
        """Return the wager: from the minimum to the bankroll, in whole chips.

        `self.table` is the view from your seat; `self.table.maximum` is its limit.
        """
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Return True to hit, False to stand.

        `dealer` is the dealer's upcard; its `value` is 2 to 10, or 11 for an ace.
        `player` is your hand: its `total`, its `cards`, and whether it is `soft`, which
        means that an ace counts 11.
        """
        if player.soft:  # another card cannot take you over 21
            return player.total < 18
        dealer_looks_weak = 2 <= dealer.value <= 6
        return player.total < (13 if dealer_looks_weak else 17)

    # To count cards, override expose(self, card) and shuffled(self).
    # For random choices, use self.random, so that a round can be replayed.
'''

DRAWS_TEST = '''\
"""Tests of FILE.py: run `python test_FILE.py`, or pytest."""

from tourney import Card, Hand, Rank, Suit
from tourney.testing import PlayerConformance, run_tests

from FILE import NAME


class TestNAME(PlayerConformance):
    """The tests that every player must pass; the platform contains them."""

    competitor = NAME


def test_it_stands_on_20() -> None:
    """A card would bust this hand. Now write a test of your idea."""
    hand = Hand([Card(Rank.KING, Suit.SPADES), Card(Rank.QUEEN, Suit.HEARTS)])
    assert not NAME().draw(Card(Rank.SIX, Suit.CLUBS), hand)


if __name__ == "__main__":
    run_tests(globals())
'''

ACTS = '''\
"""NAME: describe here how your player plays, and why it might win."""

from tourney import Action, ActPlayer, Hand


class NAME(ActPlayer):
    """Bets the minimum, doubles on 10 and 11, splits eights, and draws to 17."""

    # Every block of rounds gets a new player. To remember something during a block,
    # write an __init__. Its parameters are options: `options: {spread: 8}`.
    # To wager more, override bet(self, bankroll, minimum).

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose one of the legal moves.

        `dealer` holds the dealer's cards that lie face up, one or both.
        `player` is your hand: its `total`, its `cards`, and whether it is `soft`, which
        means that an ace counts 11.
        `legal` holds the moves that the rules and your chips allow now.
        """
        if Action.DECLINE in legal:  # insurance is offered, and costs too much
            return Action.DECLINE
        if Action.HIT not in legal:  # split aces get no more cards
            return Action.STAND
        if Action.SPLIT in legal and player.cards[0].value == 8:
            return Action.SPLIT
        if Action.DOUBLE in legal and player.total in {10, 11}:
            return Action.DOUBLE
        if player.soft:  # another card cannot take you over 21
            return Action.HIT if player.total < 18 else Action.STAND
        dealer_looks_weak = 2 <= dealer.cards[0].value <= 6
        enough = 13 if dealer_looks_weak else 17
        return Action.HIT if player.total < enough else Action.STAND

    # To count cards, override expose(self, card) and shuffled(self).
    # For random choices, use self.random, so that a round can be replayed.
'''

ACTS_TEST = '''\
"""Tests of FILE.py: run `python test_FILE.py`, or pytest."""

from tourney import Action, Card, Hand, Rank, Suit
from tourney.testing import ActPlayerConformance, run_tests

from FILE import NAME


class TestNAME(ActPlayerConformance):
    """The tests that every player must pass; the platform contains them."""

    competitor = NAME
    dealer_shows_both = SHOWN


def test_it_stands_on_20() -> None:
    """A card would bust this hand. Now write a test of your idea."""
    dealer = Hand([Card(Rank.SIX, Suit.CLUBS)])
    hand = Hand([Card(Rank.KING, Suit.SPADES), Card(Rank.QUEEN, Suit.HEARTS)])
    legal = (Action.STAND, Action.HIT, Action.DOUBLE)
    assert NAME().act(dealer, hand, legal) is Action.STAND


if __name__ == "__main__":
    run_tests(globals())
'''


def templates_of(rules: BlackjackRules) -> Templates:
    """Choose the templates for the rules."""
    if any(getattr(rules, move) != "never" for move in MOVES):
        return Templates(ACTS, ACTS_TEST.replace("SHOWN", str(rules.dealer_shows == "both")))
    return Templates(DRAWS, DRAWS_TEST)
