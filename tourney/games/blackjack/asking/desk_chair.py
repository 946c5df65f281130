"""A chair at a table of objects whose player sits at a desk, in whatever process that is.

It is asked one question at a time. Leaves out who waits for many tables at once; see `desk`.
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from tourney.game.asking.newcomer import Newcomer
from tourney.game.asking.seated import CompetitorFault
from tourney.game.asking.seating import AnyDesk
from tourney.game.cards.card import Card
from tourney.game.ledger import Account
from tourney.game.view import TableView
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.chair import Exposures
from tourney.games.blackjack.choices import HIT_OR_STAND
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players.questions import (
    BANKROLLS,
    BUTTON,
    NO_CARD,
    SHUFFLED,
    WAGERS,
    WIDTH,
    Call,
    Questions,
)


class DeskChair:
    """One seat's account, and where its player is asked."""

    __slots__ = ("_desk", "_look", "account", "acts", "round", "seen", "watches")

    is_stand_in = False

    def __init__(
        self, account: Account, desk: AnyDesk, look: Callable[[], TableView], first: int
    ) -> None:
        """Seat a new player, alone at its desk.

        Args:
            account: The seat's chips.
            desk: Where it sits down.
            look: Shows the table as the seat sees it.
            first: The number of the block's first round.
        Raises: CompetitorFault, if making the player fails.
        """
        self.account, self.round, self.seen = account, first, 0
        self._desk, self._look = desk, look
        (seating,) = desk.sit([Newcomer(first, b"")])
        if seating.verdict:
            raise CompetitorFault(seating.verdict)
        self.acts, self.watches = seating.acts, seating.watches

    def ask_wager(self, bankroll: int, minimum: int, most: int, exposures: Exposures) -> int:
        """Ask for a wager; see `Chair.ask_wager`."""
        del bankroll, minimum, most  # the table says so
        wager = self._ask(Call.WAGER, exposures)
        self.seen = 0  # the table clears its list once all wagers are in
        return wager

    def catch_up(self, exposures: Exposures) -> None:
        """Show what the table has shown; see `Chair.catch_up`."""
        self.show_rest(exposures)
        self.seen = 0

    def ask_draw(self, upcard: Card, hand: Hand, exposures: Exposures) -> bool:
        """Ask whether to be dealt another card; see `Chair.ask_draw`."""
        answer = self._ask(Call.DRAW, exposures, (upcard,), hand.cards, HIT_OR_STAND)
        return answer == Action.HIT

    def ask_action(
        self, dealer: Hand, hand: Hand, legal: tuple[Action, ...], exposures: Exposures
    ) -> Action:
        """Ask for a move; see `Chair.ask_action`."""
        return Action(self._ask(Call.ACT, exposures, dealer.cards, hand.cards, legal))

    def show_rest(self, exposures: Exposures) -> None:
        """Show what the seat has not seen; see `Chair.show_rest`."""
        if self.watches and len(exposures) > self.seen:
            self._ask(Call.LOOK, exposures)

    def _ask(
        self,
        call: Call,
        exposures: Exposures,
        dealer: Iterable[Card] = (),
        hand: Iterable[Card] = (),
        legal: Iterable[Action] = (),
    ) -> int:
        """Ask, after cards are shown.

        Raises: CompetitorFault, if there is no legal answer.
        """
        shown = exposures[self.seen :] if self.watches else ()
        self.seen = len(exposures)
        cards = [card.code for card in hand]
        exposed = [SHUFFLED if card is None else card.code for card in shown]
        up = [*(card.code for card in dealer), NO_CARD, NO_CARD][:2]
        answers, faults = self._desk.decide(
            Questions(
                seats=np.zeros(1, np.int32),
                calls=np.array([call], np.uint8),
                rounds=np.array([self.round]),
                legal=np.array([sum(1 << action for action in legal)], np.uint8),
                dealer=np.array([up], np.uint8),
                cards=np.array(cards, np.uint8),
                card_stops=np.array([len(cards)]),
                exposed=np.array(exposed, np.uint8),
                exposed_stops=np.array([len(exposed)]),
                table=_row_of(self._look()),
            )
        )
        if faults:
            raise CompetitorFault(faults[0])
        return int(answers[0])


def _row_of(view: TableView) -> NDArray[np.int64]:
    """Write a view as a row of `Questions.table`."""
    row = np.zeros((1, WIDTH), np.int64)
    row[0, :BANKROLLS] = view.seat, len(view.bankrolls), *view[1:4]
    for first, chips in ((BANKROLLS, view.bankrolls), (WAGERS, view.wagers)):
        row[0, first : first + len(chips)] = chips
    row[0, BUTTON:] = view[6:]
    return row
