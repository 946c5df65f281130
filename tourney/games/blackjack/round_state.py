"""The layout of one round: cards, hands and wagers, and their results.

It deals opening cards, plays the dealer's hand and settles: first the result of a hand, then that
of its wager. `round` handles turns.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from tourney.game.cards.card import Card
from tourney.games.blackjack.hand import BEST_TOTAL, SeenHand
from tourney.games.blackjack.opening import Opening, opening_of
from tourney.games.blackjack.records import (
    DEALER,
    DEALT_DOWN,
    DEALT_UP,
    REVEALED,
    SETTLED,
    Dealt,
    InsuranceSettled,
    Outcome,
    Record,
    Settled,
)
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.seat_hand import UPCARDS, SeatHand

INSURANCE_ODDS = 2
NET_PER_CHIP = {
    Outcome.BUST: -1,
    Outcome.DEALER_BUST: 1,
    Outcome.WIN: 1,
    Outcome.LOSS: -1,
    Outcome.PUSH: 0,
    Outcome.DEALER_NATURAL: -1,
    Outcome.BOTH_NATURAL: 0,
}
"""Win of a wagered chip, by outcome; others are a natural and a surrender."""


def compare(total: int, dealer_total: int) -> Outcome:
    """Compare a hand that is not bust with the dealer's final hand."""
    if dealer_total > BEST_TOTAL:
        return Outcome.DEALER_BUST
    if total == dealer_total:
        return Outcome.PUSH
    return Outcome.WIN if total > dealer_total else Outcome.LOSS


def net(rules: BlackjackRules, outcome: Outcome, wager: int) -> int:
    """Return the win of a hand, in the unit of its wager, which includes doubles."""
    net_per_chip = NET_PER_CHIP.get(outcome)
    if net_per_chip is not None:
        return wager * net_per_chip
    return rules.natural_net(wager) if outcome is Outcome.NATURAL else -(wager // 2)


DEALER_STANDS = 17
LEAST_OF_NATURAL = 10
"""A dealer with a lower upcard cannot have a natural."""


class RoundState:
    """The table in front of seats that have wagered."""

    __slots__ = (
        "_behind",
        "_insured",
        "_nets",
        "_opening",
        "cards",
        "dealer",
        "hands",
        "is_over",
        "records",
        "rules",
        "upcard",
        "wagers",
    )

    def __init__(
        self, rules: BlackjackRules, wagers: list[int], behind: Sequence[int] | None = None
    ) -> None:
        """Start a round for seats that have wagered.

        Args:
            rules: The rules.
            wagers: One for each seat in order of play, in the unit of the rules. Doubles,
                splits and insurance are added to it.
            behind: Chips that each seat can still stake; no limit if `None`.
        """
        self.rules = rules
        self.wagers = wagers
        self.cards: list[Card] = []  # of the round, in dealing order, face up or down
        self.hands: list[SeatHand] = []  # in order of play, once the opening cards are dealt
        self.dealer: SeenHand | None = None  # once both cards are visible
        self.records: list[Record] = []
        self.upcard: Card  # once the opening cards are dealt
        self.is_over = False
        self._behind = None if behind is None else list(behind)
        self._opening: Opening = (
            opening_of(rules.dealing, len(wagers))
            if rules.hole_card != "none"
            else opening_of(rules.dealing, len(wagers), has_hole=False)
        )
        self._insured: dict[int, int] = {}  # unsettled insurance, by seat
        self._nets = [0] * len(wagers)

    @property
    def exposed(self) -> SeenHand:
        """The dealer's visible cards while seats act."""
        if self.rules.dealer_shows == "both":
            assert self.dealer is not None
            return self.dealer
        return UPCARDS[self.upcard.code]

    @property
    def outcomes(self) -> list[Outcome | None]:
        """The results of the hands, in order of play."""
        return [played.outcome for played in self.hands]

    def _lay_opening(self, source: Iterator[Card]) -> None:
        """Deal the opening cards."""
        cards, records, opening = self.cards, self.records, self._opening
        due = len(opening.order)
        cards += islice(source, due - len(cards))
        if len(cards) < due:
            raise StopIteration
        records += [
            DEALT_UP[place][card.code] for place, card in zip(opening.order, cards, strict=True)
        ]
        self.upcard = cards[opening.upcard]
        if self.rules.dealer_shows == "both":
            self.dealer = SeenHand.opening(self.upcard, cards[opening.hole])
        elif self.rules.hole_card != "none":
            records[opening.hole] = DEALT_DOWN[cards[opening.hole].code]
        for seat, (first, second) in enumerate(opening.seats):
            hand = SeenHand.opening(cards[first], cards[second])
            played = SeatHand(seat, 0, hand, self.wagers[seat])
            self.hands.append(played)
            if hand.total == BEST_TOTAL:
                played.outcome = Outcome.NATURAL

    def _can_stake(self, seat: int, wager: int) -> bool:
        return self._behind is None or wager <= self._behind[seat]

    def _stake(self, seat: int, wager: int) -> None:
        """Add chips to a wager."""
        self.wagers[seat] += wager
        if self._behind is not None:
            self._behind[seat] -= wager

    def _hides_natural(self) -> bool:
        """Return whether the hole card makes a natural."""
        return self.upcard.value + self.cards[self._opening.hole].value == BEST_TOTAL

    def _turn_hole_card(self) -> None:
        if self.dealer is None:
            hole = self.cards[self._opening.hole]
            self.records.append(REVEALED[hole.code])
            self.dealer = SeenHand.opening(self.upcard, hole)

    def _is_hand_waiting(self) -> bool:
        """Return whether a hand must be compared with the dealer's."""
        for played in self.hands:  # noqa: SIM110 - any() is slower, and each round calls this
            if played.outcome is None:
                return True
        return False

    def _is_natural_asked(self) -> bool:
        """Return whether anything except a comparison depends on a natural of the dealer."""
        return bool(self._insured) or (
            self.rules.dealer_natural == "beats-all"
            and self.upcard.value >= LEAST_OF_NATURAL
            and Outcome.NATURAL in self.outcomes
        )

    def _dealer_draws(self) -> bool:
        dealer = self.dealer
        assert dealer is not None
        total = dealer.total
        if total != DEALER_STANDS:
            return total < DEALER_STANDS
        return dealer.soft and self.rules.soft_17 == "hit"

    def _play_dealer(self, cards: Iterator[Card]) -> None:
        """Deal the second card, if there was no hole card, and the dealer's further cards."""
        if self.dealer is None:
            self.dealer = SeenHand.opening(self.upcard, self._deal_to_dealer(cards))
            if not self._is_hand_waiting():
                return
        while self._dealer_draws():
            self.dealer = self.dealer.with_card(self._deal_to_dealer(cards))

    def _deal_to_dealer(self, cards: Iterator[Card]) -> Card:
        card = next(cards)
        self.cards.append(card)
        self.records.append(DEALT_UP[DEALER][card.code])
        return card

    def _settle(self) -> None:
        """Compare the waiting hands, and compute the results of all wagers."""
        self.is_over = True
        if self.rules.hole_card == "always":
            self._turn_hole_card()
        if self._insured or self.rules.dealer_natural != "is-21":
            self._settle_natural()
        nets = self._nets
        for played in self.hands:
            outcome = played.outcome
            if outcome is None:
                assert self.dealer is not None
                outcome = played.outcome = compare(played.hand.total, self.dealer.total)
            seat, number = played.seat, played.number
            nets[seat] += net(self.rules, outcome, played.wager)
            self.records.append(
                Settled(seat, outcome, number) if number else SETTLED[seat][outcome]
            )

    def _settle_natural(self) -> None:
        """Settle all that depends on a natural of the dealer."""
        has_natural = self.dealer is not None and self.dealer.is_natural
        self._settle_insurance(is_paid=has_natural)
        if has_natural and self.rules.dealer_natural != "is-21":
            self._lose_to_natural()

    def _settle_insurance(self, *, is_paid: bool) -> None:
        for seat, stake in self._insured.items():
            self._nets[seat] += INSURANCE_ODDS * stake if is_paid else -stake
            self.records.append(InsuranceSettled(seat, is_paid))
        self._insured = {}

    def _lose_to_natural(self) -> None:
        """End all remaining hands with the dealer's natural."""
        for played in self.hands:
            if played.outcome is None:
                played.outcome = Outcome.DEALER_NATURAL
            elif played.outcome is Outcome.NATURAL:
                played.outcome = Outcome.BOTH_NATURAL


def dealt(played: SeatHand, card: Card) -> Dealt:
    """Return the record of a card for a hand of a seat."""
    if played.number:
        return Dealt(played.seat, card, hand=played.number)
    return DEALT_UP[played.seat][card.code]
