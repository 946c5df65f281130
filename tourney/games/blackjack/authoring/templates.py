"""The files that a new player of blackjack starts from: by what its rules let it choose."""

from tourney.game.templates import Templates
from tourney.games.blackjack.rules import BlackjackRules

MOVES = ("double", "split", "surrender", "insurance")
"""Settings of rules that give a player more to choose than to hit or to stand."""

DRAWS = '''\
"""NAME: say in a line or two what your player does, and why it might win."""

from tourney import Card, Hand, Player


class NAME(Player):
    """Bets the minimum, and draws more carefully when the dealer looks weak."""

    # A player is made anew for every block of rounds. To remember something until its
    # end, write an __init__. Its parameters are options: `options: {spread: 8}`.

    def bet(self, bankroll: int, minimum: int) -> int:
        """Say how much to wager: from the minimum to the bankroll, in whole chips.

        `self.table` is what you see from your seat; `self.table.maximum` is its limit.
        """
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Say True to hit, False to stand.

        `dealer` is the dealer's upcard; its `value` is 2 to 10, or 11 for an ace.
        `player` is your hand: its `total`, its `cards`, and whether it is `soft`, which
        means that an ace counts 11.
        """
        if player.soft:  # another card cannot take you over 21
            return player.total < 18
        dealer_looks_weak = 2 <= dealer.value <= 6
        return player.total < (13 if dealer_looks_weak else 17)

    # To count cards, override expose(self, card) and shuffled(self).
    # For luck, use self.random, so that a round can be played again.
'''

DRAWS_TEST = '''\
"""What FILE.py must do: `python test_FILE.py` runs these tests, and so does pytest."""

from tourney import Card, Hand, Rank, Suit
from tourney.testing import PlayerConformance, run_tests

from FILE import NAME


class TestNAME(PlayerConformance):
    """What every player must keep to; the platform brings these tests."""

    competitor = NAME


def test_it_stands_on_20() -> None:
    """Such a hand is best left alone; now write a test of your own idea."""
    hand = Hand([Card(Rank.KING, Suit.SPADES), Card(Rank.QUEEN, Suit.HEARTS)])
    assert not NAME().draw(Card(Rank.SIX, Suit.CLUBS), hand)


if __name__ == "__main__":
    run_tests(globals())
'''

ACTS = '''\
"""NAME: say in a line or two what your player does, and why it might win."""

from tourney import Action, ActPlayer, Hand


class NAME(ActPlayer):
    """Bets the minimum, doubles on 10 and 11, splits eights, and else draws to 17."""

    # A player is made anew for every block of rounds. To remember something until its
    # end, write an __init__. Its parameters are options: `options: {spread: 8}`.
    # To wager more, override bet(self, bankroll, minimum).

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose one of the legal moves.

        `dealer` holds the dealer's cards that lie face up, one or both.
        `player` is your hand: its `total`, its `cards`, and whether it is `soft`, which
        means that an ace counts 11.
        `legal` is what the rules and your chips allow now.
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
    # For luck, use self.random, so that a round can be played again.
'''

ACTS_TEST = '''\
"""What FILE.py must do: `python test_FILE.py` runs these tests, and so does pytest."""

from tourney import Action, Card, Hand, Rank, Suit
from tourney.testing import ActPlayerConformance, run_tests

from FILE import NAME


class TestNAME(ActPlayerConformance):
    """What every player must keep to; the platform brings these tests."""

    competitor = NAME
    dealer_shows_both = SHOWN


def test_it_stands_on_20() -> None:
    """Such a hand is best left alone; now write a test of your own idea."""
    dealer = Hand([Card(Rank.SIX, Suit.CLUBS)])
    hand = Hand([Card(Rank.KING, Suit.SPADES), Card(Rank.QUEEN, Suit.HEARTS)])
    legal = (Action.STAND, Action.HIT, Action.DOUBLE)
    assert NAME().act(dealer, hand, legal) is Action.STAND


if __name__ == "__main__":
    run_tests(globals())
'''


def templates_of(rules: BlackjackRules) -> Templates:
    """Give the templates that fit."""
    if any(getattr(rules, move) != "never" for move in MOVES):
        return Templates(ACTS, ACTS_TEST.replace("SHOWN", str(rules.dealer_shows == "both")))
    return Templates(DRAWS, DRAWS_TEST)
