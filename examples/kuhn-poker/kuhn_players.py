"""Three players of Kuhn poker."""

from collections.abc import Mapping

from kuhn_poker import BET, CHECK, RANKS, KuhnPlayer, Move, View

from tourney import Rank, hookimpl


class Nash(KuhnPlayer):
    """Cannot be beaten in the long run: bluffs a third as often as it bets a king."""

    bluffs = 0.2  # how often it bets a jack in the first seat; anything to a third does

    def chances(self, view: View) -> Mapping[Move, float]:
        """State how often it makes each move; `tourney ev` asks for this."""
        bets = (1 / 3, 0.0, 1.0) if view.moves else (self.bluffs, 0.0, 3 * self.bluffs)
        if BET in view.moves:  # the first seat has checked before, or is the one that bet
            bets = 0.0, 1 / 3 + (self.bluffs if len(view.moves) == 2 else 0), 1.0
        bet = bets[RANKS.index(view.rank)]
        return {BET: bet, CHECK: 1 - bet}

    def act(self, view: View) -> Move:
        """Draw lots."""
        return BET if self.random.random() < self.chances(view)[BET] else CHECK


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
