"""The Player of the documents: the base class of competitors in blackjack.

In games with more moves than hit and stand, players are asked `act`; a player that defines only
`draw` hits and stands in all games.

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

NO_NUMBER = r"TypeError: .*(?:operand|between instances|argument must|as an integer).*"
"""Begins a pattern of messages about objects that a player takes for numbers."""


class Player(BasePlayer, game="blackjack"):
    """A player that decides for one seat.

    Subclass it, implement `bet` and `draw`, and override `expose` and `shuffled` to watch the
    cards. The platform creates a new player for each block of rounds, so attributes last for one
    block.
    """

    instead: ClassVar = {"draw": ("act", "write: class NAME(ActPlayer)")}

    advice: ClassVar = {
        r"TypeError: '(?:Seen)?Hand' object is not (?:iterable|subscript)": "its cards are in "
        "player.cards",
        rf"draw: .*{NO_NUMBER}'(?:Seen)?Hand'": "a hand is not a number: compare player.total",
        rf"{NO_NUMBER}'(?:Seen)?Hand'": "a hand is not a number: compare player.total, or "
        "dealer.total",
        r"TypeError: .*between instances of 'Card' and 'Card'": "cards have no order: compare "
        "card.value, or sort with key=lambda card: card.value",
        rf"draw: .*{NO_NUMBER}'Card'": "a card is not a number: compare its value, as in "
        "dealer.value",
        rf"{NO_NUMBER}'Card'": "a card is not a number: use card.value",
        rf"{NO_NUMBER}'HandValue'": "the value of a hand has two parts: use total or soft",
        r"KeyError: <Rank\.": "the keys must be ranks, such as Rank.TWO; or look up card.value",
    }
    look: Callable[[], TableView] = given_at_the_table(
        "table", "player.look = lambda: TableView(…)"
    )
    """Returns `table`. Set when the player sits down."""

    @property
    def table(self) -> TableView:
        """The information visible from your seat. Set when the player sits down."""
        return self.look()

    @abstractmethod
    def bet(self, bankroll: int, minimum: int) -> int:
        """Choose a wager, before the cards of the round are dealt.

        Args:
            bankroll: Your chips, at least the minimum.
            minimum: The minimum bet.
        Returns: A whole number from the minimum to the bankroll; at a table with a limit, to
            `self.table.maximum`.
        """

    @abstractmethod
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Decide whether to hit.

        Args:
            dealer: The dealer's upcard.
            player: Your hand; it is not bust and not a natural.
        Returns: True to hit, False to stand.
        """

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose a move; by default hit or stand by `draw`, and decline insurance.

        Args:
            dealer: The dealer's visible cards, one or both.
            player: Your hand in play; it is not bust, and a natural only if insurance is offered.
            legal: The moves that the rules and your chips allow: stand and hit, and perhaps more;
                stand and split, for split aces; or decline and insure, before all other moves.
        Returns: One of the legal actions.
        """
        if Action.HIT not in legal:
            return legal[0]
        return Action.HIT if self.draw(dealer.cards[0], player) else Action.STAND

    # Many players do not watch the cards, so these two are optional.
    def expose(self, card: Card) -> None:
        """Called for each visible card, in dealing order."""

    def shuffled(self) -> None:
        """Called after the shoe has been shuffled."""


class ActPlayer(Player):
    """A player that makes all decisions with `act`, for games with doubling and splitting.

    It wagers the minimum. In a game that only asks whether to draw, `act` decides.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager the minimum."""
        del bankroll
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit if `act` chooses it between stand and hit."""
        return self.act(Hand((dealer,)), player, HIT_OR_STAND) is Action.HIT

    @abstractmethod
    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose a move; see `Player.act`."""


def acts(player: Player) -> bool:
    """Return whether a player chooses among all moves, not only by `draw`."""
    return type(player).act is not Player.act


def sit_down(player: Player, rng_seed: int, look: Callable[[], TableView]) -> None:
    """Set the attributes that a player has at a table.

    Args:
        player: A new player.
        rng_seed: Seed of the player's random numbers.
        look: Returns the table as the seat sees it.
    """
    give_luck(player, rng_seed)
    player.look = look


def watches_cards(player: Player) -> bool:
    """Return whether a player watches cards or shuffles."""
    kind = type(player)
    return kind.expose is not Player.expose or kind.shuffled is not Player.shuffled
