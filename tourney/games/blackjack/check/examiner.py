"""The examiner of blackjack: the rare situations and the match of a check."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tourney import lazy
from tourney.game.asking.exchange import AnyPool, SeatRequest
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.examiner import Examiner, Situations
from tourney.game.hand_history import JudgedDecision, story_of
from tourney.game.players import BasePlayer
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.check.scenarios import (
    Scenario,
    questions_about,
    scenarios,
    without_cards_shown,
)
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.players.declaration_request import declaration_of
from tourney.games.blackjack.players.questions import Call, Questions
from tourney.games.blackjack.rules import BlackjackRules

if TYPE_CHECKING:
    from tourney.games.blackjack.check import matches
else:  # importing them loads numba, and a file that fails to load never needs it
    matches = lazy.Module("tourney.games.blackjack.check.matches")


class BlackjackExaminer(Examiner):
    """Asks about situations and plays matches by the given rules."""

    beside = ("simple", "counting")
    """The players of the course documents, which a competitor must not copy."""

    def __init__(self, rules: BlackjackRules) -> None:
        self._rules = rules

    @property
    def tables(self) -> int:
        """Number of tables; the match takes about a second."""
        return matches.TABLES

    @property
    def rounds(self) -> int:
        """Number of rounds, enough for one or two shoes."""
        return matches.ROUNDS

    def ask(
        self,
        pool: AnyPool,
        minimum: int,
        maximum: int = HOUSE_LIMIT,
        *,
        hands_only: bool = False,
    ) -> Situations:
        """Ask about situations that the rules allow and that are rare in play."""
        rules, asked = self._rules, scenarios(self._rules, minimum, maximum)
        seat_requests = [SeatRequest(1, seat.to_bytes(8, "little")) for seat in range(len(asked))]
        seatings = pool.sit(seat_requests)
        result = Situations(len(asked))
        result.unseated = next((each.verdict for each in seatings if each.verdict), None)
        if result.unseated:
            return result
        acts, watches = seatings[0].acts, seatings[0].watches
        round_ = _Round(pool, result, watches=watches)
        wagers = np.full(len(asked), minimum)
        if rules.wager == "chosen" and not hands_only:
            first = questions_about(asked, range(len(asked)), Call.WAGER, [0] * len(asked))
            wagers = round_.ask(asked, first)
        result.unasked = sum(bool(asked[seat].hand) for seat in round_.failed)
        sitting = [
            seat
            for seat, each in enumerate(asked)
            if each.hand and seat not in round_.failed and (acts or Action.HIT in each.legal)
            if each.may_follow(int(wagers[seat]))
        ]
        about = [asked[seat] for seat in sitting]
        if about:
            call, staked = Call.ACT if acts else Call.DRAW, [int(wagers[seat]) for seat in sitting]
            round_.ask(about, questions_about(about, sitting, call, staked))
        return result

    def play(
        self,
        pool: AnyPool,
        minimum: int,
        tables: Sequence[int],
        onlookers: Sequence[type[BasePlayer]] = (),
        maximum: int = HOUSE_LIMIT,
    ) -> "matches.Played":
        """Play a match, and compare its decisions with those of onlookers."""
        declared = [_declared(each, self._rules) for each in onlookers]
        return matches.play_match(pool, self._rules, minimum, tables, declared, maximum=maximum)

    def is_repeated(self, pool: AnyPool, match: "matches.Played", tables: Sequence[int]) -> bool:
        """Ask the questions of a match again; return whether all answers are the same."""
        return matches.is_repeated(pool, match, tables)

    def difference(self, one: "matches.Played", other: "matches.Played") -> str:
        """Describe the first answer that differs."""
        return matches.first_difference(one, other)

    def judged(self, match: "matches.Played") -> Iterator[tuple[int, JudgedDecision]]:
        """Yield the decisions of a match with known values."""
        story = story_of(self._rules)
        return matches.match_decisions(match, story.move_judge)  # type: ignore[attr-defined]  # that of blackjack

    def answers(self, match: "matches.Played", tables: Sequence[int]) -> str:
        """Hash the questions with the visible cards, and the answers."""
        return matches.answers_digest(match, tables)


@cache
def _declared(kind: type[BasePlayer], rules: BlackjackRules) -> Declaration:
    """Return the declaration of a player in `beside`, which is the same in every check."""
    declared = declaration_of(kind(), rules)  # type: ignore[arg-type]  # or it raises
    assert isinstance(declared, Declaration), declared.reason
    return declared


class _Round:
    """Asks questions, and records each fault with a description of its situation."""

    def __init__(self, pool: AnyPool, result: Situations, *, watches: bool) -> None:
        self._pool, self._result, self._watches = pool, result, watches
        self.failed: set[int] = set()

    def ask(self, asked: Sequence[Scenario], questions: Questions) -> NDArray[np.int64]:
        """Ask one question for each scenario; return the answers in their order."""
        if not self._watches:
            questions = without_cards_shown(questions)
        answers, faults = self._pool.decide(questions)
        for place in sorted(faults):
            self.failed.add(int(questions.seats[place]))
            self._result.faults.append((asked[place].words, faults[place]))
        return answers
