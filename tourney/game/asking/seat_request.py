"""A request to seat a player; a separate module for processes without NumPy."""

from typing import NamedTuple


class SeatRequest(NamedTuple):
    """A player that is to sit down."""

    first_round: int  # of the block
    random_key: bytes  # seeds the seat's own generator
