"""The two interpretations of the document: its transcript, or its text.

They deal different cards from the same seed. The program follows the transcript.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The differences between the transcript and the text of the document."""

    dealing: Literal["dealer-first", "seats-first"]
    """Receiver of the first card, as in `BlackjackRules.dealing`."""

    decks_shuffled: bool
    """Whether each deck is shuffled before it is added to the shoe, which is then also shuffled."""

    shuffle: Literal["gather", "scatter"]
    """Whether a random position is the source of the next card, or its destination."""

    gap: int
    """Spaces between the owner of a hand and its sum."""


TRANSCRIPT = Reading(dealing="dealer-first", decks_shuffled=True, shuffle="gather", gap=6)
TEXT = Reading(dealing="seats-first", decks_shuffled=False, shuffle="scatter", gap=5)
