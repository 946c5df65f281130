"""One round of blackjack, from the opening cards to settlement: turns and moves.

Wagers come first. Then the opening cards are dealt, insurance is offered if the rules allow it, the
seats play their hands in turn, and the dealer plays if a hand still waits for a comparison. A seat
that splits plays its hands in the order of their creation. `round_state` holds the cards and
wagers.
"""

from collections.abc import Iterator, Sequence

from tourney.errors import IllegalActionError
from tourney.game.cards.card import Card
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL
from tourney.games.blackjack.records import ACTED, Acted, Outcome
from tourney.games.blackjack.round_state import RoundState, dealt
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.seat_hand import INSURANCE, UPCARDS, Observation, SeatHand, choices


class Round(RoundState):
    """The state of a round; only `deal` and `apply_action` change it."""

    __slots__ = ("_due", "_is_dealer_due", "_place", "asks_insurance", "in_play", "to_act")

    def __init__(
        self, rules: BlackjackRules, wagers: list[int], behind: Sequence[int] | None = None
    ) -> None:
        """Start a round for seats that have wagered; see `RoundState`."""
        super().__init__(rules, wagers, behind)
        self.in_play: SeatHand | None = None  # the hand of the next decision
        self.to_act: int | None = None
        self.asks_insurance = False  # whether the next seat takes insurance or declines
        self._due: list[SeatHand] = []  # receivers of the next cards
        self._is_dealer_due = False
        self._place = 0  # index in `hands` of the first that may still be played

    def observation(self, seat: int) -> Observation:
        """Return a seat's view of the dealer, and its hand in play or otherwise its first one."""
        played = self.in_play
        if played is None or played.seat != seat:
            played = next(each for each in self.hands if each.seat == seat)
        return Observation(self.exposed, played.hand)

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the legal actions of the next seat; empty if no seat must act.

        The first of them has no effect: to stand, or to decline.
        """
        if self.in_play is None:
            return ()
        return INSURANCE if self.asks_insurance else self._choices(self.in_play)

    def check_action(self, action: Action) -> None:
        """Raise IllegalActionError unless this action of the next seat is legal."""
        legal = self.legal_actions()
        if not legal:
            raise IllegalActionError(f"no seat can act now, so {action} is not legal")
        if action not in legal:
            *others, last = map(str, legal)
            raise IllegalActionError(f"{action} is not legal; use {', '.join(others)} or {last}")

    def apply_action(self, action: Action) -> Acted:
        """Apply an action of the next seat and return its record."""
        played = self.in_play
        if (
            played is None
            or action not in HIT_OR_STAND
            or played.is_split_only
            or self.asks_insurance
        ):
            self.check_action(action)
        assert played is not None
        seat = played.seat
        number = played.number
        record = Acted(seat, action, number) if number else ACTED[seat][action]
        self.records.append(record)
        self.in_play = self.to_act = None
        if self.asks_insurance:
            self._insure(played, action)
        else:
            self._move(played, action)
        return record

    def deal(self, cards: Iterator[Card]) -> None:
        """Deal until a seat must act or the round is over.

        Args:
            cards: The next cards, in order; only the needed ones are taken.
        Raises: StopIteration, if the cards run out; call again with more.
        """
        if not self.hands:
            self._lay_opening(cards)
            self.asks_insurance = (
                self.rules.insurance == "offered" and self.upcard.value == ACE_VALUE
            )
            self._next_offer()
        elif self._due:
            self._deal_due(cards)
        if self._is_dealer_due:
            self._play_dealer(cards)
            self._is_dealer_due = False
            self._settle()

    def results(self) -> tuple[int, ...]:
        """Return the net result of each seat, in the unit of the rules.

        Raises: IllegalActionError, if the round is not over.
        """
        if not self.is_over:
            raise IllegalActionError("the round is not over, so it has no results yet")
        return tuple(self._nets)

    def _next_offer(self, first: int = 0) -> None:
        """Offer insurance to the next seat, from this one on, that can stake half its
        wager more.
        """
        if self.asks_insurance:
            for played in self.hands[first:]:
                if self._can_stake(played.seat, played.wager // 2):
                    self.in_play = played
                    self.to_act = played.seat
                    return
            self.asks_insurance = False
        self._look()

    def _insure(self, played: SeatHand, action: Action) -> None:
        if action is Action.INSURE:
            stake = played.wager // 2
            self._stake(played.seat, stake)
            self._insured[played.seat] = stake
        self._next_offer(played.seat + 1)

    def _look(self) -> None:
        """End the round with a dealer's natural before any seat plays, if the rules require it."""
        if self.rules.dealer_natural == "wins-at-once":
            if self._hides_natural():
                self._turn_hole_card()
                self._settle()
                return
            self._settle_insurance(is_paid=False)
        self._next_hand()

    def _deal_due(self, cards: Iterator[Card]) -> None:
        due = self._due
        while due:
            card = next(cards)
            played = due.pop(0)
            self.cards.append(card)
            self.records.append(dealt(played, card))
            hand = played.hand = played.hand.with_card(card)
            if hand.total > BEST_TOTAL:
                played.outcome = Outcome.BUST
        self._next_hand()

    def _next_hand(self) -> None:
        """Pass the turn to the next playable hand, from this one on, or to the dealer."""
        hands = self.hands
        stands_on_21 = self.rules.stands_on_21
        for place in range(self._place, len(hands)):
            played = hands[place]
            if played.outcome is None and not (
                played.is_closed
                or (stands_on_21 and played.hand.total == BEST_TOTAL)
                or (played.is_split_only and Action.SPLIT not in self._choices(played))
            ):
                self._place = place
                self.in_play = played
                self.to_act = played.seat
                return
        self._place = len(hands)
        self._next_is_dealer()

    def _next_is_dealer(self) -> None:
        """Let the dealer play if anything depends on it, or settle."""
        waits = self._is_hand_waiting()
        if waits or self._is_natural_asked():
            if self.rules.hole_card == "none":
                self._is_dealer_due = True
                return
            self._turn_hole_card()
            self._is_dealer_due = waits and self._dealer_draws()
        if not self._is_dealer_due:
            self._settle()

    def _choices(self, played: SeatHand) -> tuple[Action, ...]:
        seat = played.seat
        can_afford = self._can_stake(seat, played.wager)
        return choices(self.rules, played, self._hands_of(seat), can_afford=can_afford)

    def _hands_of(self, seat: int) -> int:
        return sum(played.seat == seat for played in self.hands)

    def _move(self, played: SeatHand, action: Action) -> None:
        """Apply a seat's move to its hand."""
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

    def _double(self, played: SeatHand) -> None:
        self._stake(played.seat, played.wager)
        played.wager *= 2
        played.is_doubled = played.is_closed = True
        self._due.append(played)

    def _split(self, played: SeatHand) -> None:
        """Split a pair; the new hand is played after all others of its seat."""
        seat, number = played.seat, self._hands_of(played.seat)
        self._stake(seat, played.wager)
        first, second = played.hand.cards
        played.hand = UPCARDS[first.code]
        other = SeatHand(seat, number, UPCARDS[second.code], played.wager)
        played.is_split = other.is_split = True
        aces = self.rules.split_aces if first.value == ACE_VALUE else "played"
        played.is_closed = other.is_closed = aces == "one-card"
        played.is_split_only = other.is_split_only = aces == "resplit"
        last = max(place for place, each in enumerate(self.hands) if each.seat == seat)
        self.hands.insert(last + 1, other)
        self._due += (played, other)
