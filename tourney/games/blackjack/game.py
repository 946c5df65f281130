"""Blackjack as the platform knows it.

Its table asks its players itself, many things of each, so a turn of it means nothing yet.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tourney.game import Game
from tourney.ledger import Account

if TYPE_CHECKING:  # what is named here is loaded when it is needed
    from tourney.engine.reference.blackjack import BlackjackTable
    from tourney.game.watcher import Watcher
    from tourney.games.blackjack.story import BlackjackStory
    from tourney.players.player import Player
    from tourney.schedule.blocks import Block


class Blackjack(Game["Player", Any, Any]):
    """Seats against the dealer, in many variants."""

    name = "blackjack"
    version = 1

    def contract(self) -> "type[Player]":
        """Give the class that its players inherit."""
        from tourney.players.player import Player

        return Player

    def table(
        self, block: "Block", accounts: Sequence[Account], watcher: "Watcher | None" = None
    ) -> "BlackjackTable":
        """Lay a table."""
        from tourney.engine.reference.blackjack import BlackjackTable

        return BlackjackTable(block, accounts, watcher)

    def story(self, rules: Any) -> "BlackjackStory":
        """Say how hands are told."""
        from tourney.games.blackjack.story import BlackjackStory

        return BlackjackStory(rules)


BLACKJACK = Blackjack()
