"""The declaration of a Straights player: the worth of each of the 52 cards, as numbers.

Compiled engines read only this. Authors write it as `tourney.games.straights.declared_players`.
"""

from dataclasses import dataclass

Worths = tuple[float, ...]
"""One number per card, by its code."""


@dataclass(frozen=True, slots=True)
class PlayWeights:
    """Additions to the worth of a play, from the cards that wait for it."""

    own: Worths  # worth of a waiting card in the player's hand
    strangers: Worths  # worth of a waiting card of another seat
    reach: Worths  # factor for cards behind a card of another seat


@dataclass(frozen=True, slots=True)
class DiscardWeights:
    """Additions to the worth of a discard, from the cards that wait for it."""

    waiting: Worths  # worth of a waiting card in the player's hand
    chance: Worths  # factor for cards behind an unplayed card of another seat


@dataclass(frozen=True, slots=True)
class StraightsDeclaration:
    """All decisions of a declared player: it takes the card of the highest worth.

    Ties go to the first in the hand.
    """

    play: Worths
    discard: Worths
    play_weights: PlayWeights | None = None  # None: waiting cards do not count
    discard_weights: DiscardWeights | None = None
