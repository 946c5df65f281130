"""The files that a new player of Straights starts from."""

from tourney.game.templates import Templates

PLAYS = '''\
"""NAME: say in a line or two what your player does, and why it might win."""

from tourney import Card, StraightsPlayer, StraightsView


class NAME(StraightsPlayer):
    """Plays the dearest card it may, and discards the cheapest."""

    # A player is made anew for every block of rounds. To remember something until its
    # end, write an __init__. Its parameters are options: `options: {caution: 8}`.

    def play(self, view: StraightsView) -> Card:
        """Choose one of `view.legal_plays` or, if there is none, a card to discard.

        `view.hand` holds your cards, `view.table` the piles by suit, `view.scores` the
        points before this round, `view.history` every move so far.
        """
        if view.must_discard:
            return min(view.hand, key=view.points_of)
        return max(view.legal_plays, key=view.points_of)

    # For luck, use self.random, so that a round can be played again.
'''

PLAYS_TEST = '''\
"""What FILE.py must do: `python test_FILE.py` runs these tests, and so does pytest."""

from tourney.testing import StraightsPlayerConformance, run_tests

from FILE import NAME


class TestNAME(StraightsPlayerConformance):
    """What every player must keep to; the platform brings these tests."""

    competitor = NAME


if __name__ == "__main__":
    run_tests(globals())
'''

TEMPLATES = Templates(PLAYS, PLAYS_TEST)
