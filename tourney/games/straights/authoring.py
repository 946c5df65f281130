"""For authors of players of Straights: the files of a new player, and the conformance suite."""

from collections.abc import Sequence
from typing import ClassVar

from tourney.game.conformance import TurnConformance
from tourney.game.rules import Rules
from tourney.game.templates import Templates
from tourney.games.straights.player import StraightsPlayer
from tourney.games.straights.records import SEATS
from tourney.games.straights.rules import StraightsRules

PLAYS = '''\
"""NAME: describe your player in a line or two, and why it might win."""

from tourney import Card, StraightsPlayer, StraightsView


class NAME(StraightsPlayer):
    """Plays the highest legal card, and discards the lowest."""

    # A new player is created for each block of rounds. To remember something until its
    # end, write an __init__. Its parameters are options: `options: {caution: 8}`.

    def play(self, view: StraightsView) -> Card:
        """Choose one of `view.legal_plays` or, if it is empty, a card to discard.

        `view.hand` holds your cards, `view.table` the piles by suit, `view.scores` the
        points before this round, `view.history` all moves so far.
        """
        if view.must_discard:
            return min(view.hand, key=view.points_of)
        return max(view.legal_plays, key=view.points_of)

    # For random choices, use self.random, so that a round can be replayed.
'''

PLAYS_TEST = '''\
"""Tests of FILE.py: run them with `python test_FILE.py` or pytest."""

from tourney.testing import StraightsPlayerConformance, run_tests

from FILE import NAME


class TestNAME(StraightsPlayerConformance):
    """The tests that every player must pass; the platform provides them."""

    competitor = NAME


if __name__ == "__main__":
    run_tests(globals())
'''

TEMPLATES = Templates(PLAYS, PLAYS_TEST)


class StraightsPlayerConformance(TurnConformance):
    """Tests of the contract of `tourney.StraightsPlayer`; subclass it."""

    contract: ClassVar[type] = StraightsPlayer
    """The base class that players must have."""

    tables: ClassVar[Sequence[tuple[Rules, int]]] = (
        (StraightsRules(), SEATS),
        (StraightsRules(limit=80), SEATS),
    )
    """Rules and numbers of seats of the test rounds."""

    rounds: ClassVar[int] = 40
    """Most rounds of each rules; a round has 52 turns."""
