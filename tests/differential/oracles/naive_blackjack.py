"""A slow and naive blackjack, written from the documents without the platform's parts.

Cards are plain numbers: rank 2 to 14. One list is the shoe; players are functions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Draws = Callable[[int, list[int]], bool]


def best_total(ranks: Sequence[int]) -> int:
    """Count aces as 11 as long as that does not bust."""
    total = sum(1 if rank == 14 else min(rank, 10) for rank in ranks)
    for rank in ranks:
        if rank == 14 and total + 10 <= 21:
            total += 10
            break
    return total


@dataclass
class NaiveRound:
    """What a round came to."""

    nets: list[int]
    exposed: list[int] = field(default_factory=list)
    used: int = 0


def play_round(  # noqa: C901 - one page from top to bottom, so that it can be checked by eye
    shoe: Sequence[int], wagers: Sequence[int], draws: Draws, *, hits_soft_17: bool = False
) -> NaiveRound:
    """Play a round from the front of a shoe of ranks; naturals pay 3:2 rounded down."""
    cards = iter(shoe)
    result = NaiveRound(nets=[0] * len(wagers))

    def face_up() -> int:
        result.used += 1
        rank = next(cards)
        result.exposed.append(rank)
        return rank

    hands = [[face_up()] for _ in wagers]
    dealer = [face_up()]
    for hand in hands:
        hand.append(face_up())
    hole = next(cards)
    result.used += 1
    naturals = [best_total(hand) == 21 for hand in hands]
    for hand, natural in zip(hands, naturals, strict=True):
        while not natural and best_total(hand) <= 21 and draws(dealer[0], hand):
            hand.append(face_up())
    waiting = [
        seat for seat, hand in enumerate(hands) if not naturals[seat] and best_total(hand) <= 21
    ]
    if waiting:
        result.exposed.append(hole)
        dealer.append(hole)
        while best_total(dealer) < 17 or (hits_soft_17 and is_soft_17(dealer)):
            dealer.append(face_up())
    for seat, hand in enumerate(hands):
        wager = wagers[seat]
        if naturals[seat]:
            result.nets[seat] = wager * 3 // 2
        elif best_total(hand) > 21:
            result.nets[seat] = -wager
        elif best_total(dealer) > 21 or best_total(hand) > best_total(dealer):
            result.nets[seat] = wager
        elif best_total(hand) < best_total(dealer):
            result.nets[seat] = -wager
    return result


def is_soft_17(ranks: Sequence[int]) -> bool:
    """Say whether a hand is 17 with an ace counted 11."""
    low = sum(1 if rank == 14 else min(rank, 10) for rank in ranks)
    return low == 7 and 14 in ranks
