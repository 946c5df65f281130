"""Simple and Counting of the documents, from which the mutants differ.

They consist of a chart and a tally, so that a bug is one cell of the chart or one method. Like the
documents, they define only the four methods, and ignore the maximum.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from tourney.game.cards.card import Card, Rank
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players import Player

Upcards = frozenset[int]
"""Upcards by value; an ace is 11."""

Cell = tuple[str, int]
"""Hard or soft, and the total."""

HARD, SOFT = "hard", "soft"
NONE: Upcards = frozenset()
ALL: Upcards = frozenset(range(2, 12))
WEAK: Upcards = frozenset(range(2, 7))


def rows(kind: str, totals: range, upcards: Upcards) -> dict[Cell, Upcards]:
    """Return the cells of totals that stand against the same upcards."""
    return dict.fromkeys(((kind, total) for total in totals), upcards)


CHART: MappingProxyType[Cell, Upcards] = MappingProxyType(
    rows(HARD, range(12), NONE)
    | {(HARD, 12): frozenset({4, 5, 6})}
    | rows(HARD, range(13, 17), WEAK)
    | rows(SOFT, range(18), NONE)
    | {(SOFT, 18): frozenset({2, 7, 8})}
)
"""Upcards against which a hand stands; hands not listed stand against all."""

TAGS: MappingProxyType[Rank, int] = MappingProxyType(
    {rank: (rank <= Rank.SIX) - (rank >= Rank.TEN) for rank in Rank}
)
"""Tags of the cards, by rank."""


class Simple(Player):
    """Bets the minimum and stands by its chart."""

    chart: ClassVar[Mapping[Cell, Upcards]] = CHART

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit unless the chart stands."""
        return self.hits(dealer.value, player.total, soft=player.soft)

    def hits(self, upcard: int, total: int, *, soft: bool) -> bool:
        """Look a hand up."""
        return upcard not in self.chart.get((SOFT if soft else HARD, total), ALL)


class Counting(Simple):
    """Plays like Simple, and bets double the minimum at a count of +2 or more."""

    least_count: ClassVar[int] = 2
    tags: ClassVar[Mapping[Rank, int]] = TAGS

    def __init__(self) -> None:
        self._count = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet double the minimum if the count and the bankroll allow it."""
        doubles = self._count >= self.least_count and bankroll >= 2 * minimum
        return 2 * minimum if doubles else minimum

    def expose(self, card: Card) -> None:
        """Count a card."""
        self._count += self.tag(card)

    def shuffled(self) -> None:
        """Reset the count."""
        self._count = 0

    def tag(self, card: Card) -> int:
        """Return the tag of a card."""
        return self.tags[card.rank]
