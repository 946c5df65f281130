"""The two ways to read the document: as its transcript shows it, or as its text says.

They deal different cards from the same seed. The program follows the transcript.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What transcript and text of the document disagree about."""

    dealing: Literal["dealer-first", "seats-first"]
    """Who gets the first card, as `BlackjackRules.dealing` names it."""

    decks_shuffled: bool
    """Every deck is shuffled before it goes into the shoe, which is then shuffled as well."""

    shuffle: Literal["gather", "scatter"]
    """A random place says where the next card comes from, or where the next card goes."""

    gap: int
    """Spaces between whose hand it is and its sum."""


TRANSCRIPT = Reading(dealing="dealer-first", decks_shuffled=True, shuffle="gather", gap=6)
TEXT = Reading(dealing="seats-first", decks_shuffled=False, shuffle="scatter", gap=5)
