"""The rules of Straights as data.

docs/rules/straights.md numbers the clauses. `round` implements the rules that all variants share,
such as the first player and the legal plays.
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from annotated_types import Ge, Le

from tourney.game import Game
from tourney.game.cards.card import DECK_SIZE
from tourney.games.straights.game import STRAIGHTS
from tourney.games.straights.records import SEATS

DOCUMENT_LIMIT = 80
"""Points at which a game of the document ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StraightsRules:
    """One variant of Straights; by default without a point limit."""

    limit: Annotated[int, Ge(1), Le(10_000)] | None = None
    """Points of a seat that end a game after the round; without a limit, all scheduled rounds are
    played."""

    game: ClassVar[Game[Any, Any, Any]] = STRAIGHTS
    seats: ClassVar[range] = range(SEATS, SEATS + 1)
    most_points: ClassVar[int] = 154  # all kings, queens and jacks and a ten, all discarded
    unit: ClassVar[int] = 1
    deals_fresh: ClassVar[bool] = True
    minimum: ClassVar[None] = None

    def may_play(self, bankroll: int, minimum: int) -> bool:
        """Return True: without chips, each seat can play another round."""
        del bankroll, minimum
        return True

    def decisions(self, rounds: int, seat_rounds: int, cards: int) -> int:
        """Return the number of moves: one per card of a hand.

        >>> StraightsRules().decisions(rounds=1, seat_rounds=4, cards=52)
        52
        """
        del rounds, cards
        return DECK_SIZE // SEATS * seat_rounds


PRESETS = {"straights": StraightsRules()}
"""Named variants; organisers can override any setting in YAML."""
