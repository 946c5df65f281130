"""Frozen records of what happens in a round; they are made once and shared.

`Played` and `Discarded` are what happened; where a discard is shown to the other seats,
`FaceDown` stands for it, because they do not see the card.
"""

from dataclasses import dataclass
from typing import ClassVar

from tourney.game.cards.card import CARDS, Card

SEATS = 4


@dataclass(frozen=True, slots=True)
class Played:
    """A seat played a card on the table, for everybody to see."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat had no legal play and discarded a card; only that seat knows which."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A seat had no legal play and discarded a card that nobody else sees."""

    seat: int
    card: ClassVar[None] = None


Record = Played | Discarded
PublicEvent = Played | FaceDown

# Indexed by seat, then by card code.
PLAYED = tuple(tuple(Played(seat, card) for card in CARDS) for seat in range(SEATS))
DISCARDED = tuple(tuple(Discarded(seat, card) for card in CARDS) for seat in range(SEATS))
FACE_DOWN = tuple(FaceDown(seat) for seat in range(SEATS))
