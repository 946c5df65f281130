"""A complete competitor: one class that plays and one function that enters it.

Bold presses its luck: while it is above its first bankroll it also wagers a part of what it
has won. It draws like a player who looks at the dealer's card first.
"""

from collections.abc import Mapping

from tourney import Card, Hand, Player, hookimpl


class Bold(Player):
    """Wagers the minimum, and part of its winnings once it has some."""

    def __init__(self, share: int = 10) -> None:
        """Whatever you put here with a default is an option: `options: {share: 5}`.

        Args:
            share: Wager one chip in so many of the winnings.
        """
        self.share = max(1, share)
        self.first_bankroll: int | None = None  # not known before the first round

    def bet(self, bankroll: int, minimum: int) -> int:
        """Say how much to wager: from the minimum to the bankroll, in whole chips."""
        if self.first_bankroll is None:
            self.first_bankroll = bankroll
        winnings = max(0, bankroll - self.first_bankroll)
        wager = minimum + winnings // self.share
        # self.table is what you see from your seat; its maximum is the most one may wager.
        return min(wager, bankroll, self.table.maximum)

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Say True for another card, False to stand."""
        if player.soft:  # an ace counts 11, so another card cannot take you over 21
            return player.total < 18
        dealer_is_weak = 2 <= dealer.value <= 6  # likely to go over 21 on its own
        return player.total < (12 if dealer_is_weak else 17)


@hookimpl
def tourney_strategies() -> Mapping[str, type[Player]]:
    """Tell the tournament which names stand for which classes; add more if you like."""
    return {"bold": Bold}
