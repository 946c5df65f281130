"""Costly decisions: the situations in which an entrant loses most against best play.

A game that knows the value of every legal action judges recorded decisions. The cost of a decision
is the value of the best action minus the value of the chosen one, with best play
afterwards. By the performance difference lemma (Kakade and Langford, 2002), the mean cost of a
round is the difference between best play and the entrant, if the values are exact for a player with
the entrant's information.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tourney.game.arrays import np
from tourney.game.hand_history import JudgedDecision
from tourney.game.ledger import BlockKey
from tourney.standings.fold import half_width

PER = 100
"""Rounds that costs are given for."""
TOP = 10
"""Situations that are listed unless another number is named."""


class Example(NamedTuple):
    """A round in which a decision was made."""

    stage: int  # all from 1
    heat: int
    table: int
    round: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that loses against best play, over all rounds in which it was made."""

    situation: str  # such as "hard 16 against 10"
    answer: str
    best: str
    times: int  # that it was made
    cost: float  # chips for each time
    cost_per_100: float  # chips in 100 rounds
    example: Example


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The costly decisions of one entrant, the costliest first."""

    name: str
    rounds: int
    judged: int  # decisions with known values
    cost_per_100: float  # chips in 100 rounds, of all mistakes
    half_width: float | None  # half the 95 % interval of that; None with a single block
    listed: tuple[Mistake, ...]


@dataclass(slots=True)
class _Sum:
    best: str
    example: Example
    times: int = 0
    cost: float = 0.0
    most: float = -1.0  # cost of the example
    is_shown: bool = False  # whether the example is at a table with published hands

    def illustrate(self, example: Example, cost: float, best: str, *, is_shown: bool) -> None:
        """Take a costlier example, or the first one with published hands."""
        if (is_shown, cost) > (self.is_shown, self.most):
            self.is_shown, self.most, self.example, self.best = is_shown, cost, example, best


@dataclass
class MistakeCounter:
    """Adds up the costs of decisions, block by block."""

    rounds: int = 0
    judged: int = 0
    blocks: list[tuple[float, int]] = field(default_factory=list)  # cost and rounds of each
    sums: dict[tuple[str, str], _Sum] = field(default_factory=dict)

    def take(self, key: BlockKey, decisions: Iterable[JudgedDecision], rounds: int) -> None:
        """Add the decisions of some seats of a block.

        Args:
            key: The block.
            decisions: The decisions.
            rounds: Rounds that these seats played.
        """
        total = 0.0
        for number, answer, (situation, best, cost) in decisions:
            self.judged += 1
            if cost <= 0:
                continue
            total += cost
            example = _example(key, number)
            found = self.sums.setdefault((situation, answer), _Sum(best, example))
            found.times += 1
            found.cost += cost
            found.illustrate(example, cost, best, is_shown=False)
        self.rounds += rounds
        self.blocks.append((total, rounds))

    def prefer(self, key: BlockKey, decisions: Iterable[JudgedDecision]) -> None:
        """Take the examples from a block with published hands, without counting it.

        Args:
            key: The block.
            decisions: Its decisions.
        """
        for number, answer, (situation, best, cost) in decisions:
            found = self.sums.get((situation, answer))
            if found and cost > 0:
                found.illustrate(_example(key, number), cost, best, is_shown=True)

    def found(self, name: str, top: int | None = TOP) -> Mistakes:
        """Return the mistakes, the costliest first.

        Args:
            name: Name of the entrant.
            top: Situations to list; `None` for all.
        """
        rounds = max(self.rounds, 1)
        listed = [
            Mistake(
                situation,
                answer,
                each.best,
                each.times,
                each.cost / each.times,
                each.cost / rounds * PER,
                each.example,
            )
            for (situation, answer), each in self.sums.items()
        ]
        listed.sort(key=lambda each: (-each.cost_per_100, each.situation, each.answer))
        total = sum(cost for cost, _ in self.blocks) / rounds * PER
        means = np.array([cost / count * PER for cost, count in self.blocks if count])
        width = half_width(means) if len(means) > 1 else None
        return Mistakes(name, self.rounds, self.judged, total, width, tuple(listed[:top]))


def _example(key: BlockKey, number: int) -> Example:
    return Example(key.stage + 1, key.heat + 1, key.table + 1, number)
