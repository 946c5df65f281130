"""What a competitor is to a referee: a name, a source and which of its players is meant."""

from typing import NamedTuple


class Submitted(NamedTuple):
    """A competitor as it was handed in."""

    name: str  # of its file, as its author knows it
    source: bytes  # of the file, or several as `modules` writes them
    strategy: str = ""  # which of the players in it; empty for the only one
    options: str = ""  # what its constructor is given, as JSON; empty for nothing
    entry: str = ""  # which of several modules holds it; empty for a single file
