"""A desk whose players of Straights sit in a process of their own.

Leaves out the process and what it may take; see `referee`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tourney.asking.turns import Turns, write_turns
from tourney.confine.referee import ConfinedDesk
from tourney.players.questions import FAULT

DESK = "tourney.asking.straights_desk:StraightsDesk"
"""Who asks them in there."""


class ConfinedStraightsDesk(ConfinedDesk):
    """The players of one competitor at tables of Straights; its setup must name `DESK`."""

    def _written(self, questions: Turns) -> bytes:
        return write_turns(questions)

    def _calls(self, questions: Turns) -> list[str]:
        return ["play"] * len(questions.seats)

    def _are_decisions(self, questions: Turns) -> NDArray[np.bool_]:
        return np.ones(len(questions.seats), np.bool_)

    def _lies(
        self, questions: Turns, answers: NDArray[np.int64], faulted: list[int]
    ) -> NDArray[np.int64]:
        given: list[Any] = answers.tolist()
        legal: list[set[int]] = [set(codes) for codes in questions.choices()]
        for place in faulted:
            legal[place] = {FAULT}
        lies = [at for at, codes in enumerate(legal) if given[at] not in codes]
        return np.array(lies, np.int64)
