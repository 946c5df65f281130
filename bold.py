"""Bold: describe here how your player plays, and why it might win."""

from tourney import Card, Hand, Player


class Bold(Player):
    """Bets the minimum, and draws more carefully when the dealer looks weak."""

    # Every block of rounds gets a new player. To remember something during a block,
    # write an __init__. Its parameters are options: `options: {spread: 8}`.

    def bet(self, bankroll: int, minimum: int) -> int:
        """Return the wager: from the minimum to the bankroll, in whole chips.

        `self.table` is the view from your seat; `self.table.maximum` is its limit.
        """
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Return True to hit, False to stand.

        `dealer` is the dealer's upcard; its `value` is 2 to 10, or 11 for an ace.
        `player` is your hand: its `total`, its `cards`, and whether it is `soft`, which
        means that an ace counts 11.
        """
        if player.soft:  # another card cannot take you over 21
            return player.total < 18
        dealer_looks_weak = 2 <= dealer.value <= 6
        return player.total < (13 if dealer_looks_weak else 17)

    # To count cards, override expose(self, card) and shuffled(self).
    # For random choices, use self.random, so that a round can be replayed.
