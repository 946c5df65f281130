"""What hands of a split are worth together, from what one hand is worth with cards removed.

Whoever plays every hand by its own cards wins, on average, the sum of what single hands win. What
a hand has to know of the others is only whether their second cards made pairs, as these may be
split again: a card that did is out of the shoe, and one that did not is any other card. The latter
is taken apart: what happens where a card is no pair is what happens in all, less what happens
where it is one. So the sum is one of single hands, each with some more cards of the pair's rank
out of the shoe, times numbers that this module gives. Nothing is left out.
"""

from collections import defaultdict
from collections.abc import Mapping
from math import comb, perm
from typing import NamedTuple

import numpy as np

from tourney.games.blackjack.exact.finite.dealer import Floats

Parts = Mapping[int, float]
"""How often a hand counts, by the number of cards alike that are out besides the first two."""


class Shares(NamedTuple):
    """What a split is made of: hands whose second card is no pair, and pairs not split again."""

    unlike: Parts
    pairs: Parts


def shares_of(alike: int, cards: int, most_hands: int) -> Shares:
    """Give how often each hand counts.

    Args:
        alike: Cards left that make a pair again.
        cards: Cards left in all.
        most_hands: Hands that a seat may hold.
    """
    unlike: dict[int, float] = defaultdict(float)
    pairs: dict[int, float] = defaultdict(float)
    for (closed, opened, drawn), ways in _ends(most_hands).items():
        if drawn > alike:
            continue
        chance = ways * perm(alike, drawn) / perm(cards, drawn)
        kinds = ((unlike, closed, closed - 1), (pairs, opened, closed))
        for parts, hands, others in kinds:
            for more, part in (
                _beside(others, alike - drawn, cards - drawn).items() if hands else ()
            ):
                parts[drawn + more] += chance * hands * part
    return Shares(unlike, pairs)


def _ends(most_hands: int) -> dict[tuple[int, int, int], int]:
    """Give (hands that are no pair, pairs, cards alike that came), and in how many ways."""
    ends: dict[tuple[int, int, int], int] = defaultdict(int)
    states = {(0, 1, 0): 1}
    while states:
        again: dict[tuple[int, int, int], int] = defaultdict(int)
        for (closed, opened, drawn), ways in states.items():
            if not opened or closed + opened == most_hands:
                ends[closed, opened, drawn] += ways
                continue
            for new in range(3):  # pairs among the two hands of this split
                state = closed + 2 - new, opened - 1 + new, drawn + new
                again[state] += ways * comb(2, new)
        states = again
    return ends


def _beside(others: int, alike: int, cards: int) -> Parts:
    """Give the parts of a hand that others stand beside whose second cards are not alike.

    Args:
        others: How many they are.
        alike: Cards left that make a pair.
        cards: Cards left in all.
    Returns: By the number of cards alike that are then out.
    """
    if not others:
        return {0: 1.0}
    parts = dict(_beside(others - 1, alike, cards))
    if alike:
        for out, part in _beside(others - 1, alike - 1, cards - 1).items():
            parts[out + 1] = parts.get(out + 1, 0.0) - part * alike / cards
    return parts


def second_cards(
    left: Floats, place: int, cases: list[tuple[float, int]], most_hands: int
) -> dict[int, Floats]:
    """Give how often each second card of a split hand counts.

    Args:
        left: Cards of each value without the upcard, the pair still in; shape (10,).
        place: Of the pair's value.
        cases: (probability, cards left that make a pair again), whichever the ranks are.
        most_hands: Hands that a seat may hold.
    Returns: By the number of cards of the pair's value that are out of the shoe besides those of
        the hand: a weight for each value of the second card; shape (10,).
    """
    found: dict[int, Floats] = defaultdict(lambda: np.zeros(len(left)))
    pair = np.zeros(len(left))
    pair[place] = 1
    for chance, alike in cases:
        cards = int(left.sum()) - 2
        shares = shares_of(alike, cards, most_hands)
        for drawn, share in shares.unlike.items():
            seconds = left - (2 + drawn) * pair
            seconds[place] -= alike - drawn
            found[drawn + 1] += chance * share * seconds / (cards - drawn)
        for drawn, share in shares.pairs.items():
            found[drawn] += chance * share * pair
    return dict(found)
