"""Straights as somebody would write it who has only the document, cards as texts.

Shares nothing with the platform: a card is a text such as "7S", the table is a set of cards,
and a round is one function. Slow on purpose.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

RANKS = "A23456789TJQK"


@dataclass
class Told:
    """What came of a round."""

    first: int = 0
    moves: list[tuple[int, str, str]] = field(default_factory=list)  # seat, "play"/"discard", card
    discards: list[list[str]] = field(default_factory=lambda: [[], [], [], []])
    points: list[int] = field(default_factory=list)


def neighbours(card: str) -> set[str]:
    """Give the cards of the same suit one rank below and one above."""
    place = RANKS.index(card[0])
    return {RANKS[near] + card[1] for near in (place - 1, place + 1) if 0 <= near < len(RANKS)}


def may_be_played(card: str, table: set[str]) -> bool:
    """Say whether a card is a legal play on this table."""
    if not table:
        return card == "7S"
    return card[0] == "7" or bool(neighbours(card) & table)


def play_round(
    hands: Sequence[Sequence[str]], choose: Callable[[int, list[str], list[str]], str]
) -> Told:
    """Play a round.

    Args:
        hands: The cards of each seat.
        choose: Gets the seat, its hand and its legal plays; gives the card.
    """
    held = [list(hand) for hand in hands]
    told = Told(first=[("7S" in hand) for hand in held].index(True))
    table: set[str] = set()
    seat = told.first
    while any(held):
        legal = [card for card in held[seat] if may_be_played(card, table)]
        card = choose(seat, held[seat][:], legal[:])
        held[seat].remove(card)
        if legal:
            assert card in legal
            table.add(card)
            told.moves.append((seat, "play", card))
        else:
            told.discards[seat].append(card)
            told.moves.append((seat, "discard", card))
        seat = (seat + 1) % 4
    told.points = [sum(RANKS.index(card[0]) + 1 for card in discards) for discards in told.discards]
    return told
