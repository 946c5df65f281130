"""Counting as somebody hands it in: one file in plain Python, which needs nobody else's."""

from tourney import Card, Hand, Player

LOW, HIGH = 6, 10
"""Values up to which a card adds one to the count, and from which it takes one away."""


class Counting(Player):
    """Plays by the documents' rules, and bets double the minimum at a count of +2 or more."""

    def __init__(self) -> None:
        self.count = 0

    def bet(self, bankroll: int, minimum: int) -> int:
        """Double the wager when small cards have gone."""
        if self.count >= 2 and bankroll >= 2 * minimum:
            return 2 * minimum
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit as the rules for soft or hard hands say."""
        total, upcard = player.total, dealer.value
        if player.soft:
            return total <= 17 or (total == 18 and upcard not in {2, 7, 8})
        if total == 12:
            return upcard not in {4, 5, 6}
        return total <= 11 or (total <= 16 and upcard >= 7)

    def expose(self, card: Card) -> None:
        """Count a card."""
        if card.value <= LOW:
            self.count += 1
        elif card.value >= HIGH:
            self.count -= 1

    def shuffled(self) -> None:
        """Begin again at zero."""
        self.count = 0
