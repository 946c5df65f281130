"""A tested player in its seat: the cards it has seen and its limits."""

from collections.abc import Callable, Iterator
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from tourney.game.cards.card import CARDS
from tourney.game.situations import BANKROLL, LEAST, ROUNDS
from tourney.game.view import TableView
from tourney.games.blackjack.players import Player, sit_down

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
