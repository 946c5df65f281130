"""One round of hit-or-stand blackjack, from the opening cards to settlement.

Wagers come in before any card. The order is the documents': every seat one card, the
dealer's upcard, every seat a second card, the hole card; then the seats play in turn, and
the dealer plays if any seat is still waiting for a comparison. Leaves out who decides and
where cards come from.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from tourney.cards.card import Card
from tourney.errors import IllegalAction
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import BEST_TOTAL, SeenHand
from tourney.games.blackjack.records import (
    ACTED,
    DEALER,
    DEALT_DOWN,
    DEALT_UP,
    REVEALED,
    SETTLED,
    Acted,
    Outcome,
    Record,
)
from tourney.games.blackjack.rules import BlackjackRules

DEALER_STANDS = 17
LEGAL = (Action.HIT, Action.STAND)

# Who gets the next card: a seat, the DEALER, or one of these.
OPENING, NOBODY = -2, -3

NET_PER_CHIP = (0, -1, 1, 1, -1, 0)
"""What a wagered chip wins, by outcome; a natural is paid by the rules."""


class Round:
    """The state of a round; it changes only by `deal` and `apply_action`."""

    __slots__ = (
        "_drawing",
        "_nets",
        "_waiting",
        "cards",
        "dealer",
        "hands",
        "is_over",
        "outcomes",
        "records",
        "rules",
        "to_act",
        "wagers",
    )

    def __init__(self, rules: BlackjackRules, wagers: Sequence[int]) -> None:
        """Open a round for seats that have wagered.

        Args:
            rules: What is allowed.
            wagers: One for each seat in order of play, in the unit of the rules.
        """
        self.rules = rules
        self.wagers = wagers
        self.cards: list[Card] = []  # of the round, in dealing order, face up or down
        self.hands: list[SeenHand] = []  # by seat, once the opening cards are dealt
        self.dealer: SeenHand | None = None  # once the hole card is turned
        self.outcomes: list[Outcome | None] = [None] * len(wagers)
        self.records: list[Record] = []
        self.to_act: int | None = None
        self.is_over = False
        self._drawing = OPENING  # who gets the next card
        self._nets: list[int] = []
        self._waiting = len(wagers)  # seats that are not settled

    @property
    def upcard(self) -> Card:
        """The dealer's exposed card."""
        return self.cards[len(self.wagers)]

    def observation(self, seat: int) -> tuple[Card, SeenHand]:
        """Give the upcard and the seat's own hand, which never changes."""
        return self.cards[len(self.wagers)], self.hands[seat]

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
        seat = self.to_act
        if seat is None or action not in LEGAL:
            self.check_action(action)
        assert seat is not None
        record = ACTED[seat][action]
        assert record is not None
        self.records.append(record)
        self.to_act = None
        if action is Action.HIT:
            self._drawing = seat
        else:
            self._next_seat(seat + 1)
        return record

    def deal(self, cards: Iterator[Card]) -> None:
        """Let chance deal until a seat must act or the round is over.

        Args:
            cards: What to deal, in order; only what is needed is taken.
        Raises: StopIteration, if the cards run out; dealing goes on with more.
        """
        if self._drawing == OPENING:
            self._deal_opening(cards)
        elif self._drawing >= 0:
            self._deal_seat(self._drawing, next(cards))
        if self._drawing == DEALER:
            self._deal_dealer(cards)

    def results(self) -> tuple[int, ...]:
        """Give the net result of every seat, in the unit of the rules.

        Raises: IllegalAction, if the round is not over.
        """
        if not self.is_over:
            raise IllegalAction("expected the end of the round, got a question for its results")
        return tuple(self._nets)

    def _deal_opening(self, source: Iterator[Card]) -> None:
        seats = len(self.wagers)
        cards, records, due = self.cards, self.records, 2 * seats + 2
        cards += islice(source, due - len(cards))
        if len(cards) < due:
            raise StopIteration
        upcard, seconds = cards[seats], cards[seats + 1 : -1]
        for seat in range(seats):
            records.append(DEALT_UP[seat][cards[seat].code])
        records.append(DEALT_UP[DEALER][upcard.code])
        for seat, second in enumerate(seconds):
            records.append(DEALT_UP[seat][second.code])
            hand = SeenHand.opening(cards[seat], second)
            self.hands.append(hand)
            if hand.total == BEST_TOTAL:
                self.outcomes[seat] = Outcome.NATURAL
                self._waiting -= 1
        records.append(DEALT_DOWN[cards[-1].code])
        self._next_seat(0)

    def _deal_seat(self, seat: int, card: Card) -> None:
        self.cards.append(card)
        self.records.append(DEALT_UP[seat][card.code])
        hand = self.hands[seat] = self.hands[seat].with_card(card)
        if hand.total > BEST_TOTAL:
            self.outcomes[seat] = Outcome.BUST
            self._waiting -= 1
            self._next_seat(seat + 1)
        else:
            self._drawing = NOBODY
            self.to_act = seat

    def _next_seat(self, seat: int) -> None:
        """Give the turn to the first seat from here that is not settled, else to the dealer."""
        self._drawing = NOBODY
        outcomes = self.outcomes
        seats = len(outcomes)
        while seat < seats:
            if outcomes[seat] is None:
                self.to_act = seat
                return
            seat += 1
        if self._waiting:
            upcard, hole = self.cards[seats], self.cards[2 * seats + 1]
            self.records.append(REVEALED[hole.code])
            self.dealer = SeenHand.opening(upcard, hole)
            if self._dealer_draws(self.dealer):
                self._drawing = DEALER
                return
        self._settle()

    def _deal_dealer(self, cards: Iterator[Card]) -> None:
        dealer = self.dealer
        assert dealer is not None
        while self._dealer_draws(dealer):
            card = next(cards)
            self.cards.append(card)
            self.records.append(DEALT_UP[DEALER][card.code])
            dealer = self.dealer = dealer.with_card(card)
        self._drawing = NOBODY
        self._settle()

    def _dealer_draws(self, dealer: SeenHand) -> bool:
        total = dealer.total
        if total != DEALER_STANDS:
            return total < DEALER_STANDS
        return dealer.soft and self.rules.soft_17 == "hit"

    def _settle(self) -> None:
        """Compare the hands that still wait and work out what every wager came to."""
        self.is_over = True
        outcomes = self.outcomes
        for seat, wager in enumerate(self.wagers):
            outcome = outcomes[seat]
            if outcome is None:
                assert self.dealer is not None
                outcome = outcomes[seat] = _compare(self.hands[seat].total, self.dealer.total)
            if outcome is Outcome.NATURAL:
                self._nets.append(self.rules.natural_net(wager))
            else:
                self._nets.append(wager * NET_PER_CHIP[outcome])
            self.records.append(SETTLED[seat][outcome])


def _compare(total: int, dealer_total: int) -> Outcome:
    """Decide between a hand that stands and a dealer who is done."""
    if dealer_total > BEST_TOTAL:
        return Outcome.DEALER_BUST
    if total == dealer_total:
        return Outcome.PUSH
    return Outcome.WIN if total > dealer_total else Outcome.LOSS
