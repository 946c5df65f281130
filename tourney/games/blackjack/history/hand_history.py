"""How hands of blackjack are told: card by card, in the words of the original drivers."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tourney.game.cards.card import Card
from tourney.game.cards.letters import card_that_differs, cards_seen
from tourney.game.cards.shoe import Shoe
from tourney.game.hand_history import Decisions, Judge, Story
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import BlockResult
from tourney.game.narration import AsSeen, Teller
from tourney.game.players import BasePlayer
from tourney.games.blackjack.exact.baseline import MoveWorths
from tourney.games.blackjack.exact.finite.move_values import MoveValues
from tourney.games.blackjack.history.decision_counts import (
    DecisionCounter,
    Seen,
    best_chart,
    charted,
    sampled,
)
from tourney.games.blackjack.history.hand_reader import recorded
from tourney.games.blackjack.history.hand_rows import HandRows
from tourney.games.blackjack.history.hand_writer import HandHistoryWriter
from tourney.games.blackjack.history.judgement import judge_by, values_for
from tourney.games.blackjack.players import ChartPlayer
from tourney.games.blackjack.players.chart import Chart
from tourney.games.blackjack.programs.transcript import Transcript
from tourney.games.blackjack.records import Dealt, Revealed
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.table import play_recorded

if TYPE_CHECKING:  # rules name their game, so what knows rules is loaded after this
    from tourney.game.blocks import Block

UNMARKED = "eecs280"
"""The preset whose driver has nothing before its lines."""


class BlackjackStory(Story[BlackjackRules]):
    """How hands are told by some rules."""

    @cached_property
    def _best(self) -> Chart | None:
        return best_chart(self.rules)

    def hands(self, seats: int, *, samples: bool = False) -> HandHistoryWriter:
        """Give who writes a block down; with samples, it counts decisions, too."""
        return HandHistoryWriter(
            seats, DecisionCounter(self.rules, seats, self._best) if samples else None
        )

    def rows(self, seats: int) -> HandRows:
        """Give who writes a block down as rows of data."""
        return HandRows(seats, self.rules.unit, self._worths)

    @cached_property
    def _worths(self) -> MoveWorths:
        return MoveWorths(self.rules)

    def judge(self) -> Judge:
        """Return a judge of the decisions of one block."""
        return judge_by(self._values)

    @cached_property
    def _values(self) -> MoveValues | None:
        return values_for(self.rules)

    def decisions(self, looks: Sequence[tuple[HandsWriter, int]]) -> Decisions | None:
        """Tell which moves were seen, beside the best."""
        seen: Seen = Counter()
        agreed: Counter[tuple[int, int]] = Counter()
        for hands, seat in looks:
            if isinstance(hands, HandHistoryWriter) and hands.sampler:
                seen.update(hands.sampler.seen[seat])
                agreed.update(hands.sampler.agreed[seat])
        return sampled(seen, agreed, self.rules, self._best)

    def charted(self, kind: type[BasePlayer]) -> Decisions | None:
        """Tell the cells of the chart that players of a class play by, beside the best."""
        if not issubclass(kind, ChartPlayer):
            return None
        return charted(kind.chart, self.rules, self._best)

    def teller(self, write: Callable[[str], None], preset: str) -> Teller:
        """Give who tells a table as its driver prints it."""
        return Transcript(write, "" if preset == UNMARKED else "# ", self.rules.unit)

    def as_seen(self, write: Callable[[str], None], seat: int) -> AsSeen:
        """Give who tells what one seat sees."""
        return BlackjackAsSeen(write, seat)

    def again(self, block: "Block", lines: Sequence[str], hands: HandsWriter) -> BlockResult:
        """Play a block again from its wagers and moves."""
        return play_recorded(block, _nobody, hands, recorded(block, lines, self.rules))

    def difference(self, expected: str, got: str) -> str:
        """Say which card is the first that the shoe does not give."""
        return card_that_differs(*(line.rpartition("|")[2] for line in (expected, got)))


class BlackjackAsSeen(AsSeen):
    """Tells what one seat sees: no hole card before it is turned, no card of the shoe."""

    def __init__(self, write: Callable[[str], None], seat: int) -> None:
        super().__init__(write, seat)
        self._cards: list[Card] = []  # face up, since the last line
        self._wagers: list[str] = []  # of others, which all see once the cards are dealt

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce a round."""
        self._wagers = []
        super().opened(number, bankrolls)

    def shuffled(self, shoe: Shoe) -> None:
        """Say that there was a shuffle, and look away."""
        self._end_cards()
        super().shuffled(shoe)

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Show a question to the seat with its answer, and others' wagers when they lie open."""
        if self._is_there and seat != self._seat and call == "bet" and answer:
            self._wagers.append(f"seat {seat + 1} wagers {answer}")
        elif self._is_there and seat == self._seat and call != "bet":
            self._news[:0], self._wagers = self._wagers, []
        super().asked(seat, call, seen, answer)

    def happened(self, record: Any) -> None:
        """Note what lies face up for everybody."""
        if isinstance(record, Revealed) or (isinstance(record, Dealt) and record.is_face_up):
            self._cards.append(record.card)

    def _tell(self) -> None:
        self._end_cards()
        super()._tell()

    def _end_cards(self) -> None:
        if self._cards:
            self._news.append(f"face up: {cards_seen(self._cards)}")
            self._cards = []


def _nobody(_seat: int) -> None:
    raise AssertionError("nobody is made: every seat has answered before")
