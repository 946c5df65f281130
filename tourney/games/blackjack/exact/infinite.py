"""The value of a policy with an infinite shoe, by all rules of casinos.

All hands of a round meet the same result of the dealer. Given that result they are independent,
as the shoe has no memory, but for one thing: they share the number of hands that a seat may
hold. A pair that comes up after a split is split again while the limit allows it, and it makes
no difference in which order pairs are taken. So the law of a split is that of a number of open
pairs and a number of hands, and what other hands came to is added where they arise.

A dealer's natural is a result of its own where it beats a 21 or pays insurance. Insurance adds a
constant to each result of the dealer, for the first hands that take it.

Weights are whole numbers in parts of a power of 13; no digit is lost.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.dynamic_programme import FINALS, finals_of
from tourney.games.blackjack.exact.policy import Cards, Policy, Visible, with_card
from tourney.games.blackjack.exact.value import ExactValue, Law, add_to, added, exact_value_of
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL
from tourney.games.blackjack.legal_moves import INSURANCE
from tourney.games.blackjack.position import (
    COPIES,
    EMPTY,
    NATURAL,
    NO_RANK,
    OPEN,
    RANK_OF,
    RANK_VALUES,
    SOFT_21,
    VALUES,
    Position,
    acted,
    after,
    hand_after,
    legal,
    sign,
)
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.settlement import INSURANCE_ODDS

MOST_CARDS = 22  # in a hand: a 21 of aces, and one more

DEALER_NATURAL = -1
"""What the dealer ends with if it has a natural that is told apart from other hands of 21."""
ENDS = (*FINALS, DEALER_NATURAL)
"""Everything that the dealer ends with."""

Start = tuple[Position, Cards]
"""A hand, and the cards that a policy tells it apart by."""

Finals = tuple[Fraction, ...]
"""Probability of each of ENDS."""


@dataclass(frozen=True, slots=True)
class Dealer:
    """All that can happen to the dealer, which depends on its own cards alone.

    Args:
        finals: By what the policy makes of the visible cards: how probable these are, together
            with each result.
        offered: The part of `finals` in which insurance is offered.
    """

    finals: dict[Hashable, Finals]
    offered: dict[Hashable, Finals]


@dataclass(slots=True)
class Ends:
    """How one hand can end, and its splits by the pair's rank; in parts of `Hands.whole`."""

    stood: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    """Weight by wagers on the hand, 1 or 2, and its number, which may be BUST."""

    splits: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    surrendered: int = 0
    naturals: int = 0
    others: int = 0
    """Weight of all first hands that are no naturals, however they end."""


def infinite_value(
    rules: BlackjackRules, policy: Policy, minimum: int, copies: Sequence[int] = COPIES
) -> ExactValue:
    """Work out what a policy is worth with an infinite shoe.

    Args:
        rules: The game.
        policy: How the seat plays.
        minimum: The wager of every round, in chips.
        copies: Ranks of each value in the shoe; a smaller shoe is for tests.
    """
    seat = _Seat(Hands(rules, policy, copies), minimum * rules.unit)
    dealer = make_dealer(rules, policy, copies)
    law: dict[int, Fraction] = defaultdict(Fraction)
    for key, finals in dealer.finals.items():
        offered = dealer.offered.get(key, (Fraction(0),) * len(ENDS))
        for final, p, p_offered in zip(ENDS, finals, offered, strict=True):
            parts = ((p - p_offered, None), (p_offered, True), (p_offered, False))
            for chance, insures in parts:
                found = seat.law_against(key, final, insures=insures) if chance else {}
                for net, share in found.items():
                    law[net] += chance * share
    return exact_value_of(law, seat.wager)


def make_dealer(rules: BlackjackRules, policy: Policy, copies: Sequence[int] = COPIES) -> Dealer:
    """Work out all that can happen to the dealer.

    Args:
        rules: The game.
        policy: What it makes of the visible cards.
        copies: Ranks of each value in the shoe; a smaller shoe is for tests.
    """
    finals_from = finals_of(rules, Fraction(1), copies)
    ranks = sum(copies)
    found: dict[Hashable, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * len(ENDS))
    offered: dict[Hashable, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * len(ENDS))
    offers = rules.insurance == "offered"
    of_value = zip(VALUES, copies, strict=True)
    for (first, times), (second, times_second) in product(of_value, repeat=2):
        p = Fraction(times * times_second, ranks**2)
        if not p:
            continue
        hand = hand_after(hand_after(0, first), second)
        finals = (*finals_from(hand), Fraction(0))
        if hand == SOFT_21 and (offers or rules.dealer_natural != "is-21"):
            finals = (*(Fraction(0) for _ in FINALS), Fraction(1))
        visible: Visible = (first, second) if rules.dealer_shows == "both" else (first,)
        key = policy.key(visible)
        kinds = [found[key], *([offered[key]] if offers and first == ACE_VALUE else [])]
        for of_key, (place, chance) in product(kinds, enumerate(finals)):
            of_key[place] += p * chance
    return Dealer(
        {key: tuple(each) for key, each in found.items()},
        {key: tuple(each) for key, each in offered.items()},
    )


def sign_against(rules: BlackjackRules, hand: int, final: int) -> int:
    """Say whether a hand that is no natural wins (1), pushes (0) or loses (-1).

    Args:
        rules: The game.
        hand: Its number.
        final: What the dealer ends with, one of ENDS.
    """
    if final == DEALER_NATURAL:
        return sign(hand, BEST_TOTAL) if rules.dealer_natural == "is-21" else -1
    return sign(hand, final)


class Hands:
    """Plays single hands by a policy, in all ways at once."""

    def __init__(
        self, rules: BlackjackRules, policy: Policy, copies: Sequence[int] = COPIES
    ) -> None:
        """Keep who plays, what is allowed, and the shoe."""
        self.rules = rules
        self._policy = policy
        cards = zip(RANK_OF, VALUES, copies, strict=True)
        self._cards = tuple((rank, value, times) for rank, value, times in cards if times)
        self._ranks = sum(copies)
        self.whole = self._ranks**MOST_CARDS  # what the weights of a hand's ends are parts of

    def first(self, key: Hashable, *, insures: bool | None = None) -> Ends:
        """Give the ends of a round's first hand.

        Args:
            key: What the policy makes of the dealer's cards.
            insures: If given, only hands that take insurance, or only those that decline it.
        """
        starts: dict[Start, int] = defaultdict(int)
        naturals, whole = 0, self._ranks ** (MOST_CARDS - 2)
        for rank, _, copies in self._cards:
            for start, weight in self._starts(after(EMPTY, rank), copies):
                if insures is not None and self._insures(key, start) is not insures:
                    continue
                if start[0].status == NATURAL:
                    naturals += weight
                else:
                    starts[start] += weight
        others = sum(starts.values())
        ends = self._play(key, starts)
        ends.naturals, ends.others = naturals * whole, others * whole
        return ends

    def _insures(self, key: Hashable, start: Start) -> bool:
        """Say whether the policy takes insurance with two cards."""
        _, cards = start
        return self._policy.choose(key, EMPTY, cards, INSURANCE) is Action.INSURE

    def after_split(self, key: Hashable, rank: int, *, can_hold: bool) -> Ends:
        """Give the ends of a card that was split off and gets a second one."""
        return self._play(key, dict(self._starts(_split(rank), self._ranks)), can_hold=can_hold)

    def pair(self, key: Hashable, rank: int) -> Ends:
        """Give the ends of a pair that may not be split, as there are enough hands."""
        start = after(_split(rank), rank), self._cards_of(rank, RANK_VALUES[rank])
        return self._play(key, {start: self._ranks**2}, can_hold=False)

    def _starts(self, single: Position, times: int) -> Iterator[tuple[Start, int]]:
        """Give the two cards that a card can become, weighted in parts of all ranks."""
        for rank, value, copies in self._cards:
            position, cards = after(single, rank), self._cards_of(single.rank, value)
            # Of the tens that a ten can meet, one in four has its rank.
            unlike = copies - 1 if position.is_pair and self.rules.split == "by-rank" else 0
            if copies > unlike:
                yield (position, cards), times * (copies - unlike)
            if unlike > 0:
                yield (position._replace(rank=NO_RANK), cards), times * unlike

    def _cards_of(self, rank: int, value: int) -> Cards:
        """Give two cards as the policy sees them."""
        return with_card((RANK_VALUES[rank],), value) if self._policy.by_cards else ()

    def _play(self, key: Hashable, hands: dict[Start, int], *, can_hold: bool = True) -> Ends:
        """Play two cards to their ends.

        Args:
            key: What the policy makes of the dealer's cards.
            hands: Weights in parts of all pairs of ranks.
            can_hold: Whether the seat may hold more hands.
        """
        ends, whole = Ends(), self._ranks ** (MOST_CARDS - 2)
        while hands:
            again: dict[Start, int] = defaultdict(int)
            for (position, cards), weight in hands.items():
                moves = legal(self.rules, position, can_hold=can_hold)
                action = Action.STAND
                if moves:
                    action = self._policy.choose(key, position, cards, moves)
                then = acted(position, action)
                if action is Action.SPLIT:
                    ends.splits[then.rank] += weight * whole
                elif action is Action.SURRENDER:
                    ends.surrendered += weight * whole
                elif action is Action.STAND:
                    ends.stood[1, then.hand] += weight * whole
                else:
                    for rank, value, copies in self._cards:
                        dealt, times = after(then, rank), weight * copies
                        if dealt.status == OPEN:
                            again[dealt, cards and with_card(cards, value)] += times
                        else:
                            wagers = 2 if action is Action.DOUBLE else 1
                            ends.stood[wagers, dealt.hand] += times * whole // self._ranks
            hands, whole = again, whole // self._ranks
        return ends


class _Seat:
    """A seat's results, given what the dealer ends with."""

    def __init__(self, hands: Hands, wager: int) -> None:
        self.wager = wager  # in parts of a chip
        self._rules = hands.rules
        self._most_hands = hands.rules.hands
        self._whole = hands.whole
        self._first = cache(hands.first)
        self._after_split = cache(hands.after_split)
        self._pair = cache(hands.pair)

    def law_against(
        self, key: Hashable, final: int, *, insures: bool | None = None
    ) -> dict[int, Fraction]:
        """Give the probability of each net result of a round.

        Args:
            key: What the policy makes of the dealer's cards.
            final: What the dealer ends with, one of ENDS.
            insures: If given, only first hands that take insurance, or only those that decline it.
        """
        ends = self._first(key, insures=insures)
        wins_at_once = self._rules.dealer_natural == "wins-at-once"
        if final == DEALER_NATURAL and wins_at_once:
            law = {-self.wager: Fraction(ends.others, self._whole)}
        else:
            law = self._played(ends, key, final)
        is_tied = final == DEALER_NATURAL and self._rules.dealer_natural != "is-21"
        net = 0 if is_tied else self._rules.natural_net(self.wager)
        law[net] = law.get(net, Fraction(0)) + Fraction(ends.naturals, self._whole)
        if not insures:
            return law
        stake = self.wager // 2
        premium = INSURANCE_ODDS * stake if final == DEALER_NATURAL else -stake
        return {net + premium: p for net, p in law.items()}

    def _played(self, ends: Ends, key: Hashable, final: int) -> dict[int, Fraction]:
        """Give the law of first hands that are played."""
        found = {net: Fraction(p, self._whole) for net, p in self._law_of(ends, final).items()}
        for rank, weight in ends.splits.items():
            law, whole = self._law_of_split(key, rank, final)
            for net, p in law.items():
                found[net] = found.get(net, Fraction(0)) + Fraction(weight * p, self._whole * whole)
        return found

    def _law_of(self, ends: Ends, final: int) -> Law:
        """Give the law of a hand's ends but for its splits, in parts of the whole."""
        law: Law = defaultdict(int)
        for (wagers, hand), weight in ends.stood.items():
            law[wagers * self.wager * sign_against(self._rules, hand, final)] += weight
        if ends.surrendered:
            law[-self.wager // 2] += ends.surrendered
        return law

    def _law_of_split(self, key: Hashable, rank: int, final: int) -> tuple[Law, int]:
        """Give the law of two hands that come from a pair, and what its weights are parts of."""
        most = self._most_hands
        played = self._after_split(key, rank, can_hold=most > 2)  # noqa: PLR2004 - two hands so far
        law, pairs = self._law_of(played, final), played.splits[rank]
        unsplit = self._law_of(self._pair(key, rank), final) if pairs else {}

        @cache
        def of_open(hands: int, open_pairs: int) -> Law:
            """Give the law of open pairs, with so many hands, in parts of whole**power."""
            if not open_pairs:
                return {0: self._whole ** self._power(hands)}
            if hands == most:
                rest = {0: self._whole ** (self._power(hands) - open_pairs)}
                return _times(rest, unsplit, open_pairs)
            found: Law = {}
            for new in range(3 if pairs else 1):  # pairs among the two hands of this split
                ways = comb(2, new) * pairs**new
                add_to(found, _times(of_open(hands + 1, open_pairs - 1 + new), law, 2 - new), ways)
            return found

        return of_open(1, 1), self._whole ** self._power(1)

    def _power(self, hands: int) -> int:
        """Give the power of the whole that laws with so many hands are parts of.

        Each split to come deals two hands, and at most all hands are open pairs in the end.
        """
        return self._most_hands + 2 * (self._most_hands - hands)


def _times(law: Law, another: Law, times: int) -> Law:
    for _ in range(times):
        law = added(law, another)
    return law


def _split(rank: int) -> Position:
    """Give the position of a card that was split off a pair."""
    return acted(after(after(EMPTY, rank), rank), Action.SPLIT)
