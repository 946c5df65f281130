"""Traits that an author may declare and the suite then checks, one function each.

A trait that is not declared is not looked at.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tourney.game.conformance import table_played
from tourney.game.situations import LEAST
from tourney.games.blackjack.hand import BEST_TOTAL
from tourney.games.blackjack.players import watches_cards
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.testing.sample_hands import UPCARDS, questions, reachable_hands
from tourney.games.blackjack.testing.seats import MOODS, Make, offers, seated

HIGHEST_SAFE_TOTAL = BEST_TOTAL - 10  # a hard hand that no card can bust


def watches(make: Make) -> bool:
    """Say whether it wants to see the cards go by."""
    return watches_cards(make())


def bets_flat(make: Make) -> bool:
    """Say whether it bets the minimum whatever happens."""
    for mood in MOODS:
        _, ask = seated(make, mood)
        if any(ask(offer) > offer.minimum for offer in offers()):
            return False
    seat = table_played(make, BlackjackRules(), seats=1).seats[0]
    return seat.handle == seat.rounds * LEAST


def never_busts(make: Make) -> bool:
    """Say whether it stands on every hand that the next card could bust."""
    player, _ = seated(make)
    return not any(
        player.draw(upcard, hand)
        for upcard, hand in questions()
        if not hand.soft and hand.total > HIGHEST_SAFE_TOTAL
    )


def ignores_upcard(make: Make) -> bool:
    """Say whether it plays its hand the same against every upcard."""
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
"""What can be declared, by name."""
