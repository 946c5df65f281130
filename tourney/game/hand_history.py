"""How the hands of a game are told: to people, to a seat, and on a site, from which they are
played again.

All of it has defaults that work for every game whose table has a flow. Leaves out where it is
told; a story knows no run and no page.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from tourney.game.asking.player_calls import CompetitorError
from tourney.game.hand_notation import FAULT, STOOD_IN, HandsWriter
from tourney.game.ledger import BlockResult, Verdict
from tourney.game.narration import AsSeen, PlainTeller, Teller
from tourney.game.rows import RowsWriter
from tourney.game.seats import accounts_of
from tourney.game.turns import FlowTable, Turn

if TYPE_CHECKING:  # rules name their game, so what knows rules is loaded after this
    from tourney.game.blocks import Block
    from tourney.game.players import BasePlayer

AT_FAULT = Verdict("raised", "", 1, 0, "", "", "")
"""Stands for whatever a fault was: what matters is when."""

RulesT = TypeVar("RulesT")


class Judgement(NamedTuple):
    """A decision beside the best one."""

    situation: str  # such as "hard 16 against 10"
    best: str
    cost: float  # chips that the answer is expected to lose against the best one, at least 0


Judge = Callable[[Mapping[str, Any]], Judgement | None]
"""Judges a row of decisions, by column; None where values are unknown."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A cell of a chart: what was done in it."""

    move: str
    best: str  # what is best there; empty where nobody knows
    agreed: int  # how often both were the same
    seen: int  # how often it was looked at


@dataclass(frozen=True, slots=True)
class Decisions:
    """What somebody does: the cells of a chart, or what was seen of its play."""

    source: str  # "chart" or "sample"
    compared_with: str
    columns: list[str]
    rows: list[str]
    cells: list[list[Decision | None]]
    agreed: int
    seen: int


@dataclass(slots=True)
class Answers:
    """What the seats of a block have answered."""

    of: list[Iterator[Any]]  # by seat; places among what was legal, unless a story knows better
    absent: set[int]  # seats at fault before the first round


@cache
def story_of(rules: Any) -> "Story[Any]":
    """Give the story of some rules; charts that it compares with are worked out once."""
    story: Story[Any] = rules.game.story(rules)
    return story


class Story(Generic[RulesT]):
    """How hands of some rules are told.

    Args:
        rules: Of the game.
    """

    def __init__(self, rules: RulesT) -> None:
        self.rules = rules

    def hands(self, seats: int, *, samples: bool = False) -> HandsWriter:
        """Give who writes a block down.

        Args:
            seats: How many it has.
            samples: Whether `decisions` will be asked for.
        """
        del samples
        return HandsWriter(seats)

    def rows(self, seats: int) -> RowsWriter:
        """Give who writes a block down as rows of data, for so many seats."""
        rules: Any = self.rules
        return RowsWriter(seats, rules.unit, rules.game.told)

    def judge(self) -> "Judge | None":
        """Return a function that judges the decisions of a block, in order; None if none can be."""
        return None

    def decisions(self, looks: Sequence[tuple[HandsWriter, int]]) -> Decisions | None:
        """Tell what was seen of the play of seats, if the game knows how to.

        Args:
            looks: Blocks that were written down, each with a seat.
        """
        del looks
        return None

    def charted(self, kind: "type[BasePlayer]") -> Decisions | None:
        """Tell the cells of the chart that players of a class play by; None if there is none."""
        del kind
        return None

    def teller(self, write: Callable[[str], None], preset: str) -> Teller:
        """Give who tells people all that happens at a table.

        Args:
            write: Takes one line, without its end.
            preset: Of the rules.
        """
        del preset
        rules: Any = self.rules
        return PlainTeller(write, rules.unit)

    def as_seen(self, write: Callable[[str], None], seat: int) -> AsSeen:
        """Give who tells what one seat sees, and no more; `write` as above."""
        return AsSeen(write, seat)

    def again(self, block: "Block", lines: Sequence[str], hands: HandsWriter) -> BlockResult:
        """Play a block again from the lines that it was written down in.

        Args:
            block: What was played; nobody's answers come from anywhere but the lines.
            lines: A round each. They may come from anybody.
            hands: Writes down what happens.
        Raises: ValueError, if the lines are none.
        """
        accounts = accounts_of(block)
        table = block.rules.game.table(block, accounts, hands)
        assert isinstance(table, FlowTable), "a game without a flow has to play itself again"
        answers = self.answers(lines, len(block.seats))
        for seat in sorted(answers.absent):
            table.fault(seat, CompetitorError(AT_FAULT), block.key.first_round)
        flow, answer = table.flow(), None
        try:
            while True:
                turn = flow.send(answer)
                answer = self.action(turn, next(answers.of[turn.seat], None))
                if answer is None:
                    answer = CompetitorError(AT_FAULT)
        except StopIteration:
            return table.result()

    def answers(self, lines: Sequence[str], seats: int) -> Answers:
        """Read off what the seats have answered.

        Raises: ValueError, if they are no lines.
        """
        found: list[list[int]] = [[] for _ in range(seats)]
        absent: set[int] = set()
        for line in lines:
            for seat, place, _, _ in json.loads(line.split("|", 2)[2]):
                if place == STOOD_IN:
                    absent |= set() if found[seat] else {seat}
                else:
                    found[seat].append(place)
        return Answers([iter(each) for each in found], absent)

    def action(self, turn: Turn[Any, Any], answer: Any) -> Any:
        """Give the action that an answer stands for; None for a fault, and if it is not legal."""
        if type(answer) is int and answer != FAULT and 0 <= answer < len(turn.legal):
            return turn.legal[answer]
        return None

    def difference(self, expected: str, got: str) -> str:
        """Say in words what is the first to differ in two lines; empty if the lines say enough."""
        del expected, got
        return ""
