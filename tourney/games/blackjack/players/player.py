"""The documents' Player: the contract of every competitor in blackjack.

Where a game has more choices than to hit or to stand, players are asked `act`; whoever
answers `draw` only, hits and stands in every game.

Source: VE280 project 4, section III.3; EECS 280 (winter 2008) project 4, section III.c.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar

from tourney.game.cards.card import Card
from tourney.game.players import BasePlayer, give_luck, given_at_the_table
from tourney.game.view import TableView
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.hand import Hand


class Player(BasePlayer, game="blackjack"):
    """Who decides for one seat.

    Subclass it, answer `bet` and `draw`, and override `expose` and `shuffled` if you watch
    the cards. A player is made anew for every block of rounds, so it remembers one block.
    """

    instead: ClassVar = {"draw": ("act", "write: class NAME(ActPlayer)")}

    look: Callable[[], TableView] = given_at_the_table(
        "table", "player.look = lambda: TableView(…)"
    )
    """Shows `table`. Given at the table."""

    @property
    def table(self) -> TableView:
        """What a person in your seat sees of the table now. Given at the table."""
        return self.look()

    @abstractmethod
    def bet(self, bankroll: int, minimum: int) -> int:
        """Say how much to wager, before any card of the round.

        Args:
            bankroll: Your chips, at least the minimum.
            minimum: The least wager.
        Returns: A whole number from the minimum to the bankroll; where the table has a
            limit, to `self.table.maximum`.
        """

    @abstractmethod
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Say whether to be dealt another card.

        Args:
            dealer: The dealer's upcard.
            player: Your hand; it is not bust and no natural.
        Returns: True to hit, False to stand.
        """

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose a move; by default hit or stand, as `draw` says, and decline insurance.

        Args:
            dealer: The dealer's cards that lie face up, one or both.
            player: Your hand in play; it is not bust, and a natural only if insurance is offered.
            legal: What the rules, and your chips, allow now: stand and hit, and perhaps more;
                stand and split, for split aces; or decline and insure, before all else.
        Returns: One of the legal actions.
        """
        if Action.HIT not in legal:
            return legal[0]
        return Action.HIT if self.draw(dealer.cards[0], player) else Action.STAND

    # Not everybody watches the cards, so these two may stay as they are.
    def expose(self, card: Card) -> None:
        """See a card that lies face up; called for each, in dealing order."""

    def shuffled(self) -> None:
        """Learn that the shoe has been shuffled."""


class ActPlayer(Player):
    """A player whose every decision is made by `act`: for games with doubling and splitting.

    It wagers the minimum, and where a game only asks whether to draw, `act` decides.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager the minimum."""
        del bankroll
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit if `act` says so when it may stand or hit."""
        return self.act(Hand((dealer,)), player, HIT_OR_STAND) is Action.HIT

    @abstractmethod
    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose a move; see `Player.act`."""


def acts(player: Player) -> bool:
    """Say whether a player chooses among all moves, not only by `draw`."""
    return type(player).act is not Player.act


def sit_down(player: Player, rng_seed: int, look: Callable[[], TableView]) -> None:
    """Give a player what it has at a table.

    Args:
        player: A new player.
        rng_seed: Seeds the player's own generator.
        look: Shows the table as the seat sees it.
    """
    give_luck(player, rng_seed)
    player.look = look


def watches_cards(player: Player) -> bool:
    """Say whether a player wants to see cards and shuffles go by."""
    kind = type(player)
    return kind.expose is not Player.expose or kind.shuffled is not Player.shuffled
