"""What a declared player of Straights thinks of the 52 cards, as numbers.

Engines without Python read nothing else of it. Leaves out how an author says it; see
`tourney.games.straights.declared_players`.
"""

from dataclasses import dataclass

Worths = tuple[float, ...]
"""One number a card, by its code."""


@dataclass(frozen=True, slots=True)
class PlayWeights:
    """What the cards that wait for a card add to the worth of playing it."""

    own: Worths  # worth of a waiting card of one's own
    strangers: Worths  # worth of one of somebody else
    reach: Worths  # what is left of both behind a card of somebody else


@dataclass(frozen=True, slots=True)
class DiscardWeights:
    """What the cards that wait for a card add to the worth of discarding it, and its chance."""

    waiting: Worths  # worth of a waiting card of one's own
    chance: Worths  # what is left of all behind an unplayed card of somebody else


@dataclass(frozen=True, slots=True)
class StraightsDeclaration:
    """All that decides for a declared player: the card of the highest worth is taken.

    Of equals it is the first of the hand.
    """

    play: Worths
    discard: Worths
    play_weights: PlayWeights | None = None  # None: a card is worth what it is worth alone
    discard_weights: DiscardWeights | None = None
