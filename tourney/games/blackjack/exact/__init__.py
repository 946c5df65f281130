"""What a way to play blackjack is worth, worked out instead of measured; and the best way."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.games.blackjack.exact.best_play_target import best_play
    from tourney.games.blackjack.exact.policy import ChartPolicy, PlayerPolicy, Policy
    from tourney.games.blackjack.exact.solving import Solution, solve
    from tourney.games.blackjack.exact.value import ExactValue
    from tourney.games.blackjack.exact.working import exact_value, policy_of
else:
    __getattr__ = exports(__name__)
