"""What goes to and fro between a desk and the tables, wherever the desk's players sit."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tourney.asking.newcomer import Newcomer
from tourney.ledger import Verdict

Verdicts: TypeAlias = dict[int, Verdict]
"""Faults, by the places of the questions in their batch."""


class Seating(NamedTuple):
    """What a table has to know of a player that has sat down."""

    acts: bool
    watches: bool
    verdict: Verdict | None = None  # if it could not be made


class Decided(NamedTuple):
    """Answers to a batch of questions."""

    answers: NDArray[np.int64]  # wagers in chips, numbers of actions, FAULT; (n,)
    faults: Verdicts


class AnyDesk(Protocol):
    """Where the questions to one entrant arrive, in this process or in another."""

    @property
    def warning(self) -> str:
        """What its author and the organiser should know; empty for nothing."""

    def sit(self, newcomers: Sequence[Newcomer], /) -> list[Seating]:
        """Make players, in order; seats are numbered as they come, from 0."""

    def decide(self, questions: Any, /) -> Decided:
        """Ask players whose seats have not failed, each at most once.

        Args:
            questions: Of the desk's game.
        """

    def close(self) -> None:
        """Let everybody go."""
