"""A blackjack player in a seat: asking it and checking its answers.

Whatever goes wrong ends in a verdict, and the round goes on with a stand-in in its place.
"""

from collections.abc import Callable, Sequence

from tourney.game.asking.player_calls import CompetitorError, Seated
from tourney.game.cards.card import Card
from tourney.game.ledger import Account
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import Player, acts, watches_cards

Exposures = Sequence[Card | None]
"""Cards that lay face up, in dealing order, with SHUFFLED between two shoes."""

SHUFFLED = None
"""Stands in a list of exposures for the shuffle between two shoes."""

HOUSE_CHIPS = 1 << 62
"""What a stand-in plays with: the house's own money, never counted."""


class PlayerSeat(Seated[Player]):
    """One seat's player and account, and where a blackjack player is called.

    A wave of seats in lockstep is called elsewhere, but its faults are found here too.
    """

    __slots__ = ("acts", "seen", "watches")

    def __init__(self, account: Account, make_player: Callable[[], Player], first: int) -> None:
        """Seat a new player.

        Args:
            account: The seat's chips.
            make_player: Makes the player and sits it down.
            first: The number of the block's first round.
        Raises: CompetitorError, if making the player fails.
        """
        super().__init__(account, make_player, first)
        self.seen = 0  # of the table's list of exposures
        self.acts = acts(self.player)
        self.watches = watches_cards(self.player)

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Ask for a wager, in chips.

        Args:
            bankroll: Chips the seat has.
            minimum: The least wager.
            most: The greatest wager the seat can place.
            exposures: What the table showed since the wagers of the round before.
        Raises: CompetitorError, if there is no legal answer.
        """
        try:
            if self.watches:
                self._show(exposures)
                self.seen = 0  # the table clears its list once all wagers are in
            self.call = "bet"
            wager = self.player.bet(bankroll, minimum)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error
        if type(wager) is not int or not minimum <= wager <= most:
            raise self.refused_wager(wager, minimum, most)
        self.decisions += 1
        return wager

    def catch_up(self, exposures: Exposures) -> None:
        """Show what the table has shown, where the rules fix the wager and nobody is asked.

        Raises: CompetitorError, if the player fails at it.
        """
        self.show_rest(exposures)
        self.seen = 0  # as for `ask_wager`

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Ask whether to be dealt another card.

        Raises: CompetitorError, if there is no legal answer.
        """
        try:
            if self.watches:
                self._show(exposures)
            self.call = "draw"
            answer = self.player.draw(upcard, hand)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error
        if answer is not True and answer is not False:
            raise self.refused_draw(answer)
        self.decisions += 1
        return answer

    def ask_action(
        self, dealer: Hand, hand: Hand, legal: tuple[Action, ...], exposures: Exposures
    ) -> Action:
        """Ask for a move.

        Args:
            dealer: The dealer's cards that lie face up.
            hand: The hand in play.
            legal: The moves to choose from.
            exposures: What the table showed since the wagers of the round before.
        Raises: CompetitorError, if there is no legal answer.
        """
        try:
            if self.watches:
                self._show(exposures)
            self.call = "act"
            answer = self.player.act(dealer, hand, legal)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self.raised(error) from error
        if type(answer) is not Action or answer not in legal:
            raise self.refused_action(answer, legal)
        self.decisions += 1
        return answer

    def show_rest(self, exposures: Exposures) -> None:
        """Show what the seat has not seen when the block ends.

        Raises: CompetitorError, if the player fails at it.
        """
        if self.watches:
            try:
                self._show(exposures)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise self.raised(error) from error

    def refused_wager(self, wager: object, minimum: int, most: int) -> CompetitorError:
        """Make a fault of an illegal wager."""
        return self.refused(f"a whole number from {minimum} to {most}", wager, "int")

    def refused_draw(self, answer: object) -> CompetitorError:
        """Make a fault of an answer that is neither to hit nor to stand."""
        return self.refused("True or False", answer, "bool")

    def refused_action(self, answer: object, legal: tuple[Action, ...]) -> CompetitorError:
        """Make a fault of an illegal move."""
        names = ", ".join(f"Action.{each.name}" for each in legal)
        return self.refused(f"one of {names}", answer)

    def _show(self, exposures: Exposures) -> None:
        player = self.player
        self.call = "expose"
        for card in exposures[self.seen :]:
            if card is SHUFFLED:
                self.call = "shuffled"
                player.shuffled()
                self.call = "expose"
            else:
                player.expose(card)
        self.seen = len(exposures)


class StandIn:
    """Sits where a faulted player sat: bets the minimum, stands, and owns no chips."""

    __slots__ = ("account", "round")

    watches = False
    acts = False
    is_stand_in = True

    def __init__(self, seat: int) -> None:
        self.account = Account(seat, entrant=-1, bankroll=HOUSE_CHIPS)
        self.round = 0

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Bet the minimum."""
        del bankroll, most, exposures
        return minimum

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Stand."""
        del upcard, hand, exposures
        return False

    def catch_up(self, exposures: Exposures) -> None:
        """Look away."""

    def ask_action(
        self, dealer: Hand, hand: Hand, legal: tuple[Action, ...], exposures: Exposures
    ) -> Action:
        """Stand, or decline insurance."""
        del dealer, hand, exposures
        return legal[0]

    def show_rest(self, exposures: Exposures) -> None:
        """Look away."""
