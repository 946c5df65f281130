"""One round of blackjack, from the opening cards to settlement.

Wagers come in before any card; then the opening cards are dealt, the seats play their hands
in turn, and the dealer plays if any hand is still waiting for a comparison. A seat that
splits plays its hands in the order in which they came to be. Leaves out who decides and
where cards come from.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from tourney.cards.card import Card
from tourney.errors import IllegalAction
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.choices import HIT_OR_STAND, choices
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL, SeenHand
from tourney.games.blackjack.opening import Opening, opening_of
from tourney.games.blackjack.played import UPCARDS, Observation, PlayedHand
from tourney.games.blackjack.records import (
    ACTED,
    DEALER,
    DEALT_DOWN,
    DEALT_UP,
    REVEALED,
    SETTLED,
    Acted,
    Dealt,
    Outcome,
    Record,
    Settled,
)
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.settlement import compare, net

DEALER_STANDS = 17


class Round:
    """The state of a round; it changes only by `deal` and `apply_action`."""

    __slots__ = (
        "_behind",
        "_due",
        "_is_dealer_due",
        "_nets",
        "_opening",
        "_place",
        "cards",
        "dealer",
        "hands",
        "in_play",
        "is_over",
        "records",
        "rules",
        "to_act",
        "upcard",
        "wagers",
    )

    def __init__(
        self, rules: BlackjackRules, wagers: list[int], behind: Sequence[int] | None = None
    ) -> None:
        """Open a round for seats that have wagered.

        Args:
            rules: What is allowed.
            wagers: One for each seat in order of play, in the unit of the rules. Doubles and
                splits are added to it.
            behind: What each seat has left to double and split with; no limit if None.
        """
        self.rules = rules
        self.wagers = wagers
        self.cards: list[Card] = []  # of the round, in dealing order, face up or down
        self.hands: list[PlayedHand] = []  # in order of play, once the opening cards are dealt
        self.dealer: SeenHand | None = None  # once both cards lie face up
        self.records: list[Record] = []
        self.in_play: PlayedHand | None = None  # the hand that somebody must act on
        self.to_act: int | None = None
        self.upcard: Card  # once the opening cards are dealt
        self.is_over = False
        self._behind = None if behind is None else list(behind)
        self._opening: Opening = opening_of(rules.dealing, len(wagers))
        self._due: list[PlayedHand] = []  # who gets the next cards
        self._is_dealer_due = False
        self._nets: list[int] = []
        self._place = 0  # in `hands`: the first that may still be played

    @property
    def exposed(self) -> SeenHand:
        """The dealer's cards that lie face up while seats act."""
        if self.rules.dealer_shows == "both":
            assert self.dealer is not None
            return self.dealer
        return UPCARDS[self.upcard.code]

    @property
    def outcomes(self) -> list[Outcome | None]:
        """How the hands ended, in order of play."""
        return [played.outcome for played in self.hands]

    def observation(self, seat: int) -> Observation:
        """Give what a seat sees of the dealer, and its hand in play or else its first one."""
        played = self.in_play
        if played is None or played.seat != seat:
            played = next(each for each in self.hands if each.seat == seat)
        return Observation(self.exposed, played.hand)

    def legal_actions(self) -> tuple[Action, ...]:
        """Give the actions open to the seat that must act; none if no seat must."""
        played = self.in_play
        if played is None:
            return ()
        hands, can_afford = self._hands_of(played.seat), self._can_afford(played)
        return choices(self.rules, played, hands, can_afford=can_afford)

    def check_action(self, action: Action) -> None:
        """Raise IllegalAction unless the seat that must act may do this."""
        legal = self.legal_actions()
        if not legal:
            raise IllegalAction(f"expected no action now, got {action}")
        if action not in legal:
            *others, last = map(str, legal)
            raise IllegalAction(f"expected {', '.join(others)} or {last}, got {action}")

    def apply_action(self, action: Action) -> Acted:
        """Check the action of the seat that must act, do it and return its record."""
        played = self.in_play
        if played is None or action not in HIT_OR_STAND:
            self.check_action(action)
        assert played is not None
        seat = played.seat
        number = played.number
        record = Acted(seat, action, number) if number else ACTED[seat][action]
        self.records.append(record)
        self.in_play = self.to_act = None
        if action is Action.HIT:
            self._due.append(played)
        elif action is Action.DOUBLE:
            self._double(played)
        elif action is Action.SPLIT:
            self._split(played)
        else:
            played.is_closed = True
            if action is Action.SURRENDER:
                played.outcome = Outcome.SURRENDERED
            self._next_hand()
        return record

    def deal(self, cards: Iterator[Card]) -> None:
        """Let chance deal until a seat must act or the round is over.

        Args:
            cards: What to deal, in order; only what is needed is taken.
        Raises: StopIteration, if the cards run out; dealing goes on with more.
        """
        if not self.hands:
            self._deal_opening(cards)
        elif self._due:
            self._deal_due(cards)
        if self._is_dealer_due:
            self._deal_dealer(cards)

    def results(self) -> tuple[int, ...]:
        """Give the net result of every seat, in the unit of the rules.

        Raises: IllegalAction, if the round is not over.
        """
        if not self.is_over:
            raise IllegalAction("expected the end of the round, got a question for its results")
        return tuple(self._nets)

    def _deal_opening(self, source: Iterator[Card]) -> None:
        cards, records, opening = self.cards, self.records, self._opening
        due = len(opening.order)
        cards += islice(source, due - len(cards))
        if len(cards) < due:
            raise StopIteration
        records += [
            DEALT_UP[place][card.code] for place, card in zip(opening.order, cards, strict=True)
        ]
        hole = cards[opening.hole]
        self.upcard = upcard = cards[opening.upcard]
        if self.rules.dealer_shows == "both":
            self.dealer = SeenHand.opening(upcard, hole)
        else:
            records[opening.hole] = DEALT_DOWN[hole.code]
        for seat, (first, second) in enumerate(opening.seats):
            hand = SeenHand.opening(cards[first], cards[second])
            played = PlayedHand(seat, 0, hand, self.wagers[seat])
            self.hands.append(played)
            if hand.total == BEST_TOTAL:
                played.outcome = Outcome.NATURAL
        if self.rules.dealer_natural == "wins-at-once" and upcard.value + hole.value == BEST_TOTAL:
            self._end_at_once()
        else:
            self._next_hand()

    def _end_at_once(self) -> None:
        """End the round with the dealer's natural, before anybody acts."""
        self._turn_hole_card()
        for played in self.hands:
            is_tie = played.outcome is Outcome.NATURAL
            played.outcome = Outcome.BOTH_NATURAL if is_tie else Outcome.DEALER_NATURAL
        self._settle()

    def _deal_due(self, cards: Iterator[Card]) -> None:
        due = self._due
        while due:
            card = next(cards)
            played = due.pop(0)
            self.cards.append(card)
            self.records.append(_dealt(played, card))
            hand = played.hand = played.hand.with_card(card)
            if hand.total > BEST_TOTAL:
                played.outcome = Outcome.BUST
        self._next_hand()

    def _next_hand(self) -> None:
        """Give the turn to the first hand from here that may be played, else to the dealer."""
        hands = self.hands
        stands_on_21 = self.rules.stands_on_21
        for place in range(self._place, len(hands)):
            played = hands[place]
            if played.outcome is None and not (
                played.is_closed or (stands_on_21 and played.hand.total == BEST_TOTAL)
            ):
                self._place = place
                self.in_play = played
                self.to_act = played.seat
                return
        self._place = len(hands)
        for played in hands:
            if played.outcome is None:
                self._turn_hole_card()
                self._is_dealer_due = self._dealer_draws()
                break
        if not self._is_dealer_due:
            self._settle()

    def _hands_of(self, seat: int) -> int:
        return sum(played.seat == seat for played in self.hands)

    def _can_afford(self, played: PlayedHand) -> bool:
        return self._behind is None or played.wager <= self._behind[played.seat]

    def _stake(self, seat: int, wager: int) -> None:
        """Put down as much as a hand's wager once more."""
        self.wagers[seat] += wager
        if self._behind is not None:
            self._behind[seat] -= wager

    def _double(self, played: PlayedHand) -> None:
        self._stake(played.seat, played.wager)
        played.wager *= 2
        played.is_doubled = played.is_closed = True
        self._due.append(played)

    def _split(self, played: PlayedHand) -> None:
        """Make two hands of a pair; the new one is played after all others of its seat."""
        seat, number = played.seat, self._hands_of(played.seat)
        self._stake(seat, played.wager)
        first, second = played.hand.cards
        played.hand = UPCARDS[first.code]
        other = PlayedHand(seat, number, UPCARDS[second.code], played.wager)
        played.is_split = other.is_split = True
        is_over = first.value == ACE_VALUE and self.rules.split_aces == "one-card"
        played.is_closed = other.is_closed = is_over
        last = max(place for place, each in enumerate(self.hands) if each.seat == seat)
        self.hands.insert(last + 1, other)
        self._due += (played, other)

    def _turn_hole_card(self) -> None:
        if self.dealer is None:
            hole = self.cards[self._opening.hole]
            self.records.append(REVEALED[hole.code])
            self.dealer = SeenHand.opening(self.upcard, hole)

    def _dealer_draws(self) -> bool:
        dealer = self.dealer
        assert dealer is not None
        total = dealer.total
        if total != DEALER_STANDS:
            return total < DEALER_STANDS
        return dealer.soft and self.rules.soft_17 == "hit"

    def _deal_dealer(self, cards: Iterator[Card]) -> None:
        while self._dealer_draws():
            card = next(cards)
            self.cards.append(card)
            self.records.append(DEALT_UP[DEALER][card.code])
            assert self.dealer is not None
            self.dealer = self.dealer.with_card(card)
        self._is_dealer_due = False
        self._settle()

    def _settle(self) -> None:
        """Compare the hands that still wait and work out what every seat's wagers came to."""
        self.is_over = True
        if self.rules.hole_card == "always":
            self._turn_hole_card()
        nets = self._nets = [0] * len(self.wagers)
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


def _dealt(played: PlayedHand, card: Card) -> Dealt:
    if played.number:
        return Dealt(played.seat, card, hand=played.number)
    return DEALT_UP[played.seat][card.code]
