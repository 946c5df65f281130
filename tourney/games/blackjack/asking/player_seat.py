"""A blackjack player in a seat: asking it and checking its answers.

Any fault ends in a verdict, and a stand-in finishes the round.
"""

from collections.abc import Callable, Sequence

from tourney.game.asking.player_calls import CompetitorError, Seated
from tourney.game.cards.card import Card
from tourney.game.ledger import Account
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import Player, acts, watches_cards

Exposures = Sequence[Card | None]
"""Visible cards, in dealing order, with SHUFFLED between two shoes."""

SHUFFLED = None
"""Marks the shuffle between two shoes in a list of exposures."""

HOUSE_CHIPS = 1 << 62
"""Chips of a stand-in; they are the house's and are not counted."""


class PlayerSeat(Seated[Player]):
    """A seat's player and account, with all calls of a blackjack player.

    Lockstep play calls players elsewhere, but uses this class to find faults.
    """

    __slots__ = ("acts", "seen", "watches")

    def __init__(self, account: Account, make_player: Callable[[], Player], first: int) -> None:
        """Seat a new player.

        Args:
            account: The seat's chips.
            make_player: Creates the player and sits it down.
            first: Number of the block's first round.
        Raises: CompetitorError, if creating the player fails.
        """
        super().__init__(account, make_player, first)
        self.seen = 0  # entries of the table's list of exposures
        self.acts = acts(self.player)
        self.watches = watches_cards(self.player)

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Ask for a wager, in chips.

        Args:
            bankroll: Chips of the seat.
            minimum: The minimum bet.
            most: The maximum that the seat can place.
            exposures: Cards shown since the wagers of the round before.
        Raises: CompetitorError, if the answer is not legal.
        """
        try:
            if self.watches:
                self._show(exposures)
                self.seen = 0  # the table clears its list after all wagers
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
        """Show new exposures, if the wager is fixed and no question is asked.

        Raises: CompetitorError, if the player fails.
        """
        self.show_rest(exposures)
        self.seen = 0  # as for `ask_wager`

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Ask whether to hit.

        Raises: CompetitorError, if the answer is not legal.
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
            dealer: The dealer's visible cards.
            hand: The hand in play.
            legal: The legal moves.
            exposures: Cards shown since the wagers of the round before.
        Raises: CompetitorError, if the answer is not legal.
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
        """Show the remaining exposures at the end of the block.

        Raises: CompetitorError, if the player fails.
        """
        if self.watches:
            try:
                self._show(exposures)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise self.raised(error) from error

    def refused_wager(self, wager: object, minimum: int, most: int) -> CompetitorError:
        """Create the error for an illegal wager."""
        if minimum == most:
            # To wrap a fraction in int() could give another illegal bet.
            kind = "" if isinstance(wager, float) else "int"
            return self.illegal(f"your bet must be exactly {most} here; you bet", wager, kind)
        limits = f"a whole number from {minimum} to {most}"
        return self.illegal(f"your bet must be {limits}; you bet", wager, "int")

    def refused_draw(self, answer: object) -> CompetitorError:
        """Create the error for an answer that is neither hit nor stand."""
        return self.refused("True or False", answer, "bool")

    def refused_action(self, answer: object, legal: tuple[Action, ...]) -> CompetitorError:
        """Create the error for an illegal move."""
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
    """Replaces a player after a verdict: bets the minimum, stands, and owns no chips."""

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
        """Ignore exposures."""

    def ask_action(
        self, dealer: Hand, hand: Hand, legal: tuple[Action, ...], exposures: Exposures
    ) -> Action:
        """Stand, or decline insurance."""
        del dealer, hand, exposures
        return legal[0]

    def show_rest(self, exposures: Exposures) -> None:
        """Ignore exposures."""
