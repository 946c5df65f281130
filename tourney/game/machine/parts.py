"""The parts that machine code is made and loaded in, one by one. To import it loads no numba."""

from tourney.game.machine.kept import Part

TABLES = Part("blackjack-tables", "tourney.games.blackjack.kernels.declared_blocks")
"""Tables of any seats by any rules."""
LANES = Part("blackjack-lanes", "tourney.games.blackjack.kernels.declared_blocks")
"""Single seats at shoes of one deck, eight side by side."""
SINGLE_SEATS = Part("blackjack-single-seats", "tourney.games.blackjack.kernels.declared_blocks")
"""Single seats at any other shoes."""
STRAIGHTS = Part("straights", "tourney.games.straights.kernels.declared_blocks")

PARTS = {"blackjack": (TABLES, LANES, SINGLE_SEATS), "straights": (STRAIGHTS,)}
"""By game: the first plays everything, the others play some of it faster."""
EVERY = frozenset(part for parts in PARTS.values() for part in parts)
