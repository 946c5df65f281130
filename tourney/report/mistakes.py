"""Costly decisions: the situations in which an entrant loses most against best play.

A game that knows the value of every legal action judges its rows of decisions. The cost of a
decision is the value of the best action minus the value of the chosen one, with best play
afterwards. By the performance difference lemma (Kakade and Langford, 2002), the mean cost of a
round is the difference between best play and the entrant, if the values are exact for a player with
the entrant's information.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tourney.errors import TourneyError
from tourney.game.arrays import np
from tourney.game.blocks import Block
from tourney.game.hand_history import Story, story_of
from tourney.report.hand_tables import HandsData
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
    most: float = -1.0


@dataclass
class MistakeCounter:
    """Adds up the costs of decisions, block by block.

    Args:
        story: Of the game's rules.
    Raises: TourneyError, if the game does not know the value of actions.
    """

    story: Story[Any]
    rounds: int = 0
    judged: int = 0
    blocks: list[tuple[float, int]] = field(default_factory=list)  # cost and rounds of each
    sums: dict[tuple[str, str], _Sum] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Look the columns up."""
        self._names = [each.name for each in self.story.rows(1).of_decisions]
        if not self.story.judge():
            raise TourneyError(
                "mistakes: this game does not know the value of actions. Use a blackjack game"
            )

    def take(
        self, block: Block, rows: Iterable[Sequence[Any]], seats: set[int], rounds: int
    ) -> None:
        """Add the decisions of some seats of a block.

        Args:
            block: The block.
            rows: Its rows of decisions.
            seats: Places at the table, from 1.
            rounds: Rounds that these seats played.
        """
        total = 0.0
        judge = self.story.judge()
        assert judge, "asked at first"
        stage, heat, table, _, _ = (each + 1 for each in block.key)
        for row in rows:
            values = dict(zip(self._names, row, strict=True))
            judged = judge(values) if values["seat"] in seats else None
            if not judged:
                continue
            self.judged += 1
            if judged.cost <= 0:
                continue
            total += judged.cost
            example = Example(stage, heat, table, values["round"])
            key = judged.situation, values["answer"]
            found = self.sums.setdefault(key, _Sum(judged.best, example))
            found.times += 1
            found.cost += judged.cost
            if judged.cost > found.most:
                found.most, found.example, found.best = judged.cost, example, judged.best
        self.rounds += rounds
        self.blocks.append((total, rounds))

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


def mistakes_of(data: HandsData, entrant: int, top: int | None = TOP) -> Mistakes:
    """Deal the hands of a stored run again and list an entrant's costliest decisions.

    Args:
        data: Hands of the run; `chosen` selects blocks in which the entrant sits.
        entrant: Its number.
        top: Situations to list; `None` for all.
    Raises: TourneyError, if the game does not know the value of actions.
    """
    counter = MistakeCounter(story_of(data.tournament.rules))
    for block, hands, decisions in data.played_rows():
        seats = {
            place for place, seat in enumerate(block.seats, start=1) if seat.entrant == entrant
        }
        rounds = sum(row[1] in seats for row in hands)
        counter.take(block, decisions, seats, rounds)
    return counter.found(data.tournament.labels[entrant].name, top)


def summary(title: str, found: Mistakes) -> str:
    """Return the total cost in one line."""
    spread = "" if found.half_width is None else f" ± {found.half_width:.3f} (95 %)"
    return (
        f"{title}: decisions cost {found.cost_per_100:.3f}{spread} chips per {PER} rounds against "
        f"best play ({found.rounds:,} rounds)"
    )


def mistake_table(listed: Sequence[Mistake]) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells of a table of mistakes."""
    heads = ["Situation", "Answer", "Best", "Times", "Cost each", "Cost per 100 rounds", "Example"]
    rows = [
        [
            each.situation,
            each.answer,
            each.best,
            f"{each.times:,}",
            f"{each.cost:.3f}",
            f"{each.cost_per_100:.3f}",
            f"table {each.example.table}, round {each.example.round}",
        ]
        for each in listed
    ]
    return heads, rows


def mistake_lines(title: str, found: Mistakes) -> Iterator[str]:
    """Yield the lines of a text table."""
    from tabulate import tabulate  # noqa: PLC0415 - only where text is printed

    yield summary(title, found)
    if found.listed:
        heads, rows = mistake_table(found.listed)
        sides = ["left"] * 3 + ["right"] * 3 + ["left"]
        yield tabulate(rows, heads, disable_numparse=True, colalign=sides)
