"""Building C++ players with the headers of the blackjack courses."""

from tourney.games.blackjack.native import CONTRACTS
from tourney.sandbox.native import compilation
from tourney.sandbox.native.compilation import Built, Files


def build(files: Files) -> Built:
    """Build the program of a competitor in blackjack.

    Raises: BuildError, with the fault.
    """
    return compilation.build(files, CONTRACTS)
