"""Players that together use all of the machine code, to compile or load it."""

from tourney.game.accelerators import LONG_ROUNDS, Usual
from tourney.game.cards.card import Card, Rank
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.kernels.code_units import LANES, SINGLE_SEATS, TABLES
from tourney.games.blackjack.players import (
    BetRamp,
    CountingPlayer,
    CountSystem,
    Player,
    deviates,
    pure,
)
from tourney.games.blackjack.rules import BlackjackRules


class _Sitter(Player):
    """Draws by its total alone."""

    @pure
    def bet(self, bankroll: int, minimum: int) -> int:
        del bankroll
        return minimum

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        del dealer
        return player.total < 12  # noqa: PLR2004 - it cannot bust


class _Counter(CountingPlayer, _Sitter):
    """Wagers by a count."""

    system = CountSystem({Rank.FIVE: 1})
    ramp = BetRamp({1: 2}, short="minimum")


class _Deviator(_Counter):
    """Plays its hands by the count, too."""

    @deviates({12: {2: 0}})
    def draw(self, dealer: Card, player: Hand) -> bool:
        return super().draw(dealer, player)


USUAL = {
    TABLES: Usual(BlackjackRules(), (_Sitter, _Counter, _Deviator)),
    # `LONG_ROUNDS` are enough to compute arrows; see `WORTH_ARROWS` in `kernels.single_seat`.
    LANES: Usual(BlackjackRules(), (_Sitter, _Counter), LONG_ROUNDS),
    SINGLE_SEATS: Usual(BlackjackRules(), (_Deviator,), LONG_ROUNDS),
}
