"""Blackjack as the platform knows it.

Its table asks its players itself, many things of each, so a turn of it means nothing yet. Machine
code plays thousands of tables up to their questions, which are laid out in arrays.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tourney.game import Game
from tourney.game.ledger import Account

if TYPE_CHECKING:  # what is named here is loaded when it is needed
    from tourney.game.accelerators import Kernels, Lockstep, Undeclared
    from tourney.game.blocks import Block
    from tourney.game.templates import Templates
    from tourney.game.watcher import Watcher
    from tourney.games.blackjack.asking.desk import Desk
    from tourney.games.blackjack.asking.questions_codec import QuestionsCodec
    from tourney.games.blackjack.declaration import Declaration
    from tourney.games.blackjack.players.player import Player
    from tourney.games.blackjack.reference import BlackjackTable
    from tourney.games.blackjack.story import BlackjackStory


class Blackjack(Game["Player", Any, Any]):
    """Seats against the dealer, in many variants."""

    name = "blackjack"
    version = 1

    def contract(self) -> "type[Player]":
        """Give the class that its players inherit."""
        from tourney.games.blackjack.players.player import Player

        return Player

    def table(
        self, block: "Block", accounts: Sequence[Account], watcher: "Watcher | None" = None
    ) -> "BlackjackTable":
        """Lay a table."""
        from tourney.games.blackjack.reference import BlackjackTable

        return BlackjackTable(block, accounts, watcher)

    def same_contract(self, one: Any, other: Any) -> bool:
        """Say whether rules differ in nothing that a player is asked: they may in the shuffle."""
        return bool(replace(one, shuffle="uniform") == replace(other, shuffle="uniform"))

    def templates(self, rules: Any) -> "Templates":
        """Give the files that fit the rules."""
        from tourney.games.blackjack.templates import templates_of

        return templates_of(rules)

    def story(self, rules: Any) -> "BlackjackStory":
        """Say how hands are told."""
        from tourney.games.blackjack.story import BlackjackStory

        return BlackjackStory(rules)

    def codec(self) -> "QuestionsCodec":
        """Give what questions are in bytes."""
        from tourney.games.blackjack.asking.questions_codec import QuestionsCodec

        return QuestionsCodec()

    @classmethod
    def pool(cls) -> "Callable[[Callable[[], Player]], Desk]":
        """Import the desk of players."""
        from tourney.games.blackjack.asking.desk import Desk

        return Desk

    def declare(self, player: "Player", rules: Any) -> "Declaration | Undeclared":
        """Ask for wagers, moves and what they depend on."""
        from tourney.games.blackjack.players.declaring import declaration_of

        return declaration_of(player, rules)

    def kernels(self) -> "Kernels":
        """Give what plays tables without a question."""
        from tourney.games.blackjack.compiled.accelerator import BlackjackKernels

        return BlackjackKernels()

    def lockstep(self) -> "Lockstep":
        """Give what plays tables up to their questions."""
        from tourney.games.blackjack.lockstep.accelerator import BlackjackLockstep

        return BlackjackLockstep()


BLACKJACK = Blackjack()
