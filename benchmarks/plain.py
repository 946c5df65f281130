"""A measure to compare with: Simple against the dealer in one plain loop of Python.

No players, records, accounts or digests; only the cards, the totals and the chips. What
the reference engine costs beyond this is the price of its structure.
"""

import random

RESHUFFLE, BEST, DEALER_STANDS = 20, 21, 17


def play(hands: int, rng_seed: int = 1) -> int:
    """Play hands from single decks, shuffled under 20 cards; give the chips won."""
    generator = random.Random(rng_seed)
    new_deck = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10] * 4
    deck: list[int] = []
    chips = 0
    for _ in range(hands):
        if len(deck) < RESHUFFLE:
            deck = new_deck.copy()
            generator.shuffle(deck)
        low, upcard, second, hole = deck.pop(), deck.pop(), deck.pop(), deck.pop()
        has_ace = 1 in {low, second}
        low += second
        if low == 11 and has_ace:
            chips += 15
            continue
        while hits(low, has_ace, upcard):
            card = deck.pop()
            low += card
            has_ace = has_ace or card == 1
        if low > BEST:
            chips -= 10
            continue
        player = best(low, has_ace)
        low, has_ace = upcard + hole, 1 in {upcard, hole}
        while best(low, has_ace) < DEALER_STANDS:
            card = deck.pop()
            low += card
            has_ace = has_ace or card == 1
        dealer = best(low, has_ace)
        chips += 10 if dealer > BEST or player > dealer else -10 if player < dealer else 0
    return chips


def best(low: int, has_ace: bool) -> int:
    """Count one ace as eleven if that does not bust."""
    return low + 10 if has_ace and low <= 11 else low


def hits(low: int, has_ace: bool, upcard: int) -> bool:
    """Decide as Simple does."""
    total = best(low, has_ace)
    if total != low:
        return total <= 17 or (total == 18 and upcard not in {2, 7, 8})
    if total <= 11:
        return True
    if total == 12:
        return not 4 <= upcard <= 6
    return total <= 16 and not 2 <= upcard <= 6
