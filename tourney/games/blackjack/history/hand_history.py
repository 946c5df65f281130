"""The history of blackjack hands: as text, as rows, and in a compact notation.

The text follows the output of the original drivers. A line of the compact notation is a round, as
in `tourney.game.hand_notation`:

    1000|5|~a^bc_d1e2!d=3

The third field lists the events of a round in order:

- A letter is a card: a to m are the spades from two to ace, n to z the hearts, A to M the clubs,
  N to Z the diamonds. It goes to the hand in turn, at first that of seat 0.
- `(2)` gives the turn to seat 2, `(2,1)` to its second hand.
- After `^` the card is the dealer's; after `_` it is the dealer's and face down; `!` turns it.
- A digit is a move, the number of an `Action`. `=` and a digit is the result of the hand, the
  number of an `Outcome`. `$1` is insurance paid, `$0` insurance lost.
- `~` is a shuffle, `#` a fault of the seat in turn.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from string import ascii_letters
from typing import TYPE_CHECKING, Any

from tourney.game.cards.card import Card, card_that_differs, cards_seen
from tourney.game.cards.shoe import Shoe
from tourney.game.hand_history import AT_FAULT, Decisions, JudgedDecision, Story
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import BlockResult, Verdict
from tourney.game.narration import AsSeen, Teller
from tourney.game.players import BasePlayer
from tourney.games.blackjack.asking.seats import HOUSE_CHIPS, Recorded
from tourney.games.blackjack.exact.baseline import MoveWorths
from tourney.games.blackjack.history.decision_counts import (
    DecisionCounter,
    Seen,
    best_chart,
    charted,
    sampled,
)
from tourney.games.blackjack.history.decision_log import DecisionLog
from tourney.games.blackjack.history.hand_rows import HandRows
from tourney.games.blackjack.history.judgement import MoveJudge
from tourney.games.blackjack.players import ChartPlayer
from tourney.games.blackjack.players.chart import Chart
from tourney.games.blackjack.players.questions import FAULT, Call
from tourney.games.blackjack.programs.transcript import Transcript
from tourney.games.blackjack.records import (
    DEALER,
    Acted,
    Dealt,
    InsuranceSettled,
    Revealed,
    Settled,
)
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.table import play_recorded

if TYPE_CHECKING:
    from tourney.game.blocks import Block


class HandHistoryWriter(HandsWriter):
    """Writes the lines of a block of blackjack.

    Args:
        seats: Number of seats of the block.
        sampler: Optional counter of decisions; it receives every event.
        decision_log: Optional log of decisions.
    """

    def __init__(
        self,
        seats: int,
        sampler: DecisionCounter | None = None,
        decision_log: DecisionLog | None = None,
    ) -> None:
        super().__init__(seats, decision_log)
        self.sampler = sampler
        self._turn = (0, 0)

    def seated(self, seats: tuple[int, ...]) -> None:
        """Record the order of the seats."""
        super().seated(seats)
        if self.sampler:
            self.sampler.seated(seats)

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a line."""
        super().opened(number, bankrolls)
        self._turn = (0, 0)
        if self.sampler:
            self.sampler.opened(number, bankrolls)

    def shuffled(self, shoe: Shoe) -> None:
        """Write a shuffle."""
        del shoe
        self._events.append("~")

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Write a fault."""
        del verdict
        if self._is_open:
            self._take_turn(seat, 0)
            self._events.append("#")

    def written(self, events: Sequence[str]) -> str:
        """Join the events of a round."""
        return "".join(events)

    def shown(self, bankroll: int) -> int | None:
        """Return a bankroll; `None` for a stand-in."""
        return bankroll if bankroll <= HOUSE_CHIPS // 2 else None

    def happened(self, record: Any) -> None:
        """Write an event."""
        # Comparing types is fast: a table has thousands of events, most of them dealt cards.
        kind = type(record)
        if kind is Dealt:
            self._deal(record)
        elif kind is Acted:
            self._take_turn(record.seat, record.hand)
            self._events.append(str(int(record.action)))
        elif kind is Revealed:
            self._events.append(f"!{ascii_letters[record.card.code]}")
        elif kind is Settled:
            self._take_turn(record.seat, record.hand)
            self._events.append(f"={int(record.outcome)}")
        elif kind is InsuranceSettled:
            self._take_turn(record.seat, 0)
            self._events.append(f"${int(record.is_paid)}")
        if self.sampler:
            self.sampler.happened(record)

    def _deal(self, record: Dealt) -> None:
        letter = ascii_letters[record.card.code]
        if record.seat == DEALER:
            self._events.append(f"{'^' if record.is_face_up else '_'}{letter}")
        else:
            self._take_turn(record.seat, record.hand)
            self._events.append(letter)

    def _take_turn(self, turn: int, hand: int) -> None:
        seat = self._order[turn]
        if (seat, hand) != self._turn:
            self._turn = (seat, hand)
            self._events.append(f"({seat},{hand})" if hand else f"({seat})")


UNMARKED = "eecs280"
"""The preset whose driver prints no prefix before its lines."""
MARKS = re.compile(r"\((\d+)(?:,\d+)?\)|[\^_!][A-Za-z]|=\d|\$[01]|[~#]|\d|[A-Za-z]")
"""A mark of a line in the compact notation."""

Answers = list[tuple[int, int]]
"""Calls and answers of a seat, in order."""


class BlackjackStory(Story[BlackjackRules]):
    """Writes, replays and summarises the hands of a game."""

    @cached_property
    def _best(self) -> Chart | None:
        return best_chart(self.rules)

    def hands(self, seats: int, *, samples: bool = False) -> HandHistoryWriter:
        """Return a writer of a block's lines; with `samples`, it also records decisions."""
        if not samples:
            return HandHistoryWriter(seats)
        counter = DecisionCounter(self.rules, seats, self._best)
        return HandHistoryWriter(seats, counter, self.decision_log(seats))

    def rows(self, seats: int) -> HandRows:
        """Return a writer of a block's rows of data."""
        return HandRows(seats, self.rules.unit, self._worths)

    @cached_property
    def _worths(self) -> MoveWorths:
        return MoveWorths(self.rules)

    def decision_log(self, seats: int) -> DecisionLog:
        """Return a log of the decisions of a block."""
        return DecisionLog(seats)

    def judged(self, log: DecisionLog, seat: int) -> Iterator[JudgedDecision]:
        """Yield the decisions of a seat with known values."""
        for each in log.decisions(seat):
            judgement = self.move_judge.judge(each.situation, each.action, each.wager)
            if judgement:
                yield JudgedDecision(each.round, str(each.action), judgement)

    @cached_property
    def move_judge(self) -> MoveJudge:
        """The judge of all decisions."""
        return MoveJudge(self.rules)

    def decisions(self, looks: Sequence[tuple[HandsWriter, int]]) -> Decisions | None:
        """Summarise the sampled moves, with the best moves."""
        seen: Seen = Counter()
        agreed: Counter[tuple[int, int]] = Counter()
        for hands, seat in looks:
            if isinstance(hands, HandHistoryWriter) and hands.sampler:
                seen.update(hands.sampler.seen[seat])
                agreed.update(hands.sampler.agreed[seat])
        return sampled(seen, agreed, self.rules, self._best)

    def charted(self, kind: type[BasePlayer]) -> Decisions | None:
        """Summarise the cells of a class's chart, with the best moves."""
        if not issubclass(kind, ChartPlayer):
            return None
        return charted(kind.chart, self.rules, self._best)

    def teller(self, write: Callable[[str], None], preset: str) -> Teller:
        """Return a writer of the transcript that the original driver prints."""
        return Transcript(write, "" if preset == UNMARKED else "# ", self.rules.unit)

    def as_seen(self, write: Callable[[str], None], seat: int) -> AsSeen:
        """Return a writer of the information that one seat sees."""
        return BlackjackAsSeen(write, seat)

    def again(self, block: "Block", lines: Sequence[str], hands: HandsWriter) -> BlockResult:
        """Replay a block from its recorded wagers and moves."""
        return play_recorded(block, _make_no_player, hands, _recorded(block, lines, self.rules))

    def difference(self, expected: str, got: str) -> str:
        """Describe the first card that differs from the shoe."""
        return card_that_differs(*(line.rpartition("|")[2] for line in (expected, got)))


class BlackjackAsSeen(AsSeen):
    """Writes the information that one seat sees: face-up cards only."""

    def __init__(self, write: Callable[[str], None], seat: int) -> None:
        super().__init__(write, seat)
        self._cards: list[Card] = []  # face up, since the last line
        self._wagers: list[str] = []  # of other seats, visible once the cards are dealt

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Announce a round."""
        self._wagers = []
        super().opened(number, bankrolls)

    def shuffled(self, shoe: Shoe) -> None:
        """Write that the shoe was shuffled, but not its order."""
        self._end_cards()
        super().shuffled(shoe)

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Write a question to the seat with its answer, and the visible wagers of other seats."""
        if self._is_there and seat != self._seat and call == "bet" and answer:
            self._wagers.append(f"seat {seat + 1} wagers {answer}")
        elif self._is_there and seat == self._seat and call != "bet":
            self._news[:0], self._wagers = self._wagers, []
        super().asked(seat, call, seen, answer)

    def happened(self, record: Any) -> None:
        """Record the cards that are face up."""
        if isinstance(record, Revealed) or (isinstance(record, Dealt) and record.is_face_up):
            self._cards.append(record.card)

    def _tell(self) -> None:
        self._end_cards()
        super()._tell()

    def _end_cards(self) -> None:
        if self._cards:
            self._news.append(f"face up: {cards_seen(self._cards)}")
            self._cards = []


def _make_no_player(_seat: int) -> None:
    raise AssertionError("a replay needs no player: the answers of every seat are recorded")


def _recorded(laid: "Block", lines: Sequence[str], rules: BlackjackRules) -> dict[int, Recorded]:
    """Read the answers of the seats of a table; the lines may come from an untrusted source."""
    answers: list[Answers] = [[] for _ in laid.seats]
    silent = _absent(laid, lines, rules)
    for line in lines:
        silent |= _read_round(line, laid, rules, answers, silent)
    if len(lines) < laid.rounds:
        # No seat could go on: those with chips were at fault before the next round, which has no
        # line.
        call = Call.WAGER if rules.wager == "chosen" else Call.LOOK
        for seat in set(range(len(laid.seats))) - silent:
            answers[seat].append((call, FAULT))
            silent.add(seat)
    return {
        seat: Recorded(
            acts=True,
            answers=tuple(answers[seat]),
            verdict=AT_FAULT if seat in silent else None,
        )
        for seat in range(len(laid.seats))
    }


def _absent(laid: "Block", lines: Sequence[str], rules: BlackjackRules) -> set[int]:
    """Return the seats that were at fault before the first round."""
    least = rules.least_bankroll(laid.minimum)
    # If there is no round, every seat was at fault.
    chips = lines[0].partition("|")[0].split(",") if lines else [""] * len(laid.seats)
    return {
        seat for seat, text in enumerate(chips) if not text and laid.seats[seat].bankroll >= least
    }


def _read_round(
    line: str, laid: "Block", rules: BlackjackRules, answers: list[Answers], silent: set[int]
) -> set[int]:
    """Add the seats' answers in a round; return the seats at fault in it."""
    heads, wagers, events = line.split("|")
    is_chosen = rules.wager == "chosen"
    chips = [int(each or 0) for each in heads.split(",")]
    for seat, text in enumerate(wagers.split(",")):
        if text and seat not in silent and is_chosen:
            wager = int(text)
            if not laid.minimum <= wager <= min(chips[seat], laid.maximum) or wager % rules.unit:
                raise ValueError(f"seat {seat + 1} cannot wager {wager} of {chips[seat]}")
            answers[seat].append((Call.WAGER, wager // rules.unit))
    faulted: set[int] = set()
    turn, has_cards = 0, False
    for mark in MARKS.finditer(events):
        text = mark.group()
        if mark[1]:
            turn = int(mark[1])
        elif text == "#":
            is_fixed = not has_cards and not is_chosen
            answers[turn].append((Call.LOOK if is_fixed else Call.ACT, FAULT))
            faulted.add(turn)
        elif text.isdecimal() and turn not in silent | faulted:
            answers[turn].append((Call.ACT, int(text)))
        has_cards = has_cards or text[-1].isalpha()
    return faulted
