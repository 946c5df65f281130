"""Simple: the player of the course documents, with basic strategy and a constant wager.

Why it might win: against the upcards that matter, it plays close to the best chart. So it loses
only one or two chips in a hundred wagered, and keeps its bankroll for long.
Limits: it ignores the cards that are gone. Two of its rules for soft hands come from games with
doubling; see `sharp`.
Source: [VE280], [EECS280] and, for the idea of a best chart, [Baldwin1956] in docs/sources.md.
"""

from tourney import Card, Hand, Player, hookimpl, pure


class Simple(Player):
    """Bets the minimum and plays the documents' basic strategy."""

    @pure
    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet the minimum."""
        return minimum

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        """Hit by the rules for soft or hard hands."""
        if player.soft:
            return self._hits_soft(player.total, dealer.value)
        return self._hits_hard(player.total, dealer.value)

    def _hits_hard(self, total: int, upcard: int) -> bool:
        if total <= 11:
            return True
        if total == 12:
            return upcard not in {4, 5, 6}
        if total <= 16:
            return upcard not in {2, 3, 4, 5, 6}
        return False

    def _hits_soft(self, total: int, upcard: int) -> bool:
        if total <= 17:
            return True
        if total == 18:
            return upcard not in {2, 7, 8}
        return False


@hookimpl
def tourney_strategies() -> dict[str, type[Player]]:
    """Offer Simple."""
    return {"simple": Simple}
