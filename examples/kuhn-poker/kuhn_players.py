"""Three players of Kuhn poker."""

from collections.abc import Mapping

from kuhn_poker import BET, CHECK, KuhnPlayer, Move, View

from tourney import Rank, hookimpl


class Nash(KuhnPlayer):
    """Cannot be beaten in the long run: bluffs a third as often as it bets a king."""

    bluffs = 0.2  # how often it bets a jack in the first seat; anything to a third does

    def chance(self, view: View) -> float:
        """Say how often it bets or calls."""
        if BET in view.moves:  # the first seat has checked before, or is the one that bet
            queen = 1 / 3 + (self.bluffs if len(view.moves) == 2 else 0)
            return {Rank.JACK: 0.0, Rank.QUEEN: queen, Rank.KING: 1.0}[view.rank]
        jack, king = (1 / 3, 1.0) if view.moves else (self.bluffs, 3 * self.bluffs)
        return {Rank.JACK: jack, Rank.QUEEN: 0.0, Rank.KING: king}[view.rank]

    def act(self, view: View) -> Move:
        """Draw lots."""
        return BET if self.random.random() < self.chance(view) else CHECK


class Honest(Nash):
    """As hard to beat, and never bluffs in the first seat."""

    bluffs = 0.0


class Timid(KuhnPlayer):
    """Bets and calls with a king only, and pays for it."""

    def act(self, view: View) -> Move:
        """Look at the card."""
        return BET if view.rank is Rank.KING else CHECK


@hookimpl
def tourney_strategies() -> Mapping[str, type[KuhnPlayer]]:
    """Offer all three."""
    return {"nash": Nash, "honest": Honest, "timid": Timid}
