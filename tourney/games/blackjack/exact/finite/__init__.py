"""The best play for shoes that end, and what a chart is worth with them."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.games.blackjack.exact.finite.attention import Attention
    from tourney.games.blackjack.exact.finite.solving import (
        FiniteSolution,
        chart_value,
        finite_value,
        hand_values,
        solve_finite,
    )
else:
    __getattr__ = exports(__name__)
