"""What goes to and fro between a desk and the tables, wherever the desk's players sit.

The fields are those of `tourney.engine.lockstep.desk`.
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tourney.ledger import Verdict


class Submitted(NamedTuple):
    """A competitor as it was handed in."""

    name: str  # of its file, as its author knows it
    source: bytes
    strategy: str = ""  # which of the players in it; empty for the only one


class Newcomer(Protocol):
    """Who is to sit down."""

    @property
    def first_round(self) -> int:
        """Number of the first round of its block."""

    @property
    def random_key(self) -> bytes:
        """Seed of the seat's own generator."""


class Seating(NamedTuple):
    """What a table has to know of a player that has sat down."""

    acts: bool
    watches: bool
    verdict: Verdict | None = None  # if it could not be made


class Decided(NamedTuple):
    """Answers to a batch of questions."""

    answers: NDArray[np.int64]  # wagers in chips, numbers of actions, FAULT; (n,)
    faults: dict[int, Verdict]  # by the places of the questions
