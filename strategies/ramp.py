"""Ramp: a card counter whose wagers and hands follow the true count.

Why it might win: each point of true count is worth about half a hundredth of the wager, so
from +3 on this game favours the player; there it bets two more minimums for every point. It
also leaves the chart where the count says so, which is worth two chips in a thousand wagered
even without the ramp. The indices are this game's own: the true counts at which
hitting and standing are worth the same, fitted over exact values of 1.8 million rounds.
Leaves out which cards are missing; two shoes of equal count can differ by far. See `edge`.
Source: [Wong1994] for true counts, [Griffin1999] for indices, [Schlesinger2005] for which of
them matter; docs/sources.md.
"""

from strategies.counting import Counting
from strategies.options import check_whole
from strategies.sharp import Sharp
from strategies.stakes import greatest_wager
from tourney import Card, Hand, Player, hookimpl

DECK_SIZE = 52
LAST_EVEN_COUNT = 2  # the true count up to which the game favours the house

STAND_FROM = {
    12: {2: 5, 3: 3, 4: 1, 5: -1, 6: 0},
    13: {2: 0, 3: -1, 4: -3, 5: -4, 6: -4},
    14: {2: -3, 3: -4, 4: -6, 5: -7, 6: -8},
    15: {2: -5, 3: -7, 4: -8, 9: 7, 10: 4, 11: 9},
    16: {2: -8, 8: 9, 9: 5, 10: 2, 11: 8},
    17: {11: -6},
}
"""By hard total and upcard: the true count from which standing is better."""


class Ramp(Counting, Sharp):
    """Counts like Counting, plays like Sharp, and lets the true count change both.

    Args:
        spread: Minimums it wagers at most.
        decks: Decks in the shoe.
    """

    def __init__(self, spread: int = 8, decks: int = 1) -> None:
        check_whole(1, spread=spread, decks=decks)
        super().__init__()
        self.spread = spread
        self._shoe = decks * DECK_SIZE
        self._unseen = self._shoe

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet two more minimums for every point of true count above +2."""
        points = self.count * DECK_SIZE // self._unseen - LAST_EVEN_COUNT
        steps = min(max(1 + 2 * points, 1), self.spread)
        return min(steps * minimum, greatest_wager(self, bankroll))

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Compare the count with the hand's index, if it has one."""
        if not player.soft:
            index = STAND_FROM.get(player.total, {}).get(dealer.value)
            if index is not None:
                return self.count * DECK_SIZE < index * self._unseen
        return super().draw(dealer, player)

    def expose(self, card: Card) -> None:
        """Count a card, and one less that is unseen."""
        super().expose(card)
        # A shoe of more decks than it was told of must not end in a division by zero.
        self._unseen = max(self._unseen - 1, 1)

    def shuffled(self) -> None:
        """Begin again with a full shoe."""
        super().shuffled()
        self._unseen = self._shoe


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Ramp."""
    return {"ramp": Ramp}
