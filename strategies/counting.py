"""Counting: the documents' second player, Simple with an eye on the cards.

Why it might win: when small cards have gone, naturals come more often and the dealer, who
must draw, busts more often; that is when it doubles its wager.
Leaves out how many cards are left (a count of 2 means more near the end of a shoe) and plays
its hands the same whatever the count; see `ramp` for both.
Source: [VE280] in docs/sources.md; counting by plus and minus one: [Thorp1966].
"""

from strategies.simple import Simple
from strategies.stakes import greatest_wager
from tourney import Card, Player, hookimpl

COUNT_THAT_DOUBLES = 2
TAGS = {2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 0, 8: 0, 9: 0, 10: -1, 11: -1}
"""What a seen card adds to the count, by its value."""


class Counting(Simple):
    """Plays like Simple, and bets double the minimum at a count of +2 or more."""

    def __init__(self) -> None:
        self.count = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet double if the count is high and the double can be placed.

        The documents ask for the bankroll only; a table whose limit lies below the double
        would find a doubled wager at fault, so there the minimum stands.
        """
        double = 2 * minimum
        if self.count >= COUNT_THAT_DOUBLES and greatest_wager(self, bankroll) >= double:
            return double
        return minimum

    def expose(self, card: Card) -> None:
        """Count a card that lies face up."""
        self.count += TAGS[card.value]

    def shuffled(self) -> None:
        """Begin again at zero."""
        self.count = 0


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Counting."""
    return {"counting": Counting}
