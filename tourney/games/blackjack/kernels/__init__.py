"""Fast blackjack: compiled code on arrays. Only the engines of blackjack import it.

The units in which it is compiled and loaded are here, because importing them loads no numba.
"""

from tourney.game.machine.compile_cache import CodeUnit

_HOME = "tourney.games.blackjack.kernels.declared_blocks"

TABLES = CodeUnit("blackjack-tables", _HOME)
"""Tables with any seats and any rules."""
LANES = CodeUnit("blackjack-lanes", _HOME)
"""Single seats with shoes of one deck, eight side by side."""
SINGLE_SEATS = CodeUnit("blackjack-single-seats", _HOME)
"""Single seats with any shoes."""

PARTS = (TABLES, LANES, SINGLE_SEATS)
"""All parts. The first plays every block, the others play some blocks faster."""
