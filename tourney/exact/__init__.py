"""What a way to play blackjack is worth, worked out instead of measured; and the best way."""

from tourney.exact.aim import best_play, with_best_play
from tourney.exact.policy import ChartPolicy, PlayerPolicy, Policy
from tourney.exact.solving import Solution, solve
from tourney.exact.value import ExactValue
from tourney.exact.working import exact_value, policy_of

__all__ = [
    "ChartPolicy",
    "ExactValue",
    "PlayerPolicy",
    "Policy",
    "Solution",
    "best_play",
    "exact_value",
    "policy_of",
    "solve",
    "with_best_play",
]
