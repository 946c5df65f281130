"""Who sits down in a pool; by itself, for processes without NumPy."""

from typing import NamedTuple


class SeatRequest(NamedTuple):
    """Who is to sit down."""

    first_round: int  # of the block
    random_key: bytes  # seeds the seat's own generator
