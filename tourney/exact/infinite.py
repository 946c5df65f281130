"""The value of a policy with an infinite shoe: doubling, splitting and surrender included.

All hands of a round meet the same result of the dealer. Given that result they are independent,
as the shoe has no memory, but for one thing: they share the number of hands that a seat may
hold. A pair that comes up after a split is split again while the limit allows it, and it makes
no difference in which order pairs are taken. So the law of a split is that of a number of open
pairs and a number of hands, and what other hands came to is added where they arise.

Weights are whole numbers in parts of a power of 13; no digit is lost.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb

from tourney.exact.dealer import BUST, COPIES, FINALS, TEN, make_dealer
from tourney.exact.policy import Held, Policy, after, opening
from tourney.exact.value import ExactValue, Law, add_to, added, exact_value_of
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL
from tourney.games.blackjack.rules import BlackjackRules

MOST_CARDS = 22  # in a hand: a 21 of aces, and one more

Start = tuple[Held, bool]
"""Two cards, and whether the rules let them be split."""

HIT_OR_STAND = (Action.STAND, Action.HIT)


@dataclass(slots=True)
class Ends:
    """How one hand can end, and its splits by the pair's value; in parts of `Hands.whole`."""

    stood: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    """Weight by wagers on the hand, 1 or 2, and its total, which may be BUST."""

    splits: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    surrendered: int = 0


def infinite_value(
    rules: BlackjackRules, policy: Policy, minimum: int, copies: Mapping[int, int] = COPIES
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
    naturals = 2 * copies.get(ACE_VALUE, 0) * copies.get(TEN, 0)
    natural = Fraction(naturals, sum(copies.values()) ** 2)
    law: dict[int, Fraction] = defaultdict(Fraction)
    law[rules.natural_net(seat.wager)] += natural * (1 - dealer.natural)
    law[0] += natural * dealer.natural
    law[-seat.wager] += (1 - natural) * dealer.natural
    for key, finals in dealer.finals.items():
        for final, p in zip(FINALS, finals, strict=True):
            for net, chance in seat.law_against(key, final).items() if p else ():
                law[net] += p * chance
    return exact_value_of(law, seat.wager)


class Hands:
    """Plays single hands by a policy, in all ways at once."""

    def __init__(
        self, rules: BlackjackRules, policy: Policy, copies: Mapping[int, int] = COPIES
    ) -> None:
        """Keep who plays, what is allowed, and the shoe."""
        self.rules = rules
        self._policy = policy
        self._copies = copies
        self._ranks = sum(copies.values())
        self.whole = self._ranks**MOST_CARDS  # what the weights of a hand's ends are parts of

    def first(self, key: Hashable) -> Ends:
        """Give the ends of a round's first hand; a natural is left out."""
        starts: dict[Start, int] = defaultdict(int)
        for value, copies in self._copies.items():
            for start, weight in self._starts(value, copies):
                if start[0].total < BEST_TOTAL:
                    starts[start] += weight
        return self._play(key, starts, self._legal(is_first=True))

    def after_split(self, key: Hashable, value: int, *, may_split: bool) -> Ends:
        """Give the ends of a card that was split off and gets a second one."""
        starts = dict(self._starts(value, self._ranks))
        legal = self._legal(may_split=may_split)
        return self._play(key, starts, (Action.STAND,) if self._gets_one_card(value) else legal)

    def pair(self, key: Hashable, value: int) -> Ends:
        """Give the ends of a pair that may not be split, as there are enough hands."""
        start = (opening(value, value, by_cards=self._policy.by_cards), False)
        return self._play(key, {start: self._ranks**2}, self._legal())

    def _gets_one_card(self, value: int) -> bool:
        return value == ACE_VALUE and self.rules.split_aces == "one-card"

    def _legal(self, *, is_first: bool = False, may_split: bool = False) -> tuple[Action, ...]:
        """Give what the rules allow with two cards."""
        rules = self.rules
        doubles = rules.double == "first-two" and (is_first or rules.double_after_split)
        splits = rules.split != "never" and (rules.hands > 1 if is_first else may_split)
        more = (
            (Action.DOUBLE, doubles),
            (Action.SPLIT, splits),
            (Action.SURRENDER, is_first and rules.surrender == "first"),
        )
        return (*HIT_OR_STAND, *(action for action, is_legal in more if is_legal))

    def _starts(self, value: int, times: int) -> Iterator[tuple[Start, int]]:
        """Give the two cards that a card can become, weighted in parts of all ranks."""
        for second, copies in self._copies.items():
            held = opening(value, second, by_cards=self._policy.by_cards)
            # Of the tens that a ten can meet, one in four has its rank.
            alike = 1 if self.rules.split == "by-rank" else copies
            if held.is_pair:
                yield (held, True), times * alike
            if not held.is_pair or alike < copies:
                yield (held, False), times * (copies - alike if held.is_pair else copies)

    def _play(self, key: Hashable, starts: Mapping[Start, int], legal: tuple[Action, ...]) -> Ends:
        """Play two cards to their ends.

        Args:
            key: What the policy makes of the dealer's cards.
            starts: Weights in parts of all pairs of ranks.
            legal: What is allowed; splits only if the two cards can be split, too.
        """
        ends, hit, scale = Ends(), dict[Held, int](), self._ranks ** (MOST_CARDS - 2)
        without_split = tuple(action for action in legal if action is not Action.SPLIT)
        for (held, can_be_split), weight in starts.items():
            action = self._choose(key, held, legal if can_be_split else without_split)
            if action is Action.HIT:
                hit[held] = hit.get(held, 0) + weight
            elif action is Action.STAND:
                ends.stood[1, held.total] += weight * scale
            elif action is Action.SURRENDER:
                ends.surrendered += weight * scale
            elif action is Action.SPLIT:
                ends.splits[ACE_VALUE if held.soft else held.total // 2] += weight * scale
            else:
                for value, copies in self._copies.items():
                    total = min(after(held, value).total, BUST)
                    ends.stood[2, total] += weight * copies * scale // self._ranks
        self._hit(key, hit, ends)
        return ends

    def _hit(self, key: Hashable, hit: dict[Held, int], ends: Ends) -> None:
        """Deal to hands of two cards until they stand or bust."""
        scale = self._ranks ** (MOST_CARDS - 2)
        while hit:
            scale //= self._ranks
            again: dict[Held, int] = defaultdict(int)
            for held, weight in hit.items():
                for value, copies in self._copies.items():
                    then = after(held, value)
                    if then.total > BEST_TOTAL:
                        ends.stood[1, BUST] += weight * copies * scale
                    elif self._choose(key, then, HIT_OR_STAND) is Action.HIT:
                        again[then] += weight * copies
                    else:
                        ends.stood[1, then.total] += weight * copies * scale
            hit = again

    def _choose(self, key: Hashable, held: Held, legal: tuple[Action, ...]) -> Action:
        if legal == (Action.STAND,) or (self.rules.stands_on_21 and held.total == BEST_TOTAL):
            return Action.STAND
        return self._policy.choose(key, held, legal)


class _Seat:
    """A seat's results, given what the dealer ends with."""

    def __init__(self, hands: Hands, wager: int) -> None:
        self.wager = wager  # in parts of a chip
        self._most_hands = hands.rules.hands
        self._whole = hands.whole
        self._first = cache(hands.first)
        self._after_split = cache(hands.after_split)
        self._pair = cache(hands.pair)

    def law_against(self, key: Hashable, final: int) -> dict[int, Fraction]:
        """Give the probability of each net result of a round without naturals.

        Args:
            key: What the policy makes of the dealer's cards.
            final: What the dealer ends with, one of FINALS.
        """
        ends = self._first(key)
        found = {net: Fraction(p, self._whole) for net, p in self._law_of(ends, final).items()}
        for value, weight in ends.splits.items():
            law, whole = self._law_of_split(key, value, final)
            for net, p in law.items():
                found[net] = found.get(net, Fraction(0)) + Fraction(weight * p, self._whole * whole)
        return found

    def _law_of(self, ends: Ends, final: int) -> Law:
        """Give the law of a hand's ends but for its splits, in parts of the whole."""
        law: Law = defaultdict(int)
        for (wagers, total), weight in ends.stood.items():
            law[wagers * self.wager * sign(total, final)] += weight
        if ends.surrendered:
            law[-self.wager // 2] += ends.surrendered
        return law

    def _law_of_split(self, key: Hashable, value: int, final: int) -> tuple[Law, int]:
        """Give the law of two hands that come from a pair, and what its weights are parts of."""
        most = self._most_hands
        played = self._after_split(key, value, may_split=most > 2)  # noqa: PLR2004 - two hands so far
        law, pairs = self._law_of(played, final), played.splits[value]
        unsplit = self._law_of(self._pair(key, value), final) if pairs else {}

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


def sign(total: int, final: int) -> int:
    """Say whether a hand that stood, or is bust, wins (1), pushes (0) or loses (-1)."""
    if total == BUST:
        return -1
    if final == BUST:
        return 1
    return (total > final) - (total < final)
