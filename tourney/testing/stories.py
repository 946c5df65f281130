"""What happens around a player that is tested: seats, cards that go by, whole tables.

Nothing here judges; `conformance` and `traits` do.
"""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from tourney.cards.card import CARDS, Card
from tourney.engine import play_block
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.rules import BlackjackRules
from tourney.ledger import BlockKey, BlockResult
from tourney.players import Player, TableView, sit_down
from tourney.schedule import Block, Seat
from tourney.testing.hands import UPCARDS, reachable_hands

MINIMUM = 10  # chips
BANKROLL = 1_000 * MINIMUM
ROUNDS = 200

FRESH = "before any card"
MOODS = MappingProxyType(
    {
        FRESH: (),
        "after sixteen low cards": tuple(card for card in CARDS if card.value <= 6)[:16],  # noqa: PLR2004 - what counters call low
        "after sixteen high cards": tuple(card for card in CARDS if card.value >= 10)[:16],  # noqa: PLR2004 - what counters call high
        "after a whole deck": CARDS,
        "after more cards than a deck has": CARDS + CARDS,
    }
)
"""Cards that may have been exposed since the shuffle, by what to call them."""

Make = Callable[[], Player]


class Offer(NamedTuple):
    """A question for a wager."""

    bankroll: int  # chips
    minimum: int
    maximum: int
    rounds_left: int

    @property
    def most(self) -> int:
        """The greatest wager that can be placed."""
        return min(self.bankroll, self.maximum)


def seated(make: Make, mood: str = FRESH) -> tuple[Player, Callable[[Offer], int]]:
    """Sit a new player down next to somebody who has twice its chips.

    Args:
        make: Makes the player.
        mood: What it has seen, by a name of MOODS.
    Returns: The player, and a function that asks it for a wager.
    """
    offers = [Offer(BANKROLL, MINIMUM, BANKROLL, ROUNDS)]

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
    """Give bankrolls around every border, with limits from the minimum to none."""
    for minimum, rounds_left in product((1, 5, 1_000), (1, ROUNDS)):
        double, huge = 2 * minimum, minimum * 10**12
        bankrolls = (minimum, minimum + 1, double - 1, double, double + 1, 9 * minimum, huge)
        maxima = (minimum, minimum + 1, double - 1, double, 8 * minimum, huge)
        for bankroll, maximum in product(bankrolls, maxima):
            if bankroll >= minimum:
                yield Offer(bankroll, minimum, maximum, rounds_left)


def questions() -> Iterator[tuple[Card, Hand]]:
    """Give every upcard with every reachable hand."""
    hands = reachable_hands()
    return ((upcard, hand) for hand in hands for upcard in UPCARDS)


def answers(make: Make, *, shuffles: bool = False) -> list[object]:
    """Tell a new player a long story and note whatever it answers.

    Args:
        make: Makes the player.
        shuffles: Shuffle between any two questions, not only now and then.
    """
    player, ask = seated(make)
    said: list[object] = []
    for number, (upcard, hand) in enumerate(questions()):
        if number % 7 == 0:
            said.append(ask(Offer(BANKROLL + 5 * (number % 31), MINIMUM, BANKROLL, ROUNDS)))
        player.expose(CARDS[number * 11 % len(CARDS)])
        said.append(player.draw(upcard, hand))
        if shuffles or number % 30 == 0:
            player.shuffled()
    return said


def first_difference(first: list[object], second: list[object]) -> str:
    """Say where two lists of answers part; empty if they do not."""
    for number, (one, other) in enumerate(zip(first, second, strict=True), 1):
        if one != other:
            return f"{one!r} and {other!r} as answer {number}"
    return ""


def table_played(make: Make, rules: BlackjackRules, seats: int) -> BlockResult:
    """Play 200 rounds at a table of the reference engine, every seat taken by a new player."""
    keys = [blake2b(bytes([seat]), digest_size=16).digest() for seat in range(seats + 1)]
    block = Block(
        key=BlockKey(stage=0, heat=0, table=0, seating=0, first_round=1),
        rules=rules,
        seats=tuple(Seat(entrant, BANKROLL, keys[entrant]) for entrant in range(seats)),
        minimum=MINIMUM,
        maximum=20 * MINIMUM,
        rounds=ROUNDS,
        shoe_key=keys[-1],
    )
    return play_block(block, lambda _: make())
