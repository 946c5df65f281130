"""The conformance suites for blackjack players, and the traits that an author may declare.

Inherit a suite and name the competitor: `PlayerConformance` for players with `draw`,
`ActPlayerConformance` for games with doubling and splitting. The tests ask the questions of a
table, in larger numbers; messages state the fix. Traits that are not declared are not checked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, cycle, product
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from tourney.game.asking.player_calls import answer_hint
from tourney.game.cards.card import CARDS, Card, Rank, Suit
from tourney.game.conformance import BANKROLL, LEAST, ROUNDS, Conformance, table_played
from tourney.game.rules import Rules
from tourney.game.view import TableView
from tourney.games.blackjack.action import HIT_OR_STAND, LISTED, Action
from tourney.games.blackjack.hand import BEST_TOTAL, PAIR, Hand, SeenHand, is_pair
from tourney.games.blackjack.players import Player, sit_down, watches_cards
from tourney.games.blackjack.rules import EASYBJ, BlackjackRules

UPCARDS = tuple(Card(rank, Suit.CLUBS) for rank in Rank)
VALUES = tuple(rank for rank in Rank if not Rank.TEN < rank < Rank.ACE)
"""One rank of each value."""

LONG = (
    (Rank.TWO,) * 4 + (Rank.THREE,) * 4,
    (Rank.ACE,) * 4 + (Rank.TWO,) * 4 + (Rank.THREE,) * 3,
    (Rank.ACE,) * 4 + (Rank.TWO,) * 3 + (Rank.KING,),
    (Rank.ACE, Rank.ACE, Rank.TWO, Rank.THREE, Rank.FOUR),
)


def hand_of(*ranks: Rank) -> Hand:
    """Create a hand of ranks, with the suits in turn.

    >>> hand_of(Rank.ACE, Rank.SIX)
    <soft 17: Ace of Spades, Six of Hearts>
    """
    return Hand(Card(rank, suit) for rank, suit in zip(ranks, cycle(Suit), strict=False))


@cache
def reachable_hands() -> tuple[Hand, ...]:
    """Return all possible hands of two ranks or three values, and longer ones.

    They include all hard totals from 4 to 21 and all soft totals from 12 to 21. Like the hands that
    players see, they never change.
    """
    hands = (SeenHand(hand_of(*ranks).cards) for ranks in _dealt())
    return tuple(hand for hand in hands if hand.total <= BEST_TOTAL and not hand.is_natural)


def questions() -> Iterator[tuple[Card, Hand]]:
    """Iterate over each upcard with each reachable hand."""
    return ((upcard, hand) for hand in reachable_hands() for upcard in UPCARDS)


def _dealt() -> Iterator[tuple[Rank, ...]]:
    yield from combinations_with_replacement(Rank, 2)
    yield from combinations_with_replacement(VALUES, 3)
    for ranks in LONG:
        yield from (ranks[:length] for length in range(4, len(ranks) + 1))


HIGHEST_LOW_CARD, LOWEST_HIGH_CARD = 6, 10  # by value, as counters call them

LOW = tuple(card for card in CARDS if card.value <= HIGHEST_LOW_CARD)
HIGH = tuple(card for card in CARDS if card.value >= LOWEST_HIGH_CARD)
FRESH = "before any card"
MOODS = MappingProxyType(
    {
        FRESH: (),
        "after sixteen low cards": LOW[:16],
        "after sixteen high cards": HIGH[:16],
        "after a whole deck": CARDS,
        "after more cards than a deck has": CARDS + CARDS,
    }
)
"""Cards that may have been exposed since the shuffle, by a description."""

Make = Callable[[], Player]


class Offer(NamedTuple):
    """A question for a wager."""

    bankroll: int  # chips
    minimum: int
    maximum: int
    rounds_left: int

    @property
    def most(self) -> int:
        """The greatest legal wager."""
        return min(self.bankroll, self.maximum)


def seated(make: Make, mood: str = FRESH) -> tuple[Player, Callable[[Offer], int]]:
    """Seat a new player next to another with twice its chips.

    Args:
        make: Creates the player.
        mood: Cards it has seen, by a key of MOODS.
    Returns: The player, and a function that asks it for a wager.
    """
    offers = [Offer(BANKROLL, LEAST, BANKROLL, ROUNDS)]

    def look() -> TableView:
        bankroll, minimum, maximum, rounds_left = offers[-1]
        return TableView(0, minimum, maximum, rounds_left, (bankroll, 2 * bankroll), (0, 0))

    def ask(offer: Offer) -> int:
        offers.append(offer)
        return player.bet(offer.bankroll, offer.minimum)

    player = make()
    sit_down(player, 1, look)
    player.shuffled()
    for card in MOODS[mood]:
        player.expose(card)
    return player, ask


def offers() -> Iterator[Offer]:
    """Iterate over bankrolls around all limits, with maximums from the minimum to no maximum."""
    for minimum, rounds_left in product((1, 5, 1_000), (1, ROUNDS)):
        double, huge = 2 * minimum, minimum * 10**12
        bankrolls = (minimum, minimum + 1, double - 1, double, double + 1, 9 * minimum, huge)
        maxima = (minimum, minimum + 1, double - 1, double, 8 * minimum, huge)
        for bankroll, maximum in product(bankrolls, maxima):
            if bankroll >= minimum:
                yield Offer(bankroll, minimum, maximum, rounds_left)


UNIFORM, RIFFLE = BlackjackRules(shuffle="uniform"), BlackjackRules(shuffle="riffle")


HIGHEST_SAFE_TOTAL = BEST_TOTAL - 10  # a hard hand that no card can bust


def watches(make: Make) -> bool:
    """Return whether the player watches cards."""
    return watches_cards(make())


def bets_flat(make: Make) -> bool:
    """Return whether the player always bets the minimum."""
    for mood in MOODS:
        _, ask = seated(make, mood)
        if any(ask(offer) > offer.minimum for offer in offers()):
            return False
    seat = table_played(make, BlackjackRules(), seats=1).seats[0]
    return seat.handle == seat.rounds * LEAST


def never_busts(make: Make) -> bool:
    """Return whether the player stands on all hands that the next card could bust."""
    player, _ = seated(make)
    return not any(
        player.draw(upcard, hand)
        for upcard, hand in questions()
        if not hand.soft and hand.total > HIGHEST_SAFE_TOTAL
    )


def ignores_upcard(make: Make) -> bool:
    """Return whether the player plays its hand the same against all upcards."""
    player, _ = seated(make)
    return all(
        len({player.draw(upcard, hand) for upcard in UPCARDS}) == 1 for hand in reachable_hands()
    )


TRAITS: Mapping[str, Callable[[Make], bool]] = MappingProxyType(
    {
        "watches_cards": watches,
        "bets_flat": bets_flat,
        "never_busts": never_busts,
        "ignores_upcard": ignores_upcard,
    }
)
"""The traits that can be declared, by name."""


class PlayerConformance(Conformance[Player]):
    """Tests of the contract of `tourney.Player`; subclass it with a competitor."""

    contract: ClassVar[type] = Player
    """The base class that competitors must have."""

    tables: ClassVar[Sequence[tuple[Rules, int]]] = ((UNIFORM, 1), (UNIFORM, 3), (RIFFLE, 1))
    """Rules and numbers of seats of the 200 test rounds."""

    traits: ClassVar[Mapping[str, bool]] = {}
    """Declared traits, by the names of `tourney.testing.TRAITS`."""

    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Show a new player a long sequence of cards and hands, and record its answers."""
        player, ask = seated(self.make)
        said: list[object] = []
        for number, (upcard, hand) in enumerate(questions()):
            if number % 7 == 0:
                said.append(ask(Offer(BANKROLL + 5 * (number % 31), LEAST, BANKROLL, ROUNDS)))
            player.expose(CARDS[number * 11 % len(CARDS)])
            said.append(player.draw(upcard, hand))
            if shuffles or number % 30 == 0:
                player.shuffled()
        return said

    def test_its_first_wager_is_legal(self) -> None:
        """The first wager is at least the minimum and at most the maximum."""
        for mood in MOODS:
            for offer in offers():
                _, ask = seated(self.make, mood)
                _check_wager(ask(offer), mood, offer)

    def test_its_wagers_stay_legal(self) -> None:
        """Wagers are legal after any earlier bankrolls."""
        there = tuple(offers())
        for mood in MOODS:
            _, ask = seated(self.make, mood)
            for offer in (*there, *reversed(there)):
                _check_wager(ask(offer), f"{mood} and other bankrolls", offer)

    def test_it_answers_every_hand(self) -> None:
        """It hits or stands with all hands against all upcards, after any earlier cards."""
        for mood in MOODS:
            player, _ = seated(self.make, mood)
            for upcard, hand in questions():
                answer = player.draw(upcard, hand)
                assert answer is True or answer is False, (
                    f"draw, {mood}, {hand!r} against {upcard}: expected True or False, "
                    f"got {answer!r}{answer_hint(answer, 'bool')}"
                )

    def test_it_leaves_its_hand_alone(self) -> None:
        """It does not change its hand; only the dealer adds and clears cards."""
        player, _ = seated(self.make)
        for upcard, hand in questions():
            shown = Hand(hand.cards)
            player.draw(upcard, shown)
            assert shown == hand, (
                f"draw: expected {hand!r} as it was, got {shown!r}: work on a copy, "
                "Hand(hand.cards)"
            )

    def test_it_has_its_traits(self) -> None:
        """It has its declared traits."""
        for name, declared in self.traits.items():
            assert name in TRAITS, f"traits: expected one of {', '.join(TRAITS)}, got {name!r}"
            found = TRAITS[name](self.make)
            assert found == declared, (
                f"traits[{name!r}]: declared as {declared}, but the player's is {found}; fix the "
                "player or the declaration"
            )


def _check_wager(wager: object, mood: str, offer: Offer) -> None:
    legal = type(wager) is int and offer.minimum <= wager <= offer.most
    assert legal, (
        f"bet, {mood}, with {offer}: expected a whole number from {offer.minimum} to "
        f"{offer.most}, got {wager!r}: keep it within the bankroll and self.table.maximum"
    )


EXTRAS = (
    (),
    (Action.DOUBLE,),
    (Action.DOUBLE, Action.SURRENDER),
    (Action.SURRENDER,),
)
"""Moves that may be legal with two cards, in addition to stand and hit."""

Question = tuple[Hand, Hand, tuple[Action, ...]]


class ActPlayerConformance(Conformance[Player]):
    """Tests of the contract of `tourney.ActPlayer`; subclass it with a competitor."""

    dealer_shows_both: ClassVar[bool] = True
    """Whether the player is for games in which both cards of the dealer are visible."""

    contract: ClassVar[type] = Player
    """The base class that competitors must have."""

    tables: ClassVar[Sequence[tuple[Rules, int]]] = ((EASYBJ, 1), (EASYBJ, 3))
    """Rules and numbers of seats of the 200 test rounds."""

    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Show a new player a long sequence of cards and hands, and record its answers."""
        player, _ = seated(self.make)
        said: list[object] = []
        for number, (dealer, hand, legal) in enumerate(self._questions()):
            player.expose(CARDS[number * 11 % len(CARDS)])
            said.append(player.act(dealer, hand, legal))
            if shuffles or number % 30 == 0:
                player.shuffled()
        return said

    def test_it_acts_legally_on_every_hand(self) -> None:
        """It chooses a legal move for all hands of both sides, all legal moves and all earlier
        cards.
        """
        for mood in MOODS:
            player, _ = seated(self.make, mood)
            for dealer, hand, legal in self._questions():
                action = player.act(dealer, hand, legal)
                is_legal = type(action) is Action and action in legal
                assert is_legal, (
                    f"act, {mood}, {hand!r} against {dealer!r}: expected one of "
                    f"{', '.join(f'Action.{each.name}' for each in legal)}, got {action!r}: "
                    "choose among `legal`"
                )

    def test_it_leaves_the_hands_alone(self) -> None:
        """It does not change the hands; only the dealer adds and clears cards."""
        player, _ = seated(self.make)
        for dealer, hand, legal in self._questions():
            shown = Hand(dealer.cards), Hand(hand.cards)
            player.act(*shown, legal)
            assert shown == (dealer, hand), (
                f"act: expected {dealer!r} and {hand!r} as they were, got {shown!r}: work on a "
                "copy, Hand(hand.cards)"
            )

    def _questions(self) -> Iterator[Question]:
        """Iterate over hands of the dealer, reachable hands, and legal moves."""
        shown = BOTH_CARDS if self.dealer_shows_both else ONE_CARD
        for hand, dealer in product(reachable_hands(), shown):
            if len(hand) != PAIR:
                yield dealer, hand, HIT_OR_STAND
                continue
            splits = ((), (Action.SPLIT,)) if is_pair(hand) else ((),)
            for split, extras in product(splits, EXTRAS):
                legal = {*HIT_OR_STAND, *split, *extras}
                yield dealer, hand, tuple(each for each in LISTED if each in legal)


def _both(first: Rank, second: Rank) -> SeenHand:
    return SeenHand.opening(Card(first, Suit.HEARTS), Card(second, Suit.SPADES))


ONE_CARD = tuple(SeenHand((card,)) for card in UPCARDS)
BOTH_CARDS = tuple(
    hand
    for hand in (_both(*ranks) for ranks in combinations_with_replacement(VALUES, 2))
    if not hand.is_natural
)
