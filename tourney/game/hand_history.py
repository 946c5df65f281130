"""Hand histories of a game: as text for people and for one seat, as recorded lines, and as rows.

Recorded lines can be played again. The defaults work for every game whose table has a flow.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from tourney.game.asking.player_calls import CompetitorError
from tourney.game.hand_notation import FAULT, STOOD_IN, HandsWriter
from tourney.game.ledger import BlockResult, Verdict
from tourney.game.narration import AsSeen, PlainTeller, Teller
from tourney.game.rows import RowsWriter
from tourney.game.seats import accounts_of
from tourney.game.turns import FlowTable, Turn, Watcher

if TYPE_CHECKING:  # rules import their game, so this would be a cycle
    from tourney.game.blocks import Block
    from tourney.game.players import BasePlayer

AT_FAULT = Verdict("raised", "", 1, 0, "")
"""A placeholder for a recorded fault, of which only the time matters."""

RulesT = TypeVar("RulesT")


class Judgement(NamedTuple):
    """A decision beside the best one."""

    situation: str  # such as "hard 16 against 10"
    best: str
    cost: float  # chips that the answer is expected to lose against the best one, at least 0


class JudgedDecision(NamedTuple):
    """An answer of a player, and its judgement."""

    round: int  # from 1
    answer: str
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Decision:
    """A cell of a chart."""

    move: str
    best: str  # the best move; empty if unknown
    agreed: int  # number of decisions with the best move
    seen: int  # number of decisions


@dataclass(frozen=True, slots=True)
class Decisions:
    """The cells of a chart, or the observed decisions of a player."""

    source: str  # "chart" or "sample"
    compared_with: str
    columns: list[str]
    rows: list[str]
    cells: list[list[Decision | None]]
    agreed: int
    seen: int


@dataclass(slots=True)
class Answers:
    """Recorded answers of the seats of a block."""

    of: list[Iterator[Any]]  # by seat; indices into the legal actions, unless a story overrides
    absent: set[int]  # seats at fault before the first round


@cache
def story_of(rules: Any) -> "Story[Any]":
    """Return the story of some rules; cached, so that its charts are computed once."""
    story: Story[Any] = rules.game.story(rules)
    return story


class Story(Generic[RulesT]):
    """Shows the hands of a game in every format.

    Args:
        rules: Rules of the game.
    """

    def __init__(self, rules: RulesT) -> None:
        self.rules = rules

    def hands(self, seats: int, *, samples: bool = False) -> HandsWriter:
        """Return a watcher that records a block.

        Args:
            seats: Number of seats.
            samples: Whether `decisions` and `judged` will be called.
        """
        return HandsWriter(seats, self.decision_log(seats) if samples else None)

    def rows(self, seats: int) -> RowsWriter:
        """Return a watcher that records a block with this many seats as rows of data."""
        rules: Any = self.rules
        return RowsWriter(seats, rules.unit, rules.game.told)

    def decision_log(self, seats: int) -> Watcher | None:
        """Return a watcher that records decisions for `judged`.

        Args:
            seats: Number of seats of the block.
        Returns: `None` if the game does not know the value of actions.
        """
        del seats
        return None

    def judged(self, log: Any, seat: int) -> Iterator[JudgedDecision]:
        """Yield the recorded decisions of a seat with known values, in order.

        Args:
            log: A watcher of `decision_log` that has seen a block.
            seat: The seat, from 0.
        """
        del log, seat
        yield from ()

    def decisions(self, looks: Sequence[tuple[HandsWriter, int]]) -> Decisions | None:
        """Return the observed decisions of seats; `None` if the game has no such table.

        Args:
            looks: Recorded blocks, each with a seat.
        """
        del looks
        return None

    def charted(self, kind: "type[BasePlayer]") -> Decisions | None:
        """Return the chart that players of a class play by; `None` if there is no chart."""
        del kind
        return None

    def teller(self, write: Callable[[str], None], preset: str) -> Teller:
        """Return a watcher that prints everything that happens at a table.

        Args:
            write: Takes one line, without its end.
            preset: Name of the preset of the rules.
        """
        del preset
        rules: Any = self.rules
        return PlainTeller(write, rules.unit, rules.game.words)

    def as_seen(self, write: Callable[[str], None], seat: int) -> AsSeen:
        """Return a watcher that prints only the view of one seat; `write` as in `teller`."""
        rules: Any = self.rules
        return AsSeen(write, seat, rules.game.words)

    def again(self, block: "Block", lines: Sequence[str], hands: HandsWriter) -> BlockResult:
        """Play a block again from its recorded lines.

        Args:
            block: The block; all answers come from the lines.
            lines: One for each round. They are untrusted.
            hands: Records the replay.
        Raises: ValueError, if the lines cannot be parsed.
        """
        accounts = accounts_of(block)
        table = block.rules.game.table(block, accounts, hands)
        assert isinstance(table, FlowTable), "a game without a flow must override again()"
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
        """Parse the answers of the seats.

        Raises: ValueError, if the lines cannot be parsed.
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
        """Return the action for a recorded answer; `None` for a fault or an illegal action."""
        if type(answer) is int and answer != FAULT and 0 <= answer < len(turn.legal):
            return turn.legal[answer]
        return None

    def difference(self, expected: str, got: str) -> str:
        """Describe the first difference of two lines; empty if the lines speak for themselves."""
        del expected, got
        return ""
