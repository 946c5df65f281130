"""Frozen records of the moves of a round; they are created once and shared.

`Played` and `Discarded` are the moves. Other seats see `FaceDown` instead of a discard, because its
card is hidden.
"""

from dataclasses import dataclass
from typing import ClassVar

from tourney.game.cards.card import CARDS, Card

SEATS = 4


@dataclass(frozen=True, slots=True)
class Played:
    """A seat played a card on the table, visible to all."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat had no legal play and discarded a card; only that seat knows which."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class FaceDown:
    """A seat had no legal play and discarded a hidden card."""

    seat: int
    card: ClassVar[None] = None


Record = Played | Discarded
PublicEvent = Played | FaceDown

# Indexed by seat, then by card code.
PLAYED = tuple(tuple(Played(seat, card) for card in CARDS) for seat in range(SEATS))
DISCARDED = tuple(tuple(Discarded(seat, card) for card in CARDS) for seat in range(SEATS))
FACE_DOWN = tuple(FaceDown(seat) for seat in range(SEATS))
