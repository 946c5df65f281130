"""One round of hit-or-stand blackjack, from the opening cards to settlement.

Wagers come in before any card. The order is the documents': every seat one card, the
dealer's upcard, every seat a second card, the hole card; then the seats play in turn, and
the dealer plays if any seat is still waiting for a comparison. Leaves out who decides and
where cards come from.
"""

from collections.abc import Callable, Sequence

from tourney.cards.card import Card
from tourney.errors import IllegalAction
from tourney.games.blackjack.hand import BEST_TOTAL, Hand
from tourney.games.blackjack.records import (
    ACTED,
    DEALER,
    DEALT_DOWN,
    DEALT_UP,
    REVEALED,
    Acted,
    Action,
    Outcome,
    Record,
    Settled,
)
from tourney.games.blackjack.rules import MOST_SEATS, BlackjackRules

DEALER_STANDS = 17
LEGAL = (Action.HIT, Action.STAND)

# Who gets the next card: a seat, the DEALER, or one of these.
HOLE, OPENING, NOBODY = -2, -3, -4

OPENING_ORDER = tuple(
    (*range(seats), DEALER, *range(seats), HOLE) for seats in range(MOST_SEATS + 1)
)
"""By number of seats: who gets the opening cards, in dealing order."""

_NET_PER_CHIP = {
    Outcome.BUST: -1,
    Outcome.LOSS: -1,
    Outcome.PUSH: 0,
    Outcome.WIN: 1,
    Outcome.DEALER_BUST: 1,
}


class Round:
    """The state of a round; it changes only by `deal` and `apply_action`."""

    __slots__ = ("_drawing", "_hole", "dealer", "hands", "is_over", "outcomes", "records",
                 "rules", "to_act", "wagers")

    def __init__(self, rules: BlackjackRules, wagers: Sequence[int]) -> None:
        """Open a round for seats that have wagered.

        Args:
            rules: What is allowed.
            wagers: One for each seat in order of play, in the unit of the rules.
        """
        self.rules = rules
        self.wagers = wagers
        self.hands = [Hand() for _ in wagers]
        self.dealer = Hand()
        self.outcomes: list[Outcome | None] = [None] * len(wagers)
        self.records: list[Record] = []
        self.to_act: int | None = None
        self.is_over = False
        self._drawing = OPENING  # who gets the next card
        self._hole: Card | None = None

    def observation(self, seat: int) -> tuple[Card, Hand]:
        """Give the upcard and the seat's own hand, which cannot be changed."""
        return self.dealer.cards[0], self.hands[seat].as_seen()

    def legal_actions(self) -> tuple[Action, ...]:
        """Give the actions open to the seat that must act; none if no seat must."""
        return () if self.to_act is None else LEGAL

    def check_action(self, action: Action) -> None:
        """Raise IllegalAction unless the seat that must act may do this."""
        if self.to_act is None:
            raise IllegalAction(f"expected no action now, got {action}")
        if action not in LEGAL:
            raise IllegalAction(f"expected hit or stand, got {action}")

    def apply_action(self, action: Action) -> Acted:
        """Check the action of the seat that must act, do it and return its record."""
        self.check_action(action)
        seat = self.to_act
        assert seat is not None
        record = ACTED[seat][action]
        self.records.append(record)
        self.to_act = None
        if action is Action.HIT:
            self._drawing = seat
        else:
            self._next_seat(seat + 1)
        return record

    def deal(self, draw_card: Callable[[], Card]) -> None:
        """Let chance deal until a seat must act or the round is over.

        An error of `draw_card` comes out as it is and leaves the round as it was at that
        card, so that dealing can go on from another shoe.

        Args:
            draw_card: Gives the next card.
        """
        if self._drawing == OPENING:
            self._deal_opening(draw_card)
        if self._drawing >= 0:
            self._deal_seat(self._drawing, draw_card())
        while self._drawing == DEALER:
            self._deal_dealer(draw_card())

    def results(self) -> tuple[int, ...]:
        """Give the net result of every seat.

        Raises: IllegalAction, if the round is not over.
        """
        if not self.is_over:
            raise IllegalAction("expected the end of the round, got a question for its results")
        return tuple([record.net for record in self.records[-len(self.hands) :]])

    def cards_on_table(self) -> list[Card]:
        """Give all cards of the round, face down or up."""
        cards = [card for hand in (*self.hands, self.dealer) for card in hand.cards]
        return cards if self._hole is None else [*cards, self._hole]

    def _deal_opening(self, draw_card: Callable[[], Card]) -> None:
        records = self.records
        # As many records as cards so far: go on where an empty shoe broke off.
        for recipient in OPENING_ORDER[len(self.hands)][len(records) :]:
            card = draw_card()
            if recipient >= 0:
                self.hands[recipient].add_card(card)
                records.append(DEALT_UP[recipient][card.code])
            elif recipient == DEALER:
                self.dealer.add_card(card)
                records.append(DEALT_UP[DEALER][card.code])
            else:
                self._hole = card
                records.append(DEALT_DOWN[card.code])
        for seat, hand in enumerate(self.hands):
            if hand.total == BEST_TOTAL:
                self.outcomes[seat] = Outcome.NATURAL
        self._next_seat(0)

    def _deal_seat(self, seat: int, card: Card) -> None:
        hand = self.hands[seat]
        hand.add_card(card)
        self.records.append(DEALT_UP[seat][card.code])
        if hand.total > BEST_TOTAL:
            self.outcomes[seat] = Outcome.BUST
            self._next_seat(seat + 1)
        else:
            self._drawing = NOBODY
            self.to_act = seat

    def _deal_dealer(self, card: Card) -> None:
        self.dealer.add_card(card)
        self.records.append(DEALT_UP[DEALER][card.code])
        self._play_dealer()

    def _next_seat(self, seat: int) -> None:
        """Give the turn to the first seat from here that is not settled, else to the dealer."""
        self._drawing = NOBODY
        outcomes = self.outcomes
        if None in outcomes[seat:]:
            self.to_act = outcomes.index(None, seat)
        elif None in outcomes:
            self._reveal_hole()
            self._play_dealer()
        else:
            self._settle()

    def _reveal_hole(self) -> None:
        hole = self._hole
        assert hole is not None
        self._hole = None
        self.dealer.add_card(hole)
        self.records.append(REVEALED[hole.code])

    def _play_dealer(self) -> None:
        dealer = self.dealer
        total = dealer.total
        if total < DEALER_STANDS or (
            total == DEALER_STANDS and self.rules.soft_17 == "hit" and dealer.soft
        ):
            self._drawing = DEALER
            return
        self._drawing = NOBODY
        for seat, outcome in enumerate(self.outcomes):
            if outcome is None:
                self.outcomes[seat] = _compare(self.hands[seat].total, total)
        self._settle()

    def _settle(self) -> None:
        self.is_over = True
        settle = self.records.append
        for seat, outcome in enumerate(self.outcomes):
            wager = self.wagers[seat]
            if outcome is Outcome.NATURAL:
                net = self.rules.natural_net(wager)
            else:
                net = wager * _NET_PER_CHIP[outcome]
            settle(Settled(seat, outcome, wager, net))


def _compare(total: int, dealer_total: int) -> Outcome:
    """Decide between a hand that stands and a dealer who is done."""
    if dealer_total > BEST_TOTAL:
        return Outcome.DEALER_BUST
    if total == dealer_total:
        return Outcome.PUSH
    return Outcome.WIN if total > dealer_total else Outcome.LOSS
