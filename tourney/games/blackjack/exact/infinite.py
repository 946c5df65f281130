"""The value of a policy with an infinite shoe, under all rules of casinos, and the best chart.

All hands of a round meet the same final hand of the dealer. Given this hand they are independent,
because the shoe has no memory, except that they share the limit on a seat's hands. A pair after a
split is split again while the limit allows it, and the order of pairs does not matter. So the law
of a split depends on the number of open pairs and the number of hands. The results of other hands
are added where they arise.

A dealer's natural is a separate final hand if it beats a 21 or pays insurance. Insurance adds a
constant to each result, for the first hands that take it.

Weights are whole numbers, in parts of a power of 13, so there is no rounding.

A chart has one cell for each total or pair and each column. A cell lists moves by preference, as
the legal moves depend on the history of the hand. With an infinite shoe, the best legal move
depends on the total only.

For pairs, one cell is also enough, although a split is worth less if fewer hands can be added. The
last split that the limit allows makes two hands from one, and each earlier split only adds the
choice to split again. If the last split is good, so are all earlier ones; if not, there is no
choice to add. So a pair is split always or never.

Insurance is never taken: 4 of 13 ranks are tens, and insurance is fair at one of three.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Generic, NamedTuple, TypeVar

from tourney.errors import RulesError
from tourney.game.cards.card import RANKS
from tourney.game.solver import Value
from tourney.games.blackjack.action import LISTED, Action
from tourney.games.blackjack.declaration import HARD, SOFT, TOTALS, Cell
from tourney.games.blackjack.exact.dynamic_programme import FINALS, BestPlay, finals_of
from tourney.games.blackjack.exact.fresh import ExactValue, exact_value_of
from tourney.games.blackjack.exact.policy import Cards, ChartPolicy, Policy, Visible, with_card
from tourney.games.blackjack.hand import ACE_VALUE, BEST_TOTAL
from tourney.games.blackjack.players import Chart, write_chart
from tourney.games.blackjack.players.chart import always
from tourney.games.blackjack.position import (
    COPIES,
    EMPTY,
    NATURAL,
    NO_RANK,
    OPEN,
    PAIR,
    RANK_OF,
    RANK_VALUES,
    SOFT_21,
    SPLIT_ACES,
    SURRENDERED,
    VALUES,
    Position,
    acted,
    after,
    hand_after,
    legal,
    sign,
)
from tourney.games.blackjack.round_state import INSURANCE_ODDS
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.seat_hand import INSURANCE

MOST_CARDS = 22  # of a hand: a 21 of aces, and one more

DEALER_NATURAL = -1
"""The dealer's final hand if it is a natural that differs from other hands of 21."""
ENDS = (*FINALS, DEALER_NATURAL)
"""All final hands of the dealer."""

Start = tuple[Position, Cards]
"""A hand, and its cards if the policy distinguishes them."""

Law = dict[int, int]
"""Weight of each net result, in the unit of the rules; the total weight is known from context."""

Finals = tuple[Fraction, ...]
"""Probability of each of ENDS."""


@dataclass(frozen=True, slots=True)
class Dealer:
    """The probabilities of the dealer's final hands.

    Args:
        finals: By the policy's key for the visible cards: the joint probability of the key and
            each final hand.
        offered: The part of `finals` in which insurance is offered.
    """

    finals: dict[Hashable, Finals]
    offered: dict[Hashable, Finals]


@dataclass(slots=True)
class Ends:
    """Weights of the ends of one hand, and of its splits by rank; in parts of `Hands.whole`."""

    stood: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    """Weight by number of wagers, 1 or 2, and number of the hand, which may be BUST."""

    splits: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    surrendered: int = 0
    naturals: int = 0
    others: int = 0
    """Weight of all first hands except naturals."""


def infinite_value(
    rules: BlackjackRules, policy: Policy, minimum: int, copies: Sequence[int] = COPIES
) -> ExactValue:
    """Compute the value of a policy with an infinite shoe.

    Args:
        rules: The game.
        policy: The policy of the seat.
        minimum: The wager of every round, in chips.
        copies: Ranks of each value in the shoe; tests use smaller shoes.
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
    """Compute the probabilities of the dealer's final hands.

    Args:
        rules: The game.
        policy: The policy whose keys group the visible cards.
        copies: Ranks of each value in the shoe; tests use smaller shoes.
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
    """Return whether a hand except a natural wins (1), pushes (0) or loses (-1).

    Args:
        rules: The game.
        hand: The number of the hand.
        final: The dealer's final hand, one of ENDS.
    """
    if final == DEALER_NATURAL:
        return sign(hand, BEST_TOTAL) if rules.dealer_natural == "is-21" else -1
    return sign(hand, final)


class Hands:
    """Plays single hands by a policy, over all cards that can come."""

    def __init__(
        self, rules: BlackjackRules, policy: Policy, copies: Sequence[int] = COPIES
    ) -> None:
        self.rules = rules
        self._policy = policy
        cards = zip(RANK_OF, VALUES, copies, strict=True)
        self._cards = tuple((rank, value, times) for rank, value, times in cards if times)
        self._ranks = sum(copies)
        self.whole = self._ranks**MOST_CARDS  # total weight of a hand's ends

    def first(self, key: Hashable, *, insures: bool | None = None) -> Ends:
        """Compute the ends of a round's first hand.

        Args:
            key: The policy's key for the dealer's cards.
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
        """Return whether the policy takes insurance with two cards."""
        _, cards = start
        return self._policy.choose(key, EMPTY, cards, INSURANCE) is Action.INSURE

    def after_split(self, key: Hashable, rank: int, *, can_hold: bool) -> Ends:
        """Compute the ends of a hand after a split, from its second card on."""
        return self._play(key, dict(self._starts(_split(rank), self._ranks)), can_hold=can_hold)

    def pair(self, key: Hashable, rank: int) -> Ends:
        """Compute the ends of a pair that cannot be split because of the limit on hands."""
        start = after(_split(rank), rank), self._cards_of(rank, RANK_VALUES[rank])
        return self._play(key, {start: self._ranks**2}, can_hold=False)

    def _starts(self, single: Position, times: int) -> Iterator[tuple[Start, int]]:
        """List the hands of two cards that start with a card, weighted in parts of all ranks."""
        for rank, value, copies in self._cards:
            position, cards = after(single, rank), self._cards_of(single.rank, value)
            # One in four tens has the rank of a given ten.
            unlike = copies - 1 if position.is_pair and self.rules.split == "by-rank" else 0
            if copies > unlike:
                yield (position, cards), times * (copies - unlike)
            if unlike > 0:
                yield (position._replace(rank=NO_RANK), cards), times * unlike

    def _cards_of(self, rank: int, value: int) -> Cards:
        """Return two cards as the policy sees them."""
        return with_card((RANK_VALUES[rank],), value) if self._policy.by_cards else ()

    def _play(self, key: Hashable, hands: dict[Start, int], *, can_hold: bool = True) -> Ends:
        """Play two cards to their ends.

        Args:
            key: The policy's key for the dealer's cards.
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
    """The results of a seat, given the dealer's final hand."""

    def __init__(self, hands: Hands, wager: int) -> None:
        self.wager = wager  # in the unit of the rules
        self._rules = hands.rules
        self._most_hands = hands.rules.hands
        self._whole = hands.whole
        self._first = cache(hands.first)
        self._after_split = cache(hands.after_split)
        self._pair = cache(hands.pair)

    def law_against(
        self, key: Hashable, final: int, *, insures: bool | None = None
    ) -> dict[int, Fraction]:
        """Compute the probability of each net result of a round.

        Args:
            key: The policy's key for the dealer's cards.
            final: The dealer's final hand, one of ENDS.
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
        """Compute the law of the first hands that are played."""
        found = {net: Fraction(p, self._whole) for net, p in self._law_of(ends, final).items()}
        for rank, weight in ends.splits.items():
            law, whole = self._law_of_split(key, rank, final)
            for net, p in law.items():
                found[net] = found.get(net, Fraction(0)) + Fraction(weight * p, self._whole * whole)
        return found

    def _law_of(self, ends: Ends, final: int) -> Law:
        """Compute the law of a hand's ends without splits, in parts of the whole."""
        law: Law = defaultdict(int)
        for (wagers, hand), weight in ends.stood.items():
            law[wagers * self.wager * sign_against(self._rules, hand, final)] += weight
        if ends.surrendered:
            law[-self.wager // 2] += ends.surrendered
        return law

    def _law_of_split(self, key: Hashable, rank: int, final: int) -> tuple[Law, int]:
        """Compute the law of the hands of a split pair, and its total weight."""
        most = self._most_hands
        played = self._after_split(key, rank, can_hold=most > 2)  # noqa: PLR2004 - two hands so far
        law, pairs = self._law_of(played, final), played.splits[rank]
        unsplit = self._law_of(self._pair(key, rank), final) if pairs else {}

        @cache
        def of_open(hands: int, open_pairs: int) -> Law:
            """Compute the law of open pairs by the number of hands, in parts of whole**power."""
            if not open_pairs:
                return {0: self._whole ** self._power(hands)}
            if hands == most:
                rest = {0: self._whole ** (self._power(hands) - open_pairs)}
                return _times(rest, unsplit, open_pairs)
            found: Law = defaultdict(int)
            for new in range(3 if pairs else 1):  # pairs among the two hands of this split
                ways = comb(2, new) * pairs**new
                others = _times(of_open(hands + 1, open_pairs - 1 + new), law, 2 - new)
                for net, weight in others.items():
                    found[net] += weight * ways
            return found

        return of_open(1, 1), self._whole ** self._power(1)

    def _power(self, hands: int) -> int:
        """Return the power of the whole that is the total weight of laws of `hands` hands.

        Each later split deals two hands, and in the end at most all hands are open pairs.
        """
        return self._most_hands + 2 * (self._most_hands - hands)


def _times(law: Law, another: Law, times: int) -> Law:
    """Add a number of independent results to a result; total weights multiply."""
    for _ in range(times):
        total: Law = defaultdict(int)
        for (net, weight), (more, others) in product(law.items(), another.items()):
            total[net + more] += weight * others
        law = total
    return law


def _split(rank: int) -> Position:
    """Return the position of one card of a split pair."""
    return acted(after(after(EMPTY, rank), rank), Action.SPLIT)


Values = dict[Action, Fraction]


AnyValue = TypeVar("AnyValue", bound=Value)


class Solution(NamedTuple, Generic[AnyValue]):
    """The best play."""

    chart: Chart  # the best by totals
    value: AnyValue
    text_value: AnyValue  # of the chart
    notes: tuple[str, ...] = ()  # each hand that differs from the chart

    @property
    def text(self) -> str:
        """The chart in the format of the course document."""
        return write_chart(self.chart)


def solve(
    rules: BlackjackRules, *, surrender: bool = True, minimum: int = 1
) -> Solution[ExactValue]:
    """Find the best chart for a game.

    Args:
        rules: The game, with an infinite shoe.
        surrender: Whether the chart may surrender where the game allows it.
        minimum: The wager in chips.
    Returns: The chart, and its exact value per round in minimums.
    Raises: RulesError, if the shoe is not infinite.
    """
    if rules.decks != "infinite":
        raise RulesError(
            f"decks: this best chart needs an infinite shoe, not {rules.decks}; add decks=infinite"
        )
    rules = rules if surrender else replace(rules, surrender="never")
    shows_both = rules.dealer_shows == "both"
    any_chart = always(Action.STAND, shows_both=shows_both)
    finals = make_dealer(rules, ChartPolicy(any_chart)).finals
    numbers = range(len(any_chart.columns))
    columns = [tuple(_Column(rules, finals[number]).cells()) for number in numbers]
    chart = Chart(tuple(zip(*columns, strict=True)), shows_both, "solved")
    value = infinite_value(rules, ChartPolicy(chart), minimum)
    return Solution(chart, value, value)


class _Column(BestPlay[Fraction]):
    """The best play against the visible cards of the dealer.

    All values are in wagers, times the probability of these cards.
    """

    def __init__(self, rules: BlackjackRules, finals: Finals) -> None:
        super().__init__(rules)
        # A natural that ends the round leaves nothing to decide.
        ends = ENDS[:-1] if rules.dealer_natural == "wins-at-once" else ENDS
        self._finals = dict(zip(ends, finals, strict=False))

    def cells(self) -> Iterator[Cell]:
        """Yield the cells in the order of a chart's rows."""
        for total in HARD:
            yield self._cell(self._values(Position(total, PAIR)))
        for rank in RANK_OF:
            pair = after(after(Position(), rank), rank)
            values = self._values(pair)
            if Action.SPLIT in values:
                values[Action.SPLIT] = self._split_value(pair)
            # Aces that cannot be split have no row of a total to fall back on.
            has_no_total = pair.hand >= TOTALS and self.rules.split_aces == "played"
            yield self._cell(values, may_end_with_split=not has_no_total)
        for total in SOFT:
            yield self._cell(self._values(Position(TOTALS + total, PAIR)))

    def settled(self, position: Position) -> Fraction:
        if position.status == SURRENDERED:
            return -sum(self._finals.values(), Fraction(0)) / 2
        signs = {final: sign_against(self.rules, position.hand, final) for final in self._finals}
        return sum((p * signs[final] for final, p in self._finals.items()), Fraction(0))

    def best(self, moves: Mapping[Action, Fraction]) -> Fraction:
        return max(moves.values())

    def _values(self, position: Position) -> Values:
        """Return the value of each move; a hand without a choice stands."""
        stand = self.worth(acted(position, Action.STAND))
        return {Action.STAND: stand} | self.moves(position)

    def _cell(self, values: Values, *, may_end_with_split: bool = True) -> Cell:
        """Sort moves by value and, of equals, as listed, up to the first that is always legal."""
        order = sorted(values, key=lambda action: (-values[action], LISTED.index(action)))
        ends = {Action.STAND, Action.HIT}
        if may_end_with_split:
            ends.add(Action.SPLIT)  # if it is illegal, the row of the total applies
        last = next(place for place, action in enumerate(order) if action in ends)
        cell = tuple(order[: last + 1])
        if Action.DOUBLE in cell and Action.SPLIT in cell[cell.index(Action.DOUBLE) :]:
            # A pair that is doubled first is never split: omit the split.
            return self._cell({each: values[each] for each in values if each is not Action.SPLIT})
        return cell

    def _split_value(self, pair: Position) -> Fraction:
        """Return the value of a pair that is split whenever this is legal."""
        rules, single = self.rules, acted(pair, Action.SPLIT)
        one_card = single.origin == SPLIT_ACES and rules.split_aces == "one-card"
        no_more = one_card or rules.hands == 2  # noqa: PLR2004 - this split is the last
        alike = 1 if rules.split == "by-rank" else RANK_VALUES.count(RANK_VALUES[pair.rank])
        pairs = Fraction(0 if no_more else alike, RANKS)
        unsplit = self.worth(after(single, pair.rank))
        other = self.worth(single) - pairs * unsplit  # of a hand that is not such a pair

        @cache
        def of_open(hands: int, open_pairs: int) -> Fraction:
            """Return the value of open pairs, by the number of hands."""
            if hands == rules.hands or not open_pairs:
                return open_pairs * unsplit
            found = 2 * other
            for new in range(3):  # pairs among the two hands of this split
                ways = comb(2, new) * pairs**new * (1 - pairs) ** (2 - new)
                found += ways * of_open(hands + 1, open_pairs - 1 + new)
            return found

        return of_open(1, 1)
