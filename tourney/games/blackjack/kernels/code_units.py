"""The parts that machine code of blackjack is made and loaded in. To import it loads no numba."""

from tourney.game.machine.compile_cache import CodeUnit

_HOME = "tourney.games.blackjack.kernels.declared_blocks"

TABLES = CodeUnit("blackjack-tables", _HOME)
"""Tables of any seats by any rules."""
LANES = CodeUnit("blackjack-lanes", _HOME)
"""Single seats at shoes of one deck, eight side by side."""
SINGLE_SEATS = CodeUnit("blackjack-single-seats", _HOME)
"""Single seats at any other shoes."""

PARTS = (TABLES, LANES, SINGLE_SEATS)
"""The first plays everything, the others play some of it faster."""
