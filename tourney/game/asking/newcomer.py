"""Who sits down at a desk; by itself, for processes without NumPy."""

from typing import NamedTuple


class Newcomer(NamedTuple):
    """Who is to sit down."""

    first_round: int  # of the block
    random_key: bytes  # seeds the seat's own generator
